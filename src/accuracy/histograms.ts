import { addDays, dayNumber, FIRST_DATE, LAST_DATE, weekday } from './calendar.js';
import type { Window } from './window.js';

/**
 * What a question is asked of. The histograms answer it cheaply; the ledger, from which they are made, gives the same
 * to the last digit, which the tests hold them to.
 */
export type Source = 'histogram' | 'ledger';

/** Which stations a question is about: all as one, one, or each by itself. */
export type Scope = 'network' | 'station' | 'each_station';

/** The window of days and the metric of a question. */
const WINDOW =
  'metric = {metric: String} AND target_date BETWEEN {period_start: Date} AND {period_end: Date}';

/** The ledger in the shape of a histogram. */
const LEDGER = `(
    SELECT
      metric, station_id, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
      toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
    FROM pairs
  )`;

/** Each station's errors, without lead times: whole weeks from their own histogram, the days beside them from the ledger. */
const WEEKS_AND_DAYS = `(
    SELECT station_id, error_hundredths, pair_count, preliminary_pair_count
    FROM station_week_errors
    WHERE metric = {metric: String} AND week_start BETWEEN {weeks_start: Date} AND {weeks_end: Date}
    UNION ALL
    SELECT station_id, error_hundredths, pair_count, preliminary_pair_count
    FROM ${LEDGER}
    WHERE ${WINDOW} AND NOT (target_date BETWEEN {weeks_start: Date} AND {weeks_end: Date})
  )`;

/**
 * The rows of errors that a question reads, from the cheapest source that can answer it, for use after FROM; it binds
 * what bindingsOf() gives, and `station_id` for one station. Counts of withdrawn pairs are negative.
 *
 * Of 35 million pairs (2,000 stations, a year), a window of 90 days reads
 * - network: some 10,000 rows, whatever the number of stations;
 * - station: some 2,000 rows of one key range;
 * - each_station: 500,000 rows of weeks and 150,000 to 600,000 of days, where the days alone were 4.3 million and took
 *   twice as long. Months would leave more days at the edges, and gain on windows of half a year and more only.
 */
export function errorsOf(scope: Scope, source: Source = 'histogram'): string {
  const station = scope === 'station' ? ' AND station_id = {station_id: String}' : '';
  if (source === 'ledger') return `${LEDGER} WHERE ${WINDOW}${station}`;
  if (scope === 'each_station') return WEEKS_AND_DAYS;
  return `${scope === 'network' ? 'network_errors' : 'station_errors'} WHERE ${WINDOW}${station}`;
}

/** The rows of pairs per station and day, as errorsOf() gives those of errors. */
export function daysOf(source: Source = 'histogram'): string {
  return `${source === 'ledger' ? LEDGER : 'station_days'} WHERE ${WINDOW}`;
}

/** Counts per day of the window, as an array: an array's cell costs less than a key of GROUP BY or of a map. */
const perDay = (count: string): string =>
  `sumResample({first_day: UInt32}, {end_day: UInt32}, 1)(${count}, toUInt16(target_date))`;

/** Pairs on each day of the window, in order. */
export const PAIRS_BY_DAY = `${perDay('pair_count')} AS pairs_by_day`;

/** Pairs that rest on a preliminary observation, likewise. */
export const PRELIMINARY_PAIRS_BY_DAY = `${perDay('preliminary_pair_count')} AS preliminary_pairs_by_day`;

/** Days of the window with a pair. */
export const UNIQUE_DAYS = `arrayCount(count -> count != 0, ${perDay('pair_count')}) AS unique_days`;

/** The days with a pair, of PAIRS_BY_DAY or PRELIMINARY_PAIRS_BY_DAY. */
export function daysWithPairs(byDay: readonly number[]): number {
  return byDay.reduce((days, count) => days + (count === 0 ? 0 : 1), 0);
}

/** The values that the texts above bind for a window. Days are numbered from 1970-01-01. */
export function bindingsOf(
  metric: string,
  { period_start, period_end }: Window,
): Record<string, string | number> {
  const weeks_start = addDays(period_start, (8 - weekday(period_start)) % 7);
  const weeks_end = addDays(period_end, -(weekday(period_end) % 7));
  // Without a whole week the bounds cross, and every day is one beside the weeks.
  const crossed = weeks_start > weeks_end;
  return {
    metric,
    period_start,
    period_end,
    first_day: dayNumber(period_start),
    end_day: dayNumber(period_end) + 1,
    weeks_start: crossed ? LAST_DATE : weeks_start,
    weeks_end: crossed ? FIRST_DATE : weeks_end,
  };
}
