import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../src/config.js';
import { type OpenedStore, openStore, WORKING } from '../../../src/store/engine/open.js';
import { errorCode } from '../../../src/store/store-errors.js';
import type { StoreLimits } from '../../../src/store/store.js';
import { PartsBridge, replicasLibrary } from './replication.js';
import {
  ClickHouseServer,
  type ClickHouseServerOptions,
  type ClickHouseUser,
  freePorts,
  type Ports,
  SERVICE,
} from './server.js';

export interface TestClusterOptions extends Pick<
  ClickHouseServerOptions,
  'users' | 'profiles' | 'zookeeper'
> {
  /** 2, if it is not said; with 1, a single server behind the front. */
  shards?: 1 | 2;
  /** Replicas of each shard: 1 if it is not said. More need a ZooKeeper, and the tools that whyNoReplicas() looks for. */
  replicas?: 1 | 2;
  /** On which shard a row is: that of its station's hash, or any, as when a shard was added later. */
  rows: 'by station' | 'anywhere';
}

const NAME = 'two-shards';
const USERS: Record<string, ClickHouseUser> = { [SERVICE.name]: { password: SERVICE.password } };

/**
 * ClickHouse servers that are the shards of a cluster, or their replicas, and query each other over TCP. They have no DDL
 * worker, so a front does its work: it carries a statement ON CLUSTER to each server, without Replicated unless there is a
 * ZooKeeper, and with one UUID for a replicated table, since its path in the coordinator holds it. Such a statement fails
 * when a server is away. Any other goes to the first server that takes a connection, as a load balancer has it.
 */
export class TestCluster {
  static readonly NAME = NAME;
  readonly #front: Server;
  /** The first replica of each shard. */
  readonly shards: readonly ClickHouseServer[];
  readonly servers: readonly ClickHouseServer[];

  private constructor(
    /** By shard. */
    readonly replicas: readonly (readonly ClickHouseServer[])[],
    private readonly options: TestClusterOptions,
    private readonly bridge: PartsBridge | undefined,
  ) {
    this.shards = replicas.map(([first]) => first!);
    this.servers = replicas.flat();
    this.#front = createServer({ maxHeaderSize: 1024 * 1024 }, (incoming, response) => {
      this.#serve(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(options: TestClusterOptions): Promise<TestCluster> {
    const { users = USERS, profiles, zookeeper, shards: count = 2, replicas = 1 } = options;
    const ports = Array.from({ length: count }, (): Ports[] => []);
    for (const ofShard of ports) while (ofShard.length < replicas) ofShard.push(await freePorts());
    const shards = ports.map((ofShard) => ofShard.map(({ tcp }) => ({ port: tcp })));
    const clusters: ClickHouseServerOptions['clusters'] = {
      [NAME]: { shards, secret: 'of the cluster' },
      doubling: { shards: [shards.flat()], internalReplication: false },
    };
    const byName = new Map<string, ClickHouseServer>();
    const bridge = replicas > 1 ? await PartsBridge.start(byName) : undefined;
    const start = async (own: Ports, shard: number, replica: number): Promise<ClickHouseServer> => {
      const name = `shard_${shard}_replica_${replica}`;
      const server = await ClickHouseServer.start({
        users,
        clusters,
        ports: own,
        ...(profiles && { profiles }),
        ...(zookeeper && { zookeeper }),
        ...(bridge && { replica: { shard, name, bridge: bridge.port, library: replicasLibrary() } }),
      });
      byName.set(name, server);
      return server;
    };
    const started = await Promise.all(
      ports.map((ofShard, shard) =>
        Promise.all(ofShard.map((own, replica) => start(own, shard + 1, replica + 1))),
      ),
    );
    const cluster = new TestCluster(started, options, bridge);
    await once(cluster.#front.listen(0, '127.0.0.1'), 'listening');
    return cluster;
  }

  /** The URL of the front. */
  get url(): string {
    return `http://127.0.0.1:${(this.#front.address() as AddressInfo).port}`;
  }

  /** Whether replicas get what their fellows have; while they do not, those that miss something stay behind. */
  set areFellowsApart(areApart: boolean) {
    this.bridge!.isClosed = areApart;
  }

  /** The environment that a program needs to open it. */
  environment(database: string, cluster: string = NAME, user?: string): Record<string, string> {
    const { users = USERS } = this.options;
    const [[first = ''] = []] = Object.entries(users);
    const name = user ?? first;
    return {
      CLICKHOUSE_URL: this.url,
      CLICKHOUSE_DATABASE: database,
      CLICKHOUSE_CLUSTER: cluster,
      CLICKHOUSE_USER: name,
      CLICKHOUSE_PASSWORD: users[name]?.password ?? '',
    };
  }

  /** @param user the first one, if none is named */
  async open(
    database: string,
    cluster?: string,
    user?: string,
    limits: StoreLimits = WORKING,
  ): Promise<OpenedStore> {
    return openStore(readConfig(this.environment(database, cluster, user)), 'command', limits);
  }

  /** Carries out a statement as the service sends it. */
  async post(sql: string): Promise<void> {
    const [{ user, password }] = this.shards as [ClickHouseServer];
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const answer = await fetch(this.url, { method: 'POST', body: sql, headers: { authorization } });
    if (!answer.ok) throw new Error(`${await answer.text()}\n${sql}`);
  }

  async stop(): Promise<void> {
    this.#front.closeAllConnections();
    this.#front.close();
    this.bridge?.stop();
    await Promise.all(this.servers.map((server) => server.kill()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const everywhere = ` ON CLUSTER \`${NAME}\``;
    const sql = body.includes(everywhere) ? this.#onEachServer(body.toString(), everywhere) : undefined;
    const answer = await (sql === undefined
      ? this.#sendToFirst(incoming, body)
      : this.#sendToAll(incoming, sql));
    if (answer === undefined) {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': '159' });
      response.end('Code: 159. DB::Exception: A server of the cluster is away. (TIMEOUT_EXCEEDED)\n');
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.once('error', () => response.destroy()).pipe(response);
  }

  async #sendToFirst(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    for (const server of this.servers) {
      try {
        return await send(server, incoming, body);
      } catch (error) {
        // A connection that breaks later may have brought the statement there.
        if (errorCode(error) !== 'ECONNREFUSED') throw error;
      }
    }
    throw new Error('no server takes a connection');
  }

  /** @returns the answer of the first server, or the error of another; none, if one of them is away */
  async #sendToAll(incoming: IncomingMessage, sql: string): Promise<IncomingMessage | undefined> {
    if (this.servers.some(({ isAway }) => isAway)) return undefined;
    let first: IncomingMessage | undefined;
    for (const server of await this.#changing(sql)) {
      const answer = await sendPatiently(server, incoming, sql);
      if (answer?.statusCode !== 200) {
        first?.resume();
        return answer;
      }
      if (first === undefined) first = answer;
      else answer.resume();
    }
    return first;
  }

  /** The servers that carry it out: what alters or empties a replicated table, one replica of each shard does for all. */
  async #changing(sql: string): Promise<readonly ClickHouseServer[]> {
    const [, table] = /^\s*(?:ALTER|TRUNCATE|OPTIMIZE) TABLE (?:IF EXISTS )?([\w.]+)/.exec(sql) ?? [];
    if (this.bridge === undefined || table === undefined) return this.servers;
    // Every user may ask this, whatever its grants.
    const replicated = `SELECT count() FROM system.tables WHERE engine LIKE 'Replicated%' AND concat(database, '.', name) = '${table}'`;
    return (await this.servers[0]!.run(replicated)) === '1\n' ? this.shards : this.servers;
  }

  /** A statement for every server, as each of them carries it out. */
  #onEachServer(sql: string, everywhere: string): string {
    let each = sql.replace(everywhere, '');
    if (this.options.zookeeper === undefined) {
      // Locks are taken and looked at on the first shard alone, so a table of its own stands in for Keeper's.
      each = each
        .replace('ENGINE = Replicated', 'ENGINE = ')
        .replace(/KeeperMap\('[^']+'\)/, 'EmbeddedRocksDB');
    } else if (each.includes('ENGINE = Replicated'))
      each = each.replace(/^(\s*CREATE TABLE (?:IF NOT EXISTS )?[\w.]+)/, `$1 UUID '${randomUUID()}'`);
    if (this.options.rows === 'anywhere') {
      each = each.replace(/(ENGINE = Distributed\(.*, )[^,]+\)/, '$1rand())');
    }
    return each;
  }
}

/**
 * As a DDL worker: waits for a server that ended by itself, and has it carry out the statement again.
 *
 * @returns nothing after half a minute
 */
async function sendPatiently(
  server: ClickHouseServer,
  incoming: IncomingMessage,
  sql: string,
): Promise<IncomingMessage | undefined> {
  for (const until = Date.now() + 30_000; Date.now() < until; await setTimeout(500)) {
    try {
      return await send(server, incoming, sql);
    } catch (error) {
      console.log(`      a server of the cluster took no statement: ${String(error)}`);
    }
  }
  return undefined;
}

async function send(
  { ports }: ClickHouseServer,
  { method = 'POST', headers, url = '/' }: IncomingMessage,
  body: Buffer | string,
): Promise<IncomingMessage> {
  // The body is known by now, and is sent with its length.
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'transfer-encoding'));
  const sent = request({
    host: '127.0.0.1',
    port: ports.http,
    method,
    path: url,
    headers: { ...kept, 'content-length': Buffer.byteLength(body) },
    agent: false,
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}
