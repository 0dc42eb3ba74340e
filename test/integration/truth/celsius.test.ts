import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  forecastOf,
  linesOf,
  type Load,
  OTHER_PROVIDER,
  observationOf,
  plusDays,
  roundedFraction,
  STATIONS,
  type StationRow,
} from '../../support/plain/oracle.js';
import { type HourRow } from '../../support/plain/hours.js';
import { Random } from '../../support/random.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

// Answers in Celsius (D43) that have no script: recompute.test.ts has the others, in °C as in °F. In
// test/unit/api/temperature-unit.test.ts, every number in °F of every record is converted.

const HOUR = 3_600_000;
const FIRST = '2026-01-05'; // a Monday: the window is six whole weeks
const DATES = Array.from({ length: 42 }, (_, day) => plusDays(FIRST, day));
const LAST = DATES.at(-1) ?? '';
const LEADS = [80, 50, 30, 20, 8, 3]; // hours, one in each bucket
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

/** A difference as a fraction of hundredths of a °F, in °C. */
const difference = (numerator: number, denominator = 1): number =>
  roundedFraction(5n * BigInt(numerator), 9n * BigInt(denominator));
const temperature = (hundredths: number): number => difference(hundredths - 3200);

describeInCi('answers in Celsius', function () {
  let store: Store;
  let service: TestService;
  const load = chosenLoad();
  const now = Date.parse('2026-03-01T00:00:00Z');

  before(async () => {
    store = await openTestStore();
    await loadLines(store, linesOf({ ...load, hours: HOURS }));
    service = await startTestService(store, { now: new Date(now).toISOString() });
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

  it('given temperatures within the day, then each is that of the exact value, rounded once', async () => {
    const { data, metadata } = await ask(`/data/hours?start_time=${FIRST}&end_time=${FIRST}T05:00:00Z`);
    expect(metadata).to.include({ temp_unit: 'celsius' });
    expectHolds(
      data,
      HOURS.slice(0, 6).map(({ temp }) => ({ temp_c: temperature(temp ?? NaN) })),
      'hours',
    );
  });

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

  it('given whole °C and whole °F that begin at the same temperature, then odds and ranges are the same', async () => {
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
