import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../src/lib/user-error.js';
import { createStore, WORKING } from '../src/store/engine/open.js';
import { migrate } from '../src/store/schema/migrate.js';
import { readSchema } from './schema/read.js';

// npm run schema: writes clickhouse/schema.sql, the schema of a new store, as the migrations make it. Run it from the package's folder.

await runCommand(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-schema-'));
  const store = await createStore({ folder }, 'forecast_accuracy', WORKING);
  try {
    await migrate(store, undefined, { isAlone: true, folder: 'clickhouse/schema' });
    await writeFile('clickhouse/schema.sql', await readSchema(store));
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
