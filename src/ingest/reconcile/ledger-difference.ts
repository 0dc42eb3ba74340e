import { OF_DAYS, OF_HOURS, ofDates, ofDayScope, type DayScope } from '../../queries/conditions.js';
import { reconciledStations, stationDaysOfFacts } from '../../queries/facts.js';
import { stationHoursOfFacts } from '../../queries/station-hours.js';
import { bind, sql, type Statement } from '../../queries/sql.js';
import { HOURLY_NAMES } from '../../variables/variables.js';

// The rows that the ledger lacks, as one SELECT: its rows by the facts, less those it has. Reconciling inserts them, an
// audit counts them. The statement covers new data, corrections, withdrawals, repaired time zones and preliminary values
// that become verified. It also covers second loads of a file and killed loads. Inserted again, it adds nothing. A late
// forecast of an observed day rewrites the row with all its forecasts, some 24.
//
// Readers see the -1 and the +1 of a correction together. ClickHouse shows an INSERT by blocks: a block of a month, up to
// 1,048,449 rows or 256 MB, becomes visible at once in the ledger, then in each histogram, one after the other. A request
// reads one of them, or compares those that it reads (by-city), so a correction of fewer station days is seen whole or not
// at all; the responses to two requests may be of two versions for as long as the statement runs.

/** Facts about station days that spare work without a result. */
export interface Shortcuts {
  /** No fact can have been corrected: all are of one load, which adds a key once. */
  haveOneVersion: boolean;
  /** The table has no row of these days. */
  isEmpty: boolean;
  /** Nor are there facts that one could follow from. */
  hasNothing: boolean;
  /** The variables of these facts, of those of hours. */
  metrics: readonly string[];
}

/** All that must be equal for two rows to cancel out. */
export const STATION_DAY_COLUMNS = sql`metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts`;

/** The columns that a difference fills, in its order. */
export const LEDGER_COLUMNS = sql`${STATION_DAY_COLUMNS}, sign, load_id`;

/** The facts of station days. */
export const factsOfDays = (days: DayScope, shortcuts?: Shortcuts) => ({
  forecasts: ofDayScope(days),
  observations: ofDayScope(days),
  localDays: ofDates(days.span),
  stations: reconciledStations(),
  forecastsHaveOneVersion: shortcuts?.haveOneVersion,
});

/** The facts of station hours of the stations of these days. */
const factsOfHours = ({ span, days }: DayScope, shortcuts?: Shortcuts) => {
  // Rows of the ledger follow from facts, also those that are to go.
  const metrics = HOURLY_NAMES.filter((name) => shortcuts?.metrics.includes(name));
  const ofStations = days === undefined ? sql`true` : sql`station_id IN (SELECT station_id FROM ${days})`;
  return {
    span,
    metrics: metrics.length === 0 ? HOURLY_NAMES : metrics,
    forecasts: ofStations,
    reports: ofStations,
    localDays: sql`true`,
    stations: reconciledStations(),
    forecastsHaveOneVersion: shortcuts?.haveOneVersion,
  };
};

/** The rows that the ledger lacks for station days. */
export const dayDifference = (days: DayScope, loadId: number, shortcuts?: Shortcuts): Statement =>
  ledgerDifference(stationDaysOfFacts(factsOfDays(days, shortcuts)), OF_DAYS, { days, loadId, shortcuts });

/** The rows that the ledger lacks for the station hours of station days. */
export const hourDifference = (days: DayScope, loadId: number, shortcuts?: Shortcuts): Statement =>
  ledgerDifference(
    sql`(SELECT * FROM ${stationHoursOfFacts(factsOfHours(days, shortcuts))} WHERE ${ofDayScope(days)})`,
    OF_HOURS,
    { days, loadId, shortcuts },
  );

/**
 * A missing row has +1, a wrong row -1. The statement leaves out the parts that a shortcut rules out.
 * @param desired the rows by the facts.
 * @param ofKind the rows of the ledger that may be among them, as a condition
 */
function ledgerDifference(
  desired: Statement,
  ofKind: Statement,
  { days, loadId, shortcuts }: { days: DayScope; loadId: number; shortcuts?: Shortcuts | undefined },
): Statement {
  const load_id = bind({ load_id: loadId }, 'UInt32');
  if (shortcuts?.isEmpty === true) {
    return sql`SELECT ${STATION_DAY_COLUMNS}, toInt64(1) AS sign, ${load_id} AS load_id FROM ${desired}`;
  }
  return sql`
    SELECT ${STATION_DAY_COLUMNS}, sum(change) AS sign, ${load_id} AS load_id
    FROM (
        SELECT ${STATION_DAY_COLUMNS}, toInt64(1) AS change FROM ${desired}
        UNION ALL
        SELECT ${STATION_DAY_COLUMNS}, -toInt64(sign) AS change FROM station_days WHERE ${ofKind} AND ${ofDayScope(days)}
    )
    GROUP BY ${STATION_DAY_COLUMNS}
    HAVING sum(change) != 0`;
}
