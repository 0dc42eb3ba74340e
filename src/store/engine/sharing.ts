import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { errorCode, StoreNotOpened } from '../errors.js';
import { folderIdentity } from './folder.js';
import type { QueryParams, Store } from '../store.js';

// Only one process can have a data directory open. So the one that has it speaks ClickHouse's HTTP interface on a Unix
// socket, and leaves the socket's name with a random password in a file; its user alone can use either. A load beside
// a running server is then the same load against a CLICKHOUSE_URL. The password is of one sharing: a load that began
// through a server which was killed does not go on through the next one, which took it for dead.
//
// A data directory may be copied, moved, or restored from a backup, file and socket with it, while its server runs. So:
//
// - The file names the directory for which it was written, by device and inode, and counts nowhere else. The process
//   that wrote it keeps the directory open, so that no other can get the same inode as long as somebody would answer.
// - The socket is named relative to the directory, so that a file that was moved along never leads back.
// - Each socket has a random name. Node removes a socket's path when it stops listening: by then another directory may
//   stand there, with a server of its own.
// - What a killed process left is removed inside the directory alone. A path in TMPDIR that some file names stays.

const engineFile = z.object({
  pid: z.number(),
  /** A server stays and lets others in; a command holds the folder until it is done. */
  holder: z.enum(['server', 'command']),
  /** The only database that it has open. */
  database: z.string(),
  /** The data directory for which this was written: device and inode. */
  folder: z.string(),
  /** A name in that directory; an absolute path where the directory could hold no socket. */
  socket: z.string().refine((name) => isAbsolute(name) || SOCKET_NAME.test(name)),
  password: z.string(),
});

/** The engine that another process shares; `socket` is the path to connect to. */
export type SharedEngine = z.infer<typeof engineFile>;

export interface SharingOptions extends Pick<SharedEngine, 'database' | 'holder'> {
  /** Told when other processes have run statements here, and then none for `quietMs`: a load is over, or dead. */
  onQuiet?: () => void;
  quietMs?: number;
}

/** How long the end of the sharing waits for statements of others. */
const SHARE_CLOSE_GRACE_MS = 5000;

/** How long a shared engine may take to say that it is there. */
const SHARE_PING_TIMEOUT_MS = 2000;

// Bound values travel in the URL.
const MAX_HEADER_BYTES = 1024 * 1024;

// A system takes 103 (macOS) or 107 (Linux) bytes, and Node cuts off the rest without a word.
const LONGEST_SOCKET_PATH = 103;

const SOCKET_NAME = /^engine[\w-]*\.sock$/;

const fileName = (dataDir: string): string => join(dataDir, 'engine.json');

/** The engine that another process shares on this data directory; one whose process has gone is no engine. */
export async function findSharedEngine(dataDir: string): Promise<SharedEngine | undefined> {
  try {
    const shared = await readEngineFile(dataDir);
    if (shared.folder !== (await folderIdentity(dataDir))) return undefined;
    const socket = isAbsolute(shared.socket) ? shared.socket : join(dataDir, shared.socket);
    const request = get({
      socketPath: socket,
      path: '/ping',
      headers: { authorization: basic(shared.password) },
      agent: false,
      signal: AbortSignal.timeout(SHARE_PING_TIMEOUT_MS),
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => {}); // the body's stream tells of a broken answer, too
    // Another process may have the folder by now: only the one that knows the password is meant.
    const answer = await text(response);
    return response.statusCode === 200 && answer === `${shared.pid}` ? { ...shared, socket } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Shares an embedded store with the other processes of this user; returns what ends the sharing.
 * @throws StoreNotOpened when there is no place for a socket
 */
export async function shareEngine(
  store: Store,
  dataDir: string,
  { database, holder, onQuiet = () => {}, quietMs = 0 }: SharingOptions,
): Promise<() => Promise<void>> {
  const password = randomBytes(24).toString('base64url');
  const clients = new Clients(onQuiet, quietMs);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void answer(store, { database, password, clients }, request, response);
  });
  server.requestTimeout = 0; // a statement may take as long as it needs
  const directory = await open(dataDir, 'r');
  let listening: Listening | undefined;
  const stopListening = async (): Promise<void> => {
    await listening?.stop();
    await directory.close();
  };
  try {
    await removeLeftovers(dataDir);
    listening = await listen(server, dataDir);
    const folder = await folderIdentity(dataDir);
    const shared: SharedEngine = {
      pid: process.pid,
      holder,
      database,
      folder,
      socket: listening.socket,
      password,
    };
    const temporary = `${fileName(dataDir)}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(shared), { mode: 0o600 });
    await rename(temporary, fileName(dataDir));
  } catch (error) {
    await stopListening();
    throw error;
  }
  return async () => {
    clients.stop();
    const current = await readEngineFile(dataDir).catch(() => undefined);
    if (current?.password === password) await rm(fileName(dataDir), { force: true });
    await stopListening();
  };
}

async function readEngineFile(dataDir: string): Promise<SharedEngine> {
  return engineFile.parse(JSON.parse(await readFile(fileName(dataDir), 'utf8')));
}

/** Removes the sockets of killed processes. Whoever shares an engine is alone on its folder, so nobody listens there. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (SOCKET_NAME.test(name)) await rm(join(dataDir, name), { force: true });
  }
}

interface Listening {
  /** As the engine's file has it. */
  socket: string;
  stop: () => Promise<void>;
}

/** Listens in the data directory, or, where the path is too long or the file system has no sockets, in a new folder. */
async function listen(server: Server, dataDir: string): Promise<Listening> {
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve)); // removes the socket, too
    server.closeIdleConnections();
    // A statement of a load may take minutes; broken off, the load ends, and the next one completes it.
    const grace = setTimeout(() => {
      server.closeAllConnections();
    }, SHARE_CLOSE_GRACE_MS);
    await closed;
    clearTimeout(grace);
  };
  const name = `engine-${randomBytes(6).toString('hex')}.sock`;
  if (await listensOn(server, join(dataDir, name))) return { socket: name, stop };
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-')); // mode 0700
  const removeFolder = (): Promise<void> => rmdir(folder).catch(() => {}); // if not empty, it serves somebody else
  const socket = join(folder, name);
  if (await listensOn(server, socket)) return { socket, stop: () => stop().then(removeFolder) };
  await removeFolder();
  throw new StoreNotOpened(
    `DATA_DIR: no socket can be made in ${dataDir}, nor in TMPDIR (${tmpdir()}); a path may have ${LONGEST_SOCKET_PATH} bytes`,
  );
}

async function listensOn(server: Server, socket: string): Promise<boolean> {
  if (Buffer.byteLength(socket) > LONGEST_SOCKET_PATH) return false;
  try {
    server.listen(socket);
    await once(server, 'listening');
    await chmod(socket, 0o600); // until then, the password is what keeps others out
    return true;
  } catch {
    return false;
  }
}

/** The other processes that run statements here. */
class Clients {
  /**
   * Statements whose client has gone: of a load that was killed. The engine runs them to their end, and does not list
   * them; no other statement begins before, so that the next load finds what they leave and not what they are about to
   * write.
   */
  readonly #orphans = new Set<Promise<unknown>>();
  readonly #onQuiet: () => void;
  readonly #quietMs: number;
  #running = 0;
  #quiet: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(onQuiet: () => void, quietMs: number) {
    this.#onQuiet = onQuiet;
    this.#quietMs = quietMs;
  }

  /**
   * Runs a statement after those that have lost their client.
   * @param gone aborted when its own client goes
   */
  async run(statement: () => Promise<Buffer>, gone: AbortSignal): Promise<Buffer> {
    this.#running += 1;
    clearTimeout(this.#quiet);
    try {
      while (this.#orphans.size > 0) await Promise.allSettled(this.#orphans);
      const running = statement();
      const orphan = (): void => {
        this.#orphans.add(running);
      };
      gone.addEventListener('abort', orphan, { once: true });
      return await running.finally(() => {
        gone.removeEventListener('abort', orphan);
        this.#orphans.delete(running);
      });
    } finally {
      this.#running -= 1;
      if (this.#running === 0 && !this.#isStopped) {
        this.#quiet = setTimeout(this.#onQuiet, this.#quietMs).unref();
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#quiet);
  }
}

async function answer(
  store: Store,
  { database, password, clients }: Pick<SharedEngine, 'database' | 'password'> & { clients: Clients },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    if (!sameText(request.headers.authorization ?? '', basic(password))) {
      response.writeHead(401).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://engine');
    if (url.pathname === '/ping') {
      await store.ping();
      response.end(`${process.pid}`);
      return;
    }
    const named = url.searchParams.get('database');
    if (named !== null && named !== database) {
      throw Object.assign(new Error(`only database ${database} is open here`), {
        code: '81',
        type: 'UNKNOWN_DATABASE',
      });
    }
    response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? ''); // says that ClickHouse answers
    const params: QueryParams = {};
    for (const [name, value] of url.searchParams) {
      if (name.startsWith('param_')) params[name.slice('param_'.length)] = unescaped(value);
    }
    const statement = url.searchParams.get('query');
    const body = await text(request);
    const { signal } = gone;
    const run = (): Promise<Buffer> =>
      statement === null
        ? store.relay(body, params, undefined, { signal })
        : store.relay(statement, params, body, { signal });
    response.end(await clients.run(run, signal));
  } catch (error) {
    // The client reads the code and the kind of an error from this line, as it does from a server's.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    const type = cause instanceof Error && 'type' in cause ? String(cause.type) : 'UNKNOWN_EXCEPTION';
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`Code: ${errorCode(cause) || '1002'}. DB::Exception: ${message} (${type})`);
  }
}

/** A bound value as the HTTP interface escapes it (tab-separated style), made plain again. */
function unescaped(value: string): string {
  const plain: Record<string, string> = { t: '\t', n: '\n', r: '\r' };
  return value.replace(/\\(.)/gs, (_, character: string) => plain[character] ?? character);
}

function basic(password: string): string {
  return `Basic ${Buffer.from(`default:${password}`).toString('base64')}`;
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
