#!/usr/bin/env node
import fs = require('node:fs');
import os = require('node:os');

// The program's first lines, in CommonJS: Node makes its threads when it reads the first ES module, and each statement
// of the embedded engine keeps one of them while it runs. The engine leaves room in them for everything else
// (src/store/engine/embedded.ts).
process.env.UV_THREADPOOL_SIZE ??= '24';

// The engine takes standard input for data of its first statement, and a shell's loop has its list there. While there is
// one thread, the descriptor that is closed is the next to be opened: 0. Only `mcp` reads its input, and it opens no engine.
if (process.argv[2] !== 'mcp') {
  fs.closeSync(0);
  fs.openSync(os.devNull, 'r');
}
// The engine refuses to open where TZ is a zone that it does not know, such as EDT. All times are of UTC, or of a zone by name.
process.env.TZ = 'UTC';

void import('./cli/main.js');
