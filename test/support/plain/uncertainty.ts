import { plusDays } from './oracle.js';

// The uncertainty of statistics worked out a second time, straight from the definitions: loops over single pairs.

/** One verification pair; the error in hundredths of a °F. */
export interface PlainPair {
  target_date: string;
  error: number;
}

/** t for 95 %, by degrees of freedom, from a table. */
export const T_95: Record<number, number> = {
  2: 4.302653,
  3: 3.182446,
  4: 2.776445,
  5: 2.570582,
  6: 2.446912,
  7: 2.364624,
  8: 2.306004,
  9: 2.262157,
  10: 2.228139,
  11: 2.200985,
  12: 2.178813,
  20: 2.085963,
};

interface PlainInterval {
  low: number | null;
  high: number | null;
  std_error: number | null;
  n_eff: number | null;
}

const NOTHING: PlainInterval = { low: null, high: null, std_error: null, n_eff: null };

/** Pairs in clusters: the pairs of each day in turn, or of each week. */
type Clustered = readonly (readonly PlainPair[])[];

/** The standard error of the sum of days, from their deviations in turn, by equally weighted cosines. */
export function plainStandardError(deviations: readonly number[], freedom: number): number {
  const days = deviations.length;
  let omega = 0;
  for (let j = 1; j <= freedom; j += 1) {
    let lambda = 0;
    for (const [t, deviation] of deviations.entries()) {
      lambda += deviation * Math.cos((Math.PI * j * (t + 0.5)) / days);
    }
    omega += (2 / days) * lambda ** 2;
  }
  return Math.sqrt((days * omega) / freedom);
}

/** @param scale what differences are multiplied by */
export function plainUncertaintyByDay(pairs: readonly PlainPair[], scale = 1): Record<string, unknown> {
  const clusters = days(pairs);
  const counts = clusters.map((day) => day.length);
  const filled = counts.filter((count) => count > 0).length;
  const effective = pairs.length ** 2 / counts.reduce((sum, count) => sum + count * count, 0);
  const freedom = Math.floor(0.4 * Math.cbrt(Math.min(filled, effective)) ** 2);
  const standardError = (u: readonly number[]): number => plainStandardError(u, freedom) / pairs.length;
  const known = filled >= 14 && freedom >= 2;
  return {
    level: 0.95,
    method: 'day_ewc',
    days: filled,
    degrees_of_freedom: known ? freedom : 0,
    ...(known
      ? intervals(clusters, freedom, standardError, scale)
      : { mean_error: NOTHING, mae: NOTHING, rmse: NOTHING }),
  };
}

/** @param mondays the Mondays on which the whole weeks of the window begin */
export function plainUncertaintyByWeek(
  pairs: readonly PlainPair[],
  mondays: readonly string[],
): Record<string, unknown> {
  const weeks = mondays.map((monday, at) =>
    pairs.filter(
      ({ target_date }) =>
        (at === 0 || target_date >= monday) &&
        (at === mondays.length - 1 || target_date < plusDays(monday, 7)),
    ),
  );
  const filled = weeks.filter((week) => week.length > 0);
  const standardError = (u: readonly number[]): number =>
    Math.sqrt((u.reduce((sum, each) => sum + each * each, 0) * filled.length) / (filled.length - 1)) /
    pairs.length;
  return {
    level: 0.95,
    method: 'week_batches',
    days: new Set(pairs.map(({ target_date }) => target_date)).size,
    degrees_of_freedom: filled.length - 1,
    ...intervals(filled, filled.length - 1, standardError, 1),
  };
}

/** The pairs of each day from the first to the last. */
function days(pairs: readonly PlainPair[]): Clustered {
  const dates = pairs.map(({ target_date }) => target_date).sort();
  const found: PlainPair[][] = [];
  for (let date = dates[0] ?? ''; date !== '' && date <= (dates.at(-1) ?? ''); date = plusDays(date, 1)) {
    found.push(pairs.filter(({ target_date }) => target_date === date));
  }
  return found;
}

function intervals(
  clusters: Clustered,
  freedom: number,
  standardError: (deviations: readonly number[]) => number,
  scale: number,
): Record<string, PlainInterval> {
  const n = clusters.flat().length;
  const t = T_95[freedom];
  if (t === undefined) throw new Error(`no t for ${freedom} degrees of freedom`);
  const of = (x: (error: number) => number) => {
    const values = clusters.map((cluster) => cluster.map(({ error }) => x(error)));
    const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);
    const mean = total(values.flat()) / n;
    const se = standardError(
      values.map((list) => (list.length === 0 ? 0 : total(list) - mean * list.length)),
    );
    const variance = total(values.flat().map((value) => (value - mean) ** 2)) / n;
    return { mean, se, n_eff: Math.min(n, Math.max(1, variance / se ** 2)) };
  };
  const [e, a, q] = [of((error) => error), of(Math.abs), of((error) => error * error)];
  const shown = (low: number, high: number, std_error: number, n_eff: number): PlainInterval => ({
    low: Math.round(low * scale) / 100 + 0, // never -0
    high: Math.round(high * scale) / 100 + 0,
    std_error: Math.round(std_error * scale) / 100,
    n_eff: Math.round(n_eff * 10) / 10,
  });
  const [maeFactor, rmseFactor] = [Math.exp((t * a.se) / a.mean), Math.exp((t * q.se) / (2 * q.mean))];
  const root = Math.sqrt(q.mean);
  return {
    mean_error: shown(e.mean - t * e.se, e.mean + t * e.se, e.se, e.n_eff),
    mae: shown(a.mean / maeFactor, a.mean * maeFactor, a.se, a.n_eff),
    rmse: shown(root / rmseFactor, root * rmseFactor, q.se / (2 * root), q.n_eff),
  };
}
