import { sum } from '../statistics.js';
import { MIN_WEEKS } from './judge.js';
import { studentT } from './student-t.js';

/**
 * The interval of a statistic that is no mean, by the delete-one jackknife (Efron and Tibshirani 1993, chapter 11).
 * Weeks count as independent; the bounds are by Student's t.
 * @param without the statistic without each week in turn; null where it is not defined.
 * @returns null below 6 weeks, without spread, and where the statistic hangs on a single week
 */
export function jackknifeInterval(
  value: number | null,
  without: readonly (number | null)[],
  level: number,
): { low: number; high: number } | null {
  const known = without.filter((each) => each !== null);
  const weeks = known.length;
  if (value === null || weeks < MIN_WEEKS || weeks < without.length) return null;
  const mean = sum(known) / weeks;
  const squares = known.reduce((found, each) => found + (each - mean) ** 2, 0);
  const std_error = Math.sqrt((squares * (weeks - 1)) / weeks);
  if (std_error < 1e-10) return null;
  const reach = studentT(level, weeks - 1) * std_error;
  return { low: value - reach, high: value + reach };
}
