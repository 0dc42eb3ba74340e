module.exports = {
  'node-option': ['import=tsx', 'enable-source-maps'],
  extension: ['ts'],
  reporter: './test/support/reporter.cjs',
  timeout: 20_000,
  forbidOnly: true,
};
