import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { errorCode } from './errors.js';
import type { QueryParams, Store } from './store.js';

// Only one process can have a data directory open. So the one that has it speaks ClickHouse's HTTP interface on a
// loopback port, and leaves the address with a random password in a file that its user alone can read: a load beside
// a running server is then the same load against a CLICKHOUSE_URL.

const engineFile = z.object({
  pid: z.number(),
  /** A server stays and lets others in; a command holds the folder until it is done. */
  holder: z.enum(['server', 'command']),
  /** The only database that it has open. */
  database: z.string(),
  url: z.url(),
  password: z.string(),
});

export type SharedEngine = z.infer<typeof engineFile>;

// How long the end of the sharing waits for statements of others.
const PATIENCE_MS = 5000;

// Bound values travel in the URL.
const MAX_HEADER_BYTES = 1024 * 1024;

const fileName = (dataDir: string): string => join(dataDir, 'engine.json');

/** The engine that another process shares on this data directory; one whose process has gone is no engine. */
export async function findSharedEngine(dataDir: string): Promise<SharedEngine | undefined> {
  let shared: SharedEngine;
  try {
    shared = engineFile.parse(JSON.parse(await readFile(fileName(dataDir), 'utf8')));
    // Another program may have the port by now: only the one that knows the password is meant.
    const answer = await fetch(`${shared.url}/ping`, {
      headers: { authorization: basic(shared.password) },
      signal: AbortSignal.timeout(2000),
    });
    return answer.ok && (await answer.text()) === `${shared.pid}` ? shared : undefined;
  } catch {
    return undefined;
  }
}

/** Shares an embedded store with the other processes of this user; returns what ends the sharing. */
export async function shareEngine(
  store: Store,
  dataDir: string,
  { database, holder }: Pick<SharedEngine, 'database' | 'holder'>,
): Promise<() => Promise<void>> {
  const password = randomBytes(24).toString('base64url');
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    void answer(store, { database, password }, request, response);
  });
  server.requestTimeout = 0; // a statement may take as long as it needs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shared: SharedEngine = { pid: process.pid, holder, database, url, password };
  const temporary = `${fileName(dataDir)}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(shared), { mode: 0o600 });
  await rename(temporary, fileName(dataDir));
  return async () => {
    await rm(fileName(dataDir), { force: true });
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    // A load that works through it may take minutes; broken off, it is completed by the next one.
    const impatient = setTimeout(() => {
      server.closeAllConnections();
    }, PATIENCE_MS);
    await closed;
    clearTimeout(impatient);
  };
}

async function answer(
  store: Store,
  { database, password }: Pick<SharedEngine, 'database' | 'password'>,
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
    const bytes =
      statement === null ? await store.relay(body, params) : await store.relay(statement, params, body);
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
