import { type Clusters, rateOf } from './intervals.js';
import { share, sum, tenThousandths } from '../statistics.js';

// Shares of days, each with the bounds of its interval, all to 0.0001.

/** The value of a rate: the hits of all clusters, of all that these have. */
export function rateValue({ total }: Clusters, hits: readonly number[]): number | null {
  return share(sum(hits), total);
}

/** NAME_low and NAME_high for each name. */
export type Bounds<Name extends string, Value> = Record<`${Name}_low` | `${Name}_high`, Value>;

/** The bounds of some rates. @param hits by rate, the days of each cluster that count */
export function boundsOf<Name extends string>(
  clusters: Clusters,
  hits: Readonly<Record<Name, readonly number[]>>,
  level: number,
): Bounds<Name, number | null> {
  const found = Object.entries<readonly number[]>(hits).flatMap(([name, each]) => {
    const { low, high } = rateOf(clusters, each, level);
    return [
      [`${name}_low`, tenThousandths(low)],
      [`${name}_high`, tenThousandths(high)],
    ];
  });
  return Object.fromEntries(found) as Bounds<Name, number | null>;
}
