import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Logger } from 'pino';
import { respondToBrokenRequests } from './broken-request.js';

// A request line of 10 kB, percent-encoded, is answered like any other; Node's own bound of 16 kB would cut it off.
const MAX_HEADER_BYTES = 64 * 1024;

// Each connection takes some kB, and a descriptor.
const MAX_CONNECTIONS = 4096;

/** How long a client may take, ms. */
export interface Timeouts {
  /** For the request line and all headers. */
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  /** While nothing moves on a connection, as with a client that does not read. */
  idleTimeout: number;
  /** How often these are looked at. */
  connectionsCheckingInterval: number;
}

const TIMEOUTS: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than the 60 s after which balancers let go of an idle connection: the one who opened it closes it.
  keepAliveTimeout: 65_000,
  idleTimeout: 90_000, // longer than any response takes
  connectionsCheckingInterval: 1000,
};

/** The classes that requests and responses are made of. */
export type RequestClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** An HTTP server around an application: no client holds it up, and all errors have one form. It does not listen yet. */
export function createListener(
  app: RequestListener,
  logger: Logger,
  { idleTimeout, ...timeouts }: Timeouts = TIMEOUTS,
  classes: RequestClasses = {},
): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false, ...timeouts, ...classes },
    app,
  );
  server.setTimeout(idleTimeout);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkExpectation', app); // whatever it expects: a GET is answered
  respondToBrokenRequests(server, logger, MAX_HEADER_BYTES);
  return server;
}
