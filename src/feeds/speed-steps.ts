import { QUANTITIES } from '../variables/declarations.js';

// The unit of speeds by the steps that they are written in: airports report whole knots or whole m/s, and whoever converts these
// leaves steps of 1.15 mph, 0.514 m/s or 1.852 km/h, which no right value of another unit has.

const { units } = QUANTITIES.speed;
const NAMES = Object.keys(units);
export const isSpeed = (unit: string): boolean => unit in units;
const REPORTED = ['kt', 'm/s'];

/** One of a unit in another one. */
const convert = (from: string, to: string): number => units[from]!.size / units[to]!.size;

/** Values that are between two steps are missed where both of these have values; more of one step say no more than so many. */
const MAX_OF_STEP = 8;
/** So many are missed: of whole numbers, and of tenths. */
const [MIN_MISSED, MIN_MISSED_TENTHS] = [14, 60];
/** Converted values are so near to a step, beside their rounding: factors as 1.15 and 0.514 are in use. */
const NEAR = 0.0006;
const MAX_SHARE_BESIDE = 0.01;

/** How often values above 0 occur, as whole numbers of their finest decimal, at most hundredths. */
interface Occurrences {
  counts: ReadonlyMap<number, number>;
  decimals: number;
  total: number;
  highest: number;
}

function countValues(values: readonly number[]): Occurrences {
  const hundredths = values.map((value) => Math.round(100 * value));
  const decimals = hundredths.every((each) => each % 100 === 0)
    ? 0
    : hundredths.every((each) => each % 10 === 0)
      ? 1
      : 2;
  const counts = new Map<number, number>();
  for (const each of hundredths) {
    const value = each / 10 ** (2 - decimals);
    if (value > 0) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { counts, decimals, total, highest: Math.max(0, ...counts.keys()) };
}

/** Whether values are those of steps of this size, and what lies between these is missed. */
function areInSteps({ counts, decimals, total, highest }: Occurrences, size: number): boolean {
  const step = size * 10 ** decimals;
  if (step <= 1) return false;
  // By step: the values on it, and how many other numbers lie between it and the next one.
  const [counted, between] = [new Map<number, number>(), new Map<number, number>()];
  const add = (to: Map<number, number>, at: number, count: number): unknown =>
    to.set(at, (to.get(at) ?? 0) + count);
  let beside = 0;
  for (let value = 1; value <= highest; value += 1) {
    const count = counts.get(value) ?? 0;
    const nearest = Math.round(value / step);
    if (Math.abs(value - nearest * step) <= 0.5 + NEAR * value) add(counted, nearest, count);
    else {
      beside += count;
      add(between, Math.floor(value / step), 1);
    }
  }
  let missed = 0;
  for (const [at, numbers] of between)
    missed += numbers * Math.min(counted.get(at) ?? 0, counted.get(at + 1) ?? 0, MAX_OF_STEP);
  const min = decimals === 0 ? MIN_MISSED : MIN_MISSED_TENTHS * 10 ** (decimals - 1);
  return missed >= min && beside <= MAX_SHARE_BESIDE * total;
}

/** Calm is below 3 kt in the USA: reports of whole knots are 0 or 3 and more, and have 4, which 3 and 4 kt are not in mph or km/h. */
function areAsosKnots({ counts, decimals, total }: Occurrences, values: readonly number[]): boolean {
  const MIN = 3;
  const isCommon = (value: number): boolean => (counts.get(value) ?? 0) >= MIN;
  const calm = values.length - total;
  return decimals === 0 && calm >= MIN && !counts.has(1) && !counts.has(2) && [3, 4, 5, 6].every(isCommon);
}

/**
 * The unit in which speeds are rather than in that of their column; undefined where their steps do not say so.
 * @param unit of the column
 */
export function findSpeedUnit(values: readonly number[], unit: string): string | undefined {
  const occurrences = countValues(values);
  const others = NAMES.filter((name) => name !== unit);
  if (others.some((from) => areInSteps(occurrences, convert(from, unit)))) return undefined;
  const inSteps = (name: string): boolean =>
    REPORTED.some((from) => from !== name && areInSteps(occurrences, convert(from, name)));
  return others.find(inSteps) ?? (unit !== 'kt' && areAsosKnots(occurrences, values) ? 'kt' : undefined);
}
