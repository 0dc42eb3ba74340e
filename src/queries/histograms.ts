import { raw, sql, type Statement } from './sql.js';
import { OF_DAYS, OF_HOURS } from './conditions.js';

/** A table of pair counts that its view keeps in step with the ledger (clickhouse/schema/009_histograms.sql, 011_hourly_forecasts.sql). */
export interface Histogram {
  table: string;
  /** The columns of its key, in order. Each is a column of the ledger, except the one that names a period, and those that are computed. */
  key: readonly string[];
  /** SQL over columns of pairs, by the name that it gets. */
  computed?: Readonly<Record<string, string>>;
  /** The period that a row covers: its column, and its first day as SQL over a date. */
  period: { column: string; of: (date: string) => string };
  /** The pairs that it counts, as a condition; all without. One without lead times leaves same-day pairs out (D40). */
  counts?: Statement;
}

const DAY: Histogram['period'] = { column: 'target_date', of: (date) => date };
const WEEK: Histogram['period'] = { column: 'week_start', of: (date) => `toMonday(${date})` };

const BEFORE_ITS_DAY = raw(`lead_time_bucket != 'same-day'`);

/** The histogram of each kind of request. Reconciling, audit and tests go through this list. */
export const HISTOGRAM_FOR = {
  station: {
    table: 'station_day_errors',
    key: ['metric', 'provider', 'station_id', 'target_date', 'lead_time_bucket', 'error_hundredths'],
    period: DAY,
    counts: OF_DAYS,
  },
  network: {
    table: 'network_day_errors',
    key: ['metric', 'provider', 'target_date', 'lead_time_bucket', 'error_hundredths'],
    period: DAY,
  },
  network_by_lead_hour: {
    table: 'network_lead_errors',
    key: ['metric', 'provider', 'target_date', 'lead_hour', 'error_hundredths'],
    computed: { lead_hour: 'toUInt16(intDiv(lead_ms, 3600000))' },
    period: DAY,
    counts: OF_HOURS,
  },
  each_station: {
    table: 'station_week_errors',
    key: ['metric', 'provider', 'week_start', 'station_id', 'error_hundredths'],
    period: WEEK,
    counts: sql`${BEFORE_ITS_DAY} AND ${OF_DAYS}`,
  },
  days_of_each_station: {
    table: 'station_day_counts',
    key: ['metric', 'provider', 'target_date', 'station_id'],
    period: DAY,
    counts: BEFORE_ITS_DAY,
  },
} satisfies Record<string, Histogram>;

export const HISTOGRAMS: readonly Histogram[] = Object.values(HISTOGRAM_FOR);
