import { z } from 'zod';
import type { Bounds } from '../../statistics/uncertainty/rates.js';

// Shares of days as fields of a record, each with the bounds of its interval (D29).

const share = (description: string) => z.number().min(0).max(1).nullable().meta({ description });

/** A share of the days. */
export const rate = (description: string) => share(`${description}, to 0.0001; null without days`);

/** The bounds of some rates: NAME_low and NAME_high. */
export function bounds<Name extends string>(...names: Name[]): Bounds<Name, ReturnType<typeof share>> {
  const fields = names.flatMap((name) => [
    [`${name}_low`, share(`Lower bound of ${name}; null with fewer than 14 days`)],
    [`${name}_high`, share(`Upper bound of ${name}; null with fewer than 14 days`)],
  ]);
  return Object.fromEntries(fields) as Bounds<Name, ReturnType<typeof share>>;
}
