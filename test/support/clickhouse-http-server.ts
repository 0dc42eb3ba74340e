import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Fault, StandInOptions, StandInStatistics } from './clickhouse-http.js';
import { Engine, EngineError, type Statement } from './clickhouse-http-engine.js';
import { isWrite, refuseSeveral, unescaped } from './clickhouse-http-statement.js';

// A stand-in for a ClickHouse server where none can be started: it speaks the HTTP interface over an embedded engine, in a
// process of its own. What it shows is the way there and back: URLs, credentials, escaping, headers, error texts, broken
// connections. What it does not show is how a server runs statements: that is the embedded engine's way.

const options = JSON.parse(process.argv[2] ?? '{}') as StandInOptions;
const engine = new Engine(options.folder);
const statistics: StandInStatistics = { statements: 0, reads: 0, underWay: 0, abandoned: 0, cancelled: 0 };
let fault: Fault = { mode: 'none' };
let garbled = 0;

// URL parameters that are no settings, or none that the engine under this interface has.
const NO_SETTINGS =
  /^(?:query|query_id|database|default_format|user|password|quota_key|role|readonly|compress|decompress|wait_end_of_query|buffer_size|param_.+|enable_http_compression|http_\w+|send_progress_in_http_headers|cancel_http_readonly_queries_on_client_close)$/;

// A part of an answer; several make a stream.
const CHUNK_BYTES = 16_384;

const server = createServer({ maxHeaderSize: 1024 * 1024, keepAliveTimeout: 10_000 }, (request, response) => {
  void serve(request, response);
});
server.requestTimeout = 0;
server.listen(options.port ?? 0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

process.on('message', (message: { fault?: Fault }) => {
  if (message.fault !== undefined) fault = message.fault;
  process.send?.({ statistics });
});
// It does not outlive the test run.
process.on('disconnect', () => process.exit());

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { mode, delayMs = 0 } = fault;
  if (mode !== 'none' && fault.times !== undefined) {
    fault = fault.times <= 1 ? { mode: 'none' } : { ...fault, times: fault.times - 1 };
  }
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const isStatement = url.pathname === '/' && (request.method === 'POST' || url.searchParams.has('query'));
  if (isStatement) {
    await serveStatement(url.searchParams, { mode, delayMs }, request, response);
    return;
  }
  if (await fail({ mode, delayMs }, request, response)) return;
  const found = url.pathname === '/ping' || url.pathname === '/';
  response.writeHead(found ? 200 : 404, { 'Content-Type': 'text/plain; charset=UTF-8' });
  response.end(found ? 'Ok.\n' : `There is no handle ${url.pathname}\n`);
}

/** Does what is wrong instead of answering, or before it; false when there is still something to answer. */
async function fail(
  { mode, delayMs }: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (mode === 'reset') request.socket.destroy();
  if (mode === 'garbled') garble(request, response);
  if (mode === 'slow') await delay(delayMs);
  return mode === 'hung' || mode === 'reset' || mode === 'garbled';
}

async function serveStatement(
  searchParams: URLSearchParams,
  { mode, delayMs }: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const queryId = searchParams.get('query_id') ?? randomUUID();
  let readonly = Number(searchParams.get('readonly') ?? (request.method === 'GET' ? 2 : 0));
  let hasEnded = false;
  statistics.statements += 1;
  statistics.underWay += 1;
  response.once('close', () => {
    statistics.underWay -= 1;
    if (response.writableFinished || mode === 'reset') return;
    statistics.abandoned += 1;
    if (readonly > 0 && searchParams.get('cancel_http_readonly_queries_on_client_close') === '1') {
      statistics.cancelled += 1;
      engine.cancel(queryId, () => hasEnded).catch(() => {});
    }
  });
  if ((await fail({ mode, delayMs }, request, response)) || response.destroyed) {
    hasEnded = true;
    return;
  }
  response.setHeader('X-ClickHouse-Server-Display-Name', 'stand-in');
  response.setHeader('X-ClickHouse-Query-Id', queryId);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  try {
    readonly = Math.max(readonly, authenticated(request, searchParams));
    const statement = await read(request, searchParams, queryId);
    const writes = isWrite(statement.sql);
    if (!writes) statistics.reads += 1;
    else if (readonly > 0) throw new EngineError(164, 'READONLY', 'Cannot execute query in readonly mode.');
    const { bytes, ...summary } = await engine.run(statement);
    const [rows, size] = [`${summary.rowsRead}`, `${summary.bytesRead}`];
    const written = writes ? [rows, size] : ['0', '0'];
    response.writeHead(200, {
      'Content-Type': 'text/plain; charset=UTF-8',
      'X-ClickHouse-Format': statement.format,
      'X-ClickHouse-Summary': JSON.stringify({
        read_rows: rows,
        read_bytes: size,
        written_rows: written[0],
        written_bytes: written[1],
        total_rows_to_read: '0',
        result_rows: rows,
        result_bytes: `${bytes.length}`,
        elapsed_ns: `${Math.round(summary.elapsedSeconds * 1e9)}`,
      }),
    });
    const whole = mode !== 'dropped';
    const sent = whole ? bytes : bytes.subarray(0, Math.floor(bytes.length / 2));
    await pipeline(inChunks(sent), response, { end: whole });
    if (!whole) response.socket?.destroySoon();
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const told =
      error instanceof EngineError ? error : new EngineError(1002, 'UNKNOWN_EXCEPTION', String(error));
    response.setHeader('X-ClickHouse-Exception-Code', told.code);
    response.writeHead(statusOf(told.code), { 'Content-Type': 'text/plain; charset=UTF-8' });
    response.end(`${told.message}\n`);
  } finally {
    hasEnded = true;
  }
}

function* inChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** The statement of a request. @throws EngineError */
async function read(request: IncomingMessage, query: URLSearchParams, queryId: string): Promise<Statement> {
  const packed = await buffer(request);
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed;
  const inUrl = query.get('query') ?? '';
  const sql = inUrl === '' ? body.toString() : `${inUrl}\n${body.toString()}`;
  if (sql.trim() === '') throw new EngineError(62, 'SYNTAX_ERROR', 'Empty query');
  refuseSeveral(inUrl === '' ? sql : inUrl);
  const names = [...query.keys()];
  if (names.includes('session_id'))
    throw new EngineError(48, 'NOT_IMPLEMENTED', 'There are no sessions here');
  const params = Object.fromEntries(
    names
      .filter((name) => name.startsWith('param_'))
      .map((name) => [name.slice('param_'.length), unescaped(query.get(name) ?? '')]),
  );
  const named = /\bFORMAT\s+(\w+)\s*(?:;|\bSETTINGS\b.*)?\s*$/is.exec(inUrl === '' ? sql : inUrl)?.[1];
  return {
    sql,
    database: query.get('database') || 'default',
    format: named ?? query.get('default_format') ?? 'TabSeparated',
    // By its comment it can be found again.
    settings: new Map([['log_comment', queryId], ...[...query].filter(([name]) => !NO_SETTINGS.test(name))]),
    params,
  };
}

/** Whether its user may only read, as the setting `readonly` says it. @throws EngineError */
function authenticated({ headers }: IncomingMessage, query: URLSearchParams): number {
  let name = headers['x-clickhouse-user'] as string | undefined;
  let password = headers['x-clickhouse-key'] as string | undefined;
  const [, basic] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (name === undefined && basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString();
    [name, password] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  }
  name ??= query.get('user') ?? 'default';
  password ??= query.get('password') ?? '';
  const user = options.users[name];
  if (user === undefined || user.password !== password) {
    throw new EngineError(
      516,
      'AUTHENTICATION_FAILED',
      `${name}: Authentication failed: password is incorrect, or there is no user with such name.`,
    );
  }
  return user.readonly ?? 0;
}

// The server's own table, as far as its codes can come up here.
const STATUS: [status: number, codes: number[]][] = [
  [401, [194]],
  [403, [192, 193, 497, 516]],
  [400, [6, 26, 27, 36, 38, 41, 42, 43, 44, 53, 62, 72, 457]],
  [404, [46, 47, 50, 56, 60, 73, 81, 115]],
  [408, [159]],
  [501, [48]],
];

function statusOf(code: number): number {
  return STATUS.find(([, codes]) => codes.includes(code))?.[0] ?? 500;
}

/** Bytes that make no sense, each time of another kind. */
function garble({ socket }: IncomingMessage, response: ServerResponse): void {
  const kinds = [
    () => socket.end(Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 151 + 13) % 256))),
    () => response.writeHead(200).end(Buffer.alloc(300, 0xfe)),
    () =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>It works!</body></html>\n'),
    () => response.writeHead(200).end('{"events":3,"latest_ms":17'),
    () => response.writeHead(200).end(),
    () => response.writeHead(502).end('<html>\n<h1>502 Bad Gateway</h1>\n</html>\n'),
    () => response.writeHead(500).end('\u0000\u0001Code: what?'),
    () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"v":1}\n'),
    () => response.writeHead(200).end('null\n[]\n7\n'),
  ];
  kinds[garbled % kinds.length]?.();
  garbled += 1;
}
