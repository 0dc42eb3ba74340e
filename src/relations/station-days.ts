import { bind, raw, sql, type Statement } from '../sql.js';
import { ALL_BUCKETS } from '../statistics/time/lead-time.js';
import { localDays, stationDaysOfFacts, stationsOfVersion } from './interim.js';
import { bucketSql } from './lead-time.js';
import {
  andStation,
  leadTimeBucketsOf,
  ofDays,
  ofMetric,
  ofProvider,
  ofProviders,
  ofVersion,
  type RowsQuestion,
} from './question.js';

// The ledger's rows (D48) as questions read them, for use after FROM. A row says how often it counts: -1 where it withdraws
// a station day, so sums of case_count times a value are those of the station days that stand, and a row by itself tells
// nothing.

/** The station days of a question that could be known at an instant, by the facts of its version, as rows of the ledger. */
function knownDays(question: RowsQuestion, known_at_ms: number, providers: Statement): Statement {
  const { window, station, asOf } = question;
  const days = ofDays(window);
  const facts = sql`${ofMetric(question)} AND ${days}${andStation(station)} AND ${ofVersion(asOf)}`;
  const known = sql`fromUnixTimestamp64Milli(${bind({ known_at_ms }, 'Int64')})`;
  return sql`(
    SELECT
      *, toInt8(1) AS sign, toUInt32(0) AS load_id,
      arrayMap(lead -> ${bucketSql(raw('lead'))}, lead_ms) AS lead_time_buckets,
      arrayMap(bucket -> indexOf(arrayMap(each -> toUInt8(each), lead_time_buckets), bucket), range(${BUCKETS})) AS latest_places,
      arrayMap(place -> forecasts[place], latest_places) AS latest_forecasts,
      arrayMap(place -> lead_ms[place], latest_places) AS latest_leads_ms,
      arrayMap(forecast -> toInt16((forecast - actual) * 100), forecasts) AS errors_hundredths
    FROM (${stationDaysOfFacts({
      forecasts: sql`${facts} AND ${providers} AND issued_at <= ${known}`,
      observations: sql`${facts} AND observed_at <= ${known}`,
      stations: stationsOfVersion(asOf),
      localDays: localDays(sql`${days} AND ${ofVersion(asOf)}`),
    })})
  )`;
}

/** The rows of the station days of a question, and the conditions that choose them: more may follow with AND. */
export function stationDays(question: RowsQuestion, providers = ofProvider(question)): Statement {
  const { window, station, asOf, knownAt } = question;
  const table = knownAt === undefined ? raw('station_days') : knownDays(question, knownAt, providers);
  return sql`${table}
    WHERE ${ofMetric(question)} AND ${providers} AND ${ofDays(window)} AND ${ofVersion(asOf)}${andStation(station)}`;
}

/** The verification pairs of a question, of all lead times, as rows of `pairs`; one that is withdrawn has counts below 0. */
export const pairs = (question: RowsQuestion, providers?: Statement): Statement => sql`(
    SELECT
      metric, provider, station_id, target_date, local_midnight - toIntervalMillisecond(lead) AS issued_at, local_midnight,
      lead AS lead_ms, lead_time_bucket, forecast, actual, forecast - actual AS error, error_hundredths,
      observation_status, sign, load_id,
      toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
    FROM (
      SELECT *, lead_time_buckets, errors_hundredths
      FROM ${stationDays(question, providers)}
    )
    ARRAY JOIN
      lead_ms AS lead, forecasts AS forecast, lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
  )`;

/** What every station day has. Temperatures are whole hundredths of a °F, and so is what is made of them. */
export const STATION_DAY = sql`station_id, target_date, toInt64(sign) AS case_count,
      if(observation_status = 'preliminary', case_count, 0) AS preliminary_case_count,
      toInt64(actual * 100) AS actual_hundredths`;

/** How many buckets there are. */
export const BUCKETS = raw(`${ALL_BUCKETS.length}`);
const NAMES = raw(ALL_BUCKETS.map((name) => `'${name}'`).join(', '));

/** Which slots, a place for each bucket, have a forecast of the lead times of the question. */
const filled = (question: RowsQuestion): Statement => sql`arrayMap(
        (place, is_wanted) -> place != 0 AND is_wanted,
        latest_places,
        arrayMap(name -> has(${leadTimeBucketsOf(question)}, name), [${NAMES}])
      )`;

/** The first of them; 0 without any. To look for it with arrayFirstIndex() takes twice the time. */
const firstSlot = (question: RowsQuestion): Statement => sql`indexOf(${filled(question)}, 1)`;

const eachSlot = (question: RowsQuestion): Statement =>
  sql`arrayFilter((slot, is_filled) -> is_filled, range(1, ${BUCKETS} + 1), ${filled(question)})`;

/** Whether a case counts once, with its latest forecast, or in each lead time with the latest forecast of that one. */
export type Counted = 'once' | 'in_each_lead_time';

const forecastsOf = (question: RowsQuestion, providers: Statement, counted: Counted): Statement => sql`(
    SELECT
      ${STATION_DAY}, provider,
      ${counted === 'once' ? firstSlot(question) : sql`arrayJoin(${eachSlot(question)})`} AS slot,
      toInt64(latest_forecasts[slot] * 100) AS forecast_hundredths,
      forecast_hundredths - actual_hundredths AS error_hundredths,
      latest_leads_ms[slot] AS latest_lead_ms
    FROM ${stationDays(question, providers)} AND slot != 0
  )`;

/** The cases (D32) of a question, each with its latest forecast; one without a forecast is left out. */
export const latestForecasts = (question: RowsQuestion): Statement =>
  forecastsOf(question, ofProvider(question), 'once');

/**
 * The same of all its `providers`, or with the latest in each lead time of the question; `slot` is the place of the lead
 * time in ALL_BUCKETS, from 1.
 */
export const forecastsOfProviders = (question: RowsQuestion, counted: Counted): Statement =>
  forecastsOf(question, ofProviders(question), counted);

/** The same of one provider as lists of each case: errors and lead times, the latest forecast first. */
export const forecastLists = (question: RowsQuestion, counted: Counted): Statement => sql`(
    SELECT
      ${STATION_DAY},
      ${counted === 'once' ? sql`arrayFilter(slot -> slot != 0, [${firstSlot(question)}])` : eachSlot(question)} AS slots,
      arrayMap(slot -> toInt64(latest_forecasts[slot] * 100) - actual_hundredths, slots) AS errors,
      arrayMap(slot -> latest_leads_ms[slot], slots) AS latest_lead_ms
    FROM ${stationDays(question)} AND notEmpty(slots)
  )`;

/**
 * The latest forecast of each case in each bucket of the question, in the shape of sumsByBucket() (matched.ts): one for a
 * bucket that has any, with its error.
 */
export const latestByBucket = (question: RowsQuestion): Statement => sql`(
    SELECT
      station_id, target_date, arrayMap(is_filled -> toInt64(is_filled), ${filled(question)}) AS pair_counts,
      arrayMap(
        (forecast, counted) -> counted * toInt64((forecast - actual) * 100), latest_forecasts, pair_counts
      ) AS errors,
      arrayMap(error -> abs(error), errors) AS abs_errors, arrayMap(error -> error * error, errors) AS square_errors
    FROM ${stationDays(question)}
    GROUP BY station_id, target_date, latest_places, latest_forecasts, actual
    HAVING sum(sign) != 0
  )`;
