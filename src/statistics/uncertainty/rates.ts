import { z } from 'zod';
import { type Clusters, rateOf } from './intervals.js';
import { share, sum, tenThousandths } from '../statistics.js';

// Shares of days as fields of a record: each with the bounds of its interval (D29), all to 0.0001.

const aShare = (description: string) => z.number().min(0).max(1).nullable().meta({ description });

/** The schema of a share of the days. */
export const rate = (description: string): z.ZodType<number | null> =>
  aShare(`${description}, to 0.0001; null without days`);

type Fields<Name extends string, Value> = Record<`${Name}_low` | `${Name}_high`, Value>;

function fields<Name extends string, Given, Value>(
  given: Readonly<Record<Name, Given>>,
  valueOf: (given: Given, bound: 'low' | 'high', name: string) => Value,
): Fields<Name, Value> {
  const found = Object.entries<Given>(given).flatMap(([name, each]) =>
    (['low', 'high'] as const).map((bound) => [`${name}_${bound}`, valueOf(each, bound, name)]),
  );
  return Object.fromEntries(found) as Fields<Name, Value>;
}

/** The schemas of the bounds of some rates: NAME_low and NAME_high. */
export function bounds<Name extends string>(...names: Name[]): Fields<Name, z.ZodType<number | null>> {
  const given = Object.fromEntries(names.map((name): [Name, true] => [name, true])) as Record<Name, true>;
  return fields(given, (_given, bound, name) =>
    aShare(`${bound === 'low' ? 'Lower' : 'Upper'} bound of ${name}; null with fewer than 14 days`),
  );
}

/** The values of bounds(). @param hits by rate, the days of each cluster that count */
export function boundsOf<Name extends string>(
  clusters: Clusters,
  hits: Readonly<Record<Name, readonly number[]>>,
  level: number,
): Fields<Name, number | null> {
  return fields(hits, (each: readonly number[], bound) => {
    return tenThousandths(rateOf(clusters, each, level)[bound]);
  });
}

/** The value of a rate: the hits of all clusters, of all that these have. */
export function rateValue({ total }: Clusters, hits: readonly number[]): number | null {
  return share(sum(hits), total);
}
