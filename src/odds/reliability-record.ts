import { z } from 'zod';
import { score } from '../api/degrees.js';
import { confidenceLevel, count, numberOrNull } from '../api/fields.js';
import type { Estimate } from '../statistics/uncertainty/daily-sums.js';
import { binsOf, comparisonOf, scoresOf } from './learning/reliability.js';
import { BINS, type ScoreTable } from './learning/scores.js';
import { MIN_NETWORK_DAYS } from './learning/training.js';
import { tenThousandths } from '../statistics/statistics.js';

// The scores of probabilities as a record: scores to 0.000001, skills and shares to 0.0001.

/** A score as a field; estimateOf() gives its value. @param number the schema of one in degrees: score() */
export const estimate = (description: string, number: () => z.ZodNumber = z.number) =>
  z
    .object({
      value: number().nullable().meta({ description: 'The value; null without cases' }),
      low: number()
        .nullable()
        .meta({ description: 'Lower end of its interval, by target day; null below 14 days' }),
      high: number().nullable().meta({ description: 'Upper end of it' }),
    })
    .meta({ description });

export const scoreOrNull = (description: string) => score().nullable().meta({ description });

const rival = (description: string) =>
  z
    .object({
      brier: numberOrNull('Its Brier score'),
      crps_f: scoreOrNull('Its CRPS, °F'),
      log_score: numberOrNull('Its log score'),
      reliability: numberOrNull('Its reliability term'),
      brier_skill: numberOrNull('1 - brier / its brier: above 0 if the service is better'),
      crps_skill: numberOrNull('The same for the CRPS'),
      brier_difference: estimate('brier - its brier: below 0 if the service is better'),
      crps_difference_f: estimate('The same for the CRPS, °F', score),
    })
    .meta({ description });

const bin = z.object({
  from: z.number().meta({ description: 'Lower end of the probabilities, included' }),
  to: z.number().meta({ description: 'Upper end, not included' }),
  forecasts: count('Brackets with such a probability'),
  mean_probability: numberOrNull('Their mean probability; null without any'),
  observed: numberOrNull('Share of them that came true'),
  low: numberOrNull('Lower end of the interval of observed, by target day; null below 14 days'),
  high: numberOrNull('Upper end of it'),
});

export const reliabilityRecord = z.object({
  cases: count('Station days with a forecast of the lead time that were predicted'),
  days: count('Target days with a case'),
  cases_without_training: count(
    `Station days left out because the network had fewer than ${MIN_NETWORK_DAYS} station days to learn from`,
  ),
  brier: estimate(
    'Brier score: the mean of (probability - outcome)² over six brackets of each forecast; 0 is best',
  ),
  crps_f: estimate('Continuous ranked probability score over whole degrees, °F; 0 is best', score),
  log_score: estimate('Mean of -ln(probability of the bracket that came true); 0 is best'),
  reliability: numberOrNull(
    'Part of brier: the cost of miscalibration (Ferro and Fricker 2012); it may fall below 0 by chance',
  ),
  resolution: numberOrNull('Part of brier: the gain from telling cases apart'),
  uncertainty: numberOrNull('Part of brier: the uncertainty of a forecaster who knows only the mean share'),
  within_bins: numberOrNull('The rest: brier = reliability - resolution + uncertainty + within_bins'),
  normal_2f: rival('A normal distribution with 2 °F around the forecast, a common choice').optional(),
  network: rival("The network's errors alone: its climatology").optional(),
  station: rival("The station's errors alone; the network's if it has none").optional(),
  rise: rival('With hour: the rise by that hour on earlier days, without the forecast').optional(),
  mixture: rival('With hour: the mixture of the latest forecast by then, as known when it was issued')
    .extend({
      cases: count('Cases that the mixture has enough station days for; all of its scores are of these'),
    })
    .optional(),
  pit: z.array(z.number()).meta({
    description:
      'Share of the cases in each tenth of the predicted distribution, from the lowest; 0.1 each is best',
  }),
  bins: z
    .array(bin)
    .meta({ description: `The probabilities of all brackets in ${BINS} bins, with what came true` }),
  level: confidenceLevel,
});

type Fields = z.infer<typeof reliabilityRecord>;

/** A score to its sixth decimal; null when missing. */
export const roundedToMillionths = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : Math.round(value * 1e6) / 1e6 + 0;
const skill = (value: number): number | null => (Number.isFinite(value) ? tenThousandths(value) : null);
export const estimateOf = ({ value, low, high }: Estimate) => ({
  value: roundedToMillionths(value),
  low: roundedToMillionths(low),
  high: roundedToMillionths(high),
});

/** The scores of a rival, and how the judged method compares with it. */
export function rivalFields<Name extends string>(
  table: ScoreTable<Name>,
  method: Name,
  level: number,
): z.infer<ReturnType<typeof rival>> {
  const scores = scoresOf(table, method, level);
  const against = comparisonOf(table, method, level);
  return {
    brier: roundedToMillionths(scores.brier.value),
    crps_f: roundedToMillionths(scores.crps.value),
    log_score: roundedToMillionths(scores.log_score.value),
    reliability: roundedToMillionths(scores.decomposition.reliability),
    brier_skill: skill(against.brier_skill),
    crps_skill: skill(against.crps_skill),
    brier_difference: estimateOf(against.brier),
    crps_difference_f: estimateOf(against.crps),
  };
}

/** The scores of the judged method. @param rivals their fields, by name */
export function reliabilityFields<Name extends string>(
  table: ScoreTable<Name>,
  rivals: Partial<Fields>,
  level: number,
): Fields {
  const [judged] = table.methods;
  const { brier, crps, log_score, decomposition } = scoresOf(table, judged, level);
  const { count: cases, clusters } = table.sample;
  return {
    cases,
    days: clusters.days,
    cases_without_training: table.untrained,
    brier: estimateOf(brier),
    crps_f: estimateOf(crps),
    log_score: estimateOf(log_score),
    reliability: roundedToMillionths(decomposition.reliability),
    resolution: roundedToMillionths(decomposition.resolution),
    uncertainty: roundedToMillionths(decomposition.uncertainty),
    within_bins: roundedToMillionths(decomposition.within_bins),
    ...rivals,
    pit: cases === 0 ? [] : Array.from(table.pit, (each) => tenThousandths(each / cases)!),
    bins: binsOf(table.bins[judged], level).map((each) => ({
      ...each,
      mean_probability: tenThousandths(each.mean_probability),
      observed: tenThousandths(each.observed),
      low: tenThousandths(each.low),
      high: tenThousandths(each.high),
    })),
    level,
  };
}
