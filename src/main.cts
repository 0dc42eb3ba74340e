#!/usr/bin/env node
import fs = require('node:fs');
import os = require('node:os');
import v8 = require('node:v8');

// The program's first lines, in CommonJS: Node makes its threads when it reads the first ES module, and each statement
// of the embedded engine keeps one of them while it runs. The engine leaves room in them for everything else
// (src/store/engine/embedded.ts).
process.env.UV_THREADPOOL_SIZE ??= '24';

// On a machine of 16 GB V8 collects no sooner than the heap is four times what was alive: 300 MB of garbage that the engine
// could use. From here on it grows by half. The limit of the heap cannot be set any more once Node runs; Node takes that
// from the memory of the machine or container, or from --max-old-space-size in NODE_OPTIONS.
if (!process.execArgv.some((flag) => /^--heap[-_]growing[-_]percent/.test(flag)))
  v8.setFlagsFromString('--heap-growing-percent=50');

// The engine takes standard input for data of its first statement, and a shell's loop has its list there. While there is
// one thread, the descriptor that is closed is the next to be opened: 0. Only `mcp` reads its input, and it opens no engine.
if (process.argv[2] !== 'mcp') {
  fs.closeSync(0);
  fs.openSync(os.devNull, 'r');
}
void import('./cli/main.js');
