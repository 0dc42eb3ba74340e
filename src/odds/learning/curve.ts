import type { Scale } from '../../statistics/units.js';
import { normalCdf } from './normal.js';

/** A distribution over whole degrees, with what its CRPS takes for any outcome. */
export interface Curve {
  /** The degree of the first member of the next. */
  lowest: number;
  /** P(A <= x) of each degree; 0 below, 1 above. */
  upTo: Float64Array;
  /** The sum of P(A <= x)² over the degrees below each place. */
  below: Float64Array;
  /** The sum of (1 - P(A <= x))² over the degrees from each place on. */
  above: Float64Array;
}

export function curveOf(lowest: number, upTo: Float64Array): Curve {
  const length = upTo.length;
  const below = new Float64Array(length + 1);
  const above = new Float64Array(length + 1);
  for (let at = 0; at < length; at += 1) below[at + 1] = (below[at] as number) + (upTo[at] as number) ** 2;
  for (let at = length - 1; at >= 0; at -= 1) {
    above[at] = (above[at + 1] as number) + (1 - (upTo[at] as number)) ** 2;
  }
  return { lowest, upTo, below, above };
}

/** Standard deviations beyond which a normal distribution has no more than 1e-7. */
const NORMAL_REACH = 5.5;

/**
 * The whole degrees, from floor(F), of a normal distribution around a forecast F of this phase; its standard deviation is in
 * hundredths of a °F.
 */
export function normalCurve(phase: number, sigma: number, { size }: Scale): Curve {
  const reach = Math.max(1, Math.ceil((NORMAL_REACH * sigma) / size));
  const upTo = Float64Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const above = at - reach + 0.5 - phase / size;
    return normalCdf(above / (sigma / size));
  });
  return curveOf(-reach, upTo);
}

/** P(A <= x). */
export function cdf({ lowest, upTo }: Curve, degree: number): number {
  const at = degree - lowest;
  if (at < 0) return 0;
  return at >= upTo.length ? 1 : (upTo[at] as number);
}

/** The continuous ranked probability score over whole degrees: the sum of (P(A <= x) - 1{outcome <= x})² over all x. */
export function crps({ lowest, upTo, below, above }: Curve, outcome: number): number {
  const at = outcome - lowest;
  if (at < 0) return (above[0] as number) - at;
  if (at > upTo.length) return (below[upTo.length] as number) + at - upTo.length;
  return (below[at] as number) + (above[at] as number);
}
