import { count } from './fields.js';
import { addDays } from '../statistics/time/calendar.js';
import type { Window } from '../statistics/time/window.js';
import type { ParameterFault } from './parameters.js';
import { level } from './questions/common.js';

// Parts that the endpoints which count cases share (D32).

/** The groups of a question about cases. */
export const CASES_GROUPS = { level };

export const TOTAL_CASES = count('Station days behind the answer');

/** Days of a window on which any of the rows has something. */
export function daysWithAny(rows: readonly (readonly number[])[]): number {
  return (rows[0] ?? []).filter((_, day) => rows.some((row) => row[day] !== 0)).length;
}

/** The fault of a window that has more than so many station days. */
export function tooManyDays(
  { days_analyzed }: Window,
  stations: number,
  most: number,
): ParameterFault | undefined {
  const days = Math.max(1, Math.floor(most / Math.max(1, stations)));
  if (days_analyzed <= days) return undefined;
  const message = `reads every day of ${stations} stations; name fewer of them, or ask for at most ${days} days instead of ${days_analyzed}`;
  return { parameter: 'days', message };
}

/** The parts of a window, in order, each of at most so many station days: what one query reads of every case. */
export function partsOf(
  { period_start, days_analyzed }: Window,
  stations: number,
  each: number,
): { period_start: string; period_end: string }[] {
  const length = Math.max(1, Math.floor(each / Math.max(1, stations)));
  return Array.from({ length: Math.ceil(days_analyzed / length) }, (_, at) => ({
    period_start: addDays(period_start, at * length),
    period_end: addDays(period_start, Math.min(days_analyzed, (at + 1) * length) - 1),
  }));
}
