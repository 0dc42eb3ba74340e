import { z } from 'zod';
import { OF_VERSION, STATIONS_OF_VERSION, stationDaysOfFacts, unbound } from './facts.js';
import { ALL_BUCKETS, bucketSql } from '../statistics/time/lead-time.js';

// The ledger's rows (D48) as questions read them, for use after FROM. Each text binds the values of bindingsOf() and, for
// some stations, their `station_ids`. A row says how often it counts: -1 where it withdraws a station day, so sums of
// case_count times a value are those of the station days that stand, and a row by itself tells nothing.

/** The stations of a question: all as one, one, or each by itself of some or of all. */
export type Scope = 'network' | 'station' | 'some_stations' | 'each_station';

/** The same as a further condition. */
export const OF_STATIONS: Record<Scope, string> = {
  network: '',
  station: ' AND station_id = {station_id: String}',
  some_stations: ' AND station_id IN {station_ids: Array(String)}',
  each_station: '',
};

/** The days of a question. */
export const DAYS = `target_date BETWEEN {period_start: Date} AND {period_end: Date}`;

const OF_PROVIDER = 'provider = {provider: String}';
const OF_PROVIDERS = 'provider IN {providers: Array(String)}';

/** Its metric, provider and days. */
export const WINDOW = `metric = {metric: String} AND ${OF_PROVIDER} AND ${DAYS}`;

/** What the store was told by a version (D31), or what could be known at an instant, as far as that version was told. */
export type Knowledge = 'told' | 'known';

/** The station days that could be known at the instant `known_at_ms`, by the facts of `version`, as rows of the ledger. */
function knownDays(ofStations: string, ofProvider: string): string {
  const known = `fromUnixTimestamp64Milli({known_at_ms: Int64})`;
  const facts = stationDaysOfFacts({
    forecasts: unbound(
      `metric = {metric: String} AND ${ofProvider} AND ${DAYS}${ofStations} AND ${OF_VERSION} AND issued_at <= ${known}`,
    ),
    observations: unbound(
      `metric = {metric: String} AND ${DAYS}${ofStations} AND ${OF_VERSION} AND observed_at <= ${known}`,
    ),
    stations: unbound(STATIONS_OF_VERSION),
    localDays: unbound(`${DAYS} AND ${OF_VERSION}`),
  });
  return `(
    SELECT
      *, toInt8(1) AS sign, toUInt32(0) AS load_id,
      arrayMap(lead -> ${bucketSql('lead')}, lead_ms) AS lead_time_buckets,
      arrayMap(bucket -> indexOf(arrayMap(each -> toUInt8(each), lead_time_buckets), bucket), range(${ALL_BUCKETS.length})) AS latest_places,
      arrayMap(place -> forecasts[place], latest_places) AS latest_forecasts,
      arrayMap(place -> lead_ms[place], latest_places) AS latest_leads_ms,
      arrayMap(forecast -> toInt16((forecast - actual) * 100), forecasts) AS errors_hundredths
    FROM ${facts.text}
  )`;
}

/** The rows of the station days of a question, and the conditions that choose them. */
export function stationDays(scope: Scope, knowledge: Knowledge, ofProvider = OF_PROVIDER): string {
  const table = knowledge === 'known' ? knownDays(OF_STATIONS[scope], ofProvider) : 'station_days';
  return `${table}
    WHERE metric = {metric: String} AND ${ofProvider} AND ${DAYS} AND ${OF_VERSION}${OF_STATIONS[scope]}`;
}

/** The verification pairs of a question, of all lead times, as rows of `pairs`; one that is withdrawn has counts below 0. */
export const pairs = (scope: Scope, knowledge: Knowledge): string => `(
    SELECT
      metric, provider, station_id, target_date, local_midnight - toIntervalMillisecond(lead) AS issued_at, local_midnight,
      lead AS lead_ms, lead_time_bucket, forecast, actual, forecast - actual AS error, error_hundredths,
      observation_status, sign, load_id,
      toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
    FROM (
      SELECT *, lead_time_buckets, errors_hundredths
      FROM ${stationDays(scope, knowledge)}
    )
    ARRAY JOIN
      lead_ms AS lead, forecasts AS forecast, lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
  )`;

/** What every station day has. Temperatures are whole hundredths of a °F, and so is what is made of them. */
const STATION_DAY = `station_id, target_date, toInt64(sign) AS case_count,
      if(observation_status = 'preliminary', case_count, 0) AS preliminary_case_count,
      toInt64(actual * 100) AS actual_hundredths`;

const NAMES = ALL_BUCKETS.map((name) => `'${name}'`).join(', ');

/** Which slots have a forecast of the lead times of the question. */
const FILLED = `arrayMap(
        (place, is_wanted) -> place != 0 AND is_wanted,
        latest_places,
        arrayMap(name -> has({lead_time_buckets: Array(String)}, name), [${NAMES}])
      )`;

/** The first of them; 0 without any. To look for it with arrayFirstIndex() takes twice the time. */
const FIRST_SLOT = `indexOf(${FILLED}, 1)`;

const EACH_SLOT = `arrayFilter((slot, is_filled) -> is_filled, range(1, ${ALL_BUCKETS.length + 1}), ${FILLED})`;

/** Whether a case counts once, with its latest forecast, or in each lead time with the latest forecast of that one. */
export type Counted = 'once' | 'in_each_lead_time';

const forecastsOf = (rows: string, counted: Counted): string => `(
    SELECT
      ${STATION_DAY}, provider,
      ${counted === 'once' ? FIRST_SLOT : `arrayJoin(${EACH_SLOT})`} AS slot,
      toInt64(latest_forecasts[slot] * 100) AS forecast_hundredths,
      forecast_hundredths - actual_hundredths AS error_hundredths,
      latest_leads_ms[slot] AS latest_lead_ms
    FROM ${rows} AND slot != 0
  )`;

/** The cases (D32) of a question, each with its latest forecast; one without a forecast is left out. */
export const latestForecasts = (scope: Scope, knowledge: Knowledge): string =>
  forecastsOf(stationDays(scope, knowledge), 'once');

/**
 * The same of all its `providers`, or with the latest in each lead time of the question; `slot` is the place of the lead
 * time in ALL_BUCKETS, from 1.
 */
export const forecastsOfProviders = (scope: Scope, knowledge: Knowledge, counted: Counted): string =>
  forecastsOf(stationDays(scope, knowledge, OF_PROVIDERS), counted);

/** The same of one provider as lists of each case: errors and lead times, the latest forecast first. */
export const forecastListsOf = (scope: Scope, knowledge: Knowledge, counted: Counted): string => `(
    SELECT
      ${STATION_DAY},
      ${counted === 'once' ? `arrayFilter(slot -> slot != 0, [${FIRST_SLOT}])` : EACH_SLOT} AS slots,
      arrayMap(slot -> toInt64(latest_forecasts[slot] * 100) - actual_hundredths, slots) AS errors,
      arrayMap(slot -> latest_leads_ms[slot], slots) AS latest_lead_ms
    FROM ${stationDays(scope, knowledge)} AND notEmpty(slots)
  )`;

/**
 * The latest forecast of each case in each bucket of the question, in the shape of sumsByBucket() (matched.ts): one for a
 * bucket that has any, with its error.
 */
export const latestByBucket = (scope: Scope, knowledge: Knowledge): string => `(
    SELECT
      station_id, target_date, arrayMap(is_filled -> toInt64(is_filled), ${FILLED}) AS pair_counts,
      arrayMap(
        (forecast, counted) -> counted * toInt64((forecast - actual) * 100), latest_forecasts, pair_counts
      ) AS errors,
      arrayMap(error -> abs(error), errors) AS abs_errors, arrayMap(error -> error * error, errors) AS square_errors
    FROM ${stationDays(scope, knowledge)}
    GROUP BY station_id, target_date, latest_places, latest_forecasts, actual
    HAVING sum(sign) != 0
  )`;

/** The forecasts of a station day that were issued before it began (D40), hundredths of a °F, the latest first. */
const BEFORE_THE_DAY = `arrayFilter(
        (hundredths, lead) -> lead >= 0, arrayMap(forecast -> toInt64(forecast * 100), forecasts), lead_ms
      )`;

/** How the forecasts of each station day changed, as a summary. */
export const revisions = (scope: Scope, knowledge: Knowledge): string => `(
    SELECT
      ${STATION_DAY},
      ${BEFORE_THE_DAY} AS issued, arrayDifference(issued) AS steps,
      length(issued) AS issuances, arrayCount(step -> step != 0, steps) AS changes,
      arraySum(step -> abs(step), steps) AS abs_change_hundredths,
      arrayMax(issued) - arrayMin(issued) AS range_hundredths,
      issued[-1] AS first_hundredths, issued[1] AS last_hundredths
    FROM ${stationDays(scope, knowledge)} AND issuances != 0
  )`;

/**
 * The single forecasts of a station's days: the longest time between two that follow each other, and sums over each pair
 * of steps that follow each other, in hundredths of a °F. Same-day forecasts are left out, as above.
 */
export const stepsSql = (knowledge: Knowledge): string => `
  SELECT
    max(arrayMax(arrayPopFront(arrayDifference(leads)))) AS max_gap_ms, sum(length(firsts)) AS n,
    sum(arraySum(firsts)) AS x, sum(arraySum(seconds)) AS y,
    toString(sum(arraySum(arrayMap(step -> step * step, firsts)))) AS xx,
    toString(sum(arraySum(arrayMap(step -> step * step, seconds)))) AS yy,
    toString(sum(arraySum(arrayMap((first, second) -> first * second, firsts, seconds)))) AS xy
  FROM (
    SELECT
      arrayFilter(lead -> lead >= 0, lead_ms) AS leads,
      arrayPopFront(arrayDifference(arrayReverse(${BEFORE_THE_DAY}))) AS steps,
      arrayPopBack(steps) AS firsts, arrayPopFront(steps) AS seconds
    FROM ${stationDays('station', knowledge)} AND notEmpty(leads)
    GROUP BY target_date, lead_ms, forecasts
    HAVING sum(sign) != 0
  )`;

/** A row of stepsSql. */
export const stepsRow = z.object({
  max_gap_ms: z.number(),
  n: z.number(),
  x: z.number(),
  y: z.number(),
  xx: z.string(),
  yy: z.string(),
  xy: z.string(),
});

/** The correlation of each step with the one before; null with fewer than two pairs of them, or without spread. */
export function stepCorrelation({ n, x, y, xx, yy, xy }: z.infer<typeof stepsRow>): number | null {
  const moment = (squares: string, a: number, b: number): number =>
    Number(BigInt(n) * BigInt(squares) - BigInt(a) * BigInt(b));
  const [spread, otherSpread] = [moment(xx, x, x), moment(yy, y, y)];
  return spread === 0 || otherSpread === 0
    ? null
    : moment(xy, x, y) / Math.sqrt(spread) / Math.sqrt(otherSpread);
}
