/**
 * What a question is asked of. The histograms answer it cheaply; the ledger, from which they are made, gives the same
 * to the last digit, which the tests hold them to.
 */
export type Source = 'histogram' | 'ledger';

/** Which stations a question is about: all as one, one, or each by itself. */
export type Scope = 'network' | 'station' | 'each_station';

/** The window of days and the metric of a question; binds `metric`, `period_start` and `period_end`. */
const WINDOW =
  'metric = {metric: String} AND target_date BETWEEN {period_start: Date} AND {period_end: Date}';

/** The ledger in the shape of a histogram. */
const LEDGER = `(
    SELECT
        metric, station_id, target_date, lead_time_bucket, error,
        toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
    FROM pairs
  )`;

/**
 * The rows of errors that a question reads, from the cheapest source that can answer it, for use after FROM. It ends
 * in a WHERE clause and binds what WINDOW binds, and `station_id` for one station.
 */
export function errorsOf(scope: Scope, source: Source = 'histogram'): string {
  const histogram = scope === 'network' ? 'network_errors' : 'station_errors';
  const station = scope === 'station' ? ' AND station_id = {station_id: String}' : '';
  return `${source === 'ledger' ? LEDGER : histogram} WHERE ${WINDOW}${station}`;
}

/**
 * The counts that STATISTICS reads, from rows of errors: pairs per error, and pairs per day. Both come from one pass,
 * GROUP BY GROUPING SETS ((..., error), (..., target_date)): a few hundred rows, where grouping by day and error at
 * once makes a hundred thousand in a year and takes two to four times as long. Rows of equal keys may not be merged
 * yet, and a correction may have taken a count back to 0, so it goes with HAVING weight != 0.
 */
export const ERROR_COUNTS = `
  grouping(error) = 0 AS is_error,
  toInt64(error * 100) AS hundredths,
  sum(pair_count) AS weight,
  sum(preliminary_pair_count) AS preliminary_weight`;
