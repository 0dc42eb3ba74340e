import { z } from 'zod';
import { count } from '../../api/fields.js';
import { score } from '../../api/kinds.js';
import { judgeDifference } from '../../statistics/orientation.js';
import { DailySums } from '../../statistics/uncertainty/daily-sums.js';
import { MIN_BLEND_DAYS } from '../../statistics/uncertainty/judge.js';
import type { Scale } from '../../variables/declarations.js';
import { verdictFields } from '../out-of-sample.js';
import { estimate, scoreOrNull } from '../reliability-record.js';
import type { BlendedCase } from './blended-origins.js';

// Several providers as one beside each of them: on the days that all forecast, each dressed with the mixture of its own errors.

const VERDICTS = {
  better: 'The blend was better than the best provider: the interval of the difference in CRPS is below 0',
  not_significant: 'No significant difference from the best provider: the interval includes 0, or is missing',
  worse: 'The blend was worse than the best provider: the interval is above 0',
  too_few_days: `Too few days (under ${MIN_BLEND_DAYS}) to say which is better`,
} as const;

const besides = z.object({
  crps_f: scoreOrNull('The CRPS of its own probabilities, °F; null without cases'),
  mae_f: scoreOrNull('Mean absolute error of its forecasts as they were issued, °F'),
  crps_difference_f: estimate('crps_f of the blend less its own, °F: below 0 if the blend is better', score),
  mae_difference_f: estimate('The same for mae_f, °F', score),
});

export const blendRecord = z
  .object({
    mae_f: scoreOrNull("Mean absolute error of the blend's forecasts, °F; null without cases"),
    members: z
      .record(z.string(), besides.meta({ id: 'ProviderBesideBlend' }))
      .meta({ description: 'Each provider, on the same station days' }),
    best: besides.meta({
      description:
        'For each target day, the provider with the least mean absolute error on its training days, each error less ' +
        "the provider's bias at the station: what one would have chosen without a blend",
    }),
    compared_days: count('Target days compared'),
    ...verdictFields(VERDICTS),
  })
  .meta({
    id: 'BlendReliability',
    description:
      'With several providers: their blend beside each of them, on the station days that all forecast',
  });

type Sums = DailySums<'crps' | 'mae'>;

/** The sums of the blend, of the provider of each day that had erred least on the training days, and of each provider; in degrees. */
export const blendScores = (first: number, days: number, providers: number): Sums[] =>
  Array.from({ length: 2 + providers }, () => DailySums.empty(first, days, ['crps', 'mae']));

/** @param crps of the blend, then of each provider's own mixture */
export function addBlended(
  scores: readonly Sums[],
  { day, forecast, forecasts, actual, blend: { best } }: BlendedCase,
  [crps, ...ofProviders]: readonly number[],
  { size }: Scale,
): void {
  const values = [crps!, ofProviders[best]!, ...ofProviders];
  const points = [forecast, forecasts[best]!, ...forecasts];
  for (const [at, sums] of scores.entries())
    sums.add(day, { crps: values[at]!, mae: Math.abs(points[at]! - actual) / size });
}

/** Mean scores, and those of the blend less these: negative where the blend is better. */
const against = (sums: Sums, blend: Sums, level: number) => ({
  crps_f: sums.total('crps') / sums.count,
  mae_f: sums.total('mae') / sums.count,
  crps_difference_f: blend.difference('crps', sums, level),
  mae_difference_f: blend.difference('mae', sums, level),
});

export function blendOutcome(scores: readonly Sums[], names: readonly string[], level: number) {
  const [blend, ofBest, ...ofEach] = scores as [Sums, Sums, ...Sums[]];
  const { days } = blend.clusters;
  const best = against(ofBest, blend, level);
  const verdict: keyof typeof VERDICTS =
    days < MIN_BLEND_DAYS ? 'too_few_days' : judgeDifference('crps_f', best.crps_difference_f);
  return {
    mae_f: blend.total('mae') / blend.count,
    members: Object.fromEntries(names.map((name, at) => [name, against(ofEach[at]!, blend, level)])),
    best,
    compared_days: days,
    verdict,
    note: VERDICTS[verdict],
  };
}
