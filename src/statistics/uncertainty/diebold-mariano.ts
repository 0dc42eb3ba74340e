import { sum } from '../statistics.js';
import type { Clusters } from './intervals.js';
import { twoSidedP } from './student-t.js';

// Significance: whether the losses of two forecasts differ, by the test of Diebold and Mariano 1995 (J. Bus. Econ. Stat. 13:253).

/** A test statistic under Student's t, and its two-sided p. */
export interface TestOfDifference {
  statistic: number;
  degrees_of_freedom: number;
  p_value: number;
}

/**
 * The mean difference over its standard error by days: the test that goes with the interval.
 * @param sums of the differences of each cluster
 * @returns undefined without spread, or with too few days
 */
export function dieboldMariano(clusters: Clusters, sums: readonly number[]): TestOfDifference | undefined {
  const std_error = clusters.standardError(sums);
  if (std_error === undefined) return undefined;
  const statistic = sum(sums) / clusters.total / std_error;
  const degrees_of_freedom = clusters.degreesOfFreedom;
  return { statistic, degrees_of_freedom, p_value: twoSidedP(statistic, degrees_of_freedom) };
}

/**
 * Adjusts the p of several tests for their false discovery rate: of all up to a bound, no larger share is expected
 * to be false alarms (Benjamini and Hochberg 1995, J. R. Statist. Soc. B 57:289). It holds for tests that are independent,
 * or depend on each other positively (Benjamini and Yekutieli 2001, Ann. Statist. 29:1165).
 * @returns in the order given
 */
export function falseDiscoveryAdjusted(pValues: readonly number[]): number[] {
  const falling = pValues.map((p, at) => ({ p, at })).sort((a, b) => b.p - a.p);
  const adjusted = new Array<number>(pValues.length);
  let max = 1;
  for (const [above, { p, at }] of falling.entries()) {
    max = Math.min(max, p * (pValues.length / (pValues.length - above))); // the largest stays as it is, to the bit
    adjusted[at] = max;
  }
  return adjusted;
}
