import { z } from 'zod';
import { daysWithPairs } from '../by-day.js';
import { difference, squareDifference } from '../../api/degrees.js';
import { rounded, sum, tenths, tenThousandths } from '../statistics.js';
import { type Clusters, dayClusters, effectiveSize, meanInterval } from '../uncertainty/intervals.js';
import { HOUR_MS } from '../time/calendar.js';
import { bounds, boundsOf, rateValue } from '../uncertainty/rates.js';
import {
  dieboldMariano,
  harveyLeybourneNewbold,
  holmAdjusted,
  type TestOfDifference,
} from './diebold-mariano.js';
import type { PairedCases } from '../../relations/paired-cases.js';

// How a provider differs from a reference on the cases that both have (D35). Negative: the provider errs less.

const count = (description: string) => z.int().min(0).meta({ description });

const number = (description: string) => z.number().nullable().meta({ description });

const p = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description}, to 0.0001` });

const fahrenheit = (description: string) => difference().nullable().meta({ description });

const interval = (description: string, unit: string, kind: () => z.ZodNumber) =>
  z
    .object({
      value: kind()
        .nullable()
        .meta({ description: `${unit}; null without cases` }),
      low: kind()
        .nullable()
        .meta({ description: `${unit}; null with fewer than 14 days, or without spread` }),
      high: kind()
        .nullable()
        .meta({ description: `${unit}; likewise` }),
      std_error: kind()
        .nullable()
        .meta({ description: `Standard error, ${unit}; likewise` }),
      n_eff: number('As many independent cases would leave it as uncertain; likewise'),
    })
    .meta({ description: `${description}, with its interval; negative: the provider errs less` });

const VERDICTS = ['better', 'worse', 'not_shown', 'no_common_days'] as const;

/** A provider beside its reference; what is in °F is at full precision. */
export const paired = z.object({
  verdict: z.enum(VERDICTS).meta({
    description:
      'Whether the provider errs less than the reference (better) or more (worse), by mae_difference: its interval, before ' +
      'rounding, is on one side of 0; not_shown: it holds 0, or there are too few days for one',
  }),
  identical: z.boolean().meta({
    description:
      'Every forecast of the two is the same: one source under two names, and no difference to test',
  }),
  cases: count('Station days with a forecast of both'),
  days: count('Calendar days with such a case'),
  mae_difference: interval("The provider's MAE less that of the reference", '°F', difference),
  mse_difference: interval(
    "The provider's mean square error less that of the reference",
    '°F², with temp_unit=celsius °C²',
    squareDifference,
  ),
  mean_error: fahrenheit("The provider's mean error, °F; null without cases, as the next seven"),
  reference_mean_error: fahrenheit('That of the reference, on the same cases'),
  mae: fahrenheit("The provider's MAE, °F"),
  reference_mae: fahrenheit('That of the reference'),
  rmse: fahrenheit("The provider's RMSE, °F"),
  reference_rmse: fahrenheit('That of the reference'),
  mean_lead_hours: number("Mean lead time of the provider's forecasts, hours"),
  reference_mean_lead_hours: number('That of the reference'),
  wins: count('Cases in which the provider is off by less'),
  losses: count('Cases in which it is off by more'),
  ties: count('Cases in which both are off by as much'),
  win_rate: number('wins of all but the ties, to 0.0001; null without any'),
  ...bounds('win_rate'),
  dm_statistic: number(
    'Diebold-Mariano: mae_difference over its standard error; null where that has no interval',
  ),
  dm_degrees_of_freedom: count("Of Student's t, for it and the intervals; 0 with too few days"),
  dm_p_value: p('Chance of a statistic this far from 0, if the two were as good'),
  dm_p_value_holm: p(
    'The same, adjusted (Holm) for the number of providers that are compared with the reference',
  ),
  hln_statistic: number(
    'Diebold-Mariano with the correction of Harvey, Leybourne and Newbold, over daily means, for comparison with other ' +
      'programs: too sure of itself where days resemble each other; null where its variance is not positive',
  ),
  hln_horizon_days: count('The horizon that it assumes: one more than the days of the shortest lead time'),
  hln_p_value: p('Its two-sided p'),
  provider_only_cases: count('Station days left out, as only the provider has a forecast'),
  reference_only_cases: count('Those left out, as only the reference has one'),
});

export type Paired = z.infer<typeof paired>;

/**
 * Each provider beside the reference.
 * @param rows of the same lead times, one for each provider
 * @param leadHours the shortest lead time of the forecasts, hours
 */
export function pairedOf(rows: readonly PairedCases[], leadHours: number, level: number): Paired[] {
  const tests = rows.map((row) => dieboldMariano(dayClusters(row.cases_by_day), row.abs_differences));
  const adjusted = holmAdjusted(tests.flatMap((test) => test?.p_value ?? []));
  return rows.map((row, at) => {
    const dm = tests[at];
    return recordOf(row, dm && { ...dm, holm: adjusted.shift() ?? null }, leadHours, level);
  });
}

function recordOf(
  row: PairedCases,
  dm: (TestOfDifference & { holm: number | null }) | undefined,
  leadHours: number,
  level: number,
): Paired {
  const { cases, cases_by_day, decided_by_day, wins_by_day } = row;
  const clusters = dayClusters(cases_by_day);
  const decided = dayClusters(decided_by_day);
  const wins = sum(wins_by_day);
  const horizon = Math.ceil(leadHours / 24) + 1;
  const hln = clusters.degreesOfFreedom === 0 ? undefined : harveyLeybourneNewbold(dailyMeans(row), horizon);
  const mean = (total: number): number | null => (cases === 0 ? null : total / cases / 100);
  const root = (total: number): number | null => (cases === 0 ? null : Math.sqrt(total / cases) / 100);
  const hours = (ms: number): number | null => (cases === 0 ? null : rounded(ms / cases / HOUR_MS));
  const mae_difference = differenceOf(clusters, row.abs_differences, row.abs_difference_squares, 100, level);
  return {
    verdict: cases === 0 ? 'no_common_days' : verdictOf(mae_difference),
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
    win_rate: rateValue(decided, wins_by_day),
    ...boundsOf(decided, { win_rate: wins_by_day }, level),
    dm_statistic: dm === undefined ? null : rounded(dm.statistic),
    dm_degrees_of_freedom: clusters.degreesOfFreedom,
    dm_p_value: tenThousandths(dm?.p_value ?? null),
    dm_p_value_holm: tenThousandths(dm?.holm ?? null),
    hln_statistic: hln === undefined ? null : rounded(hln.statistic),
    hln_horizon_days: horizon,
    hln_p_value: tenThousandths(hln?.p_value ?? null),
    provider_only_cases: row.provider_only_cases,
    reference_only_cases: row.reference_only_cases,
  };
}

function verdictOf({ low, high }: Paired['mae_difference']): Paired['verdict'] {
  if (high !== null && high < 0) return 'better';
  return low !== null && low > 0 ? 'worse' : 'not_shown';
}

/** The mean difference of each day with a case. */
function dailyMeans({ cases_by_day, abs_differences }: PairedCases): number[] {
  return cases_by_day.flatMap((cases, day) => (cases === 0 ? [] : [(abs_differences[day] ?? 0) / cases]));
}

/** @param scale what makes a unit of the answer of one of the sums */
function differenceOf(
  clusters: Clusters,
  sums: readonly number[],
  squares: number,
  scale: number,
  level: number,
): Paired['mae_difference'] {
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
    n_eff: tenths(effectiveSize(clusters, variance, found.std_error)),
  };
}
