import { sum } from '../statistics/statistics.js';
import type { Clusters } from '../statistics/uncertainty/intervals.js';
import { twoSidedP } from '../statistics/uncertainty/student-t.js';

// Whether the losses of two forecasts differ: tests of Diebold and Mariano 1995 (J. Bus. Econ. Stat. 13:253).

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
 * The test with the correction of Harvey, Leybourne and Newbold 1997 (Int. J. Forecasting 13:281), for comparison with
 * other programs. It takes days further apart than the horizon as independent, which weather is not: at day-to-day
 * correlation 0.5 its 95 % hold 73 to 92 % of simulations.
 * @param differences the mean difference of each day, in order, without gaps
 * @param horizon days from the forecast to the end of its day, at least 1
 * @returns undefined where the estimated variance is not positive
 */
export function harveyLeybourneNewbold(
  differences: readonly number[],
  horizon: number,
): TestOfDifference | undefined {
  const n = differences.length;
  if (n <= horizon) return undefined;
  const mean = sum(differences) / n;
  const deviations = differences.map((each) => each - mean);
  let variance = 0;
  for (let k = 0; k < horizon; k += 1) {
    let products = 0;
    for (let t = k; t < n; t += 1) products += (deviations[t] ?? 0) * (deviations[t - k] ?? 0);
    variance += ((k === 0 ? 1 : 2) * products) / n ** 2;
  }
  if (!(variance > 1e-20)) return undefined; // rounding leaves equal differences a little
  const correction = Math.sqrt((n + 1 - 2 * horizon + (horizon * (horizon - 1)) / n) / n);
  const statistic = (correction * mean) / Math.sqrt(variance);
  return { statistic, degrees_of_freedom: n - 1, p_value: twoSidedP(statistic, n - 1) };
}

/**
 * The p of several tests such that the chance of any false alarm among them stays that of one (Holm 1979, Scand. J.
 * Statist. 6:65).
 * @returns in the order given
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const rising = pValues.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length);
  let least = 0;
  for (const [rank, { p, at }] of rising.entries()) {
    least = Math.max(least, Math.min(1, p * (pValues.length - rank)));
    adjusted[at] = least;
  }
  return adjusted;
}

/**
 * The p of several tests such that, where all up to a bound are called significant, no larger share of these is expected
 * to be false alarms (Benjamini and Hochberg 1995, J. R. Statist. Soc. B 57:289). It holds for tests that are independent,
 * or depend on each other positively (Benjamini and Yekutieli 2001, Ann. Statist. 29:1165).
 * @returns in the order given
 */
export function falseDiscoveryAdjusted(pValues: readonly number[]): number[] {
  const falling = pValues.map((p, at) => ({ p, at })).sort((a, b) => b.p - a.p);
  const adjusted = new Array<number>(pValues.length);
  let most = 1;
  for (const [above, { p, at }] of falling.entries()) {
    most = Math.min(most, p * (pValues.length / (pValues.length - above))); // the largest stays as it is, to the bit
    adjusted[at] = most;
  }
  return adjusted;
}
