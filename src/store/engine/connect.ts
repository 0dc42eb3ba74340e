import { Agent, type AgentOptions } from 'node:http';
import { type ClickHouseClient, type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client';
import { errorCode, firstLine, StoreNotOpened } from '../store-errors.js';
import { Store, statementsAtOnce, type StoreLimits } from '../store.js';
import { VERSION } from '../../lib/version.js';
import { CLUSTER_SETTINGS } from './cluster.js';
import { EmbeddedTransport } from './embedded.js';
import { MIN_ROOM_BYTES } from './folder.js';
import { ServerTransport } from './server-engine.js';

/** Where the engine is: a folder of this machine, or a URL, which may be spoken to over a Unix socket. */
export type Engine =
  { url: string; user: string; password: string; setting: string; socket?: string } | { folder: string };

/**
 * A store on an engine, without its tables.
 * @param options cluster: what the server at the URL calls the cluster over which the tables are spread, if they are; log: receives
 * a line for what the engine in this process mends while it runs
 */
export async function createStore(
  engine: Engine,
  database: string,
  limits: StoreLimits,
  { cluster, log = console.error }: { cluster?: string | undefined; log?: (line: string) => void } = {},
): Promise<Store> {
  const transport =
    'folder' in engine
      ? await EmbeddedTransport.open({
          connect: () => connectEmbedded(engine.folder, database),
          folder: engine.folder,
          log,
        })
      : new ServerTransport(
          await connectServer(engine, database, limits, cluster),
          cluster === undefined ? undefined : { name: cluster, database },
        );
  return new Store(transport, limits);
}

/** A client on an engine. Creates the database if need be, and makes it the current one. */
export async function connect(
  engine: Engine,
  database: string,
  limits: StoreLimits,
): Promise<ClickHouseClient> {
  return 'folder' in engine
    ? connectEmbedded(engine.folder, database)
    : connectServer(engine, database, limits);
}

async function connectEmbedded(folder: string, database: string): Promise<ClickHouseClient> {
  // Loaded only where it is used, because an installation beside a server may lack it: it takes 0.5 GB.
  const [{ Session }, { createChdbConnection }] = await Promise.all([
    import('chdb'),
    import('chdb/connection'),
  ]).catch(engineLacks);
  // All connections of this process share one engine, and only a session can say how that starts. Every statement is this
  // program's own, so a backup may go wherever the process may write.
  const session = new Session(folder, {
    connectionArgs: [
      '--backups.allowed_path=/',
      // An INSERT or a merge that would leave less begins no more.
      `--storage_configuration.disks.default.keep_free_space_bytes=${MIN_ROOM_BYTES}`,
    ],
  });
  // The package has types of its own for the client's interfaces, of the same shape.
  const connection: unknown = createChdbConnection({ path: folder });
  session.close();
  const client = create({ connection: connection as ClickHouseClientConfigOptions['connection'] });
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  await client.command({ query: `USE ${database}` });
  // Timers of each statement, whose samples nobody reads; and what the engine keeps of each request for the next equal one,
  // whose response is kept here: two conditions, 0.4 kB, of which it finds 7 in 100, sizes of hash tables, 0.2 kB, and a count
  // of each expression before it is compiled, 0.06 kB, which no request of 35 million pairs is faster for.
  await client.command({
    query: `SET query_profiler_real_time_period_ns = 0, query_profiler_cpu_time_period_ns = 0, log_profile_events = 0,
      use_query_condition_cache = 0, collect_hash_table_stats_during_aggregation = 0,
      compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0`,
  });
  return client;
}

function engineLacks(error: unknown): never {
  throw new StoreNotOpened(
    `DATA_DIR: the embedded engine cannot be loaded (${errorCode(error) || firstLine(error)}); install the service again without --omit=optional, or set CLICKHOUSE_URL to a ClickHouse server`,
    { cause: error },
  );
}

async function connectServer(
  engine: Extract<Engine, { url: string }>,
  database: string,
  limits: StoreLimits,
  cluster?: string,
): Promise<ClickHouseClient> {
  const options: ClickHouseClientConfigOptions = {
    url: engine.url,
    username: engine.user,
    password: engine.password,
    request_timeout: (limits.queryTimeoutSeconds + 5) * 1000,
    max_open_connections: statementsAtOnce(limits),
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
  return open({ database });
}

/** Refuses a cluster that the server does not know, and one that would count every row once per replica. */
async function checkCluster(client: ClickHouseClient, cluster: string): Promise<void> {
  const result = await client.query({ query: 'SELECT * FROM system.clusters', format: 'JSONEachRow' });
  // Older servers do not tell internal_replication.
  const known = await result.json<{ cluster: string; shard_num: number; internal_replication?: number }>();
  const replicas = known.filter((replica) => replica.cluster === cluster);
  if (replicas.length === 0) {
    const names = [...new Set(known.map((replica) => replica.cluster))].join(', ');
    throw new StoreNotOpened(`CLICKHOUSE_CLUSTER: unknown cluster ${cluster}. Available: ${names}`);
  }
  const shards = new Set(replicas.map(({ shard_num }) => shard_num)).size;
  if (replicas.length > shards && replicas.some(({ internal_replication }) => internal_replication === 0)) {
    throw new StoreNotOpened(
      `CLICKHOUSE_CLUSTER: ${cluster} has replicas without internal_replication, so every row would count once for each; set it to true in remote_servers`,
    );
  }
}

function create(options: ClickHouseClientConfigOptions): ClickHouseClient {
  return createClient({
    ...options,
    application: `forecast-accuracy-service/${VERSION}`,
    log: { level: 127 },
  });
}
