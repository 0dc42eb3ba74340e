import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { expectSettled, inOrder, standing } from '../../support/ingest/ledger.js';
import {
  emptyStore,
  linesOf,
  NO_ROWS,
  type Load,
  type Pair,
  pairsOf,
  STATIONS,
  type StationRow,
  startOfDay,
  worlds,
} from '../../support/plain/oracle.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// The seed is fixed, and a failure names it with the path to its case.
const RUN = { seed: 20_260_131, interruptAfterTimeLimit: 400_000 } as const;

const [NEW_YORK] = STATIONS as [StationRow];
const DAY = '2026-01-15';

// Effects of one load on a pair: corrections.test.ts. Loads that die: test/fault-injection/dying-loads.test.ts.
describe('the ledger of pairs', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  beforeEach(() => emptyStore(store));

  itInCi(
    'given random loads, some again, then the ledger holds each pair once, and as it stood earlier',
    () =>
      fc.assert(
        fc.asyncProperty(
          worlds({ conflicts: true }),
          fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: range({ test: 2, ci: 4 }) }),
          async (world, others) => {
            await emptyStore(store);
            const loaded: Load[] = [];
            const history: [loadId: number, pairs: Pair[]][] = [];
            for (const i of [0, ...others]) {
              const load = world.loads[i % world.loads.length] ?? NO_ROWS;
              const { load_id } = await loadLines(store, linesOf(load));
              loaded.push(load);
              history.push([load_id, pairsOf(loaded)]);
              await expectSettled(store, pairsOf(loaded));
            }
            for (const [loadId, pairs] of history) {
              const then = await standing(store, `load_id <= ${loadId}`);
              expect(then, `load ${loadId}`).to.deep.equal(inOrder(pairs));
            }
          },
        ),
        // The one world of `make ci` is of one month: an audit takes 0.3 s of processor for each.
        {
          ...RUN,
          seed: range({ test: 8, ci: 8, stress: RUN.seed }),
          numRuns: range({ test: 1, ci: 1, stress: 12 }),
        },
      ),
  );

  it('given forecasts issued after their day began, then they are a bucket apart, in no statistic', async () => {
    const begins = startOfDay(DAY, NEW_YORK.timezone);
    const ends = startOfDay('2026-01-16', NEW_YORK.timezone);
    const { station_id } = NEW_YORK;
    const report = await loadLines(
      store,
      linesOf({
        stations: [NEW_YORK],
        forecasts: [begins, begins + 1, ends - 1, ends].map((issued_at, i) => ({
          station_id,
          issued_at,
          target_date: DAY,
          high: 5100 - i * 100,
          low: undefined,
        })),
        observations: [
          { station_id, date: DAY, high: 4800, low: undefined, status: 'verified', observed_at: ends + 1 },
        ],
      }),
    );
    expect(report).to.include({
      forecasts_issued_after_day_ended: 1,
      forecasts_without_observation: 0,
      pairs_added: 3,
    });
    expect(report.feeds.forecasts).to.include({ rows_new: 4 });
    // Issued as the day began: a lead time of 0 counts.
    expect(
      (await standing(store)).map(({ error, lead_time_bucket }) => [error, lead_time_bucket]),
    ).to.deep.equal([
      [300, '0-6h'],
      [200, 'same-day'],
      [100, 'same-day'],
    ]);
    const service = await startTestService(store);
    for (const path of ['summary', 'by-date', 'by-lead-time', 'by-city']) {
      const response = await service.get(`/api/v1/accuracy/${path}?date_from=${DAY}&days=1`);
      expect((response.body as { metadata: unknown }).metadata, path).to.include({ total_records: 1 });
    }
    const response = await service.get(
      `/api/v1/accuracy/by-station/KNYC?date_from=${DAY}&days=1&include_raw=true`,
    );
    expect((response.body as { data: { sample_records: unknown[] } }).data.sample_records).to.have.lengthOf(
      1,
    );
  });
});
