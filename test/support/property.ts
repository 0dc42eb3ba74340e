import fc from 'fast-check';

/** Arbitraries of values, and what has to hold for any of them. */
type Checked<Values extends [unknown, ...unknown[]]> = [
  ...arbitraries: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  holds: (...values: Values) => boolean | void,
];

/** Holds a property to so many random values, or to those of one seed. */
export const forAnyOf =
  (runs: { seed?: number; numRuns?: number }) =>
  <Values extends [unknown, ...unknown[]]>(...checked: Checked<Values>): void =>
    fc.assert(fc.property(...checked), runs);

/** Holds a property to a hundred random values. */
export const forAny = forAnyOf({});
