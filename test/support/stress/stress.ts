import { randomInt } from 'node:crypto';
import type { Random } from '../random.js';

// Shared by the rows of the stress suite: how often each runs, from which seed, and how that is told.

/** Whether this is `make stress`; rows are short in any other tier. */
export const AT_LENGTH = process.env.TEST_TIER === 'stress';

/** Share of the full counts that `make stress` runs, 0..1. */
const SCALE = scaleOf(process.env.STRESS_SCALE);

/** The seed that all that is random comes from; a run is repeated by giving the seed that it printed. */
export const SEED = Number(process.env.STRESS_SEED ?? (AT_LENGTH ? randomInt(1_000_000_000) : 1));

/** How often something is done: so many of a full count as `make stress` runs, at least one, or few. */
export function scaled({ few, full }: { few: number; full: number }): number {
  return AT_LENGTH ? Math.max(1, Math.round(full * SCALE)) : few;
}

function scaleOf(text = '1'): number {
  const scale = Number(text);
  if (!(scale > 0 && scale <= 1)) throw new Error(`STRESS_SCALE: ${text} is not within 0..1`);
  return scale;
}

/** Prints what a row really did, with its figures and its seed. */
export function tell(row: string, figures: Record<string, number | string>): void {
  const shown = Object.entries({ ...figures, STRESS_SEED: SEED }).map(
    ([name, figure]) => `${name.replaceAll('_', ' ')} ${figure}`,
  );
  console.log(`      > ${row}: ${shown.join(', ')}`);
}

/** One moment in each of so many equal parts of a duration, in random order: spread over all of it, yet random. */
export function moments(count: number, duration: number, random: Random): number[] {
  const all = Array.from({ length: count }, (_, part) => ((part + random.next()) / count) * duration);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [all[at], all[other]] = [all[other] ?? 0, all[at] ?? 0];
  }
  return all;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** The bounds that hold all but `outside` (0..1) of the values, half of it on either side. */
export function interval(values: readonly number[], outside: number): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
  return [at(outside / 2), at(1 - outside / 2)];
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
