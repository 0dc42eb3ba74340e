const v8 = require('node:v8');
const vm = require('node:vm');

// A server of the tests loads this before its own program. At SIGUSR2 it collects all garbage, and says what is left in a
// line of its log, bytes.

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  process.stdout.write(`${JSON.stringify({ msg: 'collected', ...process.memoryUsage() })}\n`);
});
