const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

/** Mocha's spec reporter. It adds what really ran to TEST_COUNTS_FILE (passed, failed, skipped), and what failed to TEST_FAILURES_FILE. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      const file = process.env.TEST_FAILURES_FILE;
      if (!file) return;
      // `fetch failed` alone tells nothing.
      const cause = error.cause === undefined ? '' : ` (${error.cause.code ?? error.cause})`;
      const message = `${error.message}${cause}`.split('\n', 1)[0].slice(0, 400);
      appendFileSync(file, `${test.fullTitle()}: ${message}\n`);
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const file = process.env.TEST_COUNTS_FILE;
      if (!file) return;
      const { passes, failures, pending } = this.stats;
      const before = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : [0, 0, 0];
      const counts = [passes, failures, pending].map((count, index) => count + before[index]);
      writeFileSync(file, `${counts.join(' ')}\n`);
    });
  }
};
