import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { ask, expectAnswer } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  type Answer,
  emptyStore,
  forecastOf,
  inFahrenheit,
  joined,
  linesOf,
  type Load,
  type Metric,
  observationOf,
  Oracle,
  OTHER_PROVIDER,
  type Question,
  SORT_BY,
  STATIONS,
  type StationRow,
  plusDays,
  stationsOf,
  type World,
  worlds,
} from '../../support/plain/oracle.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const LAST_DATE = '2149-06-06';

// The seed is fixed and a failure names it with the path to its case. Shrinking ends in time to be reported.
const RUN = { seed: 20_260_131, interruptAfterTimeLimit: 300_000 } as const;

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
      { ...RUN, numRuns: range({ test: 1, ci: 4, torture: 25 }) },
    ));

  itInCi(
    'when loads contradict each other nowhere, then neither their order, nor how they are cut, nor a row loaded again matters, nor whether some of it was withdrawn in between',
    () =>
      fc.assert(
        fc.asyncProperty(
          worlds({ conflicts: false }),
          fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.boolean()), { minLength: 200, maxLength: 200 }),
          fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
          fc.array(request, { minLength: 5, maxLength: 8 }),
          async (world, places, isWithdrawn, requests) => {
            const now = timeOf(world, 0);
            const oracle = new Oracle(world.loads, now);
            const gone = <Row>(rows: readonly Row[]): Row[] =>
              rows
                .filter((_, i) => isWithdrawn[i % isWithdrawn.length])
                .map((row) => ({ ...row, withdrawn: true }));
            await emptyStore(store);
            for (const load of recut(world.loads, places)) await loadLines(store, linesOf(load));
            await expectAnswers(store, oracle, world, now, requests);
            const { stations, forecasts, observations } = joined(recut(world.loads, places));
            await loadLines(
              store,
              linesOf({
                stations: gone(stations),
                forecasts: gone(forecasts),
                observations: gone(observations),
              }),
            );
            for (const load of recut(world.loads, [...places].reverse()))
              await loadLines(store, linesOf(load));
            await expectAnswers(store, oracle, world, now, requests);
            expect(await audit(store)).to.deep.equal([]);
          },
        ),
        { ...RUN, numRuns: range({ test: 1, ci: 2, torture: 8 }) },
      ),
  );

  itInCi(
    'when two providers forecast for the same stations, then each has the answers of a store with it alone, and an audit finds nothing',
    async () => {
      const alone = await openTestStore();
      await fc.assert(
        fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
          const now = new Date(timeOf(world, 0)).toISOString();
          await emptyStore(store);
          for (const load of world.loads) await loadLines(store, linesOf(load));
          const both = await startTestService(store, { now });
          for (const provider of ['default', OTHER_PROVIDER]) {
            await emptyStore(alone);
            const all = joined(world.loads);
            const forecasts = all.forecasts.filter((row) => (row.provider ?? 'default') === provider);
            await loadLines(alone, linesOf({ ...all, forecasts }));
            const hasForecasts = forecasts.some(
              (row) => row.withdrawn !== true && (row.high ?? row.low) !== undefined,
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
        { ...RUN, numRuns: range({ test: 1, ci: 2, torture: 4 }) },
      );
      await alone.close();
    },
  );

  // celsius.test.ts stands for it in make test.
  itInCi(
    'when every other load is in Celsius, then the answers are those of the values kept, in the nearest 0.01 °F',
    () =>
      fc.assert(
        fc.asyncProperty(
          worlds({ conflicts: true }),
          fc.array(request, { minLength: 6, maxLength: 12 }),
          async (world, requests) => {
            await emptyStore(store);
            const loads = world.loads.map((load, at) => (at % 2 === 0 ? inCelsiusBounds(load) : load));
            for (const [at, load] of loads.entries())
              await loadLines(store, { ...linesOf(load), ...(at % 2 === 0 && { unit: 'celsius' }) });
            const now = timeOf(world, 0);
            const kept = loads.map((load, at) => (at % 2 === 0 ? inFahrenheit(load) : load));
            await expectAnswers(store, new Oracle(kept, now), world, now, requests);
          },
        ),
        { ...RUN, numRuns: range({ test: 0, ci: 2, torture: 8 }) },
      ),
  );

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
      { ...RUN, numRuns: range({ test: 1, ci: 2, torture: 4 }) },
    ));
});

/** The same rows, with temperatures that a feed in Celsius may hold. */
function inCelsiusBounds({ stations, forecasts, observations }: Load): Load {
  const bounded = <Row extends { high: number | undefined; low: number | undefined }>(row: Row): Row => {
    const within = (value: number | undefined): number | undefined =>
      value === undefined ? undefined : Math.max(-10_111, Math.min(6555, value));
    return { ...row, high: within(row.high), low: within(row.low) };
  };
  return { stations, forecasts: forecasts.map(bounded), observations: observations.map(bounded) };
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
