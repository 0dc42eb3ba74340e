import { access, constants, mkdir } from 'node:fs/promises';
import { Agent, type AgentOptions } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ClickHouseClient, type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client';
import lockfile from 'proper-lockfile';
import type { Config } from '../../config.js';
import { CLUSTER_SETTINGS, onCluster } from './cluster.js';
import { errorCode, StoreNotOpened } from '../errors.js';
import { dropLoadLocks } from '../lock/lock.js';
import { migrate } from '../schema/migrate.js';
import { findSharedEngine, type SharedEngine, shareEngine } from './sharing.js';
import { AHEAD, Store, type StoreLimits } from '../store.js';

/** For answering requests: a question is small, and its asker does not wait long. */
export const SERVING: StoreLimits = { concurrency: 8, maxWaiting: 256, queryTimeoutSeconds: 10 };

/** For an operator's command, which may take its time. */
export const WORKING: StoreLimits = { concurrency: 2, maxWaiting: Infinity, queryTimeoutSeconds: 3600 };

/** Where the engine is: a URL, which may be spoken to over a Unix socket, or a folder of this machine. */
export type Engine =
  { url: string; user: string; password: string; setting: string; socket?: string } | { folder: string };

export interface OpenedStore {
  store: Store;
  /** Migrations applied while opening. */
  migrated: string[];
  close: () => Promise<void>;
}

/** How long a command waits for another that has the folder open. */
const PATIENCE_MS = 600_000;

/** How long a process may take from opening the folder to sharing its engine. */
const OPENING_MS = 15_000;

const LOOK_EVERY_MS = 300;

/**
 * Opens the store and brings its tables up to date. Without CLICKHOUSE_URL the engine runs in this process on
 * DATA_DIR and is shared with the other processes of this user; a command finds a running server's engine that way,
 * and waits up to ten minutes for another command.
 * @throws StoreNotOpened, with one line that names the setting to look at
 */
export async function openStore(
  config: Config,
  holder: 'server' | 'command',
  limits: StoreLimits = holder === 'server' ? SERVING : WORKING,
): Promise<OpenedStore> {
  const started = performance.now();
  for (let told = false; ; told = true) {
    try {
      return await open(config, holder, limits);
    } catch (error) {
      if (!(error instanceof FolderInUse) || holder === 'server') throw error;
      if (performance.now() - started > (error.isShared ? PATIENCE_MS : OPENING_MS)) throw error;
      if (!told) console.error(`${error.message.split(';')[0]}; waiting for it`);
    }
    await setTimeout(LOOK_EVERY_MS);
  }
}

async function open(config: Config, holder: 'server' | 'command', limits: StoreLimits): Promise<OpenedStore> {
  let engine = await locate(config, holder);
  const endTurn = 'folder' in engine ? await takeTurn(config.dataDir) : undefined;
  try {
    if (endTurn !== undefined) engine = await locate(config, holder); // who had the turn before may share it by now
    const { database, cluster } = config.clickhouse;
    const store = await createStore(engine, database, limits, cluster);
    const migrated = await migrate(store, cluster, { isAlone: 'folder' in engine });
    let stopSharing: (() => Promise<void>) | undefined;
    if ('folder' in engine) {
      await dropLoadLocks(store);
      stopSharing = await shareEngine(store, config.dataDir, { database, holder });
    }
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
  } finally {
    await endTurn?.();
  }
}

/**
 * From looking for a shared engine until sharing one, processes take turns. It is the engine's lock that keeps them
 * apart; but a process that meets it gets a page on stderr. The turn of one that was killed ends after 5 s.
 */
async function takeTurn(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  const retries = { retries: PATIENCE_MS / 100, factor: 1, minTimeout: 100, maxTimeout: 100 };
  const onCompromised = (): void => {};
  return lockfile
    .lock(join(dataDir, 'engine'), { realpath: false, stale: 5000, update: 1000, retries, onCompromised })
    .then((release) => async () => release().catch(() => {}))
    .catch(() => undefined);
}

/** Another process has the folder open. */
class FolderInUse extends StoreNotOpened {
  /** @param isShared it has said so; else it may be opening it, or is no process of this program */
  constructor(
    message: string,
    readonly isShared: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A store on an engine, without its tables. */
export async function createStore(
  engine: Engine,
  database: string,
  limits: StoreLimits,
  cluster?: string,
): Promise<Store> {
  const client = await connect(engine, database, limits, cluster);
  if ('url' in engine) return new Store(client, limits, { isRemote: engine.setting !== 'DATA_DIR' });
  return new Store(client, limits, { aheadClient: await connect(engine, database, limits) });
}

async function locate(config: Config, holder: 'server' | 'command'): Promise<Engine> {
  const { url, user, password } = config.clickhouse;
  if (url !== undefined) return { url, user, password, setting: 'CLICKHOUSE_URL' };
  const { dataDir } = config;
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    throw new StoreNotOpened(`DATA_DIR: cannot write ${dataDir} (${errorCode(error)})`, { cause: error });
  }
  const shared = await findSharedEngine(dataDir);
  if (shared === undefined) return { folder: join(dataDir, 'clickhouse') };
  if (holder === 'server' || shared.holder === 'command') {
    throw new FolderInUse(
      `DATA_DIR: ${dataDir} is in use by process ${shared.pid} (a ${shared.holder}); let it end, or choose another folder`,
      true,
    );
  }
  if (shared.database !== config.clickhouse.database) {
    throw new StoreNotOpened(
      `CLICKHOUSE_DATABASE: the server on ${dataDir} has database ${shared.database} open; name that one, or stop it`,
    );
  }
  return throughSocket(shared);
}

/** The engine that another process of this machine shares. */
export function throughSocket({ socket, password }: SharedEngine): Engine {
  return { url: 'http://localhost', socket, user: 'default', password, setting: 'DATA_DIR' };
}

/**
 * The client, on an engine. It creates the database if need be, then makes it the current one.
 * @param cluster what the server at the URL calls the cluster over which the tables are spread, if they are
 */
export async function connect(
  engine: Engine,
  database: string,
  limits: StoreLimits,
  cluster?: string,
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
    ...(cluster !== undefined && { clickhouse_settings: CLUSTER_SETTINGS }),
  };
  const open = (more: ClickHouseClientConfigOptions = {}): ClickHouseClient =>
    // A connection for each statement: over a socket it costs nothing, and none can have been closed meanwhile.
    create({
      ...options,
      ...(engine.socket !== undefined && {
        http_agent: new Agent({ socketPath: engine.socket } as AgentOptions), // handed on to net.connect
        keep_alive: { enabled: false },
      }),
      ...more,
    });
  // A server refuses every statement that names a database it does not have, even the one that would create it.
  const before = open();
  try {
    if (cluster !== undefined) await checkCluster(before, cluster);
    const result = await before.query({
      query: 'SELECT count() AS found FROM system.databases WHERE name = {database: String}',
      query_params: { database },
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ found: number | string }>();
    if (Number(row?.found) === 0) {
      const everywhere = cluster === undefined ? '' : ` ON CLUSTER \`${cluster}\``;
      await before.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}${everywhere}` });
    }
  } finally {
    await before.close();
  }
  const client = open({ database });
  return cluster === undefined ? client : onCluster(client, { name: cluster, database });
}

/** Refuses a cluster that the server does not know, and one that would count every row once per replica. */
async function checkCluster(client: ClickHouseClient, cluster: string): Promise<void> {
  const result = await client.query({ query: 'SELECT * FROM system.clusters', format: 'JSONEachRow' });
  // Older servers do not tell internal_replication.
  const known = await result.json<{ cluster: string; shard_num: number; internal_replication?: number }>();
  const replicas = known.filter((replica) => replica.cluster === cluster);
  if (replicas.length === 0) {
    const names = [...new Set(known.map((replica) => replica.cluster))].join(', ');
    throw new StoreNotOpened(`CLICKHOUSE_CLUSTER: the server knows no cluster ${cluster}, only: ${names}`);
  }
  const shards = new Set(replicas.map(({ shard_num }) => shard_num)).size;
  if (replicas.length > shards && replicas.some(({ internal_replication }) => internal_replication === 0)) {
    throw new StoreNotOpened(
      `CLICKHOUSE_CLUSTER: ${cluster} has replicas without internal_replication, so every row would count once for each; set it to true in remote_servers`,
    );
  }
}

function create(options: ClickHouseClientConfigOptions): ClickHouseClient {
  return createClient({ ...options, application: 'forecast-accuracy-service', log: { level: 127 } });
}

function notOpened(error: unknown, engine: Engine, config: Config): unknown {
  if (error instanceof StoreNotOpened) return error;
  const code = errorCode(error);
  const message = (error instanceof Error ? error.message : String(error)).split('\n')[0];
  if ('folder' in engine) {
    return code === 'CHDB_CONNECTION'
      ? new FolderInUse(
          `DATA_DIR: cannot open ${config.dataDir}: another process has it open, or it cannot be written`,
          false,
          { cause: error },
        )
      : new StoreNotOpened(`DATA_DIR: cannot open ${config.dataDir}: ${message}`, { cause: error });
  }
  // 516 AUTHENTICATION_FAILED, 497 ACCESS_DENIED, 164 READONLY
  if (code === '516') {
    return new StoreNotOpened('CLICKHOUSE_USER, CLICKHOUSE_PASSWORD: refused by the server', {
      cause: error,
    });
  }
  if (code === '497' || code === '164') {
    return new StoreNotOpened(
      `CLICKHOUSE_USER: has too few rights on database ${config.clickhouse.database}; if its tables are not made yet, run migrate as a user who may make them: ${message}`,
      {
        cause: error,
      },
    );
  }
  return new StoreNotOpened(
    `${engine.setting}: no ClickHouse answers at ${engine.socket ?? withoutSecrets(engine.url)} (${code || message})`,
    {
      cause: error,
    },
  );
}

function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
