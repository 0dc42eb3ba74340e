import { addDays, dayNumber, FIRST_DATE, LAST_DATE, weekday } from '../statistics/time/calendar.js';
import { OF_STATIONS, pairs, type Scope, WINDOW } from './station-days.js';
import { LEAD_TIME_BUCKETS } from '../statistics/time/lead-time.js';
import { UNNAMED_PROVIDER } from '../statistics/provider.js';
import { type Window, weeksOf } from '../statistics/time/window.js';

/** A table of pair counts that its view keeps in step with the ledger (clickhouse/schema/004_histograms.sql). */
export interface Histogram {
  table: string;
  /** The columns of its key, in order. Each is a column of the ledger, except the one that names a period. */
  key: readonly string[];
  /** The period that a row covers: its column, and its first day as SQL over a date. */
  period: { column: string; of: (date: string) => string };
  /** A histogram without lead times in its key leaves same-day pairs out (D40). */
  hasLeadTimes: boolean;
}

const DAY: Histogram['period'] = { column: 'target_date', of: (date) => date };
const WEEK: Histogram['period'] = { column: 'week_start', of: (date) => `toMonday(${date})` };

/** The histogram of each kind of question. Settling, audit and tests go through this list. */
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
 * Where the answer to a question comes from, to the last digit the same:
 * - histogram: cheap, and of the latest data;
 * - ledger: of any version (D31). For 90 days of 400 stations it takes 6 times as long;
 * - rewound: the histogram less what the ledger has of later loads. It takes twice as long as the histogram, and is right
 *   only while no load writes, as rows show in the ledger before they show in the histograms;
 * - known: what could be known at an instant, from the facts. It takes as long as settling them.
 */
export type Source = 'histogram' | 'ledger' | 'rewound' | 'known';

/** The lead times of a question: all six buckets (D5), or those that it names (D41). */
export type Leads = 'all' | 'some';

const NOT_SAME_DAY = `lead_time_bucket != 'same-day'`;

/**
 * The lead times of a question, in a table that has them. Excluding same-day instead of naming all six saves a
 * station's question 0.3 of 10 ms. `has()` would not do: it does not read the texts as values of the Enum.
 */
const LEADS: Record<Leads, string> = {
  all: NOT_SAME_DAY,
  some: 'lead_time_bucket IN {lead_time_buckets: Array(String)}',
};

/** The last version that there can be. */
export const LATEST_VERSION = 2 ** 32 - 1;

/**
 * Each station's errors, without lead times, for use after FROM: whole weeks from the histogram of weeks, the other days
 * from the ledger. Of 35 million pairs, 90 days are 500,000 rows of weeks and 150,000 to 600,000 of days. Days alone
 * would be 4.3 million and take twice as long; months would leave more days at the edges, and gain only on windows of
 * half a year and more.
 */
export const WEEKS_AND_DAYS = `(
    SELECT station_id, week_start AS from_date, error_hundredths, pair_count, preliminary_pair_count
    FROM station_week_errors
    WHERE metric = {metric: String} AND provider = {provider: String}
      AND week_start BETWEEN {weeks_start: Date} AND {weeks_end: Date}
    UNION ALL
    SELECT station_id, target_date AS from_date, error_hundredths, pair_count, preliminary_pair_count
    FROM ${pairs('each_station', 'told')}
    WHERE ${NOT_SAME_DAY} AND NOT (target_date BETWEEN {weeks_start: Date} AND {weeks_end: Date})
  )`;

/**
 * The rows of errors that a question reads, from the cheapest table that has them, for use after FROM. The text binds
 * the values of bindingsOf(), and `station_id` for one station, `station_ids` for some. Counts of withdrawn pairs are
 * negative.
 *
 * Of 35 million pairs (2,000 stations, a year), a window of 90 days reads
 * - network: some 10,000 rows, whatever the number of stations;
 * - station: some 2,000 rows of one key range, and some_stations as many for each;
 * - each_station: 4.3 million.
 */
export function errorsOf(scope: Scope, source: Source = 'histogram', leads: Leads = 'all'): string {
  if (source === 'known' || source === 'ledger') {
    return `${pairs(scope, source === 'known' ? 'known' : 'told')} WHERE ${LEADS[leads]}`;
  }
  const where = `WHERE ${WINDOW} AND ${LEADS[leads]}${OF_STATIONS[scope]}`;
  const histogram = scope === 'network' ? HISTOGRAM_FOR.network : HISTOGRAM_FOR.station;
  return `${source === 'rewound' ? rewound(histogram) : histogram.table} ${where}`;
}

/** A histogram less what later loads than `version` brought. */
function rewound({ table, key }: Histogram): string {
  const columns = key.join(', ');
  return `(
    SELECT ${columns}, pair_count, preliminary_pair_count
    FROM ${table}
    UNION ALL
    SELECT ${columns}, -toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
    FROM pairs
    WHERE load_id > {version: UInt32}
  )`;
}

/** The pairs of each station and day, without lead times, for use after FROM. */
export const COUNTED_DAYS = `${HISTOGRAM_FOR.days_of_each_station.table} WHERE ${WINDOW}`;

/** The bound values of a statement. */
export type Bindings = Record<string, string | number | readonly string[]>;

/**
 * The values that the texts above bind for a window. Day numbers count from 1970-01-01.
 * @param leadTimeBuckets the buckets of a question about some lead times; `same-day` may be among them
 * @param version the last load that counts
 */
export function bindingsOf(
  metric: string,
  period: Window,
  provider: string = UNNAMED_PROVIDER,
  leadTimeBuckets: readonly string[] = LEAD_TIME_BUCKETS,
  version: number = LATEST_VERSION,
): Bindings {
  const { period_start, period_end } = period;
  const weeks_start = addDays(period_start, (8 - weekday(period_start)) % 7);
  const weeks_end = addDays(period_end, -(weekday(period_end) % 7));
  // Without a whole week the bounds cross; bounds at the ends of time then take every day from the ledger.
  const crossed = weeks_start > weeks_end;
  return {
    metric,
    provider,
    lead_time_buckets: leadTimeBuckets,
    version,
    period_start,
    period_end,
    first_day: dayNumber(period_start),
    end_day: dayNumber(period_end) + 1,
    weeks_start: crossed ? LAST_DATE : weeks_start,
    weeks_end: crossed ? FIRST_DATE : weeks_end,
    ...weeksOf(period),
  };
}
