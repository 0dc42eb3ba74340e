import { type ProbabilityCounts, type BrierScores, NO_SCORES, scoreProbabilities } from './brier.js';
import { type VariableName, VARIABLES } from '../variables/variables.js';

/** Sums over errors: numbers of pairs, and errors in hundredths of a °F. */
export interface Sums {
  verification_pairs: number;
  preliminary_pairs: number;
  error_sum: number;
  abs_error_sum: number;
  square_error_sum: string;
}

/** Sums and percentiles; the latter mean nothing without pairs. */
export interface StatisticsRow extends Sums {
  abs_error_percentiles: readonly (number | null)[];
  /** These of a chance alone. */
  probabilities?: ProbabilityCounts | undefined;
}

/** The stats object (section 2.1 of the interface), °F; all null without pairs. */
export type Stats = { verification_pairs: number; unique_days: number } & Record<
  'mean_error' | 'std_dev' | 'mae' | 'rmse' | 'abs_error_p50' | 'abs_error_p90' | 'abs_error_p95',
  number | null
> &
  Partial<BrierScores>;

/** The mean error (bias) of at least one pair, °F. @param error_sum hundredths of a °F */
export const meanError = (error_sum: number, pairs: number): number => error_sum / (100 * pairs);

/** The mean absolute error (MAE) of at least one pair, °F. @param abs_error_sum hundredths of a °F */
export const meanAbsoluteError = (abs_error_sum: number, pairs: number): number =>
  abs_error_sum / (100 * pairs);

/** The root mean square error (RMSE) of at least one pair, °F. @param square_error_sum squares of hundredths of a °F */
export const rootMeanSquareError = (square_error_sum: number, pairs: number): number =>
  Math.sqrt(square_error_sum / pairs) / 100;

/**
 * The nine statistics at full precision, °F, and of chances the Brier scores; all null without pairs. std_dev is the population one: its variance
 * is a small difference of large products, which BigInt keeps exact.
 */
export function computeStatistics(
  row: StatisticsRow | undefined,
  unique_days: number,
  metric: VariableName,
): Stats {
  if (row === undefined || row.verification_pairs === 0)
    return VARIABLES[metric].score === 'brier_score' ? { ...NO_STATS, ...NO_SCORES } : NO_STATS;
  const { verification_pairs: n, error_sum, abs_error_sum, square_error_sum } = row;
  const spread = BigInt(n) * BigInt(square_error_sum) - BigInt(error_sum) ** 2n;
  const [p50 = null, p90 = null, p95 = null] = row.abs_error_percentiles.map((value) => Number(value) / 100);
  return {
    verification_pairs: n,
    unique_days,
    mean_error: meanError(error_sum, n),
    std_dev: Math.sqrt(Number(spread)) / (100 * n),
    mae: meanAbsoluteError(abs_error_sum, n),
    rmse: rootMeanSquareError(Number(square_error_sum), n),
    abs_error_p50: p50,
    abs_error_p90: p90,
    abs_error_p95: p95,
    ...(row.probabilities && scoreProbabilities(row.probabilities)),
  };
}

/** The stats object without pairs. */
const NO_STATS: Stats = {
  verification_pairs: 0,
  unique_days: 0,
  mean_error: null,
  std_dev: null,
  mae: null,
  rmse: null,
  abs_error_p50: null,
  abs_error_p90: null,
  abs_error_p95: null,
};

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

// 1.015 is 101.49999999999999 hundredths in binary. A decimal tie lies within 2e-11 of a binary one; any other mean
// lies at least 1 / 2n away, and in °C 1 / 18n, so this margin is right up to 500 million pairs in either.
const TIE_MARGIN = 1e-10;

/** Rounds to 0.0001, half up. */
export const tenThousandths = (value: number): number => Math.floor(value * 1e4 + 0.5 + TIE_MARGIN) / 1e4;

/** Rounds to 0.1. */
export const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Rounds to 0.01, half away from zero, never to -0 (D9). */
export function rounded(value: number): number;
export function rounded(value: number | null): number | null;
export function rounded(value: number | null): number | null {
  if (value === null) return null;
  const hundredths = Math.floor(Math.abs(value) * 100 + 0.5 + TIE_MARGIN);
  return hundredths === 0 ? 0 : (Math.sign(value) * hundredths) / 100;
}
