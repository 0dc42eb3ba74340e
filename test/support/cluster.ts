import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../src/config.js';
import { type OpenedStore, openStore } from '../../src/store/open.js';
import { Program } from './process.js';
import { temporaryFolder } from './store.js';

/** What a server of the cluster is told on its command line. */
export interface ClusterNode {
  index: number;
  cluster: string;
  folder: string;
  /** Of all servers, one a shard: the engine's native protocol, and HTTP. */
  tcpPorts: number[];
  httpPorts: number[];
  internalReplication: boolean;
  /** Whether it makes replicated tables; it needs a coordinator then, in moreConfig. */
  replicated: boolean;
  moreConfig: string;
}

const SCRIPT = fileURLToPath(new URL('cluster-node.ts', import.meta.url));

/** Servers of one shard each, every one a process with an engine of its own. */
export class TestCluster {
  readonly name = 'two-shards';
  readonly urls: string[];
  readonly #programs: Program[];

  private constructor(nodes: ClusterNode[]) {
    this.urls = nodes.map(({ httpPorts, index }) => `http://127.0.0.1:${httpPorts[index]}`);
    this.#programs = nodes.map((node) => new Program(SCRIPT, [JSON.stringify(node)], {}));
  }

  static async start(
    shards: number,
    options: Partial<Pick<ClusterNode, 'replicated' | 'moreConfig'>> = {},
  ): Promise<TestCluster> {
    const ports = await freePorts(2 * shards);
    const folder = temporaryFolder();
    const cluster = new TestCluster(
      Array.from({ length: shards }, (_, index) => ({
        index,
        cluster: 'two-shards',
        folder: join(folder, `${index}`),
        tcpPorts: ports.slice(0, shards),
        httpPorts: ports.slice(shards),
        internalReplication: true,
        replicated: false,
        moreConfig: '',
        ...options,
      })),
    );
    for (const program of cluster.#programs) await listening(program);
    return cluster;
  }

  /** The store over all shards, through one of the servers. */
  async open(database: string, server = 0, cluster: string | undefined = this.name): Promise<OpenedStore> {
    return openStore(
      readConfig({
        CLICKHOUSE_URL: this.urls[server],
        CLICKHOUSE_DATABASE: database,
        CLICKHOUSE_CLUSTER: cluster,
      }),
      'command',
    );
  }

  /** What one server does by itself, and answers as lines of tab-separated cells. */
  async ask(server: number, sql: string): Promise<string[]> {
    const body = sql.startsWith('SELECT') ? `${sql} FORMAT TSV` : sql;
    const answer = await fetch(`${this.urls[server]}/`, { method: 'POST', body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.split('\n').slice(0, -1);
  }

  async stop(server?: number): Promise<void> {
    const ending = server === undefined ? this.#programs : this.#programs.slice(server, server + 1);
    for (const program of ending) program.kill('SIGKILL');
    for (const program of ending) await program.ended;
  }
}

async function listening(program: Program): Promise<void> {
  for (let waited = 0; !program.stdout.includes('listening'); waited += 50) {
    if (program.hasEnded || waited > 120_000) {
      program.kill('SIGKILL');
      throw new Error(`a server of the cluster does not start: ${(await program.ended).stderr}`);
    }
    await setTimeout(50);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
