import { type Clusters, computeRate } from './intervals.js';

/** Shares by name, each with the bounds of its interval: NAME, NAME_low and NAME_high. */
export type Rates<Name extends string, Value = number | null> = Record<
  Name | `${Name}_low` | `${Name}_high`,
  Value
>;

/** The shares of all that clusters have. @param hits by rate, those of each cluster */
export function computeRates<Name extends string>(
  clusters: Clusters,
  hits: Readonly<Record<Name, readonly number[]>>,
  level: number,
): Rates<Name> {
  const found = Object.entries<readonly number[]>(hits).flatMap(([name, each]) => {
    const { rate, low, high } = computeRate(clusters, each, level);
    return [
      [name, rate],
      [`${name}_low`, low],
      [`${name}_high`, high],
    ];
  });
  return Object.fromEntries(found) as Rates<Name>;
}
