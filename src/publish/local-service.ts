import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../app.js';
import { Keyring } from '../auth/keys.js';
import { createListener } from '../http/listener.js';
import type { SealSigner } from '../seals/seal-log.js';
import type { Store } from '../store/store.js';

/** A response of the service. */
export interface LocalResponse {
  status: number;
  etag: string;
  body: Buffer;
}

/** Sends a GET. @param etag of the response that is there already, for a 304 */
export type Ask = (path: string, etag?: string) => Promise<LocalResponse>;

interface LocalOptions {
  store: Store;
  now: Date;
  defaultProvider: string | undefined;
  seals?: SealSigner | undefined;
}

const NO_LIMITS = { rateLimitPerMinute: 0, rowsPerMinute: 0 };

/** The engine answers two statements at a time; the others prepare theirs, or compute with theirs. */
const CONNECTIONS = 4;

/**
 * Runs the whole service for this process alone, so that a copy has what clients get, byte for byte: at a socket in a folder
 * that only its user can open, without a port, a key and limits.
 */
export async function withLocalService<Result>(
  { store, now, defaultProvider, seals }: LocalOptions,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-publish-'));
  const logger = pino({ level: 'error' }, pino.destination(2));
  const app = createApp({
    store,
    logger,
    defaultProvider,
    publicRead: NO_LIMITS,
    ...NO_LIMITS,
    authFailuresPerMinute: 0,
    readiness: { ready: true },
    keyring: new Keyring(join(folder, 'no-keys')),
    cacheBytes: 0,
    mcp: false,
    clock: () => now,
    ...(seals && { seals }),
  });
  const server = createListener(app, logger, undefined, app.classes);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const socketPath = join(folder, 'socket');
  try {
    await once(server.listen(socketPath), 'listening');
    return await work(async (path, etag) => {
      const headers = { Host: 'localhost', ...(etag && { 'If-None-Match': etag }) };
      const sent = request({ socketPath, path, agent, headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const body = Buffer.concat(await response.toArray());
      return { status: response.statusCode ?? 0, etag: response.headers.etag ?? '', body };
    });
  } finally {
    agent.destroy();
    server.close();
    app.endStreams();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}
