/** A table of pair counts that its view keeps in step with the ledger (clickhouse/schema/009_histograms.sql). */
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

/** The histogram of each kind of request. Reconciling, audit and tests go through this list. */
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
