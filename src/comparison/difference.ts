import { CERTAIN } from '../statistics/brier.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { DailySums } from '../statistics/uncertainty/daily-sums.js';
import { falseDiscoveryAdjusted, type TestOfDifference } from '../statistics/uncertainty/diebold-mariano.js';
import { meanAbsoluteError, meanError, rootMeanSquareError, sum } from '../statistics/statistics.js';
import { judgeDifference } from '../statistics/orientation.js';
import { ONE_SOURCE_HUNDREDTHS } from '../variables/units.js';
import type { PairedCases } from './paired-cases.js';

// How a provider differs from a reference on the cases that both have. Negative: the provider errs less.

export const VERDICTS = ['better', 'worse', 'not_significant', 'no_common_days'] as const;
type Verdict = (typeof VERDICTS)[number];

/** The test of a row, and its p adjusted for all tests of the response. */
interface AdjustedTest extends TestOfDifference {
  false_discovery: number;
}

/**
 * Whether a row is one source under two names. Its tenths of °C may err more than its °F, day after day, by how they are
 * rounded: what is left of that is no difference between two sources, so nothing is tested.
 */
const isOneSource = ({
  cases,
  forecast_difference,
}: Pick<PairedCases, 'cases' | 'forecast_difference'>): boolean =>
  cases > 0 && forecast_difference <= ONE_SOURCE_HUNDREDTHS;

/** The score whose difference is tested: of chances the Brier score, which no forecaster can better by other chances than believed. */
export type Score = 'abs' | 'square';

/** The sums of a row by day, without differences where nothing is tested. */
function sumScores(row: PairedCases) {
  const tested = (sums: number[]): number[] => (isOneSource(row) ? sums.map(() => 0) : sums);
  return new DailySums(row.cases_by_day, {
    abs: tested(row.abs_differences),
    square: tested(row.square_differences),
    decided: tested(row.decided_by_day),
    win_rate: tested(row.wins_by_day),
  });
}

/** The test of a row; undefined for one source, without spread, or with too few days. */
export const makeTest = (
  row: Pick<
    PairedCases,
    'cases' | 'forecast_difference' | 'cases_by_day' | 'abs_differences' | 'square_differences'
  >,
  score: Score,
) =>
  isOneSource(row)
    ? undefined
    : new DailySums(row.cases_by_day, { abs: row.abs_differences, square: row.square_differences }).test(
        score,
      );

/** The tests of a response, adjusted for all that there are, in the order given. */
export function adjustedTests(tests: readonly ReturnType<typeof makeTest>[]): (AdjustedTest | undefined)[] {
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
export function computePaired(row: PairedCases, dm: AdjustedTest | undefined, level: number, score: Score) {
  const { cases } = row;
  const sums = sumScores(row);
  const { clusters } = sums;
  const decided = sums.of('decided');
  const wins = sums.total('win_rate');
  const none = cases === 0;
  const hours = (ms: number): number | null => (none ? null : ms / cases / HOUR_MS);
  const mae_difference = {
    ...sums.interval('abs', row.abs_difference_squares, level, 100),
    value: none ? null : sum(row.abs_differences) / cases / 100,
  };
  const meanSquareDifference = (unit: number) => ({
    ...sums.interval('square', Number(row.square_difference_squares), level, unit),
    value: none ? null : sum(row.square_differences) / cases / unit,
  });
  const mse_difference = meanSquareDifference(100 ** 2);
  const verdict: Verdict =
    cases === 0
      ? 'no_common_days'
      : judgeDifference('mae', score === 'abs' ? mae_difference : mse_difference);
  return {
    verdict,
    identical: isOneSource(row),
    cases,
    days: clusters.days,
    mae_difference,
    mse_difference,
    ...(score === 'square' && {
      brier_difference: meanSquareDifference(CERTAIN ** 2),
      brier_score: none ? null : row.square_error_sum / cases / CERTAIN ** 2,
      reference_brier_score: none ? null : row.reference_square_error_sum / cases / CERTAIN ** 2,
    }),
    mean_error: none ? null : meanError(row.error_sum, cases),
    reference_mean_error: none ? null : meanError(row.reference_error_sum, cases),
    mae: none ? null : meanAbsoluteError(row.abs_error_sum, cases),
    reference_mae: none ? null : meanAbsoluteError(row.reference_abs_error_sum, cases),
    rmse: none ? null : rootMeanSquareError(row.square_error_sum, cases),
    reference_rmse: none ? null : rootMeanSquareError(row.reference_square_error_sum, cases),
    mean_lead_hours: hours(row.lead_ms_sum),
    reference_mean_lead_hours: hours(row.reference_lead_ms_sum),
    wins,
    losses: decided.count - wins,
    ties: cases - decided.count,
    ...decided.rates(level, 'win_rate'),
    dm_statistic: dm?.statistic ?? null,
    dm_degrees_of_freedom: clusters.degreesOfFreedom,
    dm_p_value: dm?.p_value ?? null,
    dm_p_value_fdr: dm?.false_discovery ?? null,
    significant: dm !== undefined && dm.false_discovery <= 1 - level,
    provider_only_cases: row.provider_only_cases,
    reference_only_cases: row.reference_only_cases,
  };
}
