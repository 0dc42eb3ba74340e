import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../store.js';

export interface ClickHouseUser {
  password: string;
  /** The name of one of the profiles; `default` if none is given. */
  profile?: string;
  /** GRANT statements without their TO; everything, if none are given. */
  grants?: readonly string[];
}

export interface ClickHouseServerOptions {
  /** The first one is the user of `run`; `service` with a password, if none are given. */
  users?: Record<string, ClickHouseUser>;
  /** Settings by profile, and in `constraints` what a user may make of them, as users.xml has them. */
  profiles?: Record<string, object>;
  /** By name. The users of a query are its users on every shard where there is a secret. */
  clusters?: Record<string, { shards: Replica[][]; internalReplication?: boolean; secret?: string }>;
  /** The port of a ZooKeeper; there are no replicated tables without one. */
  zookeeper?: number;
  /** Options that make its replicated tables run; without them they can be created, and nothing more. */
  replica?: ReplicaOptions;
  /** Where the data are; a folder of its own, if none is given. */
  folder?: string;
  /** Free ones, if none are given. */
  ports?: Ports;
}

export interface ReplicaOptions {
  shard: number;
  /** Another for each server. */
  name: string;
  /** Where its fellows ask for its parts: the port of a bridge (replication.ts). */
  bridge: number;
  /** replicas.c, compiled. */
  library: string;
}

export interface Replica {
  port: number;
}

export interface Ports {
  http: number;
  tcp: number;
}

const SCRIPT = fileURLToPath(new URL('process.mjs', import.meta.url));

/** The user that may do everything. */
export const SERVICE = { name: 'service', password: "p@ss:w/ö'rd" };

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * A real ClickHouse server on this machine, in a process of its own (process.mjs). An installed one has more:
 * users by statement, ON CLUSTER, Keeper, and a port for fellow replicas.
 */
export class ClickHouseServer {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  #child: ChildProcess | undefined;
  /** Since it was killed or stopped. */
  #isAway = false;
  #crashes = 0;

  private constructor(
    readonly ports: Ports,
    readonly folder: string,
    readonly config: string,
    [user, { password }]: [string, ClickHouseUser],
    private readonly replica?: ReplicaOptions,
  ) {
    this.url = `http://127.0.0.1:${ports.http}`;
    this.user = user;
    this.password = password;
  }

  static async start(options: ClickHouseServerOptions = {}): Promise<ClickHouseServer> {
    const users = options.users ?? { [SERVICE.name]: { password: SERVICE.password } };
    const folder = options.folder ?? temporaryFolder();
    const ports = options.ports ?? (await freePorts());
    const config = writeConfig(temporaryFolder(), { ...options, users }, ports);
    const [first] = Object.entries(users);
    if (first === undefined) throw new Error('a server needs a user');
    const server = new ClickHouseServer(ports, join(folder, 'data'), config, first, options.replica);
    await server.restart();
    return server;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && running.has(this.#child);
  }

  /** Whether it was killed or stopped, and not started again since. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Starts it again on the same data and the same ports. */
  async restart(): Promise<void> {
    this.#isAway = false;
    mkdirSync(this.folder, { recursive: true });
    const { library, bridge } = this.replica ?? {};
    const replica = library === undefined ? [] : [library, `${bridge}`];
    const child = spawn(process.execPath, [SCRIPT, this.config, this.folder, ...replica], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    let hasAnswered = false;
    child.once('exit', (code, signal) => {
      running.delete(child);
      // As a service manager does, and not for ever. Nobody can learn more of it than the last words.
      if (this.#isAway || !hasAnswered || this.#crashes === 2) return;
      this.#crashes += 1;
      console.log(`      a ClickHouse server ended by itself (${signal ?? code}): ${told.slice(-2000)}`);
      this.restart().catch((error: unknown) => console.log(`      ${String(error)}`));
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (told += text.toString()));
    this.#child = child;
    for (let waited = 0; !(await this.#answers()); waited += 20) {
      if (!running.has(child) || waited > 60_000) {
        child.kill('SIGKILL');
        throw new Error(`the ClickHouse server does not start: ${told}`);
      }
      await setTimeout(20);
    }
    hasAnswered = true;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#end((child) => child.kill('SIGKILL'));
  }

  /** Ends it; its data stay. */
  async stop(): Promise<void> {
    await this.#end((child) => child.stdin?.end());
  }

  /** The answer to a statement of its first user, as text. @throws Error with the text of the server */
  async run(sql: string): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${this.user}:${this.password}`).toString('base64')}`;
    const answer = await fetch(this.url, { method: 'POST', body: sql, headers: { authorization } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${text}\n${sql}`);
    return text;
  }

  async #answers(): Promise<boolean> {
    return fetch(`${this.url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async #end(how: (child: ChildProcess) => unknown): Promise<void> {
    this.#isAway = true;
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const ended = once(child, 'exit');
    how(child);
    await ended;
  }
}

/** Ports that were free a moment ago. */
export async function freePorts(): Promise<Ports> {
  const servers = [createServer(), createServer()];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const [http, tcp] = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await once(server.close(), 'close');
  return { http: http!, tcp: tcp! };
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!);

/** An object as XML: an array is its element several times, an empty object an element without content. */
function xml(value: unknown, name?: string): string {
  if (Array.isArray(value)) return value.map((each) => xml(each, name)).join('');
  const content =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .filter(([, each]) => each !== undefined)
          .map(([key, each]) => xml(each, key))
          .join('')
      : escaped(String(value));
  return name === undefined ? content : `<${name}>${content}</${name}>`;
}

function writeConfig(
  folder: string,
  { users = {}, profiles = {}, clusters = {}, zookeeper, replica }: ClickHouseServerOptions,
  ports: Ports,
): string {
  const usersFile = join(folder, 'users.xml');
  const config = join(folder, 'config.xml');
  writeFileSync(
    usersFile,
    xml({
      clickhouse: {
        profiles: { default: {}, ...profiles },
        quotas: { default: {} },
        users: {
          // clickhouse-local itself is this one.
          default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' },
          ...Object.fromEntries(
            Object.entries(users).map(([name, { password, profile = 'default', grants }]) => [
              name,
              {
                password,
                networks: { ip: '127.0.0.1' },
                profile,
                quota: 'default',
                grants: { query: grants ?? ['GRANT ALL ON *.*'] },
              },
            ]),
          ),
        },
      },
    }),
  );
  const remoteServers = Object.fromEntries(
    Object.entries(clusters).map(([name, { shards, internalReplication = true, secret }]) => [
      name,
      {
        secret,
        shard: shards.map((replicas) => ({
          internal_replication: internalReplication,
          replica: replicas.map((replica) => ({ host: '127.0.0.1', ...replica })),
        })),
      },
    ]),
  );
  writeFileSync(
    config,
    xml({
      clickhouse: {
        users_config: usersFile,
        listen_host: '127.0.0.1',
        http_port: ports.http,
        tcp_port: ports.tcp,
        remote_servers: remoteServers,
        // As strict as a server can be.
        access_control_improvements: { table_engines_require_grant: true },
        backups: { allowed_path: tmpdir() },
        query_log: { database: 'system', table: 'query_log' },
        ...(zookeeper !== undefined && {
          zookeeper: {
            node: { host: '127.0.0.1', port: zookeeper },
            // The identity of a server, which its session is named by, is all zeros here.
            sessions_path: `/clickhouse/sessions_${ports.tcp}`,
            // A replica counts as there for so long after it was killed; ZooKeeper allows no less than two of its ticks.
            session_timeout_ms: 6000,
          },
          keeper_map_path_prefix: '/keeper_map',
          macros: { shard: replica?.shard ?? 1, replica: replica?.name ?? 'one' },
        }),
      },
    }),
  );
  return config;
}
