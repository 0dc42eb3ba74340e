import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { casesOf } from '../../support/plain/cases.js';
import { pairOf } from '../../support/plain/comparison.js';
import { percentage } from '../../support/plain/distributions.js';
import { eventsOf, type PlainEvent } from '../../support/plain/events.js';
import {
  BUCKETS,
  CELSIUS,
  forecastOf,
  linesOf,
  type Load,
  OTHER_PROVIDER,
  observationOf,
  Oracle,
  type Pair,
  pairsOf,
  plusDays,
  rate,
  roundedFraction,
  STATIONS,
  type StationRow,
  statisticsOf,
} from '../../support/plain/oracle.js';
import { type HourRow } from '../../support/plain/hours.js';
import { plainUncertaintyByDay } from '../../support/plain/uncertainty.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Answers in Celsius (D43), against the plain computation in fractions, converted exactly before it is rounded. An answer
// that converts what was rounded to 0.01 °F differs in some digit of most records. In
// test/unit/api/temperature-unit.test.ts, every number in °F of every record is converted.

const HOUR = 3_600_000;
const FIRST = '2026-01-05'; // a Monday: the window is six whole weeks
const DATES = Array.from({ length: 42 }, (_, day) => plusDays(FIRST, day));
const LAST = DATES.at(-1) ?? '';
const LEADS = [80, 50, 30, 20, 8, 3]; // hours, one in each bucket
const FIVE_NINTHS = 5 / 9;
const [STATION, OTHER] = STATIONS as [StationRow, StationRow];

function chosenLoad(): Load {
  const random = new Random(20_261_122);
  const forecasts: Load['forecasts'][number][] = [];
  const observations: Load['observations'][number][] = [];
  for (const [station, date] of [STATION, OTHER].flatMap((each) =>
    DATES.map((day) => [each, day] as const),
  )) {
    const actual = random.below(9000) - 1500;
    observations.push(observationOf(station, date, actual));
    for (const lead of LEADS) {
      const error = Math.round(random.gaussian() * 20 * Math.sqrt(lead)) + 40;
      const forecast = forecastOf(station, date, lead * HOUR, actual + error);
      forecasts.push({ ...forecast, high_sd: 75 + 100 * (Math.abs(error) % 3) });
    }
    const other = forecastOf(station, date, 25 * HOUR, actual + Math.round(random.gaussian() * 150));
    forecasts.push({ ...other, provider: OTHER_PROVIDER });
  }
  return { stations: [STATION, OTHER], forecasts, observations };
}

/** The temperatures of each day at the first station, under a clear sky. */
const HOURS: readonly HourRow[] = DATES.flatMap((date, day) =>
  Array.from({ length: 24 }, (_, hour) => ({
    station_id: STATION.station_id,
    at: Date.parse(date) + hour * HOUR,
    temp: 3000 + 10 * ((31 * day + 53 * hour) % 211),
    sky: 'CLR',
  })),
);

/** The question that all ask. */
const QUESTION = { metric: 'high', provider: 'default', first: FIRST, last: LAST } as const;

/** A difference as a fraction of hundredths of a °F, in °C. */
const difference = (numerator: number, denominator = 1): number =>
  roundedFraction(5n * BigInt(numerator), 9n * BigInt(denominator));
/** A threshold in hundredths of a °C, in °F. */
const inFahrenheit = (hundredths: number): number => roundedFraction(9n * BigInt(hundredths), 5n);
const temperature = (hundredths: number): number => difference(hundredths - 3200);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('answers in Celsius', function () {
  this.timeout(60_000);
  let store: Store;
  let service: TestService;
  let pairs: readonly Pair[];
  const load = chosenLoad();
  const now = Date.parse('2026-03-01T00:00:00Z');

  const ofStation = ({ station_id }: StationRow): Pair[] =>
    pairs.filter((pair) => pair.station_id === station_id);

  before(async () => {
    store = await openTestStore();
    await loadLines(store, linesOf({ ...load, hours: HOURS }));
    service = await startTestService(store, { now: new Date(now).toISOString() });
    ({ pairs } = new Oracle([load], now));
  });
  after(() => store.close());

  async function ask(path: string, unit = 'celsius'): Promise<{ data: unknown; metadata: object }> {
    const window = /target_date|start_time/.test(path) ? '' : `&date_from=${FIRST}&date_to=${LAST}`;
    const response = await service.get(
      `/api/v1${path}${path.includes('?') ? '&' : '?'}temp_unit=${unit}${window}`,
    );
    expect(response.status, response.text).to.equal(200);
    return response.body as { data: unknown; metadata: object };
  }

  const named = ({ station_id, city_name }: StationRow) => ({ station_id, city_name });
  const ALL = { station_id: 'ALL', city_name: 'All stations' };
  const uncertainty = (of: readonly Pair[]) => plainUncertaintyByDay(of, FIVE_NINTHS);

  /** Thresholds of 0.5 and 1.25 °C, in ninths of hundredths of a °C, as five errors in hundredths of a °F are. */
  const above = (threshold: number): number =>
    pairs.filter(({ error }) => Math.abs(error) * 5 > threshold * 9).length;

  const sample = (pair: Pair) => ({
    target_date: pair.target_date,
    lead_time_bucket: pair.lead_time_bucket,
    forecast: temperature(pair.forecast),
    actual: temperature(pair.actual),
    error: difference(pair.error),
  });
  const inOrder = (of: readonly Pair[]): Pair[] =>
    [...of].sort(
      (a, b) =>
        a.target_date.localeCompare(b.target_date) ||
        a.station_id.localeCompare(b.station_id) ||
        a.issued_at - b.issued_at,
    );

  /** One endpoint of each kind: by path what the data have to hold, or be a list of. */
  const EXPECTED: Record<string, [query: string, expected: () => object]> = {
    '/accuracy/summary': [
      '?ci=0.95',
      () => ({ ...statisticsOf(pairs, CELSIUS), uncertainty: uncertainty(pairs) }),
    ],
    '/accuracy/by-station/:station_id': [
      '?ci=0.95&include_raw=true',
      () => ({
        ...named(STATION),
        stats: statisticsOf(ofStation(STATION), CELSIUS),
        uncertainty: uncertainty(ofStation(STATION)),
        sample_records: inOrder(ofStation(STATION)).map(sample),
      }),
    ],
    '/accuracy/exceedance': [
      '?thresholds=0.5,1.25',
      () => ({
        thresholds: [50, 125].map((threshold) => ({
          threshold_f: inFahrenheit(threshold),
          threshold_c: threshold / 100,
          exceedance_rate: rate(above(threshold), pairs.length),
        })),
      }),
    ],
    '/accuracy/events': [
      '?thresholds=0.5,12.5',
      () => {
        // h hundredths of a °F are (h - 3200) * 5 ninths of a hundredth of a °C.
        const events = [50, 1250].map((threshold): PlainEvent & { threshold_c: number } => ({
          threshold_f: (inFahrenheit(threshold) * 100 + 3200) / 100,
          threshold_c: threshold / 100,
          direction: 'at_or_above',
          isEvent: (hundredths) => (hundredths - 3200) * 5 >= threshold * 9,
        }));
        return eventsOf(casesOf(pairs), { ...QUESTION, buckets: BUCKETS }, events, 'none').data;
      },
    ],
    '/accuracy/error-distribution': [
      '?bin_width=0.5',
      () => ({
        ...ALL,
        buckets: [0, 1, 2, 3, 4, 5].map((bin) => {
          const [from_c, to_c] = [bin / 2, bin === 5 ? null : (bin + 1) / 2];
          const count = pairs.filter(
            ({ error }) => Math.min(5, Math.floor((Math.abs(error) * 5) / 450)) === bin,
          );
          return {
            range: to_c === null ? `${from_c}+°C` : `${from_c}-${to_c}°C`,
            count: count.length,
            pct: percentage(count.length, pairs.length),
            from_c,
            to_c,
          };
        }),
      }),
    ],
    '/accuracy/compare': [
      `?providers=default,${OTHER_PROVIDER}`,
      () => {
        const question = { ...QUESTION, buckets: ['24-48h', '48-72h', '72h+'] } as const;
        return [pairOf(casesOf(pairsOf([load])), question, 'default', OTHER_PROVIDER, CELSIUS)];
      },
    ],
    '/data/hours': [
      `?start_time=${FIRST}&end_time=${FIRST}T05:00:00Z`,
      () => HOURS.slice(0, 6).map(({ temp }) => ({ temp_c: temperature(temp ?? NaN) })),
    ],
  };

  for (const [path, [query, expected]] of range({ test: 4, ci: Infinity }, Object.entries(EXPECTED))) {
    it(`given ${path}, then every number is that of the exact values, rounded once`, async () => {
      const { data, metadata } = await ask(`${path.replace(':station_id', STATION.station_id)}${query}`);
      expect(metadata).to.include({ temp_unit: 'celsius' });
      expect(JSON.stringify(data)).not.to.include('°F');
      expectHolds(data, expected(), path);
    });
  }

  it('given odds, then degrees of the request are °C, and those that have a place in °F are there as well', async () => {
    const asked = `?station_id=${STATION.station_id}&target_date=${LAST}&lead_hours=20&forecast=20.5`;
    const { data, metadata } = await ask(`/probability${asked}&thresholds=20,-3&brackets=19-20,21..`);
    expect(metadata).to.include({ temp_unit: 'celsius' });
    expectHolds(
      data,
      {
        ...{ forecast_f: 68.9, forecast_c: 20.5 },
        settlement: { unit: 'whole_c', rounding: 'half_up', day: 'civil' },
        thresholds: [
          { threshold_f: 26.6, threshold_c: -3 },
          { threshold_f: 68, threshold_c: 20 },
        ],
        brackets: [
          { from_f: null, from_c: null, to_f: 64.4, to_c: 18 },
          { from_f: 66.2, from_c: 19, to_f: 68, to_c: 20 },
          { from_f: 69.8, from_c: 21, to_f: null, to_c: null },
        ],
      },
      'probability',
    );
    const { brackets } = (await ask(`/probability${asked}`)).data as { brackets: { from_c: number }[] };
    expect(brackets.map(({ from_c }) => from_c)).to.deep.equal([null, 20, 21, 22, 23, 24]);
    expectHolds(
      (await ask('/accuracy/bias-correction')).data,
      { forecast_f: 75.2, forecast_c: 24 },
      'the usual forecast',
    );
  });

  it('given whole °C and whole °F that begin at the same temperature, then odds and ranges are the same in both', async () => {
    // 2.5 °C is 36.5 °F: 3 °C begins where 37 °F does, and every fifth °C where every ninth °F does.
    const FORECAST = { celsius: 12.5, fahrenheit: 54.5 };
    const THRESHOLDS = { celsius: '-2,3,8,13,18,23', fahrenheit: '28,37,46,55,64,73' };
    const RANGES = {
      celsius: 'range_width=5&range_offset=3',
      fahrenheit: 'range_width=9&range_offset=1',
    };
    const isDegree = ([name]: [string, unknown]) =>
      /^(threshold|range|temperature|mae|mean_error)_/.test(name);
    const countsOf = (records: Record<string, unknown>[]) =>
      records.map((each) => Object.fromEntries(Object.entries(each).filter((field) => !isDegree(field))));
    for (const { station_id } of [STATION, OTHER]) {
      const oddsIn = async (unit: 'celsius' | 'fahrenheit') => {
        const question = `?station_id=${station_id}&target_date=${LAST}&lead_hours=20&forecast=${FORECAST[unit]}`;
        const { data } = await ask(`/probability${question}&thresholds=${THRESHOLDS[unit]}`, unit);
        return countsOf((data as { thresholds: Record<string, unknown>[] }).thresholds);
      };
      const rangesIn = async (unit: 'celsius' | 'fahrenheit') =>
        countsOf(
          (await ask(`/accuracy/by-bucket/${station_id}?${RANGES[unit]}`, unit)).data as Record<
            string,
            unknown
          >[],
        );
      const odds = await oddsIn('celsius');
      expect(odds).to.deep.equal(await oddsIn('fahrenheit'));
      expect(new Set(odds.map((each) => each.station_days_at_or_above)).size).to.be.above(2);
      const ranges = await rangesIn('celsius');
      expect(ranges).to.deep.equal(await rangesIn('fahrenheit'));
      expect(ranges).to.have.length.above(8);
    }
  });

  it('given odds as CSV, then its columns and its name say so', async () => {
    const path = `/api/v1/probability?format=csv&temp_unit=celsius&forecast=20&lead_hours=20&target_date=${LAST}`;
    const { text, headers } = await service.get(path);
    expect(text.split('\r\n')[0]).to.match(
      /^metric,temp_unit,station_id,city_name,target_date,forecast_f,forecast_c,/,
    );
    expect(headers['content-disposition']).to.include('celsius');
  });

  it('given degrees of a request that are out of bounds, then it is refused', async () => {
    for (const [path, parameter] of [
      ['/probability?forecast=150.1&lead_hours=20', 'forecast'],
      ['/probability?forecast=20&lead_hours=20&thresholds=151', 'thresholds'],
      ['/probability?forecast=20&lead_hours=20&brackets=10.5-12', 'brackets'],
      ['/accuracy/bias-correction?forecast_temp=-151', 'forecast_temp'],
    ] as const) {
      const { status, text } = await service.get(`/api/v1${path}&temp_unit=celsius`);
      expect(status, path).to.equal(400);
      expect(text).to.include(`"${parameter}"`);
    }
  });

  it('given signed bins, then each error is in its own, the middle one around 0', async () => {
    const { data } = await ask('/accuracy/error-distribution?signed=true&bin_width=2');
    const { buckets } = data as { buckets: { from_c: number; to_c: number; count: number }[] };
    for (const { from_c, to_c, count } of buckets) {
      const within = pairs.filter(({ error }) => from_c * 900 <= error * 5 && error * 5 < to_c * 900);
      expect(count, `from ${from_c}`).to.equal(within.length);
    }
    expect(sum(buckets.map(({ count }) => count))).to.equal(pairs.length);
  });

  it('given feeds in Celsius, then pairs are of the nearest 0.01 °F, and 0.01 °C come back as they were', async () => {
    const date = plusDays(LAST, 7);
    await loadLines(store, {
      unit: 'celsius',
      forecasts: [`${STATION.station_id},${LAST}T12:00:00Z,${date},21.53,-40`],
      observations: [`${STATION.station_id},${date},19.98,-39.5,verified,${plusDays(date, 1)}T12:00:00Z`],
    });
    const response = await service.get(
      `/api/v1/data/forecast-actual?date_from=${date}&date_to=${date}&temp_unit=celsius`,
    );
    const { data } = response.body as { data: unknown[] };
    expect(data).to.have.length(1);
    // 70.754 °F and 67.964 °F: 70.75 - 67.96 are 2.79 °F.
    expect(data[0]).to.include({ forecast: 21.53, actual: 19.98, error: 1.55 });
  });

  it('given CSV, then its columns and its name say so; without temp_unit nothing says a unit', async () => {
    const url = `/api/v1/accuracy/exceedance?format=csv&date_from=${FIRST}&date_to=${LAST}`;
    const celsius = await service.get(`${url}&temp_unit=celsius`);
    expect(celsius.text.split('\r\n')[0]).to.match(
      /^metric,period_start,period_end,temp_unit,station_id,threshold_f,threshold_c,/,
    );
    expect(celsius.headers['content-disposition']).to.include('celsius');
    const fahrenheit = await service.get(url);
    expect(fahrenheit.text.split('\r\n')[0]).to.match(
      /^metric,period_start,period_end,station_id,threshold_f,exceedance_rate,/,
    );
    expect(fahrenheit.headers['content-disposition']).not.to.include('fahrenheit');
    const { metadata } = await ask('/accuracy/summary', 'fahrenheit');
    expect(metadata).not.to.have.property('temp_unit');
  });
});

/** Whether an answer has every field of what was worked out, with its value; lists have no other member. */
function expectHolds(found: unknown, expected: unknown, at: string): void {
  if (Array.isArray(expected)) {
    expect(found, at).to.be.an('array').with.length(expected.length);
    expected.forEach((each, place) => {
      expectHolds((found as unknown[])[place], each, `${at}[${place}]`);
    });
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [name, value] of Object.entries(expected)) {
      expect(found, at).to.have.property(name);
      expectHolds((found as Record<string, unknown>)[name], value, `${at}.${name}`);
    }
  } else {
    expect(found, at).to.equal(expected);
  }
}
