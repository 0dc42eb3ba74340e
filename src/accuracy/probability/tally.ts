// Errors as whole degrees. A climate report has whole degrees, rounded half up (D36), so a forecast F with an error e
// settles at floor(F - e + 1/2); temperatures here are whole hundredths of a °F. Degrees are counted from floor(F).

/** The decimals of a forecast, hundredths: all that a tally of errors depends on. */
export const phaseOf = (forecast: number): number => ((forecast % 100) + 100) % 100;

/** The whole degree below a forecast. */
export const floorOf = (forecast: number): number => (forecast - phaseOf(forecast)) / 100;

/** The whole degree of a temperature above -1,000 °F, half up: whole numbers alone, which takes a third of the time. */
export const settled = (hundredths: number): number => (((hundredths + 100_050) / 100) | 0) - 1000;

/** How many station days had which error. */
export interface Errors {
  /** The error of the first count, hundredths. */
  lowest: number;
  counts: Int32Array;
  /** All counts, and the sum of the errors. */
  days: number;
  sum: number;
}

/** How many days end at which whole degree, for forecasts of one phase. */
export interface Tally {
  /** The degree of the first member of the next, counted from floor(F). */
  lowest: number;
  /** Days up to and with each degree. */
  upTo: Float64Array;
  days: number;
}

const NOTHING: Tally = { lowest: 0, upTo: new Float64Array(0), days: 0 };

/** The tally of errors, for forecasts of a phase. */
export function tallyOf({ lowest, counts, days }: Errors, phase: number): Tally {
  if (days === 0) return NOTHING;
  const degreeOf = (error: number): number => settled(phase - error);
  const [first, last] = [degreeOf(lowest + counts.length - 1), degreeOf(lowest)];
  const upTo = new Float64Array(last - first + 1);
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at] as number;
    if (count === 0) continue;
    const place = degreeOf(lowest + at) - first;
    upTo[place] = (upTo[place] as number) + count;
  }
  return { lowest: first, upTo: addedUp(upTo), days };
}

/** Days that end at a degree or below it. */
export function atMost({ lowest, upTo, days }: Tally, degree: number): number {
  const at = degree - lowest;
  if (at < 0) return 0;
  return at >= upTo.length ? days : (upTo[at] as number);
}

/** Days that end from one degree to another, both included; null stands for no end. */
export function between(tally: Tally, from: number | null, to: number | null): number {
  return (to === null ? tally.days : atMost(tally, to)) - (from === null ? 0 : atMost(tally, from - 1));
}

/** The tally of the first errors of a list. */
export function tallyOfList(errors: ArrayLike<number>, length: number, phase: number): Tally {
  if (length === 0) return NOTHING;
  let [lowest, highest] = [Infinity, -Infinity];
  for (let at = 0; at < length; at += 1) {
    const degree = settled(phase - (errors[at] as number));
    if (degree < lowest) lowest = degree;
    if (degree > highest) highest = degree;
  }
  const upTo = new Float64Array(highest - lowest + 1);
  for (let at = 0; at < length; at += 1) {
    const degree = settled(phase - (errors[at] as number));
    upTo[degree - lowest] = (upTo[degree - lowest] as number) + 1;
  }
  return { lowest, upTo: addedUp(upTo), days: length };
}

/** Each member with those before it, in place. */
function addedUp(counts: Float64Array): Float64Array {
  for (let at = 1; at < counts.length; at += 1) {
    counts[at] = (counts[at] as number) + (counts[at - 1] as number);
  }
  return counts;
}
