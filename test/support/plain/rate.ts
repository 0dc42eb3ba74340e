import { plusDays } from './oracle.js';
import { type PlainPair, plainStandardError, T_95 } from './uncertainty.js';

// The interval of a share worked out a second time, straight from its definition: loops over single pairs.

export interface PlainRate {
  low: number | null;
  high: number | null;
  n_eff: number | null;
}

/** A day, the number of its values, and how many of them count. */
export interface PlainDay {
  n: number;
  hits: number;
}

/** The days from the first to the last with a pair. */
export function plainDays(pairs: readonly PlainPair[], counts: (error: number) => boolean): PlainDay[] {
  const dates = pairs.map(({ target_date }) => target_date).sort();
  const days: PlainDay[] = [];
  for (let date = dates[0] ?? ''; date !== '' && date <= (dates.at(-1) ?? ''); date = plusDays(date, 1)) {
    const own = pairs.filter(({ target_date }) => target_date === date);
    days.push({ n: own.length, hits: own.filter(({ error }) => counts(error)).length });
  }
  return days;
}

/**
 * Wilson's interval at 95 % of the share of values that count, with the effective number of values; bounds to 0.0001, null
 * with too few days.
 * @param days from the first to the last with any
 */
export function plainRate(days: readonly PlainDay[]): PlainRate {
  const total = (of: (day: PlainDay) => number): number => days.reduce((sum, day) => sum + of(day), 0);
  const [n, hits] = [total((day) => day.n), total((day) => day.hits)];
  const filled = days.filter((day) => day.n > 0).length;
  const equal = n ** 2 / total((day) => day.n ** 2);
  const freedom = Math.floor(0.4 * Math.cbrt(Math.min(filled, equal)) ** 2);
  if (filled < 14 || freedom < 2) return { low: null, high: null, n_eff: null };
  const p = hits / n;
  const deviations = days.map((day) => day.hits - p * day.n);
  const error = plainStandardError(deviations, freedom) / n;
  const size =
    p === 0 || p === 1 ? Math.min(filled, n) : Math.min(n, Math.max(1, (p * (1 - p)) / error ** 2));
  const t = T_95[freedom];
  if (t === undefined) throw new Error(`no t for ${freedom} degrees of freedom`);
  const centre = p + t ** 2 / (2 * size);
  const reach = t * Math.sqrt((p * (1 - p)) / size + t ** 2 / (4 * size ** 2));
  const bound = (value: number): number =>
    Math.round(Math.min(1, Math.max(0, value / (1 + t ** 2 / size))) * 1e4) / 1e4;
  return { low: bound(centre - reach), high: bound(centre + reach), n_eff: Math.round(size * 10) / 10 };
}
