import { QUANTITIES } from '../variables/declarations.js';

// The unit of speeds by the steps that they are written in: stations report whole knots, whole m/s or tenths of these. Whoever converts
// whole knots leaves steps of 1.15 mph, 0.514 m/s or 1.852 km/h, which no right value of another unit has (D74).

const { units } = QUANTITIES.speed;
export const isSpeed = (unit: string): boolean => unit in units;
const convert = (from: string, to: string): number => units[from]!.size / units[to]!.size;

/** So many numbers between steps are missed, of whole numbers and of tenths: each as often as the steps beside it, but no more often than that. */
const [MIN_MISSED, MIN_MISSED_TENTHS, MAX_OF_STEP] = [14, 60, 8];
/** Steps in which speeds are reported, in parts of a unit. */
const REPORTED = [
  ['kt', 1],
  ['m/s', 1],
  ['m/s', 0.1],
] as const;
/** A converted value is so near to a step, beside its rounding, as 1.15 and 0.514 are in use; so many are not. */
const [NEAR, MAX_SHARE_BESIDE] = [0.0006, 0.01];
/** Archives round whole knots to tenths of m/s, and others convert these. */
const TWICE = 0.055;

/** How often each value occurs, as a whole number of the finest decimal, at most hundredths. */
function countValues(values: readonly number[]): { counts: readonly number[]; decimals: number } {
  const hundredths = values.map((value) => Math.round(100 * value));
  const isWritten = (decimals: number): boolean =>
    hundredths.every((each) => each % 10 ** (2 - decimals) === 0);
  const decimals = [0, 1].find(isWritten) ?? 2;
  const counts: number[] = [];
  for (const each of hundredths) add(counts, each / 10 ** (2 - decimals));
  return { counts, decimals };
}

const add = (to: number[], at: number, count = 1): number => (to[at] = (to[at] ?? 0) + count);

/**
 * Whether the values above 0 are those of steps of this size, and what lies between these is missed.
 * @param twice the distance of those from a step that were rounded before they were converted
 */
function areInSteps(
  { counts, decimals }: ReturnType<typeof countValues>,
  size: number,
  twice: number,
): boolean {
  const step = size * 10 ** decimals;
  if (step <= 1) return false;
  const near = 0.5 + (decimals === 0 ? 0 : twice * 10 ** decimals);
  // By step: the values on it, and how many numbers lie between it and the next one.
  const [ofStep, between]: [number[], number[]] = [[], []];
  let [total, beside, missed] = [0, 0, 0];
  for (let value = 1; value < counts.length; value += 1) {
    const count = counts[value] ?? 0;
    const nearest = Math.round(value / step);
    const isBeside = Math.abs(value - nearest * step) > near + NEAR * value;
    if (isBeside) add(between, Math.floor(value / step));
    else add(ofStep, nearest, count);
    if (isBeside) beside += count;
    total += count;
  }
  for (const [at, numbers = 0] of between.entries())
    missed += numbers * Math.min(ofStep[at] ?? 0, ofStep[at + 1] ?? 0, MAX_OF_STEP);
  const min = decimals === 0 ? MIN_MISSED : MIN_MISSED_TENTHS * 10 ** (decimals - 1);
  return missed >= min && beside <= MAX_SHARE_BESIDE * total;
}

/**
 * The unit in which speeds are rather than in that of their column; undefined where their steps do not say so. Reports of ASOS in whole
 * knots are known as well: below 3 kt they are 0, and 4 is no knots in mph or km/h.
 */
export function findSpeedUnit(values: readonly number[], unit: string): string | undefined {
  const counted = countValues(values);
  const others = Object.keys(units).filter((name) => name !== unit);
  const isOf = (name: string, from: string, part = 1): boolean =>
    areInSteps(counted, part * convert(from, name), part === 1 ? TWICE * convert('m/s', name) : 0);
  if (others.some((from) => isOf(unit, from)) || isOf(unit, 'm/s', 0.1)) return undefined;
  const inSteps = (name: string): boolean =>
    REPORTED.some(([from, part]) => from !== name && isOf(name, from, part));
  const { counts, decimals } = counted;
  const isAsos =
    decimals === 0 && !counts[1] && !counts[2] && [0, 3, 4, 5, 6].every((value) => (counts[value] ?? 0) >= 3);
  return others.find(inSteps) ?? (isAsos && unit !== 'kt' ? 'kt' : undefined);
}
