import type { CaseArrays, ObservationArrays } from './statements.js';
import { DAY_MS } from '../time/calendar.js';

/** What was forecast for the days of a station in one bucket, and what was reported of them, when. */
export interface History {
  station_id: string;
  /** The day at index 0 of the next two, from 1970-01-01. */
  first: number;
  /** The latest forecast of each day, hundredths of a °F; NaN without one. */
  forecasts: Float64Array;
  /** Its lead time, ms. */
  leads: Float64Array;
  /** The place of the first report of each day in the next two, and the end of the last day. */
  reportsFrom: Int32Array;
  /** When a better value was reported, Unix ms, ascending within a day. */
  reportedAt: Float64Array;
  /** That value, hundredths of a °F: what was known from then until the next one. */
  reported: Int32Array;
  /** When the last value of each day was known; NaN without a forecast or a value. */
  finalAt: Float64Array;
  /** The error by that value. */
  finalErrors: Int32Array;
}

export interface HistoryDays {
  /** The days that are read, both included. */
  first: number;
  last: number;
  verified_only: boolean;
}

/** The history of a station that has a forecast. */
export function historyOf(
  cases: CaseArrays,
  observations: ObservationArrays | undefined,
  { first, last, verified_only }: HistoryDays,
): History {
  const length = last - first + 1;
  const forecasts = new Float64Array(length).fill(NaN);
  const leads = new Float64Array(length);
  for (const row of standing(cases)) {
    const at = (cases.days[row] as number) - first;
    forecasts[at] = cases.forecasts[row] as number;
    leads[at] = cases.leads[row] as number;
  }
  const reports = observations === undefined ? [] : inOrder(observations);
  const reportsFrom = new Int32Array(length + 1);
  const reportedAt = new Float64Array(reports.length);
  const reported = new Int32Array(reports.length);
  let [count, next, isVerified] = [0, 0, false];
  for (const [nth, row] of reports.entries()) {
    const { days, reported_after, actuals, flags } = observations as ObservationArrays;
    const day = days[row] as number;
    for (; next <= day - first; next += 1) {
      reportsFrom[next] = count;
      isVerified = false;
    }
    const flag = flags[row] as number;
    // The load that said it last has the last row of a key (D42); a verified value is not replaced by another (D4).
    const following = reports[nth + 1];
    const isLast =
      following === undefined || !isSameReport(observations as ObservationArrays, row, following);
    const counts = isLast && flag % 2 === 0 && (flag === 2 || (!verified_only && !isVerified));
    if (!counts || Number.isNaN(forecasts[day - first])) continue;
    isVerified ||= flag === 2;
    reportedAt[count] = day * DAY_MS + (reported_after[row] as number);
    reported[count] = actuals[row] as number;
    count += 1;
  }
  reportsFrom.fill(count, next);
  const finalAt = new Float64Array(length).fill(NaN);
  const finalErrors = new Int32Array(length);
  for (let at = 0; at < length; at += 1) {
    const place = (reportsFrom[at + 1] as number) - 1;
    if (place < (reportsFrom[at] as number)) continue;
    finalAt[at] = reportedAt[place] as number;
    finalErrors[at] = (forecasts[at] as number) - (reported[place] as number);
  }
  const { station_id } = cases;
  return { station_id, first, forecasts, leads, reportsFrom, reportedAt, reported, finalAt, finalErrors };
}

/** The rows of the cases that stand: of most days there is one. */
function standing({ days, forecasts, leads, signs }: CaseArrays): number[] {
  const rows = [...days.keys()];
  if (!signs.includes(-1)) return rows;
  const keyOf = (row: number): string => `${days[row]} ${forecasts[row]} ${leads[row]}`;
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + (signs[row] as number));
  return rows.filter((row) => sums.get(keyOf(row)) === 1);
}

/** The rows by day, moment, status and load: in the order in which they became known. */
function inOrder({ days, reported_after, flags, loads }: ObservationArrays): number[] {
  const of = (list: number[], a: number, b: number): number => (list[a] as number) - (list[b] as number);
  const status = (row: number): number => (flags[row] as number) >> 1;
  const order = (a: number, b: number): number =>
    of(days, a, b) || of(reported_after, a, b) || status(a) - status(b) || of(loads, a, b);
  const rows = [...days.keys()];
  return rows.every((row) => row === 0 || order(row - 1, row) <= 0) ? rows : rows.sort(order);
}

function isSameReport(
  { days, reported_after, flags }: ObservationArrays,
  row: number,
  other: number,
): boolean {
  return (
    days[row] === days[other] &&
    reported_after[row] === reported_after[other] &&
    (flags[row] as number) >> 1 === (flags[other] as number) >> 1
  );
}

/** The value of a day, as known at an instant, hundredths of a °F; undefined while nothing is. */
export function knownAt(history: History, at: number, instant_ms: number): number | undefined {
  const from = history.reportsFrom[at] as number;
  for (let place = (history.reportsFrom[at + 1] as number) - 1; place >= from; place -= 1) {
    if ((history.reportedAt[place] as number) <= instant_ms) return history.reported[place];
  }
  return undefined;
}
