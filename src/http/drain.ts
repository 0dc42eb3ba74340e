import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

// The end of a listener, a part of the graceful shutdown: requests in flight are answered, and all else is closed.

/** How long each part may take, ms. */
export interface DrainTimes {
  /** New requests are taken, and a balancer sees that the server is not ready. */
  lastCallMs: number;
  /** The rest of a request that has started to arrive may come. */
  arrivalMs: number;
  /** Longer than a query may take, so that responses under way end by themselves. */
  responseMs: number;
}

const TIMES: DrainTimes = { lastCallMs: 300, arrivalMs: 1000, responseMs: 15_000 };

/**
 * Follows the connections of a server from now on.
 * @param underWay the responses that have not ended
 * @returns what closes the server: half of a request, or a connection that sends nothing, does not hold it up
 */
export function prepareDrain(
  server: Server,
  underWay: ReadonlySet<ServerResponse>,
): (times?: DrainTimes) => Promise<void> {
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  /** Node calls a connection idle only after a response: it would wait for requests that never come in full. */
  const closeOthers = (): void => {
    const used = new Set([...underWay].map(({ socket }) => socket));
    for (const connection of connections) if (!used.has(connection)) connection.destroy();
  };
  return async ({ lastCallMs, arrivalMs, responseMs } = TIMES) => {
    // Requests sent before the signal may not have been accepted yet, and a balancer has to see a 503 of /readyz.
    await setTimeout(lastCallMs);
    const closed = new Promise((resolve) => server.close(resolve));
    const started = performance.now();
    const closing = setInterval(() => {
      const elapsedMs = performance.now() - started;
      // A connection that has had its response stays open for a next request, which will not come.
      server.closeIdleConnections();
      if (elapsedMs >= arrivalMs) closeOthers();
      if (elapsedMs >= responseMs) server.closeAllConnections();
    }, 50);
    await closed;
    clearInterval(closing);
  };
}
