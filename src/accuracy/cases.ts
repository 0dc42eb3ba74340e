import { z } from 'zod';
import { OF_VERSION } from './facts.js';
import { DAYS, OF_STATIONS, type Scope, WINDOW } from './histograms.js';
import { ALL_BUCKETS } from './time/lead-time.js';

// The rows of station_day_cases (D32) as questions read them, for use after FROM. Each text binds the values of
// bindingsOf() and, for some stations, their `station_ids`. A row says how many cases it adds: -1 where it withdraws one,
// so sums of case_count times a value are those of the cases that stand, and a column of a case by itself is none.

/** What every case has. Temperatures are whole hundredths of a °F, and so is what is made of them. */
const CASE = `station_id, target_date, toInt64(sign) AS case_count,
      if(observation_status = 'preliminary', case_count, 0) AS preliminary_case_count,
      toInt64(actual * 100) AS actual_hundredths`;

const NAMES = ALL_BUCKETS.map((name) => `'${name}'`).join(', ');

/** Which slots have a forecast of the lead times of the question. */
const FILLED = `arrayMap(
        (pair_count, wanted) -> pair_count != 0 AND wanted,
        pair_counts,
        arrayMap(name -> has({lead_time_buckets: Array(String)}, name), [${NAMES}])
      )`;

/** The first of them; 0 without any. To look for it with arrayFirstIndex() takes twice the time. */
const FIRST_SLOT = `indexOf(${FILLED}, 1)`;

const EACH_SLOT = `arrayFilter((slot, is_filled) -> is_filled, range(1, ${ALL_BUCKETS.length + 1}), ${FILLED})`;

const forecastsOf = (slot: string, condition: string): string => `(
    SELECT
      ${CASE}, provider,
      ${slot} AS slot,
      toInt64(forecasts[slot] * 100) AS forecast_hundredths,
      forecast_hundredths - actual_hundredths AS error_hundredths,
      lead_ms[slot] AS latest_lead_ms
    FROM station_day_cases
    WHERE ${condition}
  )`;

/** The one forecast of each case: the latest among the lead times of the question; a case without one is left out. */
export const latestForecasts = (scope: Scope): string =>
  forecastsOf(FIRST_SLOT, `${WINDOW} AND ${OF_VERSION}${OF_STATIONS[scope]} AND slot != 0`);

/** Whether a case counts once, with its latest forecast, or in each lead time with the latest forecast of that one. */
export type Counted = 'once' | 'in_each_lead_time';

/**
 * The cases of `providers`, once or in each lead time of the question; `slot` is the place of the lead time in
 * ALL_BUCKETS, from 1.
 */
export const forecastsOfProviders = (scope: Scope, counted: Counted): string => {
  const condition = `metric = {metric: String} AND provider IN {providers: Array(String)} AND ${DAYS}
      AND ${OF_VERSION}${OF_STATIONS[scope]}`;
  return counted === 'once'
    ? forecastsOf(FIRST_SLOT, `${condition} AND slot != 0`)
    : forecastsOf(`arrayJoin(${EACH_SLOT})`, condition);
};

/** The same of one provider as lists of each case: errors and lead times, the latest forecast first. */
export const forecastListsOf = (scope: Scope, counted: Counted): string => `(
    SELECT
      ${CASE},
      ${counted === 'once' ? `arrayFilter(slot -> slot != 0, [${FIRST_SLOT}])` : EACH_SLOT} AS slots,
      arrayMap(slot -> toInt64(forecasts[slot] * 100) - actual_hundredths, slots) AS errors,
      arrayMap(slot -> lead_ms[slot], slots) AS latest_lead_ms
    FROM station_day_cases
    WHERE ${WINDOW} AND ${OF_VERSION}${OF_STATIONS[scope]} AND notEmpty(slots)
  )`;

/**
 * The latest forecast of each case in each bucket of the question, in the shape of sumsByBucket() (matched.ts): one for a
 * bucket that has any, with its error.
 */
export const latestByBucket = (scope: Scope): string => `(
    SELECT
      station_id, target_date, has_forecast AS pair_counts, errors,
      arrayMap(error -> abs(error), errors) AS abs_errors, arrayMap(error -> error * error, errors) AS square_errors
    FROM (
      SELECT
        station_id, target_date,
        arrayMap(
          (pair_count, name) -> toInt64(pair_count != 0 AND has({lead_time_buckets: Array(String)}, name)),
          pair_counts, [${NAMES}]
        ) AS has_forecast,
        arrayMap(
          (forecast, counted) -> if(counted = 1, toInt64((forecast - actual) * 100), 0), forecasts, has_forecast
        ) AS errors
      FROM station_day_cases
      WHERE ${WINDOW} AND ${OF_VERSION}${OF_STATIONS[scope]}
      GROUP BY station_id, target_date, pair_counts, forecasts, actual
      HAVING sum(sign) != 0
    )
  )`;

/** The forecasts of each case in the order of issuance, same-day ones left out (D40), as a summary. */
export const revisions = (scope: Scope): string => `(
    SELECT
      ${CASE},
      issuances, changes,
      toInt64(abs_change_sum * 100) AS abs_change_hundredths,
      toInt64((max_forecast - min_forecast) * 100) AS range_hundredths,
      toInt64(first_forecast * 100) AS first_hundredths,
      toInt64(forecasts[indexOf(arrayMap(pair_count -> pair_count != 0, arraySlice(pair_counts, 2)), 1) + 1] * 100)
        AS last_hundredths
    FROM station_day_cases
    WHERE ${WINDOW} AND ${OF_VERSION}${OF_STATIONS[scope]} AND issuances != 0
  )`;

/**
 * The single forecasts of a station's days, from the ledger: the longest time between two that follow each other, and sums
 * over each pair of steps that follow each other, in hundredths of a °F. Same-day forecasts are left out, as above.
 */
export const stepsSql = `
  SELECT
    max(arrayMax(arrayPopFront(arrayDifference(issued)))) AS max_gap_ms, sum(length(firsts)) AS n,
    sum(arraySum(firsts)) AS x, sum(arraySum(seconds)) AS y,
    toString(sum(arraySum(arrayMap(step -> step * step, firsts)))) AS xx,
    toString(sum(arraySum(arrayMap(step -> step * step, seconds)))) AS yy,
    toString(sum(arraySum(arrayMap((first, second) -> first * second, firsts, seconds)))) AS xy
  FROM (
    SELECT
      arraySort(groupArray((toUnixTimestamp64Milli(issued_at), toInt64(forecast * 100)))) AS in_order,
      in_order.1 AS issued, arrayPopFront(arrayDifference(in_order.2)) AS steps,
      arrayPopBack(steps) AS firsts, arrayPopFront(steps) AS seconds
    FROM (
      SELECT target_date, issued_at, forecast
      FROM pairs
      WHERE ${WINDOW} AND ${OF_VERSION}${OF_STATIONS.station} AND lead_time_bucket != 'same-day'
      GROUP BY target_date, issued_at, forecast
      HAVING sum(sign) != 0
    )
    GROUP BY target_date
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
