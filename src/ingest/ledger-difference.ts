import { type DateSpan, ofDates } from '../relations/conditions.js';
import { settledStations, stationDaysOfFacts } from '../relations/facts.js';
import { bind, sql, type Statement } from '../sql.js';
import { touchedBy } from './under-way.js';

// The rows that the ledger lacks, as one SELECT: its rows by the facts, less those it has. Settling inserts them, an
// audit counts them. The statement covers new data, corrections, withdrawals, repaired time zones and preliminary values
// that become verified. It also covers second loads of a file and killed loads. Inserted again, it adds nothing. A late
// forecast of an observed day rewrites the row with all its forecasts, some 24.
//
// Readers see the -1 and the +1 of a correction together. ClickHouse shows an INSERT by blocks: a block of a month, up to
// 1,048,449 rows or 256 MB, becomes visible at once in the ledger, then in each histogram, one after the other. A question
// reads one of them, or compares those that it reads (by-city), so a correction of fewer station days is seen whole or not
// at all; the answers of two questions may be of two versions for as long as the statement runs.

/** The rows of the station days of a span that a load is to settle, in a table by station and date. */
export const unsettledOf = (span: DateSpan, loadId: number): Statement => sql`
  ${ofDates(span)} AND (station_id, target_date) IN (
    SELECT station_id, target_date FROM ${touchedBy(loadId)} WHERE ${ofDates(span)}
  )`;

/** Facts about the days that spare work without a result. */
export interface Shortcuts {
  /** No forecast can have been corrected: all are of one load, which adds a key once. */
  forecastsHaveOneVersion: boolean;
  /** The ledger has no row of these days. */
  ledgerIsEmpty: boolean;
}

/** All that must be equal for two rows to cancel out. */
export const STATION_DAY_COLUMNS = sql`metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts`;

/** The columns that a difference fills, in its order. */
export const LEDGER_COLUMNS = sql`${STATION_DAY_COLUMNS}, sign, load_id`;

/** The facts of the station days of a span that a condition takes. */
export const factsOfDays = (span: DateSpan, condition: Statement) => ({
  forecasts: condition,
  observations: condition,
  localDays: ofDates(span),
  stations: settledStations(),
});

/**
 * The rows that the ledger lacks for the station days of a span that a condition takes. A missing row has +1, a wrong
 * row -1. The statement leaves out the parts that a shortcut rules out.
 */
export function ledgerDifference(
  span: DateSpan,
  condition: Statement,
  loadId: number,
  { forecastsHaveOneVersion, ledgerIsEmpty }: Partial<Shortcuts> = {},
): Statement {
  const load_id = bind({ load_id: loadId }, 'UInt32');
  const desired = stationDaysOfFacts({ ...factsOfDays(span, condition), forecastsHaveOneVersion });
  if (ledgerIsEmpty === true) {
    return sql`SELECT ${STATION_DAY_COLUMNS}, toInt64(1) AS sign, ${load_id} AS load_id FROM ${desired}`;
  }
  return sql`
    SELECT ${STATION_DAY_COLUMNS}, sum(change) AS sign, ${load_id} AS load_id
    FROM (
        SELECT ${STATION_DAY_COLUMNS}, toInt64(1) AS change FROM ${desired}
        UNION ALL
        SELECT ${STATION_DAY_COLUMNS}, -toInt64(sign) AS change FROM station_days WHERE ${condition}
    )
    GROUP BY ${STATION_DAY_COLUMNS}
    HAVING sum(change) != 0`;
}
