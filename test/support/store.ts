import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { connect, createStore, type Engine, SERVING } from '../../src/store/engine/open.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { EmbeddedTransport } from '../../src/store/engine/embedded.js';
import { type Guard, Store, type StoreLimits } from '../../src/store/store.js';
import { countWith, forAll } from './runner/statements.js';

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

/** The folder of the embedded engine of this process; of a server, no folder. */
export const engineFolder = (): string => ('folder' in engine ? engine.folder : '');

let made = 0;

process.on('exit', () => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  } catch {
    // The engine still writes there. Files that stay are for the system to clear, and no failure of a test.
  }
});

// When its last connection closes, the embedded engine ends, and the next one loads all that was there: this one stays.
let lasting: Promise<ClickHouseClient> | undefined;

/** A database with all tables that a closed store has left for the next ones. */
interface Idle {
  database: string;
  /** The name of its rows. */
  rows: string;
}

const NO_ROWS = '';
const idle: Idle[] = [];

/** Statements that make the tables of each database, once they are known. */
const shapes = new Map<string, string>();

/** Rows that stores may have from the beginning. */
export interface Rows {
  name: string;
  put: (store: Store) => Promise<void>;
}

/** A store of its own, on the real engine, with all tables, and no rows but those given. */
export async function openTestStore(limits: StoreLimits = PATIENT, rows?: Rows): Promise<Store> {
  lasting ??= connected();
  const name = rows?.name ?? NO_ROWS;
  const filled = takeIdle(({ rows }) => rows === name)?.database;
  const database = filled ?? (await emptyDatabase());
  const store = await openedStore(database, limits);
  if (filled === undefined) await rows?.put(store);
  const { writes } = store;
  const close = store.close.bind(store);
  let isClosed = false;
  store.close = async () => {
    await close();
    if (isClosed) return;
    isClosed = true;
    // With dozens of databases the engine takes ever longer to open another. A store that has failed may keep its own.
    if (store.writes === writes || (await empty(database).catch(() => false))) {
      idle.push({ database, rows: store.writes === writes ? name : NO_ROWS });
    }
  };
  return store;
}

/** The limits of a server with time for a busy machine: a load of a test took more than 10 s there. */
const PATIENT: StoreLimits = { ...SERVING, queryTimeoutSeconds: 120 };

/** Connections of the embedded engine that closed stores have left, by database: one takes three statements. */
const connections = new Map<string, ClickHouseClient[]>();

async function openedStore(database: string, limits: StoreLimits): Promise<Store> {
  if (!('folder' in engine)) return createStore(engine, database, limits);
  const left = connections.get(database) ?? [];
  connections.set(database, left);
  const connection = async (): Promise<ClickHouseClient> => {
    const client = left.pop() ?? (await connectedTo(database));
    // A store may be closed twice; two that had one connection would wait for each other.
    client.close = () => {
      if (!left.includes(client)) left.push(client);
      return Promise.resolve();
    };
    return client;
  };
  const { folder } = engine;
  return new Store(await EmbeddedTransport.open({ connect: connection, folder, log: console.error }), limits);
}

/** With one thread for a statement: those that share the few rows of a test cost a sixth of the processor time of all tests. */
async function connectedTo(database: string): Promise<ClickHouseClient> {
  const client = await connect(engine, database, PATIENT);
  if ('folder' in engine) await client.command({ query: 'SET max_threads = 1, max_insert_threads = 1' });
  return client;
}

async function connected(): Promise<ClickHouseClient> {
  const client = await connectedTo('default');
  if ('folder' in engine) {
    countWith(async () => {
      const [events] = await rowsOf<{ queries: number | string }>(
        `SELECT value AS queries FROM system.events WHERE event = 'Query'`,
      );
      return Number(events?.queries ?? 0);
    });
  }
  return client;
}

function takeIdle(isFit: (found: Idle) => boolean): Idle | undefined {
  const at = idle.findIndex(isFit);
  return at === -1 ? undefined : idle.splice(at, 1)[0];
}

/** To empty one of other rows takes a fifth of the time of making one. */
async function emptyDatabase(): Promise<string> {
  const found = takeIdle(({ rows }) => rows === NO_ROWS) ?? takeIdle(() => true);
  if (found !== undefined && (found.rows === NO_ROWS || (await empty(found.database)))) return found.database;
  return forAll(madeDatabase);
}

async function madeDatabase(): Promise<string> {
  const database = `test_${process.pid}_${(made += 1)}`;
  const store = await openedStore(database, PATIENT);
  await migrate(store, undefined, { isAlone: 'folder' in engine });
  await store.close();
  shapes.set(database, shapeOf(await tablesOf(database)));
  return database;
}

/** Empties a database; one whose tables, beside locks of loads, are not what they were goes, and that is false. */
async function empty(database: string): Promise<boolean> {
  const all = await tablesOf(database);
  const locks = all.filter(({ name }) => name.startsWith('load_lock_'));
  const tables = all.filter((table) => !locks.includes(table));
  if (shapeOf(tables) !== shapes.get(database)) {
    await run(`DROP DATABASE IF EXISTS ${database} SYNC`);
    return false;
  }
  for (const { name } of locks) await run(`DROP TABLE ${database}.${name} SYNC`);
  for (const { name, rows } of tables) {
    if (rows > 0 && name !== 'migrations' && name !== 'lineages')
      await run(`TRUNCATE TABLE ${database}.${name} SYNC`);
  }
  return true;
}

interface Table {
  name: string;
  rows: number;
  /** The statement that makes it; for `migrations` also the files that it records. */
  made_by: string;
}

async function tablesOf(database: string): Promise<Table[]> {
  return rowsOf(
    `SELECT name, toInt32(ifNull(total_rows, 0)) AS rows, create_table_query || if(name = 'migrations',
        (SELECT toString(arraySort(groupArray((name, checksum)))) FROM ${database}.migrations), '') AS made_by
      FROM system.tables WHERE database = '${database}' ORDER BY name`,
  );
}

const shapeOf = (tables: readonly Table[]): string => tables.map(({ made_by }) => made_by).join();

async function rowsOf<Row>(query: string): Promise<Row[]> {
  const answer = await (await lasting!).query({ query, format: 'JSONEachRow' });
  return answer.json<Row>();
}

async function run(query: string): Promise<void> {
  await (await lasting!).command({ query });
}

/** A folder that goes away with the test run. */
export function temporaryFolder(): string {
  return mkdtempSync(join(folder, 'files-'));
}

/** A store of which one method is another. */
export function withMethod<Name extends 'ping' | 'query' | 'queryBytes' | 'insertText'>(
  store: Store,
  name: Name,
  method: Store[Name],
): Store {
  return new Proxy(store, {
    get(target, asked) {
      if (asked === name) return method;
      // A store under the lock of loads is another one: it has the stand-in, too.
      if (asked === 'guardedBy') return (guard: Guard) => withMethod(target.guardedBy(guard), name, method);
      const value: unknown = Reflect.get(target, asked, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
