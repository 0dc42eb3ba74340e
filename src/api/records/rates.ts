import { shareOrNull } from '../fields.js';
import type { Rates } from '../../statistics/uncertainty/rate-intervals.js';

// Shares of days as fields of a record, each with the bounds of its interval.

/** A share of the days. */
export const rate = (description: string) => shareOrNull(`${description}, to 0.0001; null without days`);

/** The bounds of some rates: NAME_low and NAME_high. */
export function bounds<Name extends string>(
  ...names: Name[]
): Omit<Rates<Name, ReturnType<typeof shareOrNull>>, Name> {
  const fields = names.flatMap((name) => [
    [`${name}_low`, shareOrNull(`Lower bound of ${name}; null with fewer than 14 days`)],
    [`${name}_high`, shareOrNull(`Upper bound of ${name}; null with fewer than 14 days`)],
  ]);
  return Object.fromEntries(fields) as Rates<Name, ReturnType<typeof shareOrNull>>;
}

/** Shares of days by name, each with its bounds behind it. @param descriptions of the shares */
export function rates<Name extends string>(
  descriptions: Readonly<Record<Name, string>>,
): Rates<Name, ReturnType<typeof shareOrNull>> {
  const fields = Object.entries<string>(descriptions).flatMap(([name, description]) => [
    [name, rate(description)],
    ...Object.entries(bounds(name)),
  ]);
  return Object.fromEntries(fields) as Rates<Name, ReturnType<typeof shareOrNull>>;
}
