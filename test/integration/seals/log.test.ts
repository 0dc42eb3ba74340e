import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { hashLeaf } from '../../../src/seals/formats/tree.js';
import { parseCheckpoint } from '../../../src/seals/formats/checkpoint.js';
import type { Store } from '../../../src/store/store.js';
import { askDuckDb } from '../../support/duckdb.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { isInCi } from '../../support/runner/range.js';
import { openNote, parseVerifierKey } from '../../support/seals/notes.js';
import { verifyConsistency, verifyInclusion } from '../../support/seals/proofs.js';
import { SEALED_LOADS } from '../../support/seals/world.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

interface Seal {
  leaf: string;
  months: { feed: string; month: string; rows: number; root: string }[];
  index: number;
  proof: string[];
  checkpoint: string;
  verifier_key: string | null;
}

/** The digests of months, by DuckDB: all that a reader of docs/seals.md needs. */
const MONTHS = `
  SELECT feed, month, sum(rows)::INT AS rows, sha256(unhex(string_agg(hex(encode(day)) || digest, '' ORDER BY day))) AS root
  FROM (
    SELECT feed, coalesce(nullif(left(day, 7), ''), 'all') AS month, day, count(*) AS rows,
      sha256(string_agg(line, chr(10) ORDER BY line)) AS digest
    FROM (SELECT feed, coalesce(day::VARCHAR, '') AS day, line FROM {file})
    GROUP BY feed, day
  )
  GROUP BY feed, month
  ORDER BY feed || ' ' || month`;

const bytes = (texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text, 'base64'));

describe('the log of versions', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  let store: Store;
  let service: TestService;
  const sealOf = async (version: string): Promise<Seal> => {
    const response = await service.get(`/api/v1/seals/${version}`);
    expect(response.status, response.text).to.equal(200);
    return (response.body as { data: Seal }).data;
  };
  const checkpoint = async (): Promise<string> => (await service.get('/api/v1/seals')).text;
  const kept: string[] = [];

  before(async () => {
    store = await openTestStore();
    service = await startTestService(store, { seals: { origin: 'example.org/accuracy', key: privateKey } });
    for (const lines of SEALED_LOADS) {
      await loadLines(store, lines);
      kept.push(await checkpoint());
    }
  });
  after(() => store.close());

  it('given a version, then its leaf is in the log of a signed checkpoint', async () => {
    for (const version of ['v1', 'v2', 'v3']) {
      const { leaf, months, index, proof, checkpoint: note, verifier_key } = await sealOf(version);
      const { text } = openNote(note, [parseVerifierKey(verifier_key ?? '')]);
      const { origin, size, root } = parseCheckpoint(text);
      const { timeline, facts } = JSON.parse(leaf) as { timeline: string; facts: { sha256: string } };
      expect(origin).to.equal(`example.org/accuracy/${timeline}`);
      expect(note).to.equal(kept.at(-1));
      const inclusion = { index, size, leaf: hashLeaf(Buffer.from(leaf)), proof: bytes(proof), root };
      expect(verifyInclusion(inclusion)).to.equal(true);
      const canonical = JSON.stringify(
        months.map(({ feed, month, root, rows }) => ({ feed, month, root, rows })),
      );
      expect(facts.sha256).to.equal(createHash('sha256').update(canonical).digest('hex'));
    }
  });

  it('given two checkpoints, then the log of the earlier is the beginning of the later', async () => {
    const roots = new Map(kept.map((note) => parseCheckpoint(note)).map(({ size, root }) => [size, root]));
    for (const [from, size] of [
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const) {
      const response = await service.get(`/api/v1/seals/consistency?from=${from}&to=${size}`);
      const { proof } = (response.body as { data: { proof: string[] } }).data;
      const [fromRoot, root] = [roots.get(from), roots.get(size)] as [Buffer, Buffer];
      expect(verifyConsistency({ from, size, fromRoot, root, proof: bytes(proof) })).to.equal(true);
    }
  });

  for (const format of isInCi ? ['csv', 'parquet'] : ['csv']) {
    it(`given the facts of a version as ${format}, then DuckDB makes the digests of its seal`, async () => {
      for (const version of ['v1', 'v2', 'v3']) {
        const response = await service
          .get(`/api/v1/export/facts?version=${version}&format=${format}`)
          .responseType('arraybuffer');
        expect(response.status).to.equal(200);
        const months = await askDuckDb(response.body as Buffer, format, MONTHS);
        expect(months).to.deep.equal((await sealOf(version)).months);
      }
    });
  }

  for (const [path, code, message] of [
    ['seals/v9', 'NOT_FOUND', /there is no version v9 with a seal: GET \/api\/v1\/loads lists all/],
    ['seals/v1.zzzz', 'NOT_FOUND', /there is no version v1.zzzz/],
    ['seals/consistency?from=4', 'INVALID_PARAMETER', /from must be a size from 1 to 3/],
    ['seals/consistency?from=1&to=4', 'INVALID_PARAMETER', /to must be at most 3, the size of the log/],
    ['seals/consistency', 'INVALID_PARAMETER', /from must be a size/],
    ['seals?days=3', 'INVALID_PARAMETER', /days/],
    ['export/facts?version=v9', 'INVALID_PARAMETER', /names v9, but no load of this number has finished/],
    ['export/facts?version=v1.zzzz', 'INVALID_PARAMETER', /names timeline zzzz/],
  ] as const) {
    it(`given ${path}, then the error names the way out`, async () => {
      const response = await service.get(`/api/v1/${path}`);
      const { error } = response.body as { error: { code: string; message: string } };
      expect(error.code).to.equal(code);
      expect(error.message).to.match(message);
    });
  }
});
