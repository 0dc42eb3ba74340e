const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

/** Mocha's spec reporter, which also adds what really ran to TEST_COUNTS_FILE: passed, failed, skipped. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
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
