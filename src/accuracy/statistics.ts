import { z } from 'zod';

/**
 * The nine statistics as SQL, over the rows of ERROR_COUNTS: `weight` pairs had an error of `hundredths` / 100 °F
 * (where `is_error`), or fell on one day (where not). Sums are of whole numbers, so every source gives the same digits
 * (D8); a product of counts and squares overflows 64 bits at 17 million pairs, hence Int128. No pairs: counts 0, the
 * rest null (D10). std_dev is the population one; percentiles interpolate between order statistics (type 7).
 */
export const STATISTICS = `
  sumIf(weight, is_error) AS verification_pairs,
  countIf(NOT is_error) AS unique_days,
  nullIf(verification_pairs, 0) AS n,
  sumIf(weight * hundredths, is_error) AS error_sum,
  sumIf(weight * abs(hundredths), is_error) AS abs_error_sum,
  sumIf(toInt128(weight) * hundredths * hundredths, is_error) AS square_sum,
  error_sum / (100 * n) AS mean_error,
  sqrt(toFloat64(n * square_sum - toInt128(error_sum) * error_sum)) / (100 * n) AS std_dev,
  abs_error_sum / (100 * n) AS mae,
  sqrt(square_sum / n) / 100 AS rmse,
  quantilesExactWeightedInterpolatedIf(0.5, 0.9, 0.95)(abs(hundredths), toUInt64(weight), is_error) AS percentiles,
  percentiles[1] / 100 AS abs_error_p50,
  percentiles[2] / 100 AS abs_error_p90,
  percentiles[3] / 100 AS abs_error_p95,
  sumIf(preliminary_weight, is_error) AS preliminary_pairs`;

const fahrenheit = (description: string): z.ZodType<number | null> =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}, °F; null without pairs` });

/** The stats object (section 2.1 of the interface). */
export const stats = z
  .object({
    verification_pairs: z.int().min(0).meta({ description: 'Forecast-actual pairs' }),
    unique_days: z.int().min(0).meta({ description: 'Distinct calendar days with a pair' }),
    mean_error: fahrenheit('Mean error, forecast minus actual (negative: forecasts were too low)'),
    std_dev: fahrenheit('Population standard deviation of the errors'),
    mae: fahrenheit('Mean absolute error'),
    rmse: fahrenheit('Root mean square error'),
    abs_error_p50: fahrenheit('Median absolute error'),
    abs_error_p90: fahrenheit('90th percentile of the absolute error'),
    abs_error_p95: fahrenheit('95th percentile of the absolute error'),
  })
  .meta({ id: 'Stats', description: 'Error statistics over the pairs, rounded to 0.01' });

export type Stats = z.infer<typeof stats>;

/** A row of STATISTICS as SQL gives it: °F at full precision. */
export const statisticsRow = z.object({ ...stats.shape, preliminary_pairs: z.number() });

/** The stats object of a row, rounded for output (D9). */
export function toStats(row: Stats): Stats {
  return {
    verification_pairs: row.verification_pairs,
    unique_days: row.unique_days,
    mean_error: rounded(row.mean_error),
    std_dev: rounded(row.std_dev),
    mae: rounded(row.mae),
    rmse: rounded(row.rmse),
    abs_error_p50: rounded(row.abs_error_p50),
    abs_error_p90: rounded(row.abs_error_p90),
    abs_error_p95: rounded(row.abs_error_p95),
  };
}

/** The stats object of no pairs at all (D10). */
export const NO_STATS: Stats = {
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

// 1.015 is 101.49999999999999 hundredths in binary. A tie that is meant lies within 1e-11 of one; a mean that is
// none lies at least 1 / 2n away, so this margin is right up to 500 million pairs.
const TIE_MARGIN = 1e-9;

/** Rounds to 0.01, half away from zero, never to -0 (D9). */
export function rounded(value: number): number;
export function rounded(value: number | null): number | null;
export function rounded(value: number | null): number | null {
  if (value === null) return null;
  const hundredths = Math.floor(Math.abs(value) * 100 + 0.5 + TIE_MARGIN);
  return hundredths === 0 ? 0 : (Math.sign(value) * hundredths) / 100;
}
