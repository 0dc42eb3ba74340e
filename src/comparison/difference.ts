import { daysWithPairs } from '../statistics/by-day.js';
import { sum } from '../statistics/statistics.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import {
  type Clusters,
  dayClusters,
  effectiveSize,
  meanInterval,
  verdictOf,
} from '../statistics/uncertainty/intervals.js';
import { ratesOf } from '../statistics/uncertainty/rates.js';
import {
  dieboldMariano,
  falseDiscoveryAdjusted,
  type TestOfDifference,
} from '../statistics/uncertainty/diebold-mariano.js';
import type { PairedCases } from './paired-cases.js';

// How a provider differs from a reference on the cases that both have. Negative: the provider errs less.

export const VERDICTS = ['better', 'worse', 'not_shown', 'no_common_days'] as const;
type Verdict = (typeof VERDICTS)[number];

/** The test of a row, and its p adjusted for all tests of the answer. */
interface AdjustedTest extends TestOfDifference {
  false_discovery: number;
}

/** The test of a row; undefined without spread, or with too few days. */
export const testOf = ({
  cases_by_day,
  abs_differences,
}: Pick<PairedCases, 'cases_by_day' | 'abs_differences'>) =>
  dieboldMariano(dayClusters(cases_by_day), abs_differences);

/** The tests of an answer, adjusted for all that there are, in the order given. */
export function adjustedTests(tests: readonly ReturnType<typeof testOf>[]): (AdjustedTest | undefined)[] {
  const found = tests.filter((test) => test !== undefined);
  const falseDiscovery = falseDiscoveryAdjusted(found.map(({ p_value }) => p_value));
  const adjusted = new Map(
    found.map((test, at) => [test, { ...test, false_discovery: falseDiscovery[at]! }]),
  );
  return tests.map((test) => test && adjusted.get(test));
}

/**
 * A provider beside the reference.
 * @param dm its test
 */
export function pairedOf(row: PairedCases, dm: AdjustedTest | undefined, level: number) {
  const { cases, cases_by_day, decided_by_day, wins_by_day } = row;
  const clusters = dayClusters(cases_by_day);
  const decided = dayClusters(decided_by_day);
  const wins = sum(wins_by_day);
  const mean = (total: number): number | null => (cases === 0 ? null : total / cases / 100);
  const root = (total: number): number | null => (cases === 0 ? null : Math.sqrt(total / cases) / 100);
  const hours = (ms: number): number | null => (cases === 0 ? null : ms / cases / HOUR_MS);
  const mae_difference = differenceOf(clusters, row.abs_differences, row.abs_difference_squares, 100, level);
  const verdict: Verdict = cases === 0 ? 'no_common_days' : verdictOf(mae_difference, 'better', 'worse');
  return {
    verdict,
    identical: cases > 0 && row.forecast_difference === 0,
    cases,
    days: daysWithPairs(cases_by_day),
    mae_difference,
    mse_difference: differenceOf(
      clusters,
      row.square_differences,
      Number(row.square_difference_squares),
      100 ** 2,
      level,
    ),
    mean_error: mean(row.error_sum),
    reference_mean_error: mean(row.reference_error_sum),
    mae: mean(row.abs_error_sum),
    reference_mae: mean(row.reference_abs_error_sum),
    rmse: root(row.square_error_sum),
    reference_rmse: root(row.reference_square_error_sum),
    mean_lead_hours: hours(row.lead_ms_sum),
    reference_mean_lead_hours: hours(row.reference_lead_ms_sum),
    wins,
    losses: decided.total - wins,
    ties: cases - decided.total,
    ...ratesOf(decided, { win_rate: wins_by_day }, level),
    dm_statistic: dm?.statistic ?? null,
    dm_degrees_of_freedom: clusters.degreesOfFreedom,
    dm_p_value: dm?.p_value ?? null,
    dm_p_value_fdr: dm?.false_discovery ?? null,
    significant: dm !== undefined && dm.false_discovery <= 1 - level,
    provider_only_cases: row.provider_only_cases,
    reference_only_cases: row.reference_only_cases,
  };
}

/** A mean difference with its interval. */
type MeanDifference = Record<'value' | 'low' | 'high' | 'std_error' | 'n_eff', number | null>;

/** @param scale what makes a unit of the answer of one of the sums */
function differenceOf(
  clusters: Clusters,
  sums: readonly number[],
  squares: number,
  scale: number,
  level: number,
): MeanDifference {
  const { total } = clusters;
  const value = total === 0 ? null : sum(sums) / total / scale;
  const found = meanInterval(clusters, sums, level);
  if (found === undefined) return { value, low: null, high: null, std_error: null, n_eff: null };
  const variance = squares / total - found.value ** 2;
  return {
    value,
    low: found.low / scale,
    high: found.high / scale,
    std_error: found.std_error / scale,
    n_eff: effectiveSize(clusters, variance, found.std_error),
  };
}
