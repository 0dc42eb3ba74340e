import { addDays, dayNumber, FIRST_DATE, LAST_DATE, weekday } from './calendar.js';
import { LEAD_TIME_BUCKETS } from './lead-time.js';
import { UNNAMED_PROVIDER } from './provider.js';
import type { Window } from './window.js';

/** A table of pair counts that its view keeps up with the ledger (clickhouse/schema/004_histograms.sql). */
export interface Histogram {
  table: string;
  /** The columns of its key, in order. Each is a column of the ledger, but the one that names a period. */
  key: readonly string[];
  /** The period that a row covers: its column, and its first day as SQL over a date. */
  period: { column: string; of: (date: string) => string };
  /** Without lead times in its key, it leaves same-day pairs out (D40). */
  hasLeadTimes: boolean;
}

const DAY: Histogram['period'] = { column: 'target_date', of: (date) => date };
const WEEK: Histogram['period'] = { column: 'week_start', of: (date) => `toMonday(${date})` };

/** The histogram of each kind of question. Repair, audit, move and tests go by this list. */
const HISTOGRAM_FOR = {
  station: {
    table: 'station_day_errors',
    key: ['metric', 'provider', 'station_id', 'target_date', 'lead_time_bucket', 'error_hundredths'],
    period: DAY,
    hasLeadTimes: true,
  },
  network: {
    table: 'network_day_errors',
    key: ['metric', 'provider', 'target_date', 'lead_time_bucket', 'error_hundredths'],
    period: DAY,
    hasLeadTimes: true,
  },
  each_station: {
    table: 'station_week_errors',
    key: ['metric', 'provider', 'week_start', 'station_id', 'error_hundredths'],
    period: WEEK,
    hasLeadTimes: false,
  },
  days_of_each_station: {
    table: 'station_day_counts',
    key: ['metric', 'provider', 'target_date', 'station_id'],
    period: DAY,
    hasLeadTimes: false,
  },
} satisfies Record<string, Histogram>;

export const HISTOGRAMS: readonly Histogram[] = Object.values(HISTOGRAM_FOR);

/**
 * The rows by which a histogram falls short of the ledger, as a SELECT that binds `first_date` and `last_date`:
 * inserted, they mend it, and a second time there are none.
 * @param periods which of its periods are compared, each with all of its days: those that begin between the dates, or
 * all that have a day between them
 */
export function histogramDifference(
  { table, key, period, hasLeadTimes }: Histogram,
  periods: 'begin' | 'touch',
): string {
  const columns = key.join(', ');
  const from = periods === 'begin' ? '{first_date: Date}' : period.of('{first_date: Date}');
  const ofLedger = key.map((column) => {
    const value = column === period.column ? period.of('target_date') : column;
    return value === column ? column : `${value} AS ${column}`;
  });
  return `
  SELECT ${columns}, sum(counted) AS pair_count, sum(preliminary) AS preliminary_pair_count
  FROM (
    SELECT
      ${ofLedger.join(', ')},
      toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE ${period.of('target_date')} BETWEEN ${from} AND {last_date: Date}${
      hasLeadTimes ? '' : ` AND ${NOT_SAME_DAY}`
    }
    UNION ALL
    SELECT ${columns}, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM ${table}
    WHERE ${period.column} BETWEEN ${from} AND {last_date: Date}
  )
  GROUP BY ${columns}
  HAVING sum(counted) != 0 OR sum(preliminary) != 0`;
}

/**
 * What a question is asked of. The histograms answer it cheaply; the ledger, from which they are made, gives the same
 * to the last digit, which the tests hold them to.
 */
export type Source = 'histogram' | 'ledger';

/** Which stations a question is about: all as one, one, or each by itself. */
export type Scope = 'network' | 'station' | 'each_station';

/** Which lead times a question is about: all six buckets (D5), or those that it names (D41). */
export type Leads = 'all' | 'some';

const NOT_SAME_DAY = `lead_time_bucket != 'same-day'`;

/** The metric, provider and days of a question. */
const WINDOW = `metric = {metric: String} AND provider = {provider: String}
      AND target_date BETWEEN {period_start: Date} AND {period_end: Date}`;

/**
 * The lead times of a question, of a table that has them. To name all six takes a station's question 0.3 ms more than
 * to leave same-day out, of 10. `has()` is no way to name them: it does not read the texts as values of the Enum.
 */
const LEADS: Record<Leads, string> = {
  all: NOT_SAME_DAY,
  some: 'lead_time_bucket IN {lead_time_buckets: Array(String)}',
};

/** The ledger in the shape of a histogram. */
const LEDGER = `(
    SELECT
      metric, provider, station_id, target_date, lead_time_bucket, error_hundredths,
      toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
    FROM pairs
  )`;

/** Each station's errors, without lead times: whole weeks from their own histogram, the days beside them from the ledger. */
const WEEKS_AND_DAYS = `(
    SELECT station_id, error_hundredths, pair_count, preliminary_pair_count
    FROM station_week_errors
    WHERE metric = {metric: String} AND provider = {provider: String}
      AND week_start BETWEEN {weeks_start: Date} AND {weeks_end: Date}
    UNION ALL
    SELECT station_id, error_hundredths, pair_count, preliminary_pair_count
    FROM ${LEDGER}
    WHERE ${WINDOW} AND ${NOT_SAME_DAY} AND NOT (target_date BETWEEN {weeks_start: Date} AND {weeks_end: Date})
  )`;

/**
 * The rows of errors that a question reads, from the cheapest source that can answer it, for use after FROM; it binds
 * what bindingsOf() gives, and `station_id` for one station. Counts of withdrawn pairs are negative.
 *
 * Of 35 million pairs (2,000 stations, a year), a window of 90 days reads
 * - network: some 10,000 rows, whatever the number of stations;
 * - station: some 2,000 rows of one key range;
 * - each_station: 500,000 rows of weeks and 150,000 to 600,000 of days, where the days alone were 4.3 million and took
 *   twice as long. Months would leave more days at the edges, and gain on windows of half a year and more only. For
 *   some lead times it reads the days, as weeks have none.
 */
export function errorsOf(scope: Scope, source: Source = 'histogram', leads: Leads = 'all'): string {
  const where = `WHERE ${WINDOW} AND ${LEADS[leads]}${scope === 'station' ? ' AND station_id = {station_id: String}' : ''}`;
  if (source === 'ledger') return `${LEDGER} ${where}`;
  if (scope === 'network') return `${HISTOGRAM_FOR.network.table} ${where}`;
  if (scope === 'each_station' && leads === 'all') return WEEKS_AND_DAYS;
  return `${HISTOGRAM_FOR.station.table} ${where}`;
}

/** The rows of pairs per station and day, as errorsOf() gives those of errors. */
export function daysOf(source: Source = 'histogram', leads: Leads = 'all'): string {
  return source === 'histogram' && leads === 'all'
    ? `${HISTOGRAM_FOR.days_of_each_station.table} WHERE ${WINDOW}`
    : errorsOf('each_station', source, leads);
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

/** What a question binds. */
export type Bindings = Record<string, string | number | readonly string[]>;

/**
 * The values that the texts above bind for a window. Days are numbered from 1970-01-01.
 * @param leadTimeBuckets those that a question about some lead times names; `same-day` may be among them
 */
export function bindingsOf(
  metric: string,
  { period_start, period_end }: Window,
  provider: string = UNNAMED_PROVIDER,
  leadTimeBuckets: readonly string[] = LEAD_TIME_BUCKETS,
): Bindings {
  const weeks_start = addDays(period_start, (8 - weekday(period_start)) % 7);
  const weeks_end = addDays(period_end, -(weekday(period_end) % 7));
  // Without a whole week the bounds cross, and every day is one beside the weeks.
  const crossed = weeks_start > weeks_end;
  return {
    metric,
    provider,
    lead_time_buckets: leadTimeBuckets,
    period_start,
    period_end,
    first_day: dayNumber(period_start),
    end_day: dayNumber(period_end) + 1,
    weeks_start: crossed ? LAST_DATE : weeks_start,
    weeks_end: crossed ? FIRST_DATE : weeks_end,
  };
}
