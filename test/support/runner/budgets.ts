import { type Range, range } from './range.js';

// How many statements of the engine a file of tests may run: three quarters of the time of tests is inside the engine, and
// statements cost about the same. Raise a budget only where a test needs its statements, and say why.

/** What a file may run that has no budget of its own; in CI random ranges are fuller. */
const BUDGET: Range = { test: 500, ci: 2000 };

const OF_THEIR_OWN: Record<string, { test?: number; ci?: number }> = {
  // Every probability of a world is asked for at each moment of a day.
  'test/integration/truth/day-so-far.test.ts': { test: 1700, ci: 6800 },
  // Each world is loaded in one piece, in several and in another order.
  'test/integration/truth/random-worlds.test.ts': { test: 850, ci: 5200 },
  'test/integration/truth/probability.test.ts': { test: 600, ci: 2400 },
  'test/integration/truth/blend.test.ts': { ci: 4800 },
  'test/integration/truth/known-at.test.ts': { ci: 8000 },
  'test/integration/truth/day-hours.test.ts': { ci: 2600 },
  // Most tests load, as what they guard is what a load changes.
  'test/integration/ingest/beside-pairs.test.ts': { test: 1600, ci: 2600 },
  'test/integration/truth/reported-in.test.ts': { test: 1000 },
  'test/integration/contract/day-so-far.test.ts': { test: 900 },
  'test/integration/contract/probability.test.ts': { test: 1500 },
  'test/integration/contract/endpoints/today.test.ts': { test: 600 },
  'test/integration/ingest/implausible.test.ts': { test: 1000, ci: 4000 },
  'test/integration/ingest/hours.test.ts': { test: 800, ci: 3200 },
  'test/integration/contract/providers.test.ts': { test: 800, ci: 3200 },
  'test/integration/answers/cache.test.ts': { test: 700, ci: 2800 },
  'test/integration/answers/rewound.test.ts': { test: 650, ci: 2600 },
  'test/integration/observe/metrics.test.ts': { test: 720, ci: 2400 },
  // Every parameter of every endpoint, inside and outside of what it takes.
  'test/integration/contract/endpoints/parameters.test.ts': { ci: 4800 },
  'test/integration/contract/endpoints/answers.test.ts': { test: 850, ci: 3400 },
  'test/integration/answers/pinned.test.ts': { test: 680, ci: 4000 },
  'test/integration/answers/past.test.ts': { test: 650 },
  // Every write of a load, and every step of a pass.
  'test/hostile/dying-loads.test.ts': { ci: 5000 },
  'test/integration/collect/interrupted.test.ts': { ci: 3200 },
  'test/integration/contract/demo-goes-on.test.ts': { test: 2200, ci: 4200 },
  // Every migration from every version before.
  'test/integration/store/migrate.test.ts': { ci: 4200 },
};

export function budgetOf(file: string): number {
  return range({ ...BUDGET, ...OF_THEIR_OWN[file] });
}
