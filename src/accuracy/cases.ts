import { OF_VERSION } from './facts.js';
import { OF_STATIONS, type Scope, WINDOW } from './histograms.js';
import { ALL_BUCKETS } from './time/lead-time.js';

// The rows of station_day_cases (D32) as questions read them, for use after FROM. Each text binds the values of
// bindingsOf() and, for some stations, their `station_ids`. A row says how many cases it adds: -1 where it withdraws one,
// so sums of case_count times a value are those of the cases that stand, and a column of a case by itself is none.

/** What every case has. Temperatures are whole hundredths of a °F, and so is what is made of them. */
const CASE = `station_id, target_date, toInt64(sign) AS case_count,
      if(observation_status = 'preliminary', case_count, 0) AS preliminary_case_count,
      toInt64(actual * 100) AS actual_hundredths`;

const NAMES = ALL_BUCKETS.map((name) => `'${name}'`).join(', ');

/**
 * The one forecast of each case: the latest among the lead times of the question; a case without one is left out. To look
 * for the first slot with arrayFirstIndex() takes twice the time.
 */
export const latestForecasts = (scope: Scope): string => `(
    SELECT
      ${CASE},
      indexOf(
        arrayMap(
          (pair_count, wanted) -> pair_count != 0 AND wanted,
          pair_counts,
          arrayMap(name -> has({lead_time_buckets: Array(String)}, name), [${NAMES}])
        ),
        1
      ) AS slot,
      toInt64(forecasts[slot] * 100) AS forecast_hundredths,
      forecast_hundredths - actual_hundredths AS error_hundredths,
      lead_ms[slot] AS latest_lead_ms
    FROM station_day_cases
    WHERE ${WINDOW} AND ${OF_VERSION}${OF_STATIONS[scope]} AND slot != 0
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
