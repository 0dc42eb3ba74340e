import { expect } from 'chai';
import fc from 'fast-check';
import { beginLoad } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { raw } from '../../../src/sql.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { emptyStore, linesOf, type World, worlds } from '../../support/plain/oracle.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards that a past version answers what it answered then (D31), to the byte: from rewound histograms, and from the
// ledger while a load is under way that has written a part.

const RUN = { seed: 20_261_001, interruptAfterTimeLimit: 300_000 } as const;

/** Questions that read every table, over the first and the last days of a world. */
function questionsAbout({ stations, dates }: World): string[] {
  const sorted = [...dates].sort();
  const id = stations[0]?.station_id ?? '';
  const city = encodeURIComponent(stations[0]?.city_name ?? '');
  const days = [sorted.at(-1), sorted[0]].slice(0, range({ test: 1, ci: 2, torture: 2 }));
  return [...new Set(days)].flatMap((date) => {
    const window = `date_to=${date}&days=9`;
    return range({ test: 10, ci: Infinity }, [
      `accuracy/summary?ci=0.9&${window}`,
      `accuracy/summary?station_id=${id}&metric=low&${window}`,
      `accuracy/by-date?include_preliminary=true&${window}`,
      `accuracy/by-date?group_by=week&${window}`,
      `accuracy/by-lead-time?include_same_day=true&${window}`,
      `accuracy/by-lead-time?align=matched&${window}`,
      `accuracy/by-city?sort_by=rmse&${window}`,
      `accuracy/by-city?city=${city}&lead_time_bucket=same-day,0-6h&${window}`,
      `accuracy/by-station/${id}?include_raw=true&${window}`,
      `accuracy/hit-rate?${window}`,
      `accuracy/by-bucket/${id}?${window}`,
      `accuracy/revision-stats?${window}`,
      `accuracy/exceedance?${window}`,
      `accuracy/error-distribution?signed=true&${window}`,
      `accuracy/sample-size?${window}`,
      `accuracy/update-frequency?${window}`,
      `data/observations?versions=all&${window}`,
      `data/forecast-actual?${window}`,
      `data/forecasts?versions=all&forecast_for_date=${date}`,
    ]);
  });
}

/** An answer's text without its moments and without what only a pinned one says. */
function lasting(text: string): string {
  const body = JSON.parse(text) as { metadata?: Record<string, unknown> };
  for (const name of ['generated_at', 'local_generated_at', 'query_time_ms', 'as_of'])
    delete body.metadata?.[name];
  return JSON.stringify(body);
}

describe('past versions of the data, given random loads', function () {
  this.timeout(400_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  it('when later ones correct, move and withdraw, then each version answers what it answered then, also beside a load that is half done', () =>
    fc.assert(
      fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
        await emptyStore(store);
        const service = await startTestService(store, { cacheBytes: 0 });
        const server = await Listening.start(service);
        const questions = questionsAbout(world);
        const [first] = [...world.dates].sort();
        const answers = async (of: TestService, asOf: string): Promise<Map<string, string>> => {
          const found = new Map<string, string>();
          for (const question of questions) {
            const { status, text } = await of.get(`/api/v1/${question}${asOf}`);
            // A station that comes later is unknown then, and has no pairs in the same version asked for afterwards.
            if (status !== 404 || asOf !== '') found.set(question, lasting(text));
          }
          const pairs = await server.download(`/api/v1/export/pairs?date_to=${first}&days=9${asOf}`);
          return found.set('export', pairs.body.toString());
        };
        const then: Map<string, string>[] = [];
        const [firstLoad, ...others] = world.loads;
        const last = others.slice(-range({ test: 2, ci: others.length, torture: others.length }));
        for (const load of firstLoad === undefined ? last : [firstLoad, ...last]) {
          await loadLines(store, linesOf(load));
          then.push(await answers(service, ''));
        }
        const expectThen = async (): Promise<void> => {
          for (const [index, expected] of then.entries()) {
            const now = await answers(service, `&as_of=v${index + 1}`);
            for (const [question, text] of expected) {
              expect(now.get(question), `v${index + 1} of ${then.length}: ${question}`).to.equal(text);
            }
          }
        };
        await expectThen();
        const underWay = await beginLoad(store);
        await store.command(
          raw(
            `INSERT INTO station_days
            (metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts, sign,
             load_id)
          SELECT
            metric, provider, station_id, target_date, local_midnight, actual, observation_status,
            arrayMap(lead -> lead - 1, lead_ms), forecasts, sign, {load_id: UInt32}
          FROM station_days`,
            { load_id: underWay },
          ),
        );
        await expectThen();
        await server.stop();
      }),
      { ...RUN, numRuns: range({ test: 1, ci: 2, torture: 60 }) },
    ));
});
