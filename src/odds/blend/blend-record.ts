import { z } from 'zod';
import { score } from '../../api/kinds.js';
import { count } from '../../api/fields.js';
import { against, type BlendScores, MIN_DAYS_OF_CLAIM } from './blend-scores.js';
import { verdictOf } from '../../statistics/uncertainty/intervals.js';
import { verdictFields } from '../out-of-sample.js';
import { estimate, scoreOrNull } from '../reliability-record.js';

// Several providers as one beside each of them, as a record.

const VERDICTS = {
  better: 'The blend was better than the best provider: the interval of the difference in CRPS is below 0',
  not_shown: 'No difference from the best provider is shown: the interval holds 0, or is missing',
  worse: 'The blend was worse than the best provider: the interval is above 0',
  too_few_days: `Nothing is claimed: fewer than ${MIN_DAYS_OF_CLAIM} days were compared`,
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

type Sums = BlendScores[number];

export function blendOutcome(scores: BlendScores, names: readonly string[], level: number) {
  const [blend, ofBest, ...ofEach] = scores as [Sums, Sums, ...Sums[]];
  const { days } = blend.clusters;
  const best = against(ofBest, blend, level);
  const verdict: keyof typeof VERDICTS =
    days < MIN_DAYS_OF_CLAIM ? 'too_few_days' : verdictOf(best.crps_difference_f, 'better', 'worse');
  return {
    mae_f: blend.total('mae') / blend.count,
    members: Object.fromEntries(names.map((name, at) => [name, against(ofEach[at]!, blend, level)])),
    best,
    compared_days: days,
    verdict,
    note: VERDICTS[verdict],
  };
}
