import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/feeds.js';
import {
  type Answer,
  BUCKETS,
  BUCKETS_BEGIN_AT,
  emptyStore,
  type ForecastRow,
  HARD_DAYS,
  linesOf,
  type Load,
  type Metric,
  type ObservationRow,
  Oracle,
  OTHER_PROVIDER,
  type Question,
  SORT_BY,
  STATIONS,
  type StationRow,
  plusDays,
  startOfDay,
  stationsOf,
  type World,
  worlds,
} from '../../support/oracle.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const LAST_DATE = '2149-06-06';

// The seed is fixed and a failure names it with the path to its case. Shrinking ends in time to be reported.
const RUN = { seed: 20_260_131, interruptAfterTimeLimit: 300_000 } as const;

const [KNYC, MUHA] = STATIONS as [StationRow, StationRow];
const NO_ROWS: Load = { stations: [], forecasts: [], observations: [] };

const ENDPOINTS = ['summary', 'by-date', 'by-lead-time', 'by-city', 'by-station'] as const;

/** A request as it is drawn: days and stations by index, so that it can be put to any world. */
const request = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS),
  metric: fc.constantFrom<Metric | undefined>('high', 'low', undefined),
  window: fc.constantFrom('both', 'from', 'to', 'neither'),
  first: fc.nat({ max: 59 }),
  before: fc.integer({ min: -1, max: 2 }),
  length: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
    fc.integer({ min: 1, max: 3660 }),
  ),
  days: fc.option(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 365 })), {
    nil: undefined,
  }),
  station: fc.option(fc.nat({ max: 59 }), { nil: undefined }),
  spelling: fc.constantFrom('path', 'id', 'lower case', 'iata', 'city'),
  min_samples: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  sort_by: fc.option(fc.constantFrom(...SORT_BY), { nil: undefined }),
  include_raw: fc.constantFrom(true, true, false, undefined),
});
type DrawnRequest = typeof request extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The time of a request, on one of the days of a world. */
const timeOf = (world: World, day: number): number =>
  Date.parse(`${world.dates[day % world.dates.length]}T15:30:12.345Z`);

describe('answers over HTTP, given random feeds', function () {
  this.timeout(400_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });

  it('when loads correct each other and stations move to other zones, then every answer is the one worked out independently', () =>
    fc.assert(
      fc.asyncProperty(
        worlds({ conflicts: true }),
        fc.nat({ max: 59 }),
        fc.array(request, { minLength: 6, maxLength: 12 }),
        async (world, day, requests) => {
          await emptyStore(store);
          for (const load of world.loads) await loadLines(store, linesOf(load));
          const now = timeOf(world, day);
          await expectAnswers(store, new Oracle(world.loads, now), world, now, requests);
        },
      ),
      { ...RUN, numRuns: range({ test: 3, ci: 25 }) },
    ));

  it('when loads contradict each other nowhere, then neither their order, nor how they are cut, nor a row loaded again matters', () =>
    fc.assert(
      fc.asyncProperty(
        worlds({ conflicts: false }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.boolean()), { minLength: 200, maxLength: 200 }),
        fc.array(request, { minLength: 5, maxLength: 8 }),
        async (world, places, requests) => {
          const now = timeOf(world, 0);
          const oracle = new Oracle(world.loads, now);
          await emptyStore(store);
          for (const load of recut(world.loads, places)) await loadLines(store, linesOf(load));
          await expectAnswers(store, oracle, world, now, requests);
        },
      ),
      { ...RUN, numRuns: range({ test: 1, ci: 8 }) },
    ));

  it('when some of it is withdrawn and all of it loaded again, in any order, then every answer is what it was, and an audit finds nothing', () =>
    fc.assert(
      fc.asyncProperty(
        worlds({ conflicts: false }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.boolean()), { minLength: 200, maxLength: 200 }),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        fc.array(request, { minLength: 5, maxLength: 8 }),
        async (world, places, isWithdrawn, requests) => {
          const now = timeOf(world, 0);
          await emptyStore(store);
          for (const load of world.loads) await loadLines(store, linesOf(load));
          for (const load of recut(world.loads, places)) {
            const gone = <Row>(rows: readonly Row[]): Row[] =>
              rows
                .filter((_, i) => isWithdrawn[i % isWithdrawn.length])
                .map((row) => ({ ...row, withdrawn: true }));
            const { stations, forecasts, observations } = load;
            await loadLines(
              store,
              linesOf({
                stations: gone(stations),
                forecasts: gone(forecasts),
                observations: gone(observations),
              }),
            );
          }
          for (const load of recut(world.loads, [...places].reverse())) await loadLines(store, linesOf(load));
          await expectAnswers(store, new Oracle(world.loads, now), world, now, requests);
          expect(await audit(store)).to.deep.equal([]);
        },
      ),
      { ...RUN, numRuns: range({ test: 2, ci: 6 }) },
    ));

  it('when two providers forecast for the same stations, then each has the answers of a store with it alone, and an audit finds nothing', async () => {
    const alone = await openTestStore();
    await fc.assert(
      fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
        const now = new Date(timeOf(world, 0)).toISOString();
        await emptyStore(store);
        for (const load of world.loads) await loadLines(store, linesOf(load));
        const both = await startTestService(store, { now });
        for (const provider of ['default', OTHER_PROVIDER]) {
          await emptyStore(alone);
          for (const load of world.loads) {
            const forecasts = load.forecasts.filter((row) => (row.provider ?? 'default') === provider);
            await loadLines(alone, linesOf({ ...load, forecasts }));
          }
          const hasForecasts = world.loads.some(({ forecasts }) =>
            forecasts.some(
              (row) =>
                row.withdrawn !== true && row.provider === provider && (row.high ?? row.low) !== undefined,
            ),
          );
          if (provider !== 'default' && !hasForecasts) continue;
          const service = await startTestService(alone, { now });
          for (const path of questionsAbout(world, provider)) {
            const [is, expected] = [await ask(both, path), await ask(service, path)];
            expect(is.body.data, path).to.deep.equal(expected.body.data);
          }
        }
        expect(await audit(store)).to.deep.equal([]);
      }),
      { ...RUN, numRuns: range({ test: 2, ci: 4 }) },
    );
    await alone.close();
  });

  it('when there is one pair, then its error is the mean, its size every other measure, and nothing deviates', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STATIONS),
        fc.integer({ min: -15_000, max: 15_000 }),
        fc.integer({ min: -15_000, max: 15_000 }),
        async (station, forecast, actual) => {
          const date = '2024-10-27';
          await emptyStore(store);
          await loadLines(store, {
            ...linesOf({
              stations: [station],
              forecasts: [forecastOf(station, date, 5 * HOUR, forecast)],
              observations: [observationOf(station, date, actual)],
            }),
          });
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
      { ...RUN, numRuns: range({ test: 1, ci: 4 }) },
    ));
});

describe('answers over HTTP, given a chosen case', function () {
  this.timeout(60_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });

  beforeEach(() => emptyStore(store));

  it('when no feed was ever loaded but the stations, then every endpoint says so without a number', async () => {
    const load: Load = { ...NO_ROWS, stations: [KNYC, MUHA] };
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

  it('when forecasts for all hard days are issued on and beside every bound at every station, then every pair is the one worked out independently', async () => {
    const days = [...new Set(HARD_DAYS.flatMap(([date]) => [-1, 0, 1].map((days) => plusDays(date, days))))];
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
    for (const [date_from, date_to] of [
      ['1985-12-01', '1986-02-01'],
      ['1999-12-01', '2006-12-31'],
      ['2011-09-01', '2012-01-31'],
      ['2021-03-01', '2026-12-31'],
      ['2100-01-01', '2100-12-31'],
      ['2149-06-01', '2149-06-06'],
    ] as const) {
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

  // Havana puts its clocks back from 01:00 to 00:00 on 1 November: the day begins at the first midnight, 04:00 UTC.
  // On 8 March they go from 00:00 to 01:00: the day begins with the jump, 05:00 UTC.
  for (const [date, begins] of [
    ['2026-11-01', '2026-11-01T04:00:00Z'],
    ['2026-03-08', '2026-03-08T05:00:00Z'],
  ] as const) {
    it(`when forecasts for ${date} in Havana are issued on the bounds of the buckets, then a bound belongs to the longer lead time`, async () => {
      const issuedAt = (hours: number, seconds: number): number =>
        Date.parse(begins) - hours * HOUR - seconds * 1000;
      const instants = [0, 6, 12, 24, 48, 72].flatMap((hours) => [issuedAt(hours, 0), issuedAt(hours, -1)]);
      await loadLines(
        store,
        linesOf({
          stations: [MUHA],
          forecasts: instants.map((issued_at) => ({
            ...forecastOf(MUHA, date, 0, 7100),
            issued_at,
          })),
          observations: [observationOf(MUHA, date, 7000)],
        }),
      );
      const { body } = await ask(await startTestService(store), `by-lead-time?date_from=${date}&days=1`);
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
    const issued_at = startOfDay('2021-03-14', KNYC.timezone);
    await loadLines(
      store,
      linesOf({
        stations: [KNYC],
        forecasts: [{ ...forecastOf(KNYC, '2021-03-15', 0, 5000), issued_at }],
        observations: [observationOf(KNYC, '2021-03-15', 5000)],
      }),
    );
    const { body } = await ask(
      await startTestService(store),
      'by-station/KNYC?date_from=2021-03-15&days=1&include_raw=true',
    );
    const [record] = (body.data as { sample_records: Record<string, unknown>[] }).sample_records;
    expect(record).to.include({
      issued_at: '2021-03-14T05:00:00Z',
      lead_time_hours: 23,
      lead_time_bucket: '12-24h',
    });
  });

  it('when 57 of 100 days are verified, then verified_pct is 0.57', async () => {
    const dates = Array.from({ length: 100 }, (_, i) => plusDays('2025-01-01', i));
    await loadLines(
      store,
      linesOf({
        stations: [KNYC],
        forecasts: dates.map((date) => forecastOf(KNYC, date, HOUR, 5000)),
        observations: dates.map((date, i) => ({
          ...observationOf(KNYC, date, 5000),
          status: i < 57 ? 'verified' : 'preliminary',
        })),
      }),
    );
    const { body } = await ask(await startTestService(store), 'summary?date_from=2025-01-01&days=100');
    expect(body.metadata.verification_coverage).to.deep.equal({
      verified_days: 57,
      preliminary_days: 43,
      verified_pct: 0.57,
    });
  });

  it('when two cities have the same error, then sorting by it falls back to station_id; names sort ignoring case', async () => {
    const three = STATIONS.filter(({ station_id }) => ['KNYC', 'NSTU', 'MUHA'].includes(station_id));
    const date = '2026-01-15';
    await loadLines(
      store,
      linesOf({
        stations: three,
        // Means of 1 / 3: of one day's 100 / 3 hundredths and of 200 / 6, the same fraction.
        forecasts: three.flatMap((station) =>
          Array.from({ length: station.station_id === 'NSTU' ? 6 : 3 }, (_, i) =>
            forecastOf(station, date, (1 + i) * HOUR, i % 3 === 0 ? 5100 : 5000),
          ),
        ),
        observations: three.map((station) => observationOf(station, date, 5000)),
      }),
    );
    const service = await startTestService(store);
    for (const [sort_by, expected] of [
      ['mae', ['KNYC', 'MUHA', 'NSTU']],
      ['rmse', ['KNYC', 'MUHA', 'NSTU']],
      ['mean_error', ['KNYC', 'MUHA', 'NSTU']],
      ['count', ['NSTU', 'KNYC', 'MUHA']],
      ['city', ['MUHA', 'KNYC', 'NSTU']],
    ] as const) {
      const { body } = await ask(service, `by-city?date_from=${date}&days=1&sort_by=${sort_by}`);
      const ids = (body.data as { station_id: string }[]).map(({ station_id }) => station_id);
      expect(ids, sort_by).to.deep.equal(expected);
    }
  });
});

function forecastOf(station: StationRow, target_date: string, lead: number, high: number): ForecastRow {
  const issued_at = startOfDay(target_date, station.timezone) - lead;
  return { station_id: station.station_id, issued_at, target_date, high, low: undefined };
}

function observationOf(station: StationRow, date: string, high: number): ObservationRow {
  const observed_at = Date.parse(`${plusDays(date, 1)}T12:00:00Z`);
  return { station_id: station.station_id, date, high, low: undefined, status: 'verified', observed_at };
}

/** The same rows in other loads and another order, some of them in two; each with its key and its load drawn. */
function recut(
  loads: readonly Load[],
  places: readonly [key: number, load: number, twice: boolean][],
): Load[] {
  let next = 0;
  const place = () => places[next++ % places.length] ?? [0, 0, false];
  const scatter = <Row>(rows: readonly Row[]): Row[][] => {
    const placed = rows.map((row) => ({ row, place: place() }));
    placed.sort((a, b) => a.place[0] - b.place[0]);
    return [0, 1, 2].map((load) =>
      placed
        .filter(({ place: [, first, twice] }) => load === first || (twice && load === (first + 1) % 3))
        .map(({ row }) => row),
    );
  };
  const forecasts = scatter(loads.flatMap((load) => load.forecasts));
  const observations = scatter(loads.flatMap((load) => load.observations));
  return [0, 1, 2].map((load) => ({
    stations: load === 0 ? [...stationsOf(loads).values()] : [],
    forecasts: forecasts[load] ?? [],
    observations: observations[load] ?? [],
  }));
}

/** Questions of every kind about a provider, over the first and the last year of a world. */
function questionsAbout({ stations, dates }: World, provider: string): string[] {
  const sorted = [...dates].sort();
  return [...new Set([sorted[0], sorted.at(-1)])].flatMap((date) =>
    [
      'summary?',
      'by-date?',
      'by-lead-time?include_same_day=true&',
      'by-city?',
      'by-city?lead_time_bucket=same-day,0-6h&',
      `by-station/${stations[0]?.station_id}?include_raw=true&`,
    ].flatMap((question) =>
      ['high', 'low'].map(
        (metric) => `${question}date_to=${date}&days=9&metric=${metric}&provider=${provider}`,
      ),
    ),
  );
}

interface Asked {
  body: { data: unknown; metadata: Record<string, unknown> };
}

async function ask(service: TestService, path: string): Promise<Asked> {
  const response = await service.get(`/api/v1/accuracy/${path}`);
  expect(response.status, `${path}: ${response.text}`).to.equal(200);
  return { body: response.body as Asked['body'] };
}

async function expectAnswers(
  store: Store,
  oracle: Oracle,
  world: World,
  now: number,
  requests: readonly DrawnRequest[],
): Promise<void> {
  const service = await startTestService(store, { now: new Date(now).toISOString() });
  for (const drawn of requests) {
    const { path, expected } = put(drawn, world, oracle);
    await expectAnswer(service, path, expected);
  }
}

async function expectAnswer(service: TestService, path: string, expected: Answer): Promise<void> {
  const { body } = await ask(service, path);
  const { query_time_ms, ...metadata } = body.metadata;
  expect(query_time_ms, path).to.satisfy((value: unknown) => Number.isInteger(value) && Number(value) >= 0);
  expect(body, path).to.have.all.keys('success', 'data', 'metadata');
  const answer = { data: withoutDescriptions(body.data), metadata };
  // Chai shortens long values in its messages, and the difference is what a reader needs.
  const [is, wanted] = [JSON.stringify(answer), JSON.stringify(expected)].map((text) => text.slice(0, 5000));
  const message = `${path}\nis answered ${is}\n  instead of ${wanted}`;
  expect(isDeepStrictEqual(answer, expected), message).to.be.true;
}

/** Lead-time records without their sentences, which only have to name the bounds. */
function withoutDescriptions(data: unknown): unknown {
  if (!Array.isArray(data)) return data;
  return data.map((record: Record<string, unknown>) => {
    const { description, ...rest } = record;
    if (BUCKETS.some((bucket) => bucket === rest.lead_time_bucket)) {
      for (const bound of String(rest.lead_time_bucket).match(/\d+/g) ?? []) {
        expect(description).to.match(new RegExp(`\\b${bound}\\b`));
      }
    }
    return rest;
  });
}

/** Puts a drawn request to a world: its path, and what has to be answered. */
function put(drawn: DrawnRequest, world: World, oracle: Oracle): { path: string; expected: Answer } {
  const { endpoint, metric, min_samples, sort_by, include_raw } = drawn;
  const member = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;
  const asked =
    drawn.station === undefined && endpoint !== 'by-station'
      ? undefined
      : member(
          world.stations.filter(({ station_id }) => oracle.hasStation(station_id)),
          drawn.station ?? drawn.first,
        );

  const date_from = notAfter(LAST_DATE, plusDays(member(world.dates, drawn.first), -drawn.before));
  const question: Question = { metric, ...windowOf(drawn, date_from), station: asked?.station_id };
  const parameters = new URLSearchParams();
  const path = ((): string => {
    if (asked === undefined) return endpoint;
    const { name, parameter } = spell(asked, drawn.spelling, world.stations);
    const inPath = endpoint === 'by-station' || (endpoint === 'by-date' && drawn.spelling === 'path');
    if (inPath) return `${endpoint}/${encodeURIComponent(name)}`;
    parameters.set(parameter, name);
    return endpoint;
  })();

  if (endpoint === 'by-city') Object.assign(question, { min_samples, sort_by });
  if (endpoint === 'by-station') Object.assign(question, { include_raw });
  for (const [name, value] of Object.entries(question)) {
    if (name !== 'station' && value !== undefined) parameters.set(name, String(value));
  }
  return { path: `${path}?${parameters.toString()}`, expected: answerOf(endpoint, question, oracle) };
}

function windowOf({ window, length, days }: DrawnRequest, date_from: string): Question {
  const anchored = (Date.parse(LAST_DATE) - Date.parse(date_from)) / (24 * HOUR) + 1;
  switch (window) {
    case 'both':
      return { days, date_from, date_to: notAfter(LAST_DATE, plusDays(date_from, length - 1)) };
    case 'from':
      return { days: anchored < (days ?? 90) ? anchored : days, date_from };
    case 'to':
      return { days, date_to: notAfter(LAST_DATE, plusDays(date_from, length % 8)) };
    case 'neither':
      return { days };
  }
}

function notAfter(last: string, date: string): string {
  return date > last ? last : date;
}

/** A name by which a station can be asked for, and the parameter that takes it. */
function spell(
  { station_id, city_name, iata }: StationRow,
  spelling: string,
  stations: readonly StationRow[],
): { name: string; parameter: 'station_id' | 'city' } {
  const namesakes = stations.filter((other) => other.city_name.toLowerCase() === city_name.toLowerCase());
  if (spelling === 'city' && namesakes.length === 1)
    return { name: city_name.toUpperCase(), parameter: 'city' };
  if (spelling === 'iata' && iata !== '') return { name: iata, parameter: 'station_id' };
  return {
    name: spelling === 'lower case' ? station_id.toLowerCase() : station_id,
    parameter: 'station_id',
  };
}

function answerOf(endpoint: (typeof ENDPOINTS)[number], question: Question, oracle: Oracle): Answer {
  switch (endpoint) {
    case 'summary':
      return oracle.summary(question);
    case 'by-date':
      return oracle.byDate(question);
    case 'by-lead-time':
      return oracle.byLeadTime(question);
    case 'by-city':
      return oracle.byCity(question);
    case 'by-station':
      return oracle.byStation({ ...question, station: question.station ?? '' });
  }
}
