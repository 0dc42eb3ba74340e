import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../../src/app.js';
import { createKey, Keyring } from '../../src/auth/keys.js';
import type { Statement } from '../../src/queries/sql.js';
import { withParameters } from '../../src/store/engine/query-parameters.js';
import { withSettings } from '../../src/store/engine/transport.js';
import type { QueryOptions, Store } from '../../src/store/store.js';

/** A SELECT that ran while a request was answered. */
export interface TracedStatement {
  /** Its text behind a SET of its bound values, as clickhouse-client takes it. */
  text: string;
  /** Whether it reads the version of the data or the directory, which all requests share. */
  isShared: boolean;
}

export interface TracedRequest {
  status: number;
  body: string;
  /** In the order in which they began. */
  statements: TracedStatement[];
}

/** Runs a request on a store without any cached response, and records its statements. @param path below the server */
export async function traceRequest(store: Store, path: string): Promise<TracedRequest> {
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-sql-'));
  const { key } = await createKey(join(folder, 'api-keys.json'), 'sql');
  const keyring = new Keyring(join(folder, 'api-keys.json'));
  keyring.open();
  const statements: TracedStatement[] = [];
  const app = createApp({
    store: withTrace(store, statements),
    keyring,
    logger: pino({ level: 'silent' }),
    readiness: { ready: true },
    ...{ rateLimitPerMinute: 0, rowsPerMinute: 0, authFailuresPerMinute: 0, cacheBytes: 0 },
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: response.status, body: await response.text(), statements };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A store that adds each of its SELECTs to a list. */
function withTrace(store: Store, statements: TracedStatement[]): Store {
  const queryUnparsed = store.queryUnparsed.bind(store);
  const queryBytes = store.queryBytes.bind(store);
  const add = (statement: Statement, options: QueryOptions = {}): void => {
    statements.push({ text: toText(statement), isShared: options.origin === undefined });
  };
  store.queryUnparsed = (statement, options) => {
    add(statement, options);
    return queryUnparsed(statement, options);
  };
  store.queryBytes = (statement, format, options) => {
    add(statement, options);
    return queryBytes(statement, format, options);
  };
  return store;
}

function toText({ text, params, settings }: Statement): string {
  const select = withSettings(text.trim(), settings);
  const set = withParameters(select, params).slice(0, -select.length).trim();
  return `${set}${set && '\n'}${select};`;
}
