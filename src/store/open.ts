import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClickHouseClient, type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client';
import type { Config } from '../config.js';
import { errorCode, StoreNotOpened } from './errors.js';
import { migrate } from './migrate.js';
import { findSharedEngine, shareEngine } from './share.js';
import { AHEAD, Store, type StoreLimits } from './store.js';

/** For answering requests: a question is small, and its asker does not wait long. */
export const SERVING: StoreLimits = { concurrency: 8, maxWaiting: 256, queryTimeoutSeconds: 10 };

/** For an operator's command, which may take its time. */
export const WORKING: StoreLimits = { concurrency: 2, maxWaiting: Infinity, queryTimeoutSeconds: 3600 };

/** Where the engine is: a URL, or a folder of this machine. */
export type Engine = { url: string; user: string; password: string; setting: string } | { folder: string };

export interface OpenedStore {
  store: Store;
  /** Migrations applied while opening. */
  migrated: string[];
  close: () => Promise<void>;
}

/**
 * Opens the store and brings its tables up to date. Without CLICKHOUSE_URL the engine runs in this process on
 * DATA_DIR and is shared with the other processes of this user; a command finds a running server's engine that way.
 * @throws StoreNotOpened, with one line that names the setting to look at
 */
export async function openStore(
  config: Config,
  holder: 'server' | 'command',
  limits: StoreLimits = holder === 'server' ? SERVING : WORKING,
): Promise<OpenedStore> {
  const engine = await locate(config, holder);
  try {
    const store = await createStore(engine, config.clickhouse.database, limits);
    const migrated = await migrate(store);
    const stopSharing =
      'folder' in engine
        ? await shareEngine(store, config.dataDir, { database: config.clickhouse.database, holder })
        : undefined;
    return {
      store,
      migrated,
      close: async () => {
        await stopSharing?.();
        await store.close();
      },
    };
  } catch (error) {
    throw notOpened(error, engine, config);
  }
}

/** A store on an engine, without its tables. */
export async function createStore(engine: Engine, database: string, limits: StoreLimits): Promise<Store> {
  const client = await connect(engine, database, limits);
  if ('url' in engine) return new Store(client, limits, { isRemote: engine.setting !== 'DATA_DIR' });
  return new Store(client, limits, { aheadClient: await connect(engine, database, limits) });
}

async function locate(config: Config, holder: 'server' | 'command'): Promise<Engine> {
  const { url, user, password } = config.clickhouse;
  if (url !== undefined) return { url, user, password, setting: 'CLICKHOUSE_URL' };
  try {
    await mkdir(config.dataDir, { recursive: true });
  } catch (error) {
    throw new StoreNotOpened(`DATA_DIR: cannot create ${config.dataDir} (${errorCode(error)})`, {
      cause: error,
    });
  }
  const shared = await findSharedEngine(config.dataDir);
  if (shared === undefined) return { folder: join(config.dataDir, 'clickhouse') };
  if (holder === 'server' || shared.holder === 'command') {
    throw new StoreNotOpened(
      `DATA_DIR: ${config.dataDir} is in use by process ${shared.pid} (a ${shared.holder}); let it end, or choose another folder`,
    );
  }
  if (shared.database !== config.clickhouse.database) {
    throw new StoreNotOpened(
      `CLICKHOUSE_DATABASE: the server on ${config.dataDir} has database ${shared.database} open; name that one, or stop it`,
    );
  }
  return { url: shared.url, user: 'default', password: shared.password, setting: 'DATA_DIR' };
}

/** The client, on an engine. It creates the database if need be, then makes it the current one. */
export async function connect(
  engine: Engine,
  database: string,
  limits: StoreLimits,
): Promise<ClickHouseClient> {
  if ('folder' in engine) {
    // Loaded only when it is used: against a server, its native library need not exist on this platform.
    const { createChdbConnection } = await import('chdb/connection');
    const client = create({
      // The package types its connection against its own copy of the client's interfaces: the same shape.
      connection: createChdbConnection({
        path: engine.folder,
      }) as unknown as ClickHouseClientConfigOptions['connection'],
    });
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
    await client.command({ query: `USE ${database}` });
    return client;
  }
  const options: ClickHouseClientConfigOptions = {
    url: engine.url,
    username: engine.user,
    password: engine.password,
    request_timeout: (limits.queryTimeoutSeconds + 5) * 1000,
    max_open_connections: limits.concurrency + AHEAD,
  };
  // A server refuses every statement that names a database it does not have, even the one that would create it.
  const before = create(options);
  try {
    const result = await before.query({
      query: 'SELECT count() AS found FROM system.databases WHERE name = {database: String}',
      query_params: { database },
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ found: number | string }>();
    if (Number(row?.found) === 0)
      await before.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  } finally {
    await before.close();
  }
  return create({ ...options, database });
}

function create(options: ClickHouseClientConfigOptions): ClickHouseClient {
  return createClient({ ...options, application: 'forecast-accuracy-service', log: { level: 127 } });
}

function notOpened(error: unknown, engine: Engine, config: Config): unknown {
  if (error instanceof StoreNotOpened) return error;
  const code = errorCode(error);
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0];
  if ('folder' in engine) {
    const hint =
      code === 'CHDB_CONNECTION' ? 'another process has it open, or it cannot be written' : message;
    return new StoreNotOpened(`DATA_DIR: cannot open ${config.dataDir}: ${hint}`, { cause: error });
  }
  // 516 AUTHENTICATION_FAILED, 497 ACCESS_DENIED
  if (code === '516') {
    return new StoreNotOpened('CLICKHOUSE_USER, CLICKHOUSE_PASSWORD: refused by the server', {
      cause: error,
    });
  }
  if (code === '497') {
    return new StoreNotOpened(
      `CLICKHOUSE_USER: may not use database ${config.clickhouse.database}: ${message}`,
      {
        cause: error,
      },
    );
  }
  return new StoreNotOpened(
    `${engine.setting}: no ClickHouse answers at ${withoutSecrets(engine.url)} (${code || message})`,
    {
      cause: error,
    },
  );
}

function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
