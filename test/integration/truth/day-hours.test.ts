import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { beginsAt, hourLine, type HourRow, reportsFrom, standingReports } from '../../support/plain/hours.js';
import {
  emptyStore,
  forecastOf,
  linesOf,
  NO_ROWS,
  type Load,
  observationOf,
  pairsOf,
  plusDays,
  type StationRow,
} from '../../support/plain/oracle.js';
import { byWeatherOf, peakTimingOf, type Reports } from '../../support/plain/peaks.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Answers about the hours of days, against the plain computation: random reports, corrected and withdrawn.

const HOUR = 3_600_000;
const FIRST = '2026-03-27';
/** Clocks change in London on the 29th and in Auckland on the 5th; in New York they have. */
const DATES = Array.from({ length: 10 }, (_, day) => plusDays(FIRST, day));
const HOURS = 24 * (DATES.length - 2);
const WINDOW = `date_from=${FIRST}&days=${DATES.length}`;
const ZONES = [
  { timezone: 'America/New_York', day_boundary: 'standard' },
  { timezone: 'America/New_York', day_boundary: 'civil' },
  { timezone: 'Europe/London', day_boundary: 'civil' },
  { timezone: 'Pacific/Auckland', day_boundary: 'civil' },
  { timezone: 'Asia/Kolkata', day_boundary: 'standard' },
] as const;

/** A few different temperatures, every other half a °F: the highest often comes twice, and a 6-hour group may say the same. */
const coarse = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : 650 * Math.round(value / 650);

/** Reports of days of which some are dry, some under clouds, and some without more in 6-hour groups than in reports. */
const reports = (station_id: string): fc.Arbitrary<HourRow[]> =>
  reportsFrom(station_id, Date.parse(FIRST), HOURS).map((rows) =>
    rows.map((row) => {
      const turn = Math.floor(row.at / (24 * HOUR)) % 3;
      return {
        ...row,
        temp: coarse(turn === 2 ? row.temp : row.temp && row.temp / 2),
        max_6h: coarse(row.max_6h),
        min_6h: coarse(row.min_6h),
        wet_1h: turn === 0 ? row.wet_1h : undefined,
        sky: turn === 1 && row.sky === 'CLR' ? 'OVC' : row.sky,
      };
    }),
  );

/** Reports of both stations. Two such lists leave few hours without a report. */
const ofBoth = fc.tuple(reports('KNYC'), reports('EGLL')).map((rows) => rows.flat());

/** Two forecasts of each day, and what was observed. */
function dailyFeeds(stations: readonly StationRow[]): Load {
  const days = stations.flatMap((station) => DATES.map((date, day) => ({ station, date, day })));
  return {
    stations,
    forecasts: days.flatMap(({ station, date, day }) =>
      [30, 4].map((lead) => forecastOf(station, date, lead * HOUR, 5000 + ((day * 37 + lead) % 11) * 70)),
    ),
    observations: days.map(({ station, date, day }) =>
      observationOf(station, date, 5200 + ((day * 53) % 13) * 40),
    ),
  };
}

describeInCi('answers about the hours of days, given random reports', () => {
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  /** Asks everything that there is to ask, with this behind each question. */
  async function expectAll(
    load: Load,
    rows: readonly HourRow[],
    more: string,
    knownAt?: number,
  ): Promise<void> {
    const standing = standingReports(rows);
    const stations = new Map(
      load.stations.map(({ station_id, timezone, day_boundary = 'civil' }): [string, Reports] => [
        station_id,
        {
          zone: timezone,
          boundary: day_boundary,
          reports: standing.filter((row) => row.station_id === station_id),
        },
      ]),
    );
    for (const [at, [station_id, own]] of [...stations].entries()) {
      for (const metric of ['high', 'low'] as const) {
        const path = `accuracy/peak-timing/${station_id}?${WINDOW}&metric=${metric}&group_by=month${more}`;
        const { by_month, ...whole } = await dataOf<Record<string, unknown>>(service, path);
        expect(whole, path).to.deep.equal({
          station_id,
          city_name: load.stations[at]?.city_name,
          station_timezone: own.zone,
          ...peakTimingOf(own, DATES, metric, knownAt),
        });
        const months = ['2026-03', '2026-04'].map((month) => ({
          month: `${month}-01`,
          ...peakTimingOf(
            own,
            DATES.filter((date) => date.startsWith(month)),
            metric,
            knownAt,
          ),
        }));
        expect(by_month, path).to.deep.equal(months.filter(({ sample_count }) => sample_count > 0));
      }
    }
    const pairs = pairsOf([load]).filter(({ metric }) => metric === 'high');
    for (const [where, chosen] of [
      ['', pairs.filter(({ lead_time_bucket }) => lead_time_bucket !== 'same-day')],
      ['&station_id=KNYC', pairs.filter(({ station_id }) => station_id === 'KNYC')],
      ['&lead_time_bucket=0-6h', pairs.filter(({ lead_time_bucket }) => lead_time_bucket === '0-6h')],
    ] as const) {
      const path = `accuracy/by-weather-regime?${WINDOW}${where}${more}`;
      const found = await dataOf<Record<string, unknown>[]>(service, path);
      const expected = byWeatherOf(chosen, stations, knownAt);
      expect(
        found.map(({ label: _, description: __, ...record }) => record),
        path,
      ).to.deep.equal(expected);
    }
  }

  it('when loads correct and withdraw them, then each version and instant has what its reports say', async function () {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...ZONES], { minLength: 2, maxLength: 2 }),
        fc.tuple(ofBoth, ofBoth, ofBoth),
        fc.array(fc.nat(HOURS - 1), { minLength: 6, maxLength: 12 }),
        fc.integer({ min: 3, max: DATES.length - 3 }),
        async (zones, [first, second, third], places, knownDay) => {
          await emptyStore(store);
          service = await startTestService(store, { now: '2026-06-01T00:00:00Z', cacheBytes: 0 });
          const load = dailyFeeds([
            { station_id: 'KNYC', city_name: 'New York', iata: '', ...zones[0]! },
            { station_id: 'EGLL', city_name: 'London', iata: '', ...zones[1]! },
          ]);
          const taken = places
            .flatMap((place) => first[place] ?? [])
            .map((row) => ({ ...row, withdrawn: true }));
          const loads: HourRow[][] = [[...first, ...second], third, taken];
          await loadLines(store, linesOf({ ...load, hours: loads[0]! }));
          for (const hours of loads.slice(1)) await loadLines(store, linesOf({ ...NO_ROWS, hours }));
          await expectAll(load, loads.flat(), '');
          for (const version of range({ test: 1, ci: 2 }, [1, 2]))
            await expectAll(load, loads.slice(0, version).flat(), `&as_of=v${version}`);
          // A day of the first station has ended, and its last report will be known in a millisecond; then it is.
          const ended = beginsAt(DATES[knownDay]!, zones[0]!.timezone, zones[0]!.day_boundary);
          for (const knownAt of range({ test: 1, ci: 2 }, [ended + 180_000, ended + 179_999])) {
            const known: Load = {
              ...load,
              forecasts: load.forecasts.filter(({ issued_at }) => issued_at <= knownAt),
              observations: load.observations.filter(({ observed_at }) => observed_at <= knownAt),
            };
            const more = `&known_at=${new Date(knownAt).toISOString()}`;
            await expectAll(known, loads.flat(), more, knownAt);
          }
        },
      ),
      { numRuns: range({ test: 1, ci: 1, stress: 200 }), seed: 20_261_124, endOnFailure: true },
    );
  });

  it('given days of 23, 23½, 24½ and 25 hours, then one counts by its own length, and hour 24 is its end', async () => {
    const days: [timezone: string, date: string, lacks: number[], counts: boolean][] = [
      ['Europe/London', '2026-03-29', [], true],
      ['Europe/London', '2026-03-29', [21, 20], true],
      ['Europe/London', '2026-03-29', [3, 20, 21], false],
      ['Europe/London', '2026-03-29', [22], false], // the newest is 90 minutes old
      ['Pacific/Auckland', '2026-04-05', [5, 6], true],
      ['Pacific/Auckland', '2026-04-05', [5, 6, 7], false],
      ['Pacific/Auckland', '2026-04-05', [24], false],
      ['Australia/Lord_Howe', '2026-04-05', [5, 6, 24], false], // its last half hour is an hour, too
      ['Australia/Lord_Howe', '2026-04-05', [5, 24], true],
      ['Australia/Lord_Howe', '2026-10-04', [5, 23], true],
      ['Australia/Lord_Howe', '2026-10-04', [5, 6, 23], false],
    ];
    await emptyStore(store);
    service = await startTestService(store, { now: '2026-11-01T00:00:00Z', cacheBytes: 0 });
    const stations = days.map(([timezone, date, lacks], at) => {
      const station_id = `X${String.fromCharCode(65 + at)}AA`;
      const [begins, ends] = [date, plusDays(date, 1)].map((each) => beginsAt(each, timezone, 'civil'));
      const rows: HourRow[] = [];
      for (let hour = 0; begins! + (hour + 0.5) * HOUR <= ends!; hour++) {
        // At :30, and in a last half hour at its begin; the highest comes in the last hour.
        const after = begins! + (hour + 1) * HOUR > ends! ? hour : hour + 0.5;
        if (!lacks.includes(hour))
          rows.push({ station_id, at: begins! + after * HOUR, temp: 5000 + 100 * hour });
      }
      return { station_id, timezone, date, rows };
    });
    await loadLines(store, {
      columns: 'all',
      stations: stations.map(
        ({ station_id, timezone }) =>
          `${station_id},${station_id} City,XX,10,10,${timezone},Cfb,true,,,civil,`,
      ),
      hours: stations.flatMap(({ rows }) => rows.map(hourLine)),
    });
    for (const [at, { station_id, timezone, date, rows }] of stations.entries()) {
      const path = `accuracy/peak-timing/${station_id}?date_from=${date}&date_to=${date}`;
      const found = await dataOf<{ sample_count: number; share_by_hour: object[] }>(service, path);
      const own: Reports = { zone: timezone, boundary: 'civil', reports: rows };
      const said = days[at]!.join(' ');
      expect(found.sample_count, said).to.equal(days[at]![3] ? 1 : 0);
      expect(found, said).to.deep.include(peakTimingOf(own, [date], 'high'));
      if (days[at]![3])
        expect(found.share_by_hour[23], said).to.deep.equal({
          hour: 24,
          days: 1,
          share_reached: 1,
          mean_rise_f: 0,
        });
    }
  });

  it('given extremes of six hours reported at midnight, then they count for the day that they close', async () => {
    const days: [timezone: string, date: string, boundary: 'civil' | 'standard', utcHour: number][] = [
      ['Etc/UTC', '2026-03-10', 'civil', 0],
      ['America/Chicago', '2026-03-10', 'standard', 6],
      ['America/Chicago', '2026-03-08', 'civil', 5], // of 23 hours
      ['Pacific/Auckland', '2026-04-05', 'civil', 12], // of 25 hours
      ['Asia/Dhaka', '2026-03-10', 'civil', 18],
    ];
    await emptyStore(store);
    service = await startTestService(store, { now: '2026-06-01T00:00:00Z', cacheBytes: 0 });
    const stations = days.map(([timezone, date, boundary], nth) => {
      const station_id = `X${String.fromCharCode(65 + nth)}AA`;
      const [begins, ends, next] = [0, 1, 2].map((later) =>
        beginsAt(plusDays(date, later), timezone, boundary),
      ) as [number, number, number];
      const rows: HourRow[] = [];
      for (let at = begins; at < next; at += HOUR) rows.push({ station_id, at, temp: 5000 });
      // The second last hour of the group has the extremes of the reports.
      const place = rows.findIndex(({ at }) => at === ends);
      rows[place - 2]!.temp = 5100;
      rows[place - 3]!.temp = 4900;
      Object.assign(rows[place]!, { max_6h: 6000, min_6h: 4000 });
      return { station_id, timezone, date, boundary, begins, ends, next, rows };
    });
    await loadLines(store, {
      columns: 'all',
      stations: stations.map(
        ({ station_id, timezone, boundary }) =>
          `${station_id},${station_id} City,XX,10,10,${timezone},Cfb,true,,,${boundary},`,
      ),
      hours: stations.flatMap(({ rows }) => rows.map(hourLine)),
    });
    for (const [
      nth,
      { station_id, timezone, date, boundary, begins, ends, next, rows },
    ] of stations.entries()) {
      expect(new Date(ends).getUTCHours(), station_id).to.equal(days[nth]![3]);
      for (const [metric, extreme, hoursBefore] of [
        ['high', 60, 2],
        ['low', 40, 3],
      ] as const) {
        const what = `${days[nth]!.join(' ')} ${metric}`;
        const path = `accuracy/peak-timing/${station_id}?metric=${metric}&date_from=${date}&date_to=${date}`;
        const found = await dataOf<{ median_peak_time_local: string }>(service, path);
        expect(found, what).to.deep.include(
          peakTimingOf({ zone: timezone, boundary, reports: rows }, [date], metric),
        );
        const minutes = (ends - hoursBefore * HOUR - beginsAt(date, timezone, 'standard')) / 60_000;
        expect(found.median_peak_time_local, what).to.equal(
          new Date(minutes * 60_000).toISOString().slice(11, 16),
        );
        for (const [day, from, moment, m, groups, hours] of [
          [date, begins, ends + 180_000, extreme, 1, (ends - begins) / HOUR],
          [date, begins, ends + 179_999, metric === 'high' ? 51 : 49, 0, (ends - begins) / HOUR], // it is not known yet
          [plusDays(date, 1), ends, next - 1, 50, 0, 24],
        ] as const) {
          const known_at = new Date(moment).toISOString();
          const { so_far } = await dataOf<{ so_far: object }>(
            service,
            `probability?metric=${metric}&station_id=${station_id}&target_date=${day}&known_at=${known_at}&thresholds=50`,
          );
          expect(so_far, `${what} ${known_at}`).to.include({
            m,
            from_6h_groups: groups,
            hours_reported: hours,
            day_begins_at: new Date(from).toISOString().replace('.000', ''),
          });
        }
      }
    }
  });
});
