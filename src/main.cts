#!/usr/bin/env node
// The program's first lines, in CommonJS: Node makes its threads when it reads the first ES module, and each statement
// of the embedded engine keeps one of them while it runs. The engine leaves room in them for everything else
// (src/store/engine/embedded.ts).
process.env.UV_THREADPOOL_SIZE ??= '24';
void import('./cli/main.js');
