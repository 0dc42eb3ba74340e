import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { errorCode, StoreNotOpened } from '../errors.js';
import type { QueryParams, Store } from '../store.js';

// Only one process can have a data directory open. So the one that has it speaks ClickHouse's HTTP interface on a Unix
// socket, and leaves the socket's path with a random password in a file; its user alone can use either. A load beside
// a running server is then the same load against a CLICKHOUSE_URL. The password is of one sharing: a load that began
// through a server which was killed does not go on through the next one, which took it for dead.

const engineFile = z.object({
  pid: z.number(),
  /** A server stays and lets others in; a command holds the folder until it is done. */
  holder: z.enum(['server', 'command']),
  /** The only database that it has open. */
  database: z.string(),
  socket: z.string().min(1),
  password: z.string(),
});

export type SharedEngine = z.infer<typeof engineFile>;

// How long the end of the sharing waits for statements of others.
const PATIENCE_MS = 5000;

// Bound values travel in the URL.
const MAX_HEADER_BYTES = 1024 * 1024;

// A system takes 103 (macOS) or 107 (Linux) bytes, and Node cuts off the rest without a word.
const LONGEST_SOCKET_PATH = 103;

const SOCKET = 'engine.sock';

const fileName = (dataDir: string): string => join(dataDir, 'engine.json');

/** The engine that another process shares on this data directory; one whose process has gone is no engine. */
export async function findSharedEngine(dataDir: string): Promise<SharedEngine | undefined> {
  try {
    const shared = await readEngineFile(dataDir);
    const request = get({
      socketPath: shared.socket,
      path: '/ping',
      headers: { authorization: basic(shared.password) },
      agent: false,
      signal: AbortSignal.timeout(2000),
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => {}); // what breaks off the answer is told by its stream, too
    // Another process may have the folder by now: only the one that knows the password is meant.
    const answered = await text(response);
    return response.statusCode === 200 && answered === `${shared.pid}` ? shared : undefined;
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
  { database, holder }: Pick<SharedEngine, 'database' | 'holder'>,
): Promise<() => Promise<void>> {
  const password = randomBytes(24).toString('base64url');
  const orphans: Orphans = new Set();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void answer(store, { database, password, orphans }, request, response);
  });
  server.requestTimeout = 0; // a statement may take as long as it needs
  await removeLeftSocket(dataDir);
  const socket = await listen(server, dataDir);
  const shared: SharedEngine = { pid: process.pid, holder, database, socket, password };
  const temporary = `${fileName(dataDir)}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(shared), { mode: 0o600 });
  await rename(temporary, fileName(dataDir));
  return async () => {
    await rm(fileName(dataDir), { force: true });
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    // A statement of a load may take minutes; broken off, the load ends, and the next one completes it.
    const impatient = setTimeout(() => {
      server.closeAllConnections();
    }, PATIENCE_MS);
    await closed;
    clearTimeout(impatient);
    await removeSocket(socket, dataDir);
  };
}

async function readEngineFile(dataDir: string): Promise<SharedEngine> {
  return engineFile.parse(JSON.parse(await readFile(fileName(dataDir), 'utf8')));
}

/** Listens in the data directory, or, where the path is too long or the file system has no sockets, in a new folder. */
async function listen(server: Server, dataDir: string): Promise<string> {
  const near = join(dataDir, SOCKET);
  await rm(near, { force: true }); // who has the engine is alone: a socket that is there was left by a killed process
  if (await listensOn(server, near)) return near;
  const elsewhere = join(await mkdtemp(join(tmpdir(), 'forecast-accuracy-')), SOCKET); // mode 0700
  if (await listensOn(server, elsewhere)) return elsewhere;
  await removeSocket(elsewhere, dataDir);
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

/** Removes what a process that was killed has left elsewhere. */
async function removeLeftSocket(dataDir: string): Promise<void> {
  const left = await readEngineFile(dataDir).catch(() => undefined);
  if (left !== undefined && basename(left.socket) === SOCKET) await removeSocket(left.socket, dataDir);
}

async function removeSocket(socket: string, dataDir: string): Promise<void> {
  await rm(socket, { force: true });
  if (dirname(socket) !== dataDir) await rmdir(dirname(socket)).catch(() => {}); // there was a reason if it is not empty
}

/**
 * Statements whose client has gone: a load that was killed. The engine runs them to their end, and does not list them;
 * no other statement begins before, so that the next load finds what they leave and not what they are about to write.
 */
type Orphans = Set<Promise<unknown>>;

async function answer(
  store: Store,
  { database, password, orphans }: Pick<SharedEngine, 'database' | 'password'> & { orphans: Orphans },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
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
    response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? ''); // whose answer this is
    const params: QueryParams = {};
    for (const [name, value] of url.searchParams) {
      if (name.startsWith('param_')) params[name.slice('param_'.length)] = unescaped(value);
    }
    const statement = url.searchParams.get('query');
    const body = await text(request);
    while (orphans.size > 0) await Promise.allSettled(orphans);
    const running = statement === null ? store.relay(body, params) : store.relay(statement, params, body);
    const orphan = (): void => {
      orphans.add(running);
    };
    response.once('close', orphan);
    const bytes = await running.finally(() => {
      response.off('close', orphan);
      orphans.delete(running);
    });
    response.end(bytes);
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
