import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { createApp } from './app.js';
import { type Config, ConfigError } from './config.js';
import type { Readiness } from './observe/health.js';
import { LoadLog } from './observe/load-log.js';
import { Keyring } from './access/keys.js';
import { createListener } from './http/listener.js';
import { settleDeadLoad } from './ingest/load.js';
import { OperatorFault, runCommand } from './operator-fault.js';
import { openStore, SERVING } from './store/engine/open.js';
import type { Store } from './store/store.js';
import { VERSION } from './version.js';

// Longer than a query may take, so that what runs comes to its end.
const DRAIN_MS = 15_000;

const LAST_CALL_MS = 300;

export interface RunningServer {
  url: string;
  /** Lets requests in flight come to their end, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens the store, applies migrations and listens.
 * @throws ConfigError, StoreNotOpened, KeysFileError: each one line that names the setting to look at
 */
export async function startServer(config: Config): Promise<RunningServer> {
  const logger = pino({
    level: config.logLevel,
    base: { service: 'forecast-accuracy-service', version: VERSION },
    redact: ['req.headers.authorization', 'req.headers.cookie', '*.password'],
  });
  const { queryMemoryBytes } = config;
  const { store, migrated, close } = await openStore(config, 'server', { ...SERVING, queryMemoryBytes });
  try {
    const keyring = new Keyring(config.apiKeysFile, (error) => {
      logger.error({ err: error }, 'the keys file cannot be read; the keys as they were go on');
    });
    keyring.open();
    const readiness: Readiness = { ready: true };
    const app = createApp({
      store,
      keyring,
      logger,
      readiness,
      rateLimitPerMinute: config.rateLimitPerMinute,
      authFailuresPerMinute: config.authFailuresPerMinute,
      corsOrigins: config.corsOrigins,
      trustProxy: config.trustProxy,
      cacheBytes: config.cacheBytes,
    });
    const underWay = new Set<ServerResponse>();
    const server = createListener((request, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
      if (!readiness.ready) isLast(response);
      app(request, response);
    }, logger);
    await listen(server, config);
    const url = urlOf(server);
    logger.info({ url, migrated, embedded: config.clickhouse.url === undefined }, 'listening');
    if (keyring.size === 0) logger.warn('there are no API keys yet: npm run keys -- create --name NAME');
    // A server of ClickHouse may be at work for others, and this user may only read: there the next load does it.
    const stopping = new AbortController();
    const loadLog = new LoadLog(store, logger).start();
    const mended = config.clickhouse.url === undefined && mend(store, logger, stopping.signal);
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      readiness.ready = false;
      underWay.forEach(isLast);
      logger.info('draining');
      stopping.abort(new OperatorFault('the server stops'));
      await Promise.all([drain(server), mended, loadLog.stop()]);
      await close();
      logger.info('stopped');
    };
    return { url, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Settles what a load left that died, also with a server before this one; meanwhile, requests are answered. */
async function mend(store: Store, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    const change = await settleDeadLoad(store, { signal });
    if (change !== undefined) logger.info(change, 'settled what a load had left that died');
  } catch (error) {
    if (!signal.aborted)
      logger.error({ err: error }, 'what a load left is not settled; the next load does it');
  }
}

/** The last answer on its connection: a client that asked again there would meet its end, and be reset. */
function isLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Lets requests in flight come to their end; takes no new ones after a moment. */
async function drain(server: Server): Promise<void> {
  // What was sent before the signal may not have been accepted yet, and a balancer has to see that this is not ready.
  await setTimeout(LAST_CALL_MS);
  const closed = new Promise((resolve) => server.close(resolve));
  const deadline = performance.now() + DRAIN_MS;
  const watch = setInterval(() => {
    // A connection that has had its answer is kept open for the next request, which will not come.
    if (performance.now() < deadline) server.closeIdleConnections();
    else server.closeAllConnections();
  }, 50);
  await closed;
  clearInterval(watch);
}

/** Starts a server that drains and ends the process on SIGTERM or SIGINT; a second signal ends it at once. */
export async function runServer(config: Config): Promise<RunningServer> {
  const server = await startServer(config);
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

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
