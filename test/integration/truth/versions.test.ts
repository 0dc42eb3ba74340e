import { expect } from 'chai';
import { beginLoad } from '../../../src/ingest/load.js';
import { raw } from '../../../src/sql.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { linesOf } from '../../support/plain/oracle.js';
import { questionsAbout } from '../../support/plain/questions.js';
import { itInWorlds } from '../../support/plain/worlds.js';
import { range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';

// Guards that a past version answers what it answered then (D31), to the byte: from rewound histograms, and from the
// ledger while a load is under way that has written a part.

/** An answer's text without its moments and without what only a pinned one says. */
function lasting(text: string): string {
  const body = JSON.parse(text) as { metadata?: Record<string, unknown> };
  for (const name of ['generated_at', 'local_generated_at', 'query_time_ms', 'as_of'])
    delete body.metadata?.[name];
  return JSON.stringify(body);
}

describe('past versions of the data, given random loads', () => {
  itInWorlds(
    'when later ones correct, move and withdraw, then each version answers what it answered then, also beside a load that is half done',
    { runs: { test: 1, ci: 2, torture: 60 }, seed: 20_261_001 },
    async (given) => {
      const { world } = given;
      const store = await given.store();
      const service = await startTestService(store, { cacheBytes: 0 });
      const server = await Listening.start(service);
      const questions = range(
        { test: 6, ci: Infinity },
        questionsAbout(world, ['errors', 'cases', 'others']),
      );
      const [first] = [...world.dates].sort();
      const answers = async (asOf: string): Promise<Map<string, string>> => {
        const found = new Map<string, string>();
        for (const question of questions) {
          const { status, text } = await service.get(`/api/v1/${question}${asOf}`);
          // A station that comes later is unknown then, and has no pairs in the same version asked for afterwards.
          if (status !== 404 || asOf !== '') found.set(question, lasting(text));
        }
        const pairs = await server.download(`/api/v1/export/pairs?date_to=${first}&days=9${asOf}`);
        return found.set('export', pairs.body.toString());
      };
      const then: Map<string, string>[] = [];
      const [firstLoad, ...others] = world.loads;
      const last = others.slice(-range({ test: 1, ci: others.length, torture: others.length }));
      for (const load of firstLoad === undefined ? last : [firstLoad, ...last]) {
        await loadLines(store, linesOf(load));
        then.push(await answers(''));
      }
      const expectThen = async (): Promise<void> => {
        for (const [index, expected] of then.entries()) {
          const now = await answers(`&as_of=v${index + 1}`);
          for (const [question, text] of expected) {
            expect(now.get(question), `v${index + 1} of ${then.length}: ${question}`).to.equal(text);
          }
        }
      };
      await expectThen();
      await beginHalf(store);
      await expectThen();
      await server.stop();
    },
  );
});

/** A load that is under way, and has written a part: the ledger once more, issued a millisecond later. */
async function beginHalf(store: Store): Promise<void> {
  const load_id = await beginLoad(store);
  await store.command(
    raw(
      `INSERT INTO station_days
        (metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts, sign, load_id)
      SELECT
        metric, provider, station_id, target_date, local_midnight, actual, observation_status,
        arrayMap(lead -> lead - 1, lead_ms), forecasts, sign, {load_id: UInt32}
      FROM station_days`,
      { load_id },
    ),
  );
}
