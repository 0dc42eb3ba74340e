import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createStore, type Engine, SERVING } from '../../src/store/open.js';
import { migrate } from '../../src/store/migrate.js';
import type { Store, StoreLimits } from '../../src/store/store.js';

const folder = mkdtempSync(join(tmpdir(), 'forecast-accuracy-test-'));

// The embedded engine takes one folder per process, so the stores of a test run are databases of one. With
// TEST_CLICKHOUSE_URL they are databases of that server.
const { TEST_CLICKHOUSE_URL, TEST_CLICKHOUSE_USER, TEST_CLICKHOUSE_PASSWORD } = process.env;
const engine: Engine =
  TEST_CLICKHOUSE_URL === undefined
    ? { folder: join(folder, 'clickhouse') }
    : {
        url: TEST_CLICKHOUSE_URL,
        user: TEST_CLICKHOUSE_USER ?? 'default',
        password: TEST_CLICKHOUSE_PASSWORD ?? '',
        setting: 'TEST_CLICKHOUSE_URL',
      };

const databases: string[] = [];

process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

// A server keeps what it is given; mocha's hook of the whole run.
if ('url' in engine) {
  after(async function () {
    this.timeout(300_000);
    const client = await connect(engine, 'default', SERVING);
    for (const database of databases) await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  });
}

/** An empty store of its own, on the real engine, with all tables. */
export async function openTestStore(limits: StoreLimits = SERVING): Promise<Store> {
  const database = `test_${process.pid}_${databases.length + 1}`;
  databases.push(database);
  const store = await createStore(engine, database, limits);
  await migrate(store);
  return store;
}

/** A folder that goes away with the test run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folder, 'files-'));
}
