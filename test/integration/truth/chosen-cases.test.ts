import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { ask, expectAnswer } from '../../support/answers.js';
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
  Oracle,
  plusDays,
  STATIONS,
  type StationRow,
  startOfDay,
} from '../../support/plain/oracle.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { range } from '../../support/runner/range.js';

const HOUR = 3_600_000;

const [KNYC, MUHA] = STATIONS as [StationRow, StationRow];

// Havana puts its clocks back from 01:00 to 00:00 on 1 November: the day begins at the first midnight, 04:00 UTC.
// On 8 March they go from 00:00 to 01:00: the day begins with the jump, 05:00 UTC.
const HAVANA_DAYS = [
  ['2026-11-01', '2026-11-01T04:00:00Z'],
  ['2026-03-08', '2026-03-08T05:00:00Z'],
] as const;

const HUNDRED_DAYS = Array.from({ length: 100 }, (_, i) => plusDays('2025-01-01', i));

const THREE = STATIONS.filter(({ station_id }) => ['KNYC', 'NSTU', 'MUHA'].includes(station_id));
const THEIR_DAY = '2026-01-15';

/** The cases, each on days of its own. */
const CASES: Load[] = [
  ...HAVANA_DAYS.map(([date, begins]) => ({
    stations: [MUHA],
    forecasts: [0, 6, 12, 24, 48, 72].flatMap((hours) =>
      [0, 1].map((seconds) => ({
        ...forecastOf(MUHA, date, 0, 7100),
        issued_at: Date.parse(begins) - hours * HOUR + seconds * 1000,
      })),
    ),
    observations: [observationOf(MUHA, date, 7000)],
  })),
  {
    stations: [KNYC],
    forecasts: [
      {
        ...forecastOf(KNYC, '2021-03-15', 0, 5000),
        issued_at: startOfDay('2021-03-14', KNYC.timezone),
      },
    ],
    observations: [observationOf(KNYC, '2021-03-15', 5000)],
  },
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

describe('answers over HTTP, given a chosen case', function () {
  this.timeout(60_000);
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, linesOf(joined(CASES)));
    service = await startTestService(store);
  });
  after(() => store.close());

  for (const [date] of HAVANA_DAYS) {
    it(`when forecasts for ${date} in Havana are issued on the bounds of the buckets, then a bound belongs to the longer lead time`, async () => {
      const { body } = await ask(service, `by-lead-time?date_from=${date}&days=1`);
      const records = body.data as { lead_time_bucket: string; stats: { verification_pairs: number } }[];
      // A second after the day began counts nowhere; a second before each bound is in the bucket below it.
      expect(
        records.map(({ lead_time_bucket, stats }) => [lead_time_bucket, stats.verification_pairs]),
      ).to.deep.equal([
        ['0-6h', 2],
        ['6-12h', 2],
        ['12-24h', 2],
        ['24-48h', 2],
        ['48-72h', 2],
        ['72h+', 1],
      ]);
      expect(body.metadata.total_records).to.equal(11);
    });
  }

  it('when a day lasts 23 hours, then a forecast issued at the midnight before it leads by 23', async () => {
    const { body } = await ask(service, 'by-station/KNYC?date_from=2021-03-15&days=1&include_raw=true');
    const [record] = (body.data as { sample_records: Record<string, unknown>[] }).sample_records;
    expect(record).to.include({
      issued_at: '2021-03-14T05:00:00Z',
      lead_time_hours: 23,
      lead_time_bucket: '12-24h',
    });
  });

  it('when 57 of 100 days are verified, then verified_pct is 0.57', async () => {
    const { body } = await ask(service, 'summary?date_from=2025-01-01&days=100');
    expect(body.metadata.verification_coverage).to.deep.equal({
      verified_days: 57,
      preliminary_days: 43,
      verified_pct: 0.57,
    });
  });

  it('when two cities have the same error, then sorting by it falls back to station_id; names sort ignoring case', async () => {
    for (const [sort_by, expected] of [
      ['mae', ['KNYC', 'MUHA', 'NSTU']],
      ['rmse', ['KNYC', 'MUHA', 'NSTU']],
      ['mean_error', ['KNYC', 'MUHA', 'NSTU']],
      ['count', ['NSTU', 'KNYC', 'MUHA']],
      ['city', ['MUHA', 'KNYC', 'NSTU']],
    ] as const) {
      const { body } = await ask(service, `by-city?date_from=${THEIR_DAY}&days=1&sort_by=${sort_by}`);
      const ids = (body.data as { station_id: string }[]).map(({ station_id }) => station_id);
      expect(ids, sort_by).to.deep.equal(expected);
    }
  });

  it('when forecasts for all hard days are issued on and beside every bound at every station, then every pair is the one worked out independently', async () => {
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
    const now = Date.parse('2026-01-31T12:00:00Z');
    const service = await startTestService(store, { now: new Date(now).toISOString() });
    const oracle = new Oracle([load], now);
    const windows = [
      ['1985-12-01', '1986-02-01'],
      ['1999-12-01', '2006-12-31'],
      ['2011-09-01', '2012-01-31'],
      ['2021-03-01', '2026-12-31'],
      ['2100-01-01', '2100-12-31'],
      ['2149-06-01', '2149-06-06'],
    ] as const;
    // In `make ci` each of them has some of the days.
    for (const [date_from, date_to] of windows.filter(([from, to]) =>
      days.some((day) => from <= day && day <= to),
    )) {
      const window = `date_from=${date_from}&date_to=${date_to}`;
      await expectAnswer(service, `by-lead-time?${window}`, oracle.byLeadTime({ date_from, date_to }));
      for (const { station_id } of STATIONS) {
        await expectAnswer(
          service,
          `by-station/${station_id}?${window}&include_raw=true`,
          oracle.byStation({ station: station_id, date_from, date_to, include_raw: true }),
        );
      }
    }
  });

  it('when there is one pair, then its error is the mean, its size every other measure, and nothing deviates', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STATIONS),
        fc.integer({ min: -13_000, max: 14_000 }),
        fc.integer({ min: -13_000, max: 14_000 }),
        async (station, forecast, actual) => {
          const date = '2024-10-27';
          await emptyStore(store);
          const load: Load = {
            stations: [station],
            forecasts: [forecastOf(station, date, 5 * HOUR, forecast)],
            observations: [observationOf(station, date, actual)],
          };
          await loadLines(store, linesOf(load));
          const { body } = await ask(await startTestService(store), `summary?date_from=${date}&days=1`);
          const error = (forecast - actual) / 100;
          const size = Math.abs(error);
          expect(body.data).to.deep.equal({
            verification_pairs: 1,
            unique_days: 1,
            mean_error: error,
            std_dev: 0,
            mae: size,
            rmse: size,
            abs_error_p50: size,
            abs_error_p90: size,
            abs_error_p95: size,
          });
        },
      ),
      { seed: 20_260_131, numRuns: range({ test: 1, ci: 2, torture: 4 }) },
    ));

  it('when no feed was ever loaded but the stations, then every endpoint says so without a number', async () => {
    await emptyStore(store);
    const load: Load = { stations: [KNYC, MUHA], forecasts: [], observations: [] };
    await loadLines(store, linesOf(load));
    const now = Date.parse('2026-03-09T00:00:00Z');
    const service = await startTestService(store, { now: new Date(now).toISOString() });
    const oracle = new Oracle([load], now);
    await expectAnswer(service, 'summary', oracle.summary({}));
    await expectAnswer(service, 'by-date', oracle.byDate({}));
    await expectAnswer(service, 'by-lead-time', oracle.byLeadTime({}));
    await expectAnswer(service, 'by-city', oracle.byCity({}));
    await expectAnswer(
      service,
      'by-station/MUHA?include_raw=true',
      oracle.byStation({ station: 'MUHA', include_raw: true }),
    );
  });
});
