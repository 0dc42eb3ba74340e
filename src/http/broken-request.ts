import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError, errorEnvelope } from '../api/errors/api-error.js';
import { methodNotAllowed } from './error-handler.js';

// A client has this long to read the response; then the connection closes, whatever it still sends.
const RESPONSE_GRACE_MS = 1000;

interface Rejection {
  status: string;
  failure: ApiError;
  headers?: string;
}

/**
 * Answers what never becomes a request, in the form of every other error: bytes that are no HTTP, headers that are
 * too long or come too slowly, and CONNECT.
 */
export function respondToBrokenRequests(server: Server, logger: Logger, maxHeaderBytes: number): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse };
    // The client is gone, or its response has begun and takes no addition.
    if (error.code === 'ECONNRESET' || answering?.headersSent === true) socket.destroy(error);
    else if (socket.writable) reject(socket, toRejection(error, maxHeaderBytes), logger);
  });
  server.on('connect', ({ method }, socket) => {
    const failure = methodNotAllowed(method);
    reject(socket, { status: '405 Method Not Allowed', failure, headers: 'Allow: GET, HEAD\r\n' }, logger);
  });
}

function toRejection({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): Rejection {
  const broken = (message: string, status = '400 Bad Request'): Rejection => ({
    status,
    failure: new ApiError('INVALID_PARAMETER', message),
  });
  if (code === 'HPE_HEADER_OVERFLOW') {
    return broken(`The URL and headers are longer than ${maxHeaderBytes / 1024} kB`);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return broken('The request did not arrive in time', '408 Request Timeout');
  }
  return broken('This is not a valid HTTP request');
}

function reject(socket: Duplex, { status, failure, headers = '' }: Rejection, logger: Logger): void {
  const requestId = randomUUID();
  const body = JSON.stringify(errorEnvelope(failure, '', requestId));
  socket.on('error', () => {}); // it may be gone already
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nCache-Control: no-store\r\n${headers}Connection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), RESPONSE_GRACE_MS).unref();
  logger.info(
    { req: { id: requestId }, res: { status: Number(status.slice(0, 3)) } },
    'request refused unread',
  );
}
