import { z } from 'zod';
import { toMillionths, toTenths } from '../kinds.js';
import { confidenceLevel, count, differenceOrNull, numberOrNull, SAMPLE, WITH_BRIER } from '../fields.js';

// The statistics of errors as records.

const fahrenheit = (description: string): z.ZodType<number | null> =>
  differenceOrNull(`${description}, °F; null without pairs`);

const ofProbabilities = (description: string) =>
  numberOrNull(`${WITH_BRIER}: ${description}, to 0.000001; null without pairs`, toMillionths).optional();

/** The stats object (section 2.1 of the interface), at full precision until it leaves (kinds.ts). */
export const stats = z
  .object({
    ...SAMPLE,
    mean_error: fahrenheit(
      'Mean error (bias): the mean of forecast - actual; negative: forecasts were too low',
    ),
    std_dev: fahrenheit('Population standard deviation of the errors: their spread around mean_error'),
    mae: fahrenheit('Mean absolute error: the mean of |forecast - actual|'),
    rmse: fahrenheit('Root mean square error: the root of the mean of (forecast - actual)²'),
    abs_error_p50: fahrenheit('Median absolute error: half of the forecasts were off by no more'),
    abs_error_p90: fahrenheit('90th percentile of the absolute error: one forecast in ten was off by more'),
    abs_error_p95: fahrenheit(
      '95th percentile of the absolute error: one forecast in twenty was off by more',
    ),
    brier_score: ofProbabilities(
      'Brier score, the mean square of the error in units of 1: 0 is perfect; (rmse / 100)² before rounding',
    ),
    brier_skill_score: ofProbabilities(
      'the part of the Brier score of a forecast of base_rate every time that these save: 1 is perfect, 0 is no skill. Null, too, if it ' +
        'was always wet, or never',
    ),
    reliability: ofProbabilities(
      'how far the observed shares are from the chances (Murphy 1973), a part of the Brier score: 0 is perfect',
    ),
    resolution: ofProbabilities(
      'how far the observed shares are from base_rate (Murphy 1973); brier_score = reliability - resolution + base_rate (1 - base_rate)',
    ),
    base_rate: ofProbabilities('share of the pairs in which it was wet'),
  })
  .meta({ id: 'Stats', description: 'Error statistics over the pairs, rounded to 0.01' });

const statisticInterval = z
  .object({
    low: differenceOrNull('°F'),
    high: differenceOrNull('°F'),
    std_error: differenceOrNull('Standard error, °F'),
    n_eff: numberOrNull(
      'Effective sample size: this many independent pairs would leave it equally uncertain',
      toTenths,
    ),
  })
  .meta({
    id: 'StatisticInterval',
    description: 'The interval of a statistic; all null below 14 days with pairs, or without spread',
  });

export const uncertainty = z
  .object({
    level: confidenceLevel,
    method: z.enum(['day_ewc', 'week_batches']).meta({
      description: 'The unit of the method: days, with their day-to-day correlation, or weeks',
    }),
    days: count('Days with a pair'),
    degrees_of_freedom: z
      .int()
      .min(0)
      .meta({ description: "Degrees of freedom of Student's t; 0 with too few days" }),
    mean_error: statisticInterval,
    mae: statisticInterval,
    rmse: statisticInterval,
  })
  .meta({ id: 'Uncertainty', description: 'With `ci`: confidence intervals of the statistics' });
