import { appendFileSync } from 'node:fs';

// What every file of tests does: with TEST_TIMES_FILE, it says how long it took.

const { TEST_TIMES_FILE } = process.env;
let began = 0;

export const mochaHooks: Mocha.RootHookObject = {
  beforeAll(this: Mocha.Context) {
    began = performance.now();
  },
  afterAll(this: Mocha.Context) {
    const file = this.test?.parent?.suites[0]?.file;
    if (TEST_TIMES_FILE === undefined || file === undefined) return;
    appendFileSync(TEST_TIMES_FILE, `${JSON.stringify({ file, ms: performance.now() - began })}\n`);
  },
};
