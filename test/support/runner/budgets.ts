import { type Range, range } from './range.js';

// How many statements of the engine a file of tests may run: three quarters of the time of tests is inside the engine, and
// statements cost about the same. Raise a budget only where a test needs its statements, and say why.

/** The budget of a file without one of its own; in CI random ranges are fuller. */
const BUDGET: Range = { test: 500, ci: 2000 };

const OF_THEIR_OWN: Record<string, { test?: number; ci?: number }> = {
  // Every probability of a world is asked for at each moment of a day.
  'test/integration/truth/day-so-far.test.ts': { test: 730, ci: 2400 },
  // Each world is loaded in one piece, in several and in another order.
  'test/integration/truth/random-worlds.test.ts': { test: 600, ci: 2900 },
  // The odds of a world in whole °F, and in whole °C.
  'test/integration/truth/probability.test.ts': { test: 750 },
  'test/integration/truth/reported-in.test.ts': { test: 600 },
  // Most tests load, as what they guard is what a load changes.
  'test/integration/ingest/beside-pairs.test.ts': { test: 780 },
  // Each feed is read as a small file and as a large one, in °F and in °C.
  'test/integration/ingest/plain-rows.test.ts': { test: 700, ci: 2800 },
  'test/integration/ingest/quality-control.test.ts': { test: 680 },
  'test/integration/contract/day-so-far.test.ts': { test: 880 },
  'test/integration/contract/probability.test.ts': { test: 1030 },
  'test/integration/contract/providers.test.ts': { test: 720 },
  'test/integration/contract/accuracy/freshness.test.ts': { test: 560 },
  'test/integration/contract/endpoints/answers.test.ts': { ci: 3400 },
  // Every endpoint is asked, as JSON and as CSV, three times.
  'test/integration/responses/event-loop.test.ts': { ci: 3200 },
  // Each load gives the directory another version, with its alarms.
  'test/integration/observe/metrics.test.ts': { test: 760 },
  'test/integration/responses/pinned.test.ts': { test: 740 },
  'test/integration/responses/past.test.ts': { test: 680 },
  'test/integration/responses/cache.test.ts': { test: 560 },
  'test/integration/responses/timeline.test.ts': { test: 570 },
  'test/integration/backup/backup.test.ts': { test: 590 },
  // Each release that it knows is asked all questions, twice.
  'test/integration/store/upgrade.test.ts': { test: 700 },
  // Two writes of a load die in each way.
  'test/fault-injection/dying-loads.test.ts': { ci: 3100 },
  // Migrations are cut short after some of their statements.
  // The tables of the last build before 1.0 are taken over, cut short at each step.
  'test/integration/store/migrate.test.ts': { ci: 3800 },
};

export function budgetOf(file: string): number {
  return range({ ...BUDGET, ...OF_THEIR_OWN[file] });
}
