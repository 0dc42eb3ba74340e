// As in src/main.cts: threads for the statements of the embedded engine.
process.env.UV_THREADPOOL_SIZE ??= '24';

module.exports = {
  'node-option': ['enable-source-maps'],
  extension: ['ts'],
  require: ['./test/support/runner/compiled.cjs', './test/support/runner/hooks.ts'],
  reporter: './test/support/runner/reporter.cjs',
  // Against what hangs, also on a busy machine.
  timeout: 600_000,
  forbidOnly: true,
};
