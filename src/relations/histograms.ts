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
export const HISTOGRAM_FOR = {
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
 * The rows that a histogram lacks against the ledger, as a SELECT that binds `first_date` and `last_date`. Inserting
 * them repairs the histogram; a second SELECT then finds none.
 * @param periods the periods to compare, each with all of its days: those that begin between the dates, or all that
 * have a day between them
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
      hasLeadTimes ? '' : ` AND lead_time_bucket != 'same-day'`
    }
    UNION ALL
    SELECT ${columns}, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM ${table}
    WHERE ${period.column} BETWEEN ${from} AND {last_date: Date}
  )
  GROUP BY ${columns}
  HAVING sum(counted) != 0 OR sum(preliminary) != 0`;
}
