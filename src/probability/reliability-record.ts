import { z } from 'zod';
import { score, toMillionths, toTenThousandths } from '../api/kinds.js';
import { confidenceLevel, count, numberOrNull } from '../api/fields.js';
import { BINS, computeDecomposition, type ScoreTable } from './training/probability-scores.js';
import { MIN_NETWORK_DAYS } from './training/training.js';

// The scores of probabilities as a record.

/** A score as a field. @param number the schema of one in degrees: score() */
export const estimate = (description: string, number: () => z.ZodNumber = toMillionths) =>
  z
    .object({
      value: numberOrNull('The value; null without cases', number),
      low: numberOrNull('Lower end of its interval, by target day; null below 14 days', number),
      high: numberOrNull('Upper end of it', number),
    })
    .meta({ description });

export const scoreOrNull = (description: string) => score().nullable().meta({ description });

const rivalRecord = (description: string) =>
  z
    .object({
      brier: numberOrNull('Its Brier score', toMillionths),
      crps_f: scoreOrNull('Its CRPS, °F'),
      log_score: numberOrNull('Its log score', toMillionths),
      reliability: numberOrNull('Its reliability term', toMillionths),
      brier_skill: numberOrNull('1 - brier / its brier: above 0 if the service is better', toTenThousandths),
      crps_skill: numberOrNull('The same for the CRPS', toTenThousandths),
      brier_difference: estimate('brier - its brier: below 0 if the service is better'),
      crps_difference_f: estimate('The same for the CRPS, °F', score),
    })
    .meta({ description });

const bin = z.object({
  from: z.number().meta({ description: 'Lower end of the probabilities, included' }),
  to: z.number().meta({ description: 'Upper end, not included' }),
  forecasts: count('Brackets with such a probability'),
  mean_probability: numberOrNull('Their mean probability; null without any', toTenThousandths),
  observed: numberOrNull('Share of them that happened', toTenThousandths),
  low: numberOrNull(
    'Lower end of the interval of observed, by target day; null below 14 days',
    toTenThousandths,
  ),
  high: numberOrNull('Upper end of it', toTenThousandths),
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
  log_score: estimate('Mean of -ln(probability of the bracket that happened); 0 is best'),
  reliability: numberOrNull(
    'Part of brier: the cost of miscalibration (Ferro and Fricker 2012); it may fall below 0 by chance',
    toMillionths,
  ),
  resolution: numberOrNull('Part of brier: the gain from telling cases apart', toMillionths),
  uncertainty: numberOrNull(
    'Part of brier: the uncertainty of a forecaster who knows only the mean share',
    toMillionths,
  ),
  within_bins: numberOrNull(
    'The rest: brier = reliability - resolution + uncertainty + within_bins',
    toMillionths,
  ),
  normal_2f: rivalRecord('A normal distribution with 2 °F around the forecast, a common choice').optional(),
  network: rivalRecord("The network's errors alone: its climatology").optional(),
  station: rivalRecord("The station's errors alone; the network's if it has none").optional(),
  rise: rivalRecord('With hour: the rise by that hour on earlier days, without the forecast').optional(),
  mixture: rivalRecord('With hour: the mixture of the latest forecast by then, as known when it was issued')
    .extend({
      cases: count('Cases that the mixture has enough station days for; all of its scores are of these'),
    })
    .optional(),
  pit: z.array(toTenThousandths()).meta({
    description:
      'Share of the cases in each tenth of the predicted distribution, from the lowest; 0.1 each is best',
  }),
  bins: z
    .array(bin)
    .meta({ description: `The probabilities of all brackets in ${BINS} bins, with how often they happened` }),
  level: confidenceLevel,
});

type Fields = z.infer<typeof reliabilityRecord>;

/** The scores of a rival, and how the judged method compares with it. */
export function rivalFields<Name extends string>(
  { sums, bins, methods }: ScoreTable<Name>,
  rival: Name,
  level: number,
): z.infer<ReturnType<typeof rivalRecord>> {
  const [judged, own] = [sums[methods[0]], sums[rival]];
  const mean = (name: 'brier' | 'crps' | 'log'): number => own.total(name) / own.count;
  const skill = (name: 'brier' | 'crps'): number => 1 - judged.total(name) / own.total(name);
  return {
    brier: mean('brier'),
    crps_f: mean('crps'),
    log_score: mean('log'),
    reliability: computeDecomposition(bins[rival], mean('brier')).reliability,
    brier_skill: skill('brier'),
    crps_skill: skill('crps'),
    brier_difference: judged.difference('brier', own, level),
    crps_difference_f: judged.difference('crps', own, level),
  };
}

/** The scores of the judged method. @param rivals their fields, by name */
export function reliabilityFields<Name extends string>(
  { sums, bins, pit, untrained, methods: [judged] }: ScoreTable<Name>,
  rivals: Partial<Fields>,
  level: number,
): Fields {
  const { count: cases, clusters } = sums[judged];
  const brier = sums[judged].mean('brier', level);
  return {
    cases,
    days: clusters.days,
    cases_without_training: untrained,
    brier,
    crps_f: sums[judged].mean('crps', level),
    log_score: sums[judged].mean('log', level),
    ...computeDecomposition(bins[judged], brier.value),
    ...rivals,
    pit: cases === 0 ? [] : Array.from(pit, (each) => each / cases),
    // The ranges of one day are of one weather, so days are what varies.
    bins: bins[judged].map((bin, at) => {
      const { rate, low, high } = bin.rate('hit', level);
      return {
        from: at / BINS,
        to: (at + 1) / BINS,
        forecasts: bin.count,
        mean_probability: bin.total('probability') / bin.count,
        observed: rate,
        low,
        high,
      };
    }),
    level,
  };
}
