const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

/** Mocha's spec reporter, which also writes what really ran to TEST_COUNTS_FILE: passed, failed, skipped. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const file = process.env.TEST_COUNTS_FILE;
      const { passes, failures, pending } = this.stats;
      if (file) writeFileSync(file, `${passes} ${failures} ${pending}\n`);
    });
  }
};
