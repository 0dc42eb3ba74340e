import { lackingRows, type Shortcuts, SPAN, UNSETTLED_DAYS } from './pairs-difference.js';

// What the table of cases (D32) lacks of what the ledger says, as one SELECT like that of the ledger itself: settling
// inserts its rows, an audit counts them, and inserted again it adds nothing. It follows the ledger in a statement of
// its own: a view on the ledger sees the rows of one insert, and a case depends on all pairs of its day.
//
// The -1 and the +1 of a correction come in one block, so readers see a case as it was or as it is. Versions of a case,
// of which the latest counts, would need a GROUP BY of station and day in every question: 180,000 groups for 90 days of
// 2,000 stations, where signs are only added up.

/** The columns of a case, all that must be equal for two rows to cancel out. */
const CASE = `metric, provider, station_id, target_date, actual, observation_status, pair_counts, forecasts, lead_ms,
    issuances, changes, abs_change_sum, first_forecast, min_forecast, max_forecast`;

/** The columns of `station_day_cases` that a difference fills, in its order. */
export const CASE_COLUMNS = `${CASE}, sign, load_id`;

/** The pairs of some days that stand. */
const standingPairs = (ofDays: string): string => {
  const pair = `metric, provider, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual,
          observation_status`;
  return `SELECT ${pair} FROM pairs WHERE ${ofDays} GROUP BY ${pair} HAVING sum(sign) > 0`;
};

/**
 * The rows that the table of cases lacks for the unsettled station days of a span, or for all of them, in CASE_COLUMNS.
 * Parameters: first_date, last_date, load_id.
 * @param ledgerWasEmpty the ledger had no row of these days before this load, so each of its rows is a pair that stands,
 * and there is no case
 */
export function casesDifference(
  days: 'unsettled' | 'every',
  ledgerWasEmpty: Shortcuts['ledgerIsEmpty'] = false,
): string {
  const ofDays = days === 'every' ? SPAN : UNSETTLED_DAYS;
  const desired = `
    SELECT
        metric, provider, station_id, target_date,
        max(actual_f) AS actual, max(status) AS observation_status,
        countResample(0, 7, 1)(slot) AS pair_counts,
        argMaxResample(0, 7, 1)(forecast_f, issued_at, slot) AS forecasts,
        minResample(0, 7, 1)(dateDiff('millisecond', issued_at, local_midnight), slot) AS lead_ms,
        arraySort(groupArrayIf((issued_at, toInt32(forecast_f * 100)), slot != 0)) AS in_order,
        arrayDifference(in_order.2) AS steps,
        toUInt32(length(in_order)) AS issuances,
        toUInt32(arrayCount(step -> step != 0, steps)) AS changes,
        toDecimal64(arraySum(step -> abs(step), steps), 2) / 100 AS abs_change_sum,
        toDecimal32(in_order.2[1], 2) / 100 AS first_forecast,
        minIf(forecast_f, slot != 0) AS min_forecast, maxIf(forecast_f, slot != 0) AS max_forecast
    FROM (
        SELECT
            metric, provider, station_id, target_date, issued_at, local_midnight,
            toUInt8(lead_time_bucket) AS slot,
            forecast AS forecast_f, actual AS actual_f, observation_status AS status
        FROM ${ledgerWasEmpty ? `pairs WHERE ${ofDays}` : `(${standingPairs(ofDays)})`}
    )
    GROUP BY metric, provider, station_id, target_date`;
  return lackingRows({ table: 'station_day_cases', columns: CASE, desired, ofDays, isEmpty: ledgerWasEmpty });
}
