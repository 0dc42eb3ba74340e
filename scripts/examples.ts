import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readConfig } from '../src/config.js';
import { runCommand } from '../src/lib/user-error.js';
import { openStore } from '../src/store/engine/open.js';
import { makeExamples } from './examples/make.js';

// npm run examples: writes the examples of the OpenAPI document. Run it from the package's folder, then npm run openapi.

const FILE = 'scripts/openapi/examples.json';

await runCommand(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-examples-'));
  const { store, close } = await openStore(readConfig({ DATA_DIR: folder }), 'command');
  try {
    const text = JSON.stringify(await makeExamples(store, folder));
    await writeFile(FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'json' }));
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});
