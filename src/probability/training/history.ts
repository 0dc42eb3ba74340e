import type { Reports } from '../../queries/report-rows.js';

/** The forecasts of a station, a member for each row of a station day: signs add one (1) or take it away (-1). */
interface ForecastArrays extends Record<'days' | 'forecasts' | 'leads' | 'signs', readonly number[]> {
  station_id: string;
}

/** The forecasts for the days of a station at one lead, and the reports of these days with their times. */
export interface History {
  station_id: string;
  /** The day at index 0 of the arrays, from 1970-01-01. */
  first: number;
  /** The forecast of each day that counts (D36), hundredths of a °F; NaN without one. */
  forecasts: Float64Array;
  /** Its lead time, ms. */
  leads: Float64Array;
  reports: Reports;
  /** When the last value of each day was known; NaN without a forecast or a value. */
  finalAt: Float64Array;
  /** The error by that value. */
  finalErrors: Int32Array;
}

/**
 * The history of a station that has a forecast.
 * @param days those that are read, both included
 */
export function makeHistory(
  cases: ForecastArrays,
  reports: Reports,
  { first, last }: { first: number; last: number },
): History {
  const length = last - first + 1;
  const forecasts = new Float64Array(length).fill(NaN);
  const leads = new Float64Array(length);
  for (const row of standing(cases, cases.forecasts, cases.leads)) {
    const at = cases.days[row]! - first;
    forecasts[at] = cases.forecasts[row]!;
    leads[at] = cases.leads[row]!;
  }
  const finalAt = new Float64Array(length).fill(NaN);
  const finalErrors = new Int32Array(length);
  for (let at = 0; at < length; at += 1) {
    const known_ms = reports.knownFrom(first + at);
    const forecast = forecasts[at]!;
    if (Number.isNaN(forecast) || known_ms === -Infinity) continue;
    finalAt[at] = known_ms;
    finalErrors[at] = forecast - (reports.known(first + at, known_ms) as number);
  }
  const { station_id } = cases;
  return { station_id, first, forecasts, leads, reports, finalAt, finalErrors };
}

/** The error of a day as known at an instant; NaN without a forecast, or without a value by then. */
export function errorKnown(
  { first, forecasts, reports, finalAt, finalErrors }: History,
  day: number,
  instant_ms: number,
): number {
  const at = day - first;
  if (finalAt[at]! <= instant_ms) return finalErrors[at]!;
  // A few days, the last ones, had another value then, or no value.
  return forecasts[at]! - (reports.known(day, instant_ms) ?? NaN);
}

/**
 * The rows of cases that stand: of most days there is one.
 * @param values what a row says, a list for each thing
 */
function standing(
  { days, signs }: Pick<ForecastArrays, 'days' | 'signs'>,
  ...values: readonly (readonly number[])[]
): number[] {
  const rows = [...days.keys()];
  if (!signs.includes(-1)) return rows;
  const getKey = (row: number): string => [days[row], ...values.map((list) => list[row])].join(' ');
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(getKey(row), (sums.get(getKey(row)) ?? 0) + signs[row]!);
  return rows.filter((row) => sums.get(getKey(row)) === 1);
}

/** The histories of a station by provider, in the order of their names; undefined for a provider without a forecast there. */
export interface StationHistories {
  station_id: string;
  byProvider: readonly (History | undefined)[];
}

/** The histories of one provider. */
export const getHistories = (stations: readonly StationHistories[], provider: number): History[] =>
  stations.flatMap(({ byProvider }) => byProvider[provider] ?? []);
