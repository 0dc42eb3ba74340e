/** How many runs or cases a test takes in `make test`, in `make ci`, and in `make stress` where that takes more. */
export interface Range {
  test: number;
  ci: number;
  stress?: number;
}

/** Whether this is `make ci` or `make stress`, for what a test does there alone. */
export const isInCi = range({ test: 0, ci: 1 }) > 0;

/** `it` in `make stress` alone: the note of such a test says what stands for it in `make ci`. */
export const itInStressTier = (title: string, test: (this: Mocha.Context) => unknown): void => {
  if (range({ test: 0, ci: 0, stress: 1 }) > 0) it(title, test as Mocha.AsyncFunc);
};

/** `describe` in `make stress` alone: the note of such a suite says what stands for it in `make ci`. */
export const describeInStressTier = (title: string, suite: (this: Mocha.Suite) => void): void => {
  if (range({ test: 0, ci: 0, stress: 1 }) > 0) describe(title, suite);
};

/** `it` in `make ci` and `make stress`; no test at all in `make test`, whose note says what stands for it there. */
export const itInCi = (title: string, test: (this: Mocha.Context) => unknown): void => {
  if (isInCi) it(title, test as Mocha.AsyncFunc);
};

/** `describe` in `make ci` and `make stress`; no suite at all in `make test`, whose note says what stands for it there. */
export const describeInCi = (title: string, suite: (this: Mocha.Suite) => void): void => {
  if (isInCi) describe(title, suite);
};

const SEED = Number(process.env.TEST_SEED ?? 20_260_131);

/**
 * The number for the tier that runs; or so many of a list, in its order: its first, its last, and what TEST_SEED picks
 * between them. `{ test: 4, ci: 60 }` as run count; `{ test: 6, ci: 12, stress: Infinity }` for a list that `make stress` goes through whole.
 */
export function range(range: Range): number;
export function range<Item>(range: Range, items: readonly Item[]): Item[];
export function range<Item>({ test, ci, stress = ci }: Range, items?: readonly Item[]): number | Item[] {
  const tier = process.env.TEST_TIER;
  const count = tier === 'stress' ? stress : tier === 'ci' ? ci : test;
  if (items === undefined) return count;
  if (count >= items.length) return [...items];
  const inner = [...items.keys()].slice(1, -1);
  const ends = [0, items.length - 1].slice(0, count);
  const picked = new Set([
    ...ends,
    ...inner.sort((a, b) => mixed(a) - mixed(b) || a - b).slice(0, count - ends.length),
  ]);
  return items.filter((_, at) => picked.has(at));
}

/** A number that follows from another and the seed (the finisher of MurmurHash3). */
function mixed(at: number): number {
  let hash = Math.imul(at + 1, 0x9e3779b1) ^ SEED;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
