import { z } from 'zod';
import { count, numberOrNull } from '../../api/fields.js';
import {
  type BlendComparison,
  type BlendedAgainst,
  MIN_DAYS_OF_CLAIM,
} from '../../statistics/probability/blend-scores.js';
import type { Estimate } from '../../statistics/probability/reliability.js';
import { verdictFields } from './out-of-sample.js';
import { estimate, estimateOf } from './reliability-record.js';

// Several providers as one beside each of them, as a record: scores to 0.000001 °F.

const VERDICTS = {
  better: 'The blend was better than the best provider: the interval of the difference in CRPS is below 0',
  not_shown: 'No difference from the best provider is shown: the interval holds 0, or there is none',
  worse: 'The blend was worse than the best provider: the interval is above 0',
  too_few_days: `Nothing is claimed: fewer than ${MIN_DAYS_OF_CLAIM} days were compared`,
} as const;

const against = z.object({
  crps_f: numberOrNull('The CRPS of its own probabilities, °F; null without cases'),
  mae_f: numberOrNull('Mean absolute error of its forecasts as they were issued, °F'),
  crps_difference_f: estimate('crps_f of the blend less its own, °F: below 0 if the blend is better'),
  mae_difference_f: estimate('The same for mae_f, °F'),
});

export const blendRecord = z
  .object({
    mae_f: numberOrNull("Mean absolute error of the blend's forecasts, °F; null without cases"),
    members: z
      .record(z.string(), against.meta({ id: 'ProviderBesideBlend' }))
      .meta({ description: 'Each provider, on the same station days' }),
    best: against.meta({
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

const NONE: Estimate = { value: NaN, low: null, high: null };
const NO_SCORES: BlendedAgainst = { crps: NaN, mae: NaN, crps_difference: NONE, mae_difference: NONE };

export function blendOutcome(found: BlendComparison | undefined, names: readonly string[]) {
  const { days = 0, blend = NO_SCORES, best = NO_SCORES, providers = [] } = found ?? {};
  const verdict = verdictOf(best.crps_difference, days);
  return {
    mae_f: againstOf(blend).mae_f,
    members: Object.fromEntries(names.map((name, at) => [name, againstOf(providers[at] ?? NO_SCORES)])),
    best: againstOf(best),
    compared_days: days,
    verdict,
    note: VERDICTS[verdict],
  };
}

const againstOf = ({
  crps,
  mae,
  crps_difference,
  mae_difference,
}: BlendedAgainst): z.infer<typeof against> => ({
  crps_f: estimateOf({ ...NONE, value: crps }).value,
  mae_f: estimateOf({ ...NONE, value: mae }).value,
  crps_difference_f: estimateOf(crps_difference),
  mae_difference_f: estimateOf(mae_difference),
});

function verdictOf({ low, high }: Estimate, days: number): keyof typeof VERDICTS {
  if (days < MIN_DAYS_OF_CLAIM) return 'too_few_days';
  if (high !== null && high < 0) return 'better';
  return low !== null && low > 0 ? 'worse' : 'not_shown';
}
