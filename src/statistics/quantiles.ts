// Quantiles: of a forecast's distribution, as providers publish them, and of the members of an ensemble.

/** The levels of quantiles that a feed may have, %. */
export const LEVELS = [5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95] as const;

/** A distribution needs so many members; the 5% quantile of fewer hangs on one of them. */
export const MIN_MEMBERS = 5;

/** Whether quantiles in the order of their levels never fall; undefined ones are left out. */
export function areAscending(quantiles: Iterable<number | undefined>): boolean {
  let before = -Infinity;
  for (const each of quantiles) {
    if (each === undefined) continue;
    if (each < before) return false;
    before = each;
  }
  return true;
}

/**
 * The quantile of members, of type 7 (Hyndman and Fan 1996, Am. Stat. 50:361): order statistics, interpolated.
 * @param members ascending, at least one
 * @param level %
 */
export function quantileOfMembers(members: ArrayLike<number>, level: number): number {
  const place = (members.length - 1) * level; // in hundredths, so that whole members give exact ties
  const below = Math.floor(place / 100);
  const here = members[below]!;
  return here + ((place % 100) * ((members[below + 1] ?? here) - here)) / 100;
}

/** The quantiles of the standard normal distribution at LEVELS, millionths. */
export const STANDARD_QUANTILES = [
  -1_644_854, -1_281_552, -841_621, -674_490, -524_401, -253_347, 0, 253_347, 524_401, 674_490, 841_621,
  1_281_552, 1_644_854,
] as const;

/** The quantile of a level, for a standard deviation of 1. */
export const standardQuantile = (level: number): number =>
  STANDARD_QUANTILES[LEVELS.findIndex((each) => each === level)]! / 1e6;
