import { Agent, createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import { createApp } from '../../src/app.js';
import { createKey, Keyring } from '../../src/auth/keys.js';
import type { DamageWatch } from '../../src/observe/damage-watch.js';
import type { Limits } from '../../src/auth/limits.js';
import type { ExportFiles } from '../../src/export/files.js';
import type { SealSigner } from '../../src/seals/seal-log.js';
import type { Store } from '../../src/store/store.js';
import { temporaryFolder } from './store.js';

export interface TestService {
  app: ReturnType<typeof createApp>;
  key: string;
  keysFile: string;
  /** A request without a key; the path may hold a query. */
  request: (method: Method, path: string) => Test;
  /** A GET with a valid key. */
  get: (path: string) => Test;
}

export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';

export interface TestServiceOptions {
  /** The time that the service thinks it is, or what tells it; real time if none is given. */
  now?: string | (() => Date);
  rateLimitPerMinute?: number;
  /** No limit if none is given. */
  rowsPerMinute?: number;
  /** No limit if none is given. */
  authFailuresPerMinute?: number;
  /** Origins whose pages may read answers. */
  corsOrigins?: readonly string[];
  /** Whether assistants may ask at /mcp; they may if not given. */
  mcp?: boolean;
  /** Proxies that may say whom a request comes from. */
  trustProxy?: number | string[];
  /** As PUBLIC_URL. */
  publicUrl?: string;
  /** As DEFAULT_PROVIDER. */
  defaultProvider?: string | undefined;
  /** Bytes of answers that it keeps; 64 MiB if none are given. */
  cacheBytes?: number;
  /** The damage of the tables; if none is given, all can be read. */
  damage?: DamageWatch;
  /** The limits of an address that asks without a key; if none are given, every question needs one. */
  publicRead?: Limits;
  /** Where exports are kept as files; none are if not given. */
  exportFiles?: ExportFiles;
  /** How often streams of events look and send heartbeats. */
  eventTimes?: { lookMs?: number; heartbeatMs?: number };
  /** Limits of worker threads other than theirs. */
  workerLimits?: { maxMs?: number };
  /** Who signs the log of versions; nobody if not given. */
  seals?: SealSigner;
  /** Where log lines go; nowhere if none is given. */
  log?: (line: string) => void;
}

/** Connections that stay open: without them each request pays for a listener and a connection of its own. */
const CONNECTIONS = new Agent({ keepAlive: true });

/** A server that keeps no process alive. It never closes a connection: a test may pause longer than any timeout. */
async function listening(app: TestService['app']): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 0 }, app);
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.unref();
}

/** The whole application on a store, with one key. */
export async function startTestService(store: Store, options: TestServiceOptions = {}): Promise<TestService> {
  const keysFile = join(temporaryFolder(), 'api-keys.json');
  const { key } = await createKey(keysFile, 'test');
  const keyring = new Keyring(keysFile);
  keyring.open();
  const { now, damage, log, ...others } = options;
  const logger = log === undefined ? pino({ level: 'silent' }) : pino({ level: 'info' }, { write: log });
  const app = createApp({
    ...{ rateLimitPerMinute: 0, rowsPerMinute: 0, authFailuresPerMinute: 0, corsOrigins: [], mcp: true },
    ...{ publicUrl: undefined, defaultProvider: undefined, publicRead: undefined },
    ...{ exportFiles: undefined, trustProxy: 0, cacheBytes: 64 * 1024 * 1024 },
    ...others,
    ...{ store, keyring, logger, readiness: { ready: true } },
    ...(damage && { damage }),
    ...(now !== undefined && { clock: typeof now === 'function' ? now : () => new Date(now) }),
  });
  const methods = supertest(await listening(app));
  const request: TestService['request'] = (method, path) => methods[method](path).agent(CONNECTIONS);
  return {
    app,
    key,
    keysFile,
    request,
    get: (path) => request('get', path).set('Authorization', `Bearer ${key}`),
  };
}
