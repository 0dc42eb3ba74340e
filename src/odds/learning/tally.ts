import { type Curve, curveOf } from './curve.js';

// Errors as whole degrees. A climate report has whole degrees, rounded half up (D36), so a forecast F with an error e
// settles at floor(F - e + 1/2); temperatures here are whole hundredths of a °F. Degrees are counted from floor(F).

/** The decimals of a forecast, hundredths: all that a tally of errors depends on. */
export const phaseOf = (forecast: number): number => ((forecast % 100) + 100) % 100;

/** The whole degree below a forecast. */
export const floorOf = (forecast: number): number => (forecast - phaseOf(forecast)) / 100;

/** The whole degree of a temperature above -1,000 °F, half up: whole numbers alone, which takes a third of the time. */
export const wholeDegree = (hundredths: number): number => (((hundredths + 100_050) / 100) | 0) - 1000;

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
export function errorsOf(errors: ArrayLike<number>, days?: readonly number[]): Errors {
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
export interface Tally {
  /** The first and the last degree of any day, counted from floor(F). */
  lowest: number;
  highest: number;
  /** Days up to and with each of these degrees; it may be longer. */
  upTo: Float64Array;
  days: number;
  /** As curveOfTally() has it. */
  curve?: Curve;
}

const nothing = (): Tally => ({ lowest: 0, highest: -1, upTo: new Float64Array(0), days: 0 });

/** The tallies of errors by phase: of one day, the cases of all stations share those of the network. */
export function talliesOf(errors: Errors): (phase: number) => Tally {
  const below = new Int32Array(errors.counts.length + 1);
  for (let at = 0; at < errors.counts.length; at += 1) below[at + 1] = below[at]! + errors.counts[at]!;
  const tallies: Tally[] = [];
  return (phase) => (tallies[phase] ??= added(errors, below, phase));
}

/** The tally of errors for forecasts of a phase. */
export const tallyOf = (errors: Errors, phase: number): Tally => talliesOf(errors)(phase);

/** @param below how many errors are less than the lowest, and than each after it */
function added({ lowest, counts, days }: Errors, below: Int32Array, phase: number): Tally {
  if (days === 0) return nothing();
  const degreeOf = (error: number): number => wholeDegree(phase - error);
  const [first, last] = [degreeOf(lowest + counts.length - 1), degreeOf(lowest)];
  const upTo = new Float64Array(last - first + 1).fill(days);
  // The least error that ends at a degree or below it is 49 hundredths less than the phase and the degree leave.
  for (let at = 0; at < last - first; at += 1) upTo[at]! -= below[phase - 100 * (first + at) - 49 - lowest]!;
  return { lowest: first, highest: last, upTo, days };
}

/** Days that end at a degree or below it. */
export function atMost({ lowest, highest, upTo, days }: Tally, degree: number): number {
  if (degree < lowest) return 0;
  return degree >= highest ? days : (upTo[degree - lowest] as number);
}

/** Days that end from one degree to another, both included; null stands for no end. */
export function between(tally: Tally, from: number | null, to: number | null): number {
  return (to === null ? tally.days : atMost(tally, to)) - (from === null ? 0 : atMost(tally, from - 1));
}

/** Errors are 300 °F at most, those of a blend less their bias 600, so degrees from floor(F) are below this. */
const FARTHEST_DEGREE = 610;

/** How many days end at each degree, from the lowest there may be; 0 when nobody counts. */
const counted = new Int32Array(2 * FARTHEST_DEGREE);

/**
 * The tally of the first errors of a list.
 * @param into a tally of the same kind to use again, since a new one takes longer than to count
 */
export function tallyOfList(
  errors: ArrayLike<number>,
  length: number,
  phase: number,
  into: Tally = { ...nothing(), upTo: new Float64Array(2 * FARTHEST_DEGREE) },
): Tally {
  let lowest = counted.length;
  let highest = -1;
  for (let at = 0; at < length; at += 1) {
    const place = wholeDegree(phase - (errors[at] as number)) + FARTHEST_DEGREE;
    counted[place] = (counted[place] as number) + 1;
    if (place < lowest) lowest = place;
    if (place > highest) highest = place;
  }
  let days = 0;
  for (let place = lowest; place <= highest; place += 1) {
    days += counted[place] as number;
    into.upTo[place - lowest] = days;
    counted[place] = 0;
  }
  into.lowest = length === 0 ? 0 : lowest - FARTHEST_DEGREE;
  into.highest = length === 0 ? -1 : highest - FARTHEST_DEGREE;
  into.days = days;
  return into;
}

/** The shares of a tally that has days, and stays as it is: of one day, cases of one phase share the network's. */
export function curveOfTally(tally: Tally): Curve {
  const { lowest, highest, upTo, days } = tally;
  return (tally.curve ??= curveOf(
    lowest,
    upTo.subarray(0, highest - lowest + 1).map((count) => count / days),
  ));
}
