import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { ask } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  BUCKETS_BEGIN_AT,
  emptyStore,
  forecastOf,
  HARD_DAYS,
  joined,
  linesOf,
  type Load,
  observationOf,
  plusDays,
  STATIONS,
  type StationRow,
} from '../../support/plain/oracle.js';
import { expectPairs } from '../../support/recompute/pairs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi, range } from '../../support/runner/range.js';

const HOUR = 3_600_000;

const [KNYC] = STATIONS as [StationRow];

const HUNDRED_DAYS = Array.from({ length: 100 }, (_, i) => plusDays('2025-01-01', i));

const THREE = STATIONS.filter(({ station_id }) => ['KNYC', 'NSTU', 'MUHA'].includes(station_id));
const THEIR_DAY = '2026-01-15';

/** The cases, each on days of its own. */
const CASES: Load[] = [
  {
    stations: [KNYC],
    forecasts: HUNDRED_DAYS.map((date) => forecastOf(KNYC, date, HOUR, 5000)),
    observations: HUNDRED_DAYS.map((date, i) => ({
      ...observationOf(KNYC, date, 5000),
      status: i < 57 ? 'verified' : 'preliminary',
    })),
  },
  {
    stations: THREE,
    // Means of 1 / 3: of one day's 100 / 3 hundredths and of 200 / 6, the same fraction.
    forecasts: THREE.flatMap((station) =>
      Array.from({ length: station.station_id === 'NSTU' ? 6 : 3 }, (_, i) =>
        forecastOf(station, THEIR_DAY, (1 + i) * HOUR, i % 3 === 0 ? 5100 : 5000),
      ),
    ),
    observations: THREE.map((station) => observationOf(station, THEIR_DAY, 5000)),
  },
];

describeInCi('answers over HTTP, given a chosen case', function () {
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, linesOf(joined(CASES)));
    service = await startTestService(store);
  });
  after(() => store.close());

  it('when 57 of 100 days are verified, then verified_pct is 0.57', async () => {
    const { body } = await ask(service, 'accuracy/summary?date_from=2025-01-01&days=100');
    expect(body.metadata.verification_coverage).to.deep.equal({
      verified_days: 57,
      preliminary_days: 43,
      verified_pct: 0.57,
    });
  });

  it('when two cities have the same error, then they sort by station_id; names sort ignoring case', async () => {
    for (const [sort_by, expected] of [
      ['mae', ['KNYC', 'MUHA', 'NSTU']],
      ['rmse', ['KNYC', 'MUHA', 'NSTU']],
      ['mean_error', ['KNYC', 'MUHA', 'NSTU']],
      ['count', ['NSTU', 'KNYC', 'MUHA']],
      ['city', ['MUHA', 'KNYC', 'NSTU']],
    ] as const) {
      const { body } = await ask(
        service,
        `accuracy/by-city?date_from=${THEIR_DAY}&days=1&sort_by=${sort_by}`,
      );
      const ids = (body.data as { station_id: string }[]).map(({ station_id }) => station_id);
      expect(ids, sort_by).to.deep.equal(expected);
    }
  });

  it('when forecasts are issued beside every bound of all hard days, then every pair is as worked out', async () => {
    await emptyStore(store);
    const days = [
      ...new Set(
        range({ test: 2, ci: Infinity }, HARD_DAYS).flatMap(([date]) =>
          [-1, 0, 1].map((days) => plusDays(date, days)),
        ),
      ),
    ];
    const leads = BUCKETS_BEGIN_AT.flatMap((bound) => [bound - 1000, bound, bound + 1000]);
    const load: Load = {
      stations: STATIONS,
      forecasts: STATIONS.flatMap((station) =>
        days.flatMap((date) => leads.map((lead, i) => forecastOf(station, date, lead, 5000 + 7 * i))),
      ),
      observations: STATIONS.flatMap((station) => days.map((date) => observationOf(station, date, 5033))),
    };
    await loadLines(store, linesOf(load));
    const service = await startTestService(store, { now: '2026-01-31T12:00:00Z' });
    await expectPairs(service, [load]);
  });
});
