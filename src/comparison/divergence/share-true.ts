import { sum } from '../../statistics/statistics.js';
import { locate, MIN_DAYS, MIN_WEEKS } from '../../statistics/uncertainty/judge.js';
import { jackknifeInterval } from '../../statistics/uncertainty/jackknife.js';

// How far observations go from the others towards a provider: the least-squares weight w of y - c = w (f - c), for a forecast f, the others c and
// the observation y. 1: the provider is right, 0: the others are. In other words, the weight of the deviation from
// consensus (forecast encompassing; Harvey, Leybourne and Newbold 1998, J. Bus. Econ. Stat. 16:254).

/** The share, and its interval; null without departures, or with too few weeks that have one. */
export interface ShareTrue {
  /** Weeks with a departure. */
  weeks: number;
  value: number | null;
  low: number | null;
  high: number | null;
}

/**
 * The share with the interval of a jackknife that leaves out each week in turn (Miller 1974, Biometrika 61:1): the days of a
 * week share their weather, and weeks hardly do.
 * @param products and squares: sums of (f - c)(y - c) and of (f - c)², by week
 */
export function computeShareTrue(
  products: readonly number[],
  squares: readonly number[],
  level: number,
): ShareTrue {
  const [product, square] = [sum(products), sum(squares)];
  if (square === 0) return { weeks: 0, value: null, low: null, high: null };
  const value = product / square;
  const without = products.flatMap((each, week) =>
    squares[week] === 0 || squares[week] === square ? [] : [(product - each) / (square - squares[week]!)],
  );
  const { low = null, high = null } = jackknifeInterval(value, without, level) ?? {};
  return { weeks: without.length, value, low, high };
}

export const SIDES = [
  'provider',
  'others',
  'between',
  'cannot_tell',
  'too_few_days',
  'too_few_weeks',
] as const;

/** The provider to believe in a departure. @param days with one */
export function chooseSide({ weeks, low, high }: ShareTrue, days: number): (typeof SIDES)[number] {
  if (days < MIN_DAYS) return 'too_few_days';
  if (weeks < MIN_WEEKS) return 'too_few_weeks';
  if (low === null || high === null) return 'cannot_tell';
  if (low > 0 && high < 1) return 'between';
  const place = locate({ low, high }, 0.5);
  if (place === 'above') return 'provider';
  return place === 'below' ? 'others' : 'cannot_tell';
}
