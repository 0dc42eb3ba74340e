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

let made = 0;

process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }); // the engine may still be merging
});

// When its last connection closes, the embedded engine ends, and the next one loads all that was there: this one stays.
let lasting: ReturnType<typeof connect> | undefined;

/** Databases with all tables and no rows, which a closed store has left for the next one. */
const idle: string[] = [];

/** An empty store of its own, on the real engine, with all tables. */
export async function openTestStore(limits: StoreLimits = SERVING): Promise<Store> {
  lasting ??= connect(engine, 'default', SERVING);
  const reused = idle.pop();
  const database = reused ?? `test_${process.pid}_${(made += 1)}`;
  const store = await createStore(engine, database, limits);
  if (reused === undefined) await migrate(store, undefined, { isAlone: 'folder' in engine });
  const shape = await shapeOf(database);
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    if (idle.includes(database)) return; // closed twice
    // With dozens of databases the engine takes ever longer to open another. A store that has failed may keep its own.
    await release(database, shape).catch(() => {});
  };
  return store;
}

/** Empties a database and keeps it for the next store; one whose tables, beside claims of loads, are not what they were goes. */
async function release(database: string, shape: string): Promise<void> {
  const client = await lasting!;
  const claims = await client.query({
    query: `SELECT name FROM system.tables WHERE database = '${database}' AND name LIKE 'load\\_lock\\_%'`,
    format: 'JSONEachRow',
  });
  for (const { name } of await claims.json<{ name: string }>()) {
    await client.command({ query: `DROP TABLE ${database}.${name} SYNC` });
  }
  if ((await shapeOf(database)) !== shape) {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
    return;
  }
  const filled = await client.query({
    query: `SELECT name FROM system.tables WHERE database = '${database}' AND total_rows > 0 AND name NOT IN ('migrations', 'lineages')`,
    format: 'JSONEachRow',
  });
  for (const { name } of await filled.json<{ name: string }>()) {
    await client.command({ query: `TRUNCATE TABLE ${database}.${name} SYNC` });
  }
  idle.push(database);
}

/** What a database's tables are, and which migrations it records. */
async function shapeOf(database: string): Promise<string> {
  const client = await lasting!;
  const found = await client.query({
    query: `SELECT toString(sipHash128(groupArray(create_table_query))) AS shape,
        (SELECT toString(sipHash128(groupArray((name, checksum)))) FROM (SELECT * FROM ${database}.migrations ORDER BY name)) AS applied
      FROM (SELECT create_table_query FROM system.tables WHERE database = '${database}' ORDER BY name)`,
    format: 'JSONEachRow',
  });
  return JSON.stringify(await found.json());
}

/** A folder that goes away with the test run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folder, 'files-'));
}

/** A store of which one method is another. */
export function withMethod<Name extends 'ping' | 'query'>(
  store: Store,
  name: Name,
  method: Store[Name],
): Store {
  return new Proxy(store, {
    get(target, asked) {
      if (asked === name) return method;
      const value: unknown = Reflect.get(target, asked, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
