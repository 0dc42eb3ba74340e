import { appendFileSync } from 'node:fs';
import { config } from 'chai';
import { childrenSeconds, processorSeconds } from './processor-time.js';
import { beginTest } from './retry.js';
import { statementsSoFar } from './statements.js';

// With TEST_COSTS_FILE, every file of tests says what it took: time, processor time, and statements of the engine.

// Messages show values, as CI keeps nothing else of a failure: of the 40 characters by default, `[ Array(1) ]` is left.
config.truncateThreshold = 1_000;

const { TEST_COSTS_FILE } = process.env;
let began = 0;
let before = 0;
/** When the file before this one ended, so that what a file imports is its own. */
let spent = 0;
/** The file before this one, and the processor time of programs when it ended. */
let previous: { file: string; children: number } | undefined;

function tell(file: string, ms: number, seconds: number, statements: number): void {
  appendFileSync(TEST_COSTS_FILE!, `${JSON.stringify({ file, ms, seconds, statements })}\n`);
}

export const mochaHooks: Mocha.RootHookObject = {
  async beforeAll(this: Mocha.Context) {
    began = performance.now();
    if (TEST_COSTS_FILE !== undefined && previous !== undefined) {
      // A program may end after its file: 56 s of a cluster were told of a unit test.
      const late = childrenSeconds() - previous.children;
      spent += late;
      if (late > 0) tell(previous.file, 0, late, 0);
    }
    before = await statementsSoFar();
  },
  beforeEach(this: Mocha.Context) {
    beginTest(this.currentTest);
  },
  async afterAll(this: Mocha.Context) {
    const file = this.test?.parent?.suites[0]?.file;
    if (TEST_COSTS_FILE === undefined || file === undefined) return;
    const ms = performance.now() - began;
    const statements = (await statementsSoFar()) - before;
    const seconds = processorSeconds() - spent;
    spent += seconds;
    previous = { file, children: childrenSeconds() };
    tell(file, ms, seconds, statements);
  },
};
