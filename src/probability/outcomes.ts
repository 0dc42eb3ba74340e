import { z } from 'zod';
import { exactTemperature, toMillionths } from '../api/kinds.js';
import { count, numberOrNull } from '../api/fields.js';
import type { Scale } from '../variables/declarations.js';
import {
  aboveAndBelow,
  millionths,
  mixErrors,
  networkInterval,
  partition,
  type Predictive,
  quantile,
  type Range,
  shifted,
  shiftedRange,
  stationInterval,
} from './training/predictive.js';
import type { TrainingSample } from './training/archive.js';
import {
  between,
  wholeBelow,
  computeFraction,
  type DegreeCounts,
  makeDegreeCounts,
  degreeCountsOfList,
} from './training/degree-counts.js';
import { MIN_NETWORK_DAYS } from './training/training.js';

// Outcomes as records: ranges, thresholds and quantiles, each with the days of the training that ended so.

/** The possible outcomes of a day, in whole degrees of the request's unit, and the days of the training behind them. */
export interface Outcomes {
  predictive: Predictive;
  /** Why there are no probabilities; null if there are. */
  reason: string | null;
  /** Days of the training that end in a range: the station's, and all stations'. */
  stationDays: (range: Range) => number;
  networkDays: (range: Range) => number;
  /** How far sampling may move a probability; undefined where that is not known. */
  interval: (range: Range, members: number) => { low: number; high: number } | undefined;
}

/** The outcomes of a forecast by the mixture of past errors (D36). @param forecast hundredths of a °F */
export function listOutcomes(
  forecast: number,
  trained: TrainingSample,
  level: number,
  scale: Scale,
): Outcomes {
  const { stationErrors, network, networkByDay } = trained;
  const [phase, floor] = [computeFraction(forecast, scale), wholeBelow(forecast, scale)];
  const counts = {
    station: degreeCountsOfList(stationErrors, stationErrors.length, phase, scale),
    network: makeDegreeCounts(network, phase, scale),
  };
  const days = (degreeCounts: DegreeCounts) => (range: Range) => {
    const { from, to } = shiftedRange(range, -floor);
    return between(degreeCounts, from, to);
  };
  return {
    predictive: shifted(mixErrors(counts), floor),
    reason:
      network.days >= MIN_NETWORK_DAYS
        ? null
        : `The network has ${network.days} station days to learn from; at least ${MIN_NETWORK_DAYS} are needed`,
    stationDays: days(counts.station),
    networkDays: days(counts.network),
    interval: (range, members) =>
      networkByDay === undefined
        ? stationInterval(counts, shiftedRange(range, -floor), members, stationErrors, level)
        : networkInterval(networkByDay, phase, shiftedRange(range, -floor), level, scale),
  };
}

const probabilityOrNull = (description: string) =>
  numberOrNull(description, () => toMillionths(z.number().min(0).max(1)));

const bounds = {
  low: probabilityOrNull(
    'Lower end of the interval; null over all stations with fewer than 14 days, and by day_so_far',
  ),
  high: probabilityOrNull('Upper end of it'),
};

const TO_A_MILLIONTH = 'to 0.000001, never 0 or 1; if null, reason says why';

export const thresholdsRecord = z
  .array(
    z.object({
      threshold_f: exactTemperature().meta({ description: 'The whole degree, °F' }),
      at_or_above: probabilityOrNull(`Probability of this degree or more, ${TO_A_MILLIONTH}`),
      below: probabilityOrNull('Probability of less: the two add up to 1'),
      ...bounds,
      station_days_at_or_above: count(
        'Days among training.station_days whose error would end this forecast there',
      ),
      network_days_at_or_above: count('Days among training.network_days whose error would do so'),
    }),
  )
  .meta({ description: 'If the request names thresholds: in ascending order' });

export const bracketsRecord = z
  .array(
    z.object({
      from_f: numberOrNull(
        'First whole degree of the bracket, °F; null if it has no lower end',
        exactTemperature,
      ),
      to_f: numberOrNull(
        'Last whole degree of the bracket, °F; null if it has no upper end',
        exactTemperature,
      ),
      probability: probabilityOrNull(`Probability, ${TO_A_MILLIONTH}; all brackets add up to 1`),
      ...bounds,
      station_days: count('Days among training.station_days whose error would end this forecast there'),
      network_days: count('Days among training.network_days whose error would do so'),
    }),
  )
  .meta({ description: 'Ascending, without gaps; both ends are included' });

const QUANTILES = { p05: 0.05, p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95 };

const degree = z.int().nullable();

export const quantilesRecord = z
  .object({ p05: degree, p10: degree, p25: degree, p50: degree, p75: degree, p90: degree, p95: degree })
  .meta({
    id: 'TemperatureQuantiles',
    description:
      'The smallest whole degree of the request with at least this probability at or below it: for p10 it is 10%, so a threshold one ' +
      'degree higher has `below` of 0.1 or more. If null, reason says why',
  });

export function computeQuantiles(outcomes: Outcomes): z.infer<typeof quantilesRecord> {
  return Object.fromEntries(
    Object.entries(QUANTILES).map(([name, q]) => [
      name,
      outcomes.reason === null ? quantile(outcomes.predictive, q) : null,
    ]),
  ) as z.infer<typeof quantilesRecord>;
}

export function computeThresholds(
  outcomes: Outcomes,
  degrees: readonly number[],
): z.infer<typeof thresholdsRecord> {
  return degrees.map((threshold_f) => {
    const range = { from: threshold_f, to: null };
    return {
      threshold_f,
      ...(outcomes.reason === null
        ? aboveAndBelow(outcomes.predictive, threshold_f)
        : { at_or_above: null, below: null }),
      ...computeBounds(outcomes, range),
      station_days_at_or_above: outcomes.stationDays(range),
      network_days_at_or_above: outcomes.networkDays(range),
    };
  });
}

export function computeBrackets(
  outcomes: Outcomes,
  ranges: readonly Range[],
): z.infer<typeof bracketsRecord> {
  const shown = partition(ranges.map((range) => outcomes.predictive.of(range, ranges.length)));
  return ranges.map((range, at) => ({
    from_f: range.from,
    to_f: range.to,
    probability: outcomes.reason === null ? (shown[at] ?? null) : null,
    ...computeBounds(outcomes, range, ranges.length),
    station_days: outcomes.stationDays(range),
    network_days: outcomes.networkDays(range),
  }));
}

function computeBounds({ reason, interval }: Outcomes, range: Range, members = 2) {
  const found = reason === null ? interval(range, members) : undefined;
  if (found === undefined) return { low: null, high: null };
  return { low: millionths(found.low), high: millionths(found.high) };
}
