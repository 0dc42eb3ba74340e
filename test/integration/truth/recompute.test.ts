import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { emptyStore, linesOf } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { type Compared, compareWithScript, NOT_RECOMPUTED } from '../../support/recompute/compare.js';
import { COVERED, drawRequest } from '../../support/recompute/requests.js';
import { recomputeWorld } from '../../support/recompute/world.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// An export has the right pairs: random-worlds.test.ts, export.test.ts. Routes of scripts: scripts.test.ts.
describe('recompute.sql, given random worlds with months of pairs', function () {
  this.timeout(1_800_000);
  let store: Store;
  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  const WORLDS = range({ test: 1, ci: 1, stress: 4 });
  const REQUESTS = range({ test: 6, ci: 16, stress: 500 });
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    it(`when ${REQUESTS} random requests are answered, then DuckDB makes every number anew from the export, seed ${seed}`, async () => {
      await emptyStore(store);
      for (const load of recomputeWorld(seed)) await loadLines(store, linesOf(load));
      const service: TestService = await startTestService(store, { now: '2026-08-01T00:00:00Z' });
      const response = await service.get('/api/v1/accuracy/summary');
      const { data_version, timeline } = (
        response.body as { metadata: { data_version: number; timeline: string } }
      ).metadata;
      const random = new Random(Number(process.env.TEST_SEED ?? 0) + seed);
      const compared: Compared = { numbers: 0, differing: [], missing: new Set() };
      for (let at = 0; at < REQUESTS; at += 1) {
        const path = drawRequest(random, COVERED[at % COVERED.length]!, { version: data_version, timeline });
        await compareWithScript(service, path, compared);
      }
      expect(compared.differing.slice(0, 20)).to.deep.equal([]);
      // A few requests need not lack all that the scripts of some leave out.
      if (REQUESTS > 100) expect([...compared.missing]).to.have.members(NOT_RECOMPUTED);
      else expect(NOT_RECOMPUTED).to.include.members([...compared.missing]);
      expect(compared.numbers).to.be.above(30 * REQUESTS);
    });
  }
});
