import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createStore, type Engine, SERVING } from '../../src/store/engine/open.js';
import { migrate } from '../../src/store/schema/migrate.js';
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

let opened = 0;

process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

// When its last connection closes, the embedded engine ends, and the next one loads all that was there: this one stays.
let lasting: ReturnType<typeof connect> | undefined;

/** An empty store of its own, on the real engine, with all tables; they go when it is closed. */
export async function openTestStore(limits: StoreLimits = SERVING): Promise<Store> {
  const client = await (lasting ??= connect(engine, 'default', SERVING));
  opened += 1;
  const database = `test_${process.pid}_${opened}`;
  const store = await createStore(engine, database, limits);
  await migrate(store);
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    // With dozens of databases the engine takes ever longer to open another. A store that has failed may keep its own.
    await client.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` }).catch(() => {});
  };
  return store;
}

// Mocha's hook of the whole run.
after(async () => {
  await (await lasting)?.close();
});

/** A folder that goes away with the test run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folder, 'files-'));
}
