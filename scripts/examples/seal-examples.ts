import { formatCheckpoint } from '../../src/seals/formats/checkpoint.js';
import { computeRoot, hashLeaf, proveConsistency, proveInclusion } from '../../src/seals/formats/tree.js';
import { makeSeal } from '../../src/seals/seal.js';
import type { Examples } from '../openapi/examples.js';

/** Examples of the log of versions: of a log of two, since the real one has another timeline and clock each time. */
export function makeSealExamples(timeline: string, recorded_at: string): Examples['responses'] {
  const months = [
    {
      feed: 'observations',
      month: '2026-09',
      rows: 96,
      root: '59f0a31f9e0c3d1ab7e0b5f1f0a2f8a1e0d9c1b2a3f4e5d6c7b8a9f0e1d2c3b4',
    },
  ];
  const state = { timeline, schema: '016_sealed_odds.sql', latest: 0, leaf: '' };
  const report = { outcome: 'complete', feeds: { observations: { rows_read: 96 } }, pairs_added: 96 };
  const leaves = [1, 2].map(
    (version) => makeSeal(state, { version, report, now: new Date(recorded_at) }, months, {}).seal,
  );
  const hashes = leaves.map((leaf) => hashLeaf(Buffer.from(leaf)));
  const toBase64 = (hash: Buffer): string => hash.toString('base64');
  const origin = `example.org/forecasts/${timeline}`;
  const checkpoint = formatCheckpoint({ origin, size: hashes.length, root: computeRoot(hashes) });
  const seal = {
    ...{ version: 2, leaf: leaves[1], months, index: 1 },
    ...{ proof: proveInclusion(1, hashes).map(toBase64), checkpoint, verifier_key: null },
  };
  const proof = proveConsistency(1, hashes).map(toBase64);
  return {
    getCheckpoint: { request: 'GET /api/v1/seals', json: checkpoint },
    getConsistency: {
      request: 'GET /api/v1/seals/consistency?from=1',
      json: { success: true, data: { from: 1, to: hashes.length, proof } },
    },
    getSeal: { request: 'GET /api/v1/seals/v2', json: { success: true, data: seal } },
  };
}
