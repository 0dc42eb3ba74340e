import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, SERVING } from '../../src/store/open.js';
import { migrate } from '../../src/store/migrate.js';
import { Store, type StoreLimits } from '../../src/store/store.js';

// The embedded engine takes one folder per process, so the stores of a test run are databases of one.
const folder = mkdtempSync(join(tmpdir(), 'forecast-accuracy-test-'));
let databases = 0;

process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

/** An empty store of its own, on the real engine, with all tables. */
export async function openTestStore(limits: StoreLimits = SERVING): Promise<Store> {
  databases += 1;
  const client = await connect({ folder: join(folder, 'clickhouse') }, `test_${databases}`, limits);
  const store = new Store(client, limits);
  await migrate(store);
  return store;
}

/** A folder that goes away with the test run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folder, 'files-'));
}
