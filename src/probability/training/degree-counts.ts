import type { Scale } from '../../variables/declarations.js';
import { degreesFrom } from '../../variables/units.js';

// Errors as whole degrees. A climate report has whole degrees, rounded half up (D36), so a forecast F with an error e
// settles at floor(F - e + 1/2); temperatures here are whole hundredths of a °F, and so are a degree of either unit and
// half of it. Degrees are counted from floor(F).

/** How far a forecast is above the whole degree below it, hundredths of a °F: all that counts of degrees depend on. */
export const computeFraction = (forecast: number, { size, zero }: Scale): number =>
  (((forecast - zero) % size) + size) % size;

/** The whole degree below a forecast. */
export const wholeBelow = (forecast: number, scale: Scale): number =>
  (forecast - scale.zero - computeFraction(forecast, scale)) / scale.size;

/** How many station days had which error. */
export interface Errors {
  /** The error of the first count, hundredths. */
  lowest: number;
  counts: Int32Array;
  /** All counts, and the sum of the errors. */
  days: number;
  sum: number;
}

/**
 * Errors as counts.
 * @param days how many station days have each of them, one if it is not said
 */
export function countErrors(errors: ArrayLike<number>, days?: readonly number[]): Errors {
  let [lowest, highest] = [Infinity, -Infinity];
  for (let at = 0; at < errors.length; at += 1) {
    const error = errors[at]!;
    if (error < lowest) lowest = error;
    if (error > highest) highest = error;
  }
  if (errors.length === 0) return { lowest: 0, counts: new Int32Array(0), days: 0, sum: 0 };
  const found = { lowest, counts: new Int32Array(highest - lowest + 1), days: 0, sum: 0 };
  for (let at = 0; at < errors.length; at += 1) {
    const [error, count] = [errors[at]!, days?.[at] ?? 1];
    found.counts[error - lowest]! += count;
    found.days += count;
    found.sum += count * error;
  }
  return found;
}

/** How many days end at which whole degree, for forecasts of one phase. */
export interface DegreeCounts {
  /** The first and the last degree of any day, counted from floor(F). */
  lowest: number;
  highest: number;
  /** Days up to and with each of these degrees. */
  upTo: Float64Array;
  days: number;
}

const nothing = (): DegreeCounts => ({ lowest: 0, highest: -1, upTo: new Float64Array(0), days: 0 });

/** The degrees of errors by the fractional part of a forecast: of one day, the cases of all stations share those of the network. */
export function degreeCountsByFraction(errors: Errors, { size }: Scale): (phase: number) => DegreeCounts {
  const below = new Int32Array(errors.counts.length + 1);
  for (let at = 0; at < errors.counts.length; at += 1) below[at + 1] = below[at]! + errors.counts[at]!;
  const countsByFraction: DegreeCounts[] = [];
  return (phase) => (countsByFraction[phase] ??= added(errors, below, phase, size));
}

/** The degrees of errors for forecasts of one fractional part. */
export const makeDegreeCounts = (errors: Errors, phase: number, scale: Scale): DegreeCounts =>
  degreeCountsByFraction(errors, scale)(phase);

/** @param below how many errors are less than the lowest, and than each after it */
function added(
  { lowest, counts, days }: Errors,
  below: Int32Array,
  phase: number,
  size: Scale['size'],
): DegreeCounts {
  if (days === 0) return nothing();
  const toDegree = (error: number): number => degreesFrom(phase - error, size);
  const [first, last] = [toDegree(lowest + counts.length - 1), toDegree(lowest)];
  const upTo = new Float64Array(last - first + 1).fill(days);
  // The least error that ends at a degree or below it is a hundredth above half a degree less than both leave.
  const min = phase - size / 2 + 1 - lowest;
  for (let at = 0; at < last - first; at += 1) upTo[at]! -= below[min - size * (first + at)]!;
  return { lowest: first, highest: last, upTo, days };
}

/** Days that end at a degree or below it. */
export function limitTo({ lowest, highest, upTo, days }: DegreeCounts, degree: number): number {
  if (degree < lowest) return 0;
  return degree >= highest ? days : upTo[degree - lowest]!;
}

/** Days that end from one degree to another, both included; null stands for no end. */
export function between(degreeCounts: DegreeCounts, from: number | null, to: number | null): number {
  return (
    (to === null ? degreeCounts.days : limitTo(degreeCounts, to)) -
    (from === null ? 0 : limitTo(degreeCounts, from - 1))
  );
}

/** Errors are 300 °F at most, those of a blend less their bias 600, so degrees from floor(F) are below this. */
const FARTHEST_DEGREE = 610;

/** How many days end at each degree, from the lowest there may be; 0 when nobody counts. */
const counted = new Int32Array(2 * FARTHEST_DEGREE);

/** The degrees of the first errors of a list. */
export function degreeCountsOfList(
  errors: ArrayLike<number>,
  length: number,
  phase: number,
  { size }: Scale,
): DegreeCounts {
  if (length === 0) return nothing();
  let [lowest, highest] = [counted.length, -1];
  // A half more, and no quotient is a whole number: its product with 1 / size is exact, and as quick as by a constant size.
  const from = phase + size / 2 + size * FARTHEST_DEGREE + 0.5;
  const part = 1 / size;
  for (let at = 0; at < length; at += 1) {
    const place = ((from - errors[at]!) * part) | 0;
    counted[place]! += 1;
    if (place < lowest) lowest = place;
    if (place > highest) highest = place;
  }
  const upTo = new Float64Array(highest - lowest + 1);
  let days = 0;
  for (let at = 0; at < upTo.length; at += 1) upTo[at] = days += counted[lowest + at]!;
  counted.fill(0, lowest, highest + 1);
  return { lowest: lowest - FARTHEST_DEGREE, highest: highest - FARTHEST_DEGREE, upTo, days };
}
