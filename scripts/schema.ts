import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.js';
import { runCommand } from '../src/lib/user-error.js';
import { openStore } from '../src/store/engine/open.js';
import { readSchema } from './schema/read.js';

// npm run schema: writes clickhouse/schema.sql, the schema of a new store. Run it from the package's folder.

await runCommand(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-schema-'));
  const { store, close } = await openStore(readConfig({ DATA_DIR: folder }), 'command');
  try {
    await writeFile('clickhouse/schema.sql', await readSchema(store));
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
});
