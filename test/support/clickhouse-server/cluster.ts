import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readConfig } from '../../../src/config.js';
import { type OpenedStore, openStore, WORKING } from '../../../src/store/engine/open.js';
import type { StoreLimits } from '../../../src/store/store.js';
import {
  ClickHouseServer,
  type ClickHouseServerOptions,
  type ClickHouseUser,
  freePorts,
  SERVICE,
} from './server.js';

export interface TestClusterOptions extends Pick<
  ClickHouseServerOptions,
  'users' | 'profiles' | 'zookeeper'
> {
  /** On which shard a row is: that of its station's hash, or any, as when a shard was added later. */
  rows: 'by station' | 'anywhere';
}

const NAME = 'two-shards';
const USERS: Record<string, ClickHouseUser> = { [SERVICE.name]: { password: SERVICE.password } };

/**
 * Two ClickHouse servers that are the shards of a cluster, and query each other over TCP. They have no coordinator, so a front
 * does the work of one: it carries a statement ON CLUSTER to each server, without Replicated unless there is a ZooKeeper,
 * and with one UUID for a replicated table, since its path in the coordinator holds it.
 */
export class TestCluster {
  static readonly NAME = NAME;
  readonly #front: Server;

  private constructor(
    readonly shards: readonly ClickHouseServer[],
    private readonly options: TestClusterOptions,
  ) {
    this.#front = createServer({ maxHeaderSize: 1024 * 1024 }, (incoming, response) => {
      this.#serve(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(options: TestClusterOptions): Promise<TestCluster> {
    const { users = USERS, profiles, zookeeper } = options;
    const ports = [await freePorts(), await freePorts()];
    const clusters: ClickHouseServerOptions['clusters'] = {
      [NAME]: { shards: ports.map(({ tcp }) => [{ port: tcp }]), secret: 'of the cluster' },
      doubling: { shards: [ports.map(({ tcp }) => ({ port: tcp }))], internalReplication: false },
    };
    const shards = await Promise.all(
      ports.map((each) =>
        ClickHouseServer.start({
          users,
          clusters,
          ports: each,
          ...(profiles && { profiles }),
          ...(zookeeper && { zookeeper }),
        }),
      ),
    );
    const cluster = new TestCluster(shards, options);
    await once(cluster.#front.listen(0, '127.0.0.1'), 'listening');
    return cluster;
  }

  /** Of the front. */
  get url(): string {
    return `http://127.0.0.1:${(this.#front.address() as AddressInfo).port}`;
  }

  /** What a program needs to open it. */
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
    await Promise.all(this.shards.map((shard) => shard.kill()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [first, ...others] = this.shards;
    const body = await buffer(incoming);
    const everywhere = ` ON CLUSTER \`${NAME}\``;
    const sql = body.includes(everywhere) ? this.#onEachServer(body.toString(), everywhere) : undefined;
    const answer = await send(first!, incoming, sql ?? body);
    for (const shard of sql !== undefined && answer.statusCode === 200 ? others : []) {
      const theirs = await send(shard, incoming, sql!);
      if (theirs.statusCode === 200) theirs.resume();
      else {
        answer.resume();
        response.writeHead(theirs.statusCode ?? 500, theirs.headers);
        theirs.pipe(response);
        return;
      }
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }

  /** A statement for every server, as each of them carries it out. */
  #onEachServer(sql: string, everywhere: string): string {
    let each = sql.replace(everywhere, '');
    if (this.options.zookeeper === undefined) {
      // Claims are made and asked for on the first shard alone, so a table of its own stands in for Keeper's.
      each = each.replace('ENGINE = Replicated', 'ENGINE = ').replace(/KeeperMap\('[^']+'\)/, 'EmbeddedRocksDB');
    } else if (each.includes('ENGINE = Replicated'))
      each = each.replace(/^(\s*CREATE TABLE (?:IF NOT EXISTS )?[\w.]+)/, `$1 UUID '${randomUUID()}'`);
    if (this.options.rows === 'anywhere') {
      each = each.replace(/(ENGINE = Distributed\(.*, )[^,]+\)/, '$1rand())');
    }
    return each;
  }
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
