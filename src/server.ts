import { existsSync } from 'node:fs';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { createApp } from './app.js';
import { type Config, ConfigError } from './config.js';
import { DamageWatch } from './observe/damage-watch.js';
import { ENDPOINTS } from './endpoints.js';
import type { Readiness } from './observe/health.js';
import { LoadLog } from './observe/load-log.js';
import { logDestination } from './observe/log-destination.js';
import { Keyring } from './auth/keys.js';
import { ExportFiles } from './export/files.js';
import { prepareDrain } from './http/drain.js';
import { createListener } from './http/listener.js';
import { reconcileDeadLoad } from './ingest/load.js';
import { readSigner } from './seals/seal-log.js';
import { dashboardPage } from './pages/dashboard.js';
import { docsPage } from './pages/docs.js';
import { commandText, UserError, runCommand } from './lib/user-error.js';
import { sql } from './queries/sql.js';
import { findDamage } from './store/damage.js';
import { openStore, computeQueryMemory, SERVING } from './store/engine/open.js';
import { type LockLifetimes, LOAD_LOCK_LIFETIMES } from './store/lock/lock.js';
import type { Store } from './store/store.js';
import { VERSION } from './lib/version.js';

// The start of the server, and its graceful shutdown: it refuses new work, lets requests in flight end, and closes.

export interface RunningServer {
  url: string;
  /** Lets requests in flight end, then closes everything. */
  stop(): Promise<void>;
}

interface ServerOptions {
  /** The lock lifetimes of the loads that use the same database. */
  lifetimes?: LockLifetimes;
}

/**
 * Looks for the files that the build makes, because a server without them would end after its store is open.
 * @throws UserError that names the first missing one
 */
export function confirmBuilt(): void {
  try {
    dashboardPage();
    docsPage();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'MODULE_NOT_FOUND'].includes(code)) throw error;
    throw notBuilt(/'([^']+)'/.exec(message)?.[1] ?? message, error);
  }
  const missing = ENDPOINTS.flatMap(({ recompute }) => recompute?.sql ?? []).find(
    (file) => !existsSync(file),
  );
  if (missing !== undefined) throw notBuilt(missing.pathname);
}

const notBuilt = (file: string, cause?: unknown): UserError =>
  new UserError(
    `${file}: missing, but the server needs it; run npm run build, or install the package again`,
    {
      cause,
    },
  );

/**
 * Opens the store, applies migrations and listens.
 * @throws UserError: one line that names the setting, or the file of the build, to look at
 */
export async function startServer(
  config: Config,
  { lifetimes = LOAD_LOCK_LIFETIMES }: ServerOptions = {},
): Promise<RunningServer> {
  confirmBuilt();
  const logger = makeLogger(config);
  const stopping = new AbortController();
  let recovery = Promise.resolve();
  /** Reconciles what a killed load left; requests are answered meanwhile. */
  const recover = (store: Store): void => {
    recovery = recovery.then(() => recoverDeadLoad(store, logger, { signal: stopping.signal, lifetimes }));
  };
  const { store, migrated, close } = await openStore(
    config,
    'server',
    { ...SERVING, queryMemoryBytes: config.queryMemoryBytes ?? computeQueryMemory(config) },
    {
      onWait: (line) => logger.warn(line),
      onMended: (line) => logger.error(line),
      // A load beside this server sends heartbeats, so after such a silence it has ended or was killed.
      quietMs: lifetimes.expiryMs,
      onQuiet: recover,
    },
  );
  try {
    const keyring = openKeyring(config, logger);
    const readiness: Readiness = { ready: true };
    const exportFiles = await openExportFiles(config);
    const damage = await new DamageWatch(() => findDamage(store), logger).start();
    const seals = readSigner(config.seals);
    const app = createApp({ ...config, store, keyring, logger, readiness, damage, exportFiles, seals });
    const server = createListener(closeWhileDraining(app, readiness), logger, undefined, app.classes);
    const drain = prepareDrain(server, app.underWay);
    const isEmpty = !(await hasLoads(store));
    await app.prepare().catch(() => {}); // each request tells what is wrong, such as a restore that was cut off
    await listen(server, config);
    const url = urlOfServer(server);
    logStart(config, logger, { url, isEmpty, migrated, keys: keyring.size });
    // On a ClickHouse server another program may be at work, and this user may only read: there the next load recovers.
    if (config.clickhouse.url === undefined) recover(store);
    const loadLog = new LoadLog(store, logger).start();
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      readiness.ready = false;
      app.underWay.forEach(closeConnectionAfter);
      app.endStreams();
      logger.info('draining');
      stopping.abort(new UserError('the server stops'));
      await Promise.all([drain(), recovery, loadLog.stop()]);
      await app.close();
      await close();
      logger.info('stopped');
      await flushLog(logger);
    };
    return { url, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function flushLog(logger: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => {
    logger.flush(() => resolve());
  });
  await Promise.race([written, setTimeout(LAST_LINES_MS, undefined, { ref: false })]);
}

const makeLogger = ({ logLevel }: Config): Logger =>
  pino(
    {
      level: logLevel,
      base: { service: 'forecast-accuracy-service', version: VERSION },
      redact: ['req.headers.authorization', 'req.headers.cookie', '*.password'],
    },
    logDestination(),
  );

/** @throws UserError where the keys file cannot be read at first */
function openKeyring({ apiKeysFile }: Config, logger: Logger): Keyring {
  const keyring = new Keyring(apiKeysFile, (error) => {
    logger.error({ err: error }, 'the keys file cannot be read; the previous keys stay valid');
  });
  keyring.open();
  return keyring;
}

/** The folder of exports; undefined where none are kept. */
async function openExportFiles({ exportFiles }: Config): Promise<ExportFiles | undefined> {
  const files = await ExportFiles.open(exportFiles.folder, exportFiles.maxBytes); // which removes those of before
  return exportFiles.maxBytes === 0 ? undefined : files;
}

/** Logs where the server listens, and what an operator still has to do. */
function logStart(
  config: Config,
  logger: Logger,
  { url, isEmpty, migrated, keys }: { url: string; isEmpty: boolean; migrated: string[]; keys: number },
): void {
  const data = nameOfData(config);
  logger.info({ url, data, is_empty: isEmpty, migrated }, 'listening');
  if (isEmpty) logger.warn(`${data} is empty: load feeds, or name another ${settingOfData(config)}`);
  if (keys === 0) logger.warn(`there are no API keys yet: ${commandText('keys', 'create --name NAME')}`);
}

/** An application whose connections end with their next response once the server stops. */
const closeWhileDraining =
  (app: RequestListener, readiness: Readiness): RequestListener =>
  (request, response) => {
    if (!readiness.ready) closeConnectionAfter(response);
    app(request, response);
  };

/** Reconciles what a load left that was killed. */
async function recoverDeadLoad(
  store: Store,
  logger: Logger,
  options: { signal: AbortSignal; lifetimes: LockLifetimes },
): Promise<void> {
  try {
    const change = await reconcileDeadLoad(store, options);
    if (change !== undefined) logger.info(change, 'reconciled the rest of a killed load');
  } catch (error) {
    if (options.signal.aborted) return;
    logger.error({ err: error }, 'the rest of a killed load is not reconciled; the next load reconciles it');
  }
}

async function hasLoads(store: Store): Promise<boolean> {
  const { loads } = await store.queryOne(
    sql.rows(z.object({ loads: z.number() }))`SELECT count() AS loads FROM loads`,
  );
  return loads > 0;
}

/** Where the data are, in the words of an operator; without the user and password that a URL may hold. */
function nameOfData({ dataDir, clickhouse }: Config): string {
  if (clickhouse.url === undefined) return dataDir;
  return `${clickhouse.database} at ${new URL(clickhouse.url).origin}`;
}

/** The setting that decides where the data are. */
function settingOfData({ clickhouse }: Config): string {
  return clickhouse.url === undefined ? 'DATA_DIR' : 'CLICKHOUSE_DATABASE';
}

/** Makes a response the last on its connection: a client that sent another request there would be reset. */
function closeConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** A reader of the log that stands still does not hold the end. */
const LAST_LINES_MS = 1000;

/** Starts a server that drains and ends the process on SIGTERM or SIGINT; a second signal ends it at once. */
export async function runServer(config: Config): Promise<RunningServer> {
  const server = await startServer(config);
  keepGarbageSmall();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void runCommand(async () => {
        await server.stop();
        process.exit(0);
      });
    });
  }
  return server;
}

/**
 * On a machine of 16 GB V8 collects no sooner than the heap is four times what was alive: 300 MB of garbage that the engine
 * could use. From here on it grows by half; before, that takes 75 ms more of a start or load of 900. The limit of the heap
 * cannot be set any more once Node runs; Node takes that from the memory of the machine or container, or from
 * --max-old-space-size in NODE_OPTIONS.
 */
function keepGarbageSmall(): void {
  if (process.execArgv.some((flag) => /^--heap[-_]growing[-_]percent/.test(flag))) return;
  setFlagsFromString('--heap-growing-percent=50');
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} on ${host} is in use; choose another`);
    if (code === 'EACCES')
      throw new ConfigError(`PORT: ${port} may not be opened by this user; choose one above 1023`);
    throw new ConfigError(`HOST: cannot listen on ${host} (${code})`, { cause: error });
  }
}

function urlOfServer(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
