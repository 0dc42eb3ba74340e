import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '@clickhouse/client';
import { createKey } from '../../src/auth/keys.js';
import { UserError } from '../../src/lib/user-error.js';
import { connect, throughSocket, WORKING } from '../../src/store/engine/open.js';
import { findSharedEngine } from '../../src/store/engine/sharing.js';

// The processes that the bench runs: servers as an operator starts them, and workers.

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where each program begins in a checkout that has no entry for all of them. */
const OWN_ENTRIES = { serve: 'main.js', load: 'cli/load.js', verify: 'cli/verify.js' };

/** The arguments of Node to start a program of a built checkout, by its root. @throws UserError when it is not built */
export function program(name: keyof typeof OWN_ENTRIES, root = built('../../../')): string[] {
  const entry = join(root, 'dist/src/main.cjs');
  if (existsSync(entry)) return [entry, name];
  const own = join(root, 'dist/src', OWN_ENTRIES[name]);
  if (existsSync(own)) return [own];
  throw new UserError(`${root} has neither ${entry} nor ${own}: npm run build there`);
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A server on a data folder. */
export interface Server {
  url: string;
  key: string;
  pid: number;
  stop: () => Promise<void>;
}

/** A server, and the engine within it, reached as a load reaches it. */
export interface Service extends Server {
  engine: ClickHouseClient;
}

export async function startService(dataDir: string, env: Record<string, string> = {}): Promise<Service> {
  const server = await startServer(dataDir, env);
  const shared = await findSharedEngine(dataDir);
  if (shared === undefined) throw new Error('the server does not share its engine');
  const engine = await connect(throughSocket(shared), shared.database, WORKING);
  return {
    ...server,
    engine,
    stop: async () => {
      await engine.close();
      await server.stop();
    },
  };
}

/** Starts the service as `npm start` does, on loopback: of this checkout, or of the one at `root`. */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  root?: string,
): Promise<Server> {
  // A server on the same data has had another: names are of one key.
  const { key } = await createKey(join(dataDir, 'api-keys.json'), `bench ${randomUUID()}`);
  const child = spawn(process.execPath, program('serve', root), {
    env: { ...inherited(), DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { key, ...(await awaitServer(child)) };
}

/** Starts a server that is nothing but Express, and sends a body. */
export async function startBare(body: Buffer): Promise<Pick<Server, 'url' | 'pid' | 'stop'>> {
  const file = join(mkdtempSync(join(tmpdir(), 'forecast-accuracy-bare-')), 'body');
  writeFileSync(file, body);
  const child = spawn(process.execPath, [built('bare.js'), file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const server = await awaitServer(child);
  rmSync(dirname(file), { recursive: true });
  return server;
}

async function awaitServer(child: ChildProcess): Promise<Pick<Server, 'url' | 'pid' | 'stop'>> {
  running.add(child);
  const url = await listening(child);
  // From here on nobody reads the log; it goes on as it does for an operator.
  child.stdout?.resume();
  return { url, pid: child.pid ?? 0, stop: () => ended(child, () => child.kill('SIGTERM')) };
}

/** Uses a server that is starting, then stops it. */
export async function using<Started extends Pick<Server, 'stop'>, Result>(
  starting: Promise<Started>,
  use: (server: Started) => Promise<Result>,
): Promise<Result> {
  const server = await starting;
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** Runs a task of worker.ts in a process of its own, and returns what it sends back. */
export async function work<Result>(task: string, options: object): Promise<Result> {
  const child = fork(built('worker.js'), [task, JSON.stringify(options)], { env: inherited() });
  running.add(child);
  let result: Result | undefined;
  child.on('message', (message: Result) => (result = message));
  await ended(child);
  if (result === undefined) throw new Error(`${task} ended without a result`);
  return result;
}

/** Feed files by the name of their feed. */
type Feeds = Partial<Record<'stations' | 'forecasts' | 'observations', string>>;

/** Loads feed files as an operator does; the report is not shown. @returns milliseconds, with the start of the program */
export async function load(dataDir: string, feeds: Feeds): Promise<number> {
  const files = Object.entries(feeds).flatMap(([feed, file]) => [`--${feed}`, file]);
  return run('load', files, dataDir);
}

/** Runs a command to its end, without its output. @returns milliseconds, with the start of the program */
export async function run(
  command: keyof typeof OWN_ENTRIES,
  options: readonly string[],
  dataDir: string,
): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [...program(command), ...options], {
    env: { ...inherited(), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  await ended(child);
  return performance.now() - started;
}

/** A response of the service. */
export interface Response {
  status: number;
  body: Buffer;
  /** From the request to the last byte. */
  total_ms: number;
  /** The time that the service says it waited for its store; NaN when it did not ask it. */
  store_ms: number;
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds of a response. @throws unless its status is 200 */
export async function responseMs(server: Server, path: string): Promise<number> {
  const { status, total_ms } = await request(server, path);
  if (status !== 200) throw new Error(`${path}: status ${status}`);
  return total_ms;
}

export function request({ url, key }: Server, path: string): Promise<Response> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(url + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const total_ms = performance.now() - started;
        const timing = /store;dur=([\d.]+)/.exec(String(response.headers['server-timing']));
        const body = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, body, total_ms, store_ms: Number(timing?.[1] ?? NaN) });
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Resident memory of a process, now and at its highest, in MB; where the system tells (Linux). */
export async function readMemory(pid: number): Promise<{ now_mb: number; peak_mb: number } | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1]);
  return status === undefined
    ? undefined
    : { now_mb: kilobytes('VmRSS') / 1024, peak_mb: kilobytes('VmHWM') / 1024 };
}

/** The URL in the first line of output that has one. */
async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output to read');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('the process ended before it listened');
}

async function ended(child: ChildProcess, end?: () => void): Promise<void> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  end?.();
  const code = await exit;
  running.delete(child);
  if (end === undefined && code !== 0) throw new Error(`${child.spawnargs[1]} ended with code ${code}`);
}

function inherited(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) };
}
