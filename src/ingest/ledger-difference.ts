import { type DateSpan, ofDates } from '../relations/conditions.js';
import { settledStations, stationDaysOfFacts } from '../relations/facts.js';
import { bind, sql, type Statement } from '../sql.js';
import { ofStationDays, type SizedSpan } from './spans.js';
import { touchedBy } from './under-way.js';

// What the ledger lacks of what the facts say, as one SELECT: what its rows should be, less what they are. Settling inserts
// its rows, an audit counts them. New data, a correction, a withdrawal, a preliminary value that becomes verified, a
// repaired time zone, a second load of a file and a load that was killed are all this one statement; inserted again, it
// adds nothing. A late forecast of an observed day rewrites the row with all its forecasts, some 24.
//
// Readers see the -1 and the +1 of a correction together. ClickHouse shows an INSERT by blocks: a block of a month, up to
// 1,048,449 rows or 256 MB, becomes visible at once in the ledger, then in each histogram, one after the other. A question
// reads one of them, or compares those that it reads (by-city), so a correction of fewer station days is seen whole or not
// at all; the answers of two questions may be of two versions for as long as the statement runs.

/** The rows of the station days of a span that a load is to settle, in a table by station and date. */
export const unsettledOf = (span: SizedSpan, loadId: number): Statement => sql`
  ${ofDates(span)} AND ${ofStationDays(span, sql`SELECT station_id, target_date FROM ${touchedBy(loadId)} WHERE ${ofDates(span)}`)}`;

/** What is known of the days, and spares work that would find nothing. */
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
 * The rows that the ledger lacks for the station days of a span that a condition takes: +1 for one that is to stand and
 * does not, -1 for one that stands and is not to. What a shortcut rules out is left out of the statement.
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
