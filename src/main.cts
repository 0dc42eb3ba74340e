#!/usr/bin/env node
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');

// Before anything is imported: an older Node.js ends in the SyntaxError of the first package that it cannot read.
const { engines } = JSON.parse(fs.readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as {
  engines: { node: string };
};
const [needed = 0, neededMinor = 0] = (engines.node.match(/\d+/g) ?? []).map(Number);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < needed || (major === needed && minor < neededMinor)) {
  console.error(`Node.js ${needed}.${neededMinor} or later is needed, and this is ${process.versions.node}`);
  process.exit(1);
}

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
