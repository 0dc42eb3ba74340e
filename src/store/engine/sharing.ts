import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { replaceFile } from '../../lib/replace-file.js';
import { StoreNotOpened } from '../store-errors.js';
import type { Store } from '../store.js';
import { readFolderId } from './folder.js';
import { basicAuthorization, relay, RelayedStatements } from './relay.js';

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
// - Files that a killed process left are removed inside the directory alone. A path in TMPDIR that some file names stays.

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
  /** Called when other processes have run statements here, and then none for `quietMs`: a load is over, or dead. */
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
    if (shared.folder !== (await readFolderId(dataDir))) return undefined;
    const socket = isAbsolute(shared.socket) ? shared.socket : join(dataDir, shared.socket);
    const request = get({
      socketPath: socket,
      path: '/ping',
      headers: { authorization: basicAuthorization(shared.password) },
      agent: false,
      signal: AbortSignal.timeout(SHARE_PING_TIMEOUT_MS),
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => {}); // the body's stream tells of a broken response, too
    // Another process may have the folder by now: only the one that knows the password is meant.
    const pong = await text(response);
    return response.statusCode === 200 && pong === `${shared.pid}` ? { ...shared, socket } : undefined;
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
  const statements = new RelayedStatements(onQuiet, quietMs);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void relay(store, { database, password, statements }, request, response);
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
    const folder = await readFolderId(dataDir);
    const shared: SharedEngine = {
      pid: process.pid,
      holder,
      database,
      folder,
      socket: listening.socket,
      password,
    };
    await replaceFile(fileName(dataDir), JSON.stringify(shared), 0o600);
  } catch (error) {
    await stopListening();
    throw error;
  }
  return async () => {
    statements.stop();
    const current = await readEngineFile(dataDir).catch(() => undefined);
    if (current?.password === password) await rm(fileName(dataDir), { force: true });
    await stopListening();
  };
}

async function readEngineFile(dataDir: string): Promise<SharedEngine> {
  return engineFile.parse(JSON.parse(await readFile(fileName(dataDir), 'utf8')));
}

/** Removes the sockets of killed processes. The process that shares an engine is alone on its folder, so no other listens there. */
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
  const removeFolder = (): Promise<void> => rmdir(folder).catch(() => {}); // if not empty, another process uses it
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
