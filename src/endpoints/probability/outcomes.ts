import { z } from 'zod';
import { count, shareOrNull } from '../../api/fields.js';
import {
  aboveAndBelow,
  type Evidence,
  millionths,
  networkInterval,
  partition,
  probabilityOf,
  quantile,
  type Range,
  stationInterval,
} from '../../statistics/probability/predictive.js';
import type { Learned } from './training.js';
import { between } from '../../statistics/probability/tally.js';

// What may happen, as records: ranges, thresholds and quantiles, each with the days of the training that ended so.

/** What is known of a forecast. */
interface Found {
  evidence: Evidence;
  /** The whole degree from which the evidence counts. */
  floor: number;
  phase: number;
  learned: Learned;
  level: number;
  /** Whether the network has enough days for any probability. */
  isKnown: boolean;
}

const bounds = {
  low: shareOrNull('Lower end of the interval; null over all stations with fewer than 14 days'),
  high: shareOrNull('Upper end of it'),
};

const TO_A_MILLIONTH = 'to 0.000001, never 0 or 1; if null, reason says why';

export const thresholdsRecord = z
  .array(
    z.object({
      threshold_f: z.int().meta({ description: 'Whole °F' }),
      at_or_above: shareOrNull(`Probability of this degree or more, ${TO_A_MILLIONTH}`),
      below: shareOrNull('Probability of less: the two add up to 1'),
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
      from_f: z
        .int()
        .nullable()
        .meta({ description: 'First whole °F of the bracket; null if it has no lower end' }),
      to_f: z
        .int()
        .nullable()
        .meta({ description: 'Last whole °F of the bracket; null if it has no upper end' }),
      probability: shareOrNull(`Probability, ${TO_A_MILLIONTH}; all brackets add up to 1`),
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
      'The smallest whole °F with at least this probability at or below it: for p10 it is 10 %, so a threshold one ' +
      'degree higher has `below` of 0.1 or more. If null, reason says why',
  });

export function quantilesOf({ evidence, floor, isKnown }: Found): z.infer<typeof quantilesRecord> {
  return Object.fromEntries(
    Object.entries(QUANTILES).map(([name, q]) => [name, isKnown ? floor + quantile(evidence, q) : null]),
  ) as z.infer<typeof quantilesRecord>;
}

/** The same range, counted from the degree of the evidence. */
const relative = ({ from, to }: Range, floor: number): Range => ({
  from: from === null ? null : from - floor,
  to: to === null ? null : to - floor,
});

export function thresholdsOf(found: Found, degrees: readonly number[]): z.infer<typeof thresholdsRecord> {
  const { evidence, floor, isKnown } = found;
  return degrees.map((threshold_f) => {
    const range = { from: threshold_f - floor, to: null };
    return {
      threshold_f,
      ...(isKnown ? aboveAndBelow(evidence, range.from) : { at_or_above: null, below: null }),
      ...boundsOf(found, range),
      station_days_at_or_above: between(evidence.station, range.from, null),
      network_days_at_or_above: between(evidence.network, range.from, null),
    };
  });
}

export function bracketsOf(found: Found, ranges: readonly Range[]): z.infer<typeof bracketsRecord> {
  const { evidence, floor, isKnown } = found;
  const counted = ranges.map((range) => relative(range, floor));
  const values = counted.map((range) => probabilityOf(evidence, range, ranges.length));
  const shown = partition(values);
  return ranges.map(({ from, to }, at) => {
    const range = counted[at] as Range;
    return {
      from_f: from,
      to_f: to,
      probability: isKnown ? (shown[at] ?? null) : null,
      ...boundsOf(found, range, ranges.length),
      station_days: between(evidence.station, range.from, range.to),
      network_days: between(evidence.network, range.from, range.to),
    };
  });
}

function boundsOf({ evidence, phase, learned, level, isKnown }: Found, range: Range, members = 2) {
  const { stationErrors, networkByDay } = learned;
  const found =
    networkByDay === undefined
      ? stationInterval(evidence, range, members, stationErrors, level)
      : networkInterval(networkByDay, phase, range, level);
  if (!isKnown || found === undefined) return { low: null, high: null };
  return { low: millionths(found.low), high: millionths(found.high) };
}
