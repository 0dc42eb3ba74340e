import { expect } from 'chai';
import { normalCdf } from '../../../src/probability/training/normal.js';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  type ForecastRow,
  linesOf,
  type Load,
  type ObservationRow,
  plusDays,
  startOfDay,
  type StationRow,
} from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const TIMEZONE = 'America/Phoenix';
const FIRST_DAY = '2025-01-01';
const WINDOW = 60;
/** Days that are scored, after those that the first of them learns from. */
const SCORED = 30;
const DAYS = WINDOW + 10 + SCORED;
const LAST_DAY = plusDays(FIRST_DAY, DAYS - 1);
const DAILY = Array.from({ length: 10 }, (_, at) => 24 * (at + 1));
const LEADS = [...DAILY, 30, 47, 76, 131, 200];

/** The standard deviation of errors of a lead, °F. */
const spread = (lead: number): number => (1.5 * lead) / 24;

function world(stationCount: number): Load {
  const random = new Random(55);
  const letters = (at: number): string =>
    [676, 26, 1].map((unit) => String.fromCharCode(65 + (Math.floor(at / unit) % 26))).join('');
  const stations = Array.from({ length: stationCount }, (_, at): StationRow => {
    const iata = letters(at);
    return { station_id: `K${iata}`, city_name: `City ${iata}`, timezone: TIMEZONE, iata };
  });
  const forecasts: ForecastRow[] = [];
  const observations: ObservationRow[] = [];
  for (const { station_id } of stations) {
    for (let nth = 0; nth < DAYS; nth += 1) {
      const date = plusDays(FIRST_DAY, nth);
      const begins = startOfDay(date, TIMEZONE);
      const high = 100 * (55 + random.below(20));
      for (const lead of LEADS) {
        const error = Math.round(100 * spread(lead) * random.gaussian());
        const issued_at = begins - lead * HOUR;
        forecasts.push({ station_id, issued_at, target_date: date, high: high + error, low: undefined });
      }
      const observed_at = begins + 24 * HOUR;
      observations.push({ station_id, date, high, low: undefined, status: 'verified', observed_at });
    }
  }
  return { stations, forecasts, observations };
}

interface Answer {
  training: { min_lead_hours: number; max_lead_hours: number; network_days: number };
  thresholds: { threshold_f: number; at_or_above: number }[];
}

interface Reliability {
  cases: number;
  reliability: number;
}

describeInCi('probabilities of a provider whose errors grow by 1.5 °F a day of lead (D36)', function () {
  const STATIONS = range({ test: 45, ci: 45, stress: 120 });
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, linesOf(world(STATIONS)));
    service = await startTestService(store, { now: `${plusDays(LAST_DAY, 1)}T12:00:00Z` });
  });
  after(() => store.close());

  for (const [asked, lead] of [
    ['lead_hours=72', 72],
    ['lead_hours=120', 120],
    ['lead_hours=192', 192],
    ['lead_hours=47', 47],
    ['lead_hours=126', 131],
    ['lead_time_bucket=24-48h', 24],
    ['lead_time_bucket=72h%2B', 72],
  ] as const) {
    it(`given ${asked}, then they are those of its errors, of ${lead} hours, and came true as often as they said`, async () => {
      const { training, thresholds } = await dataOf<Answer>(
        service,
        `probability?forecast=60&thresholds=55,60,62,65,70,80&target_date=${LAST_DAY}&window=${WINDOW}&${asked}`,
      );
      expect(training).to.include({
        min_lead_hours: lead,
        max_lead_hours: lead,
        // The last day is not over in Phoenix when the earliest station on Earth may issue such a forecast.
        network_days: (WINDOW - 1) * STATIONS,
      });
      for (const { threshold_f, at_or_above } of thresholds) {
        const truth = normalCdf((60 - threshold_f + 0.5) / spread(lead));
        expect(at_or_above, `${threshold_f}`).to.be.closeTo(truth, 0.02);
      }
      const found = await dataOf<Reliability>(
        service,
        `probability/reliability?date_from=${plusDays(LAST_DAY, 1 - SCORED)}&date_to=${LAST_DAY}&window=${WINDOW}&${asked}`,
      );
      expect(found.cases).to.equal(SCORED * STATIONS);
      expect(found.reliability).to.be.below(0.001);
    });
  }

  it('given a nearest forecast that was issued after known_at, then the next nearest counts, or none', async () => {
    const date = '2024-11-10';
    const issuedBefore = (lead: number): number => startOfDay(date, TIMEZONE) - lead * HOUR;
    const of = { station_id: 'KAAA', date, target_date: date, high: 6000, low: undefined };
    const { load_id } = await loadLines(
      store,
      linesOf({
        stations: [],
        forecasts: [26, 40].map((lead) => ({ ...of, issued_at: issuedBefore(lead) })),
        observations: [{ ...of, status: 'verified', observed_at: issuedBefore(-24) }],
      }),
    );
    // A store from before such rows were rejected has this one: it says too early when a value was known.
    const early = new Date(issuedBefore(47)).toISOString().replace('T', ' ').replace('Z', '');
    await store.insert(
      'observations',
      [
        'metric',
        'station_id',
        'target_date',
        'observation_status',
        'observed_at',
        'actual',
        'withdrawn',
        'load_id',
      ],
      [['high', of.station_id, date, 'verified', early, of.high / 100, false, load_id]],
    );
    for (const [known, lead] of [
      [26, 26],
      [26.1, 40],
      [40.1, null],
    ] as const) {
      const known_at = new Date(issuedBefore(known)).toISOString();
      const { training } = await dataOf<Answer>(
        service,
        `probability?station_id=KAAA&forecast=60&lead_hours=25&target_date=${plusDays(date, 3)}&known_at=${known_at}`,
      );
      expect(training.min_lead_hours, known_at).to.equal(lead);
    }
  });
});
