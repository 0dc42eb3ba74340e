import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Trace } from '../store/store.js';
import type { Metrics } from './metrics.js';
import { parseTrace } from './trace.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The caller's when it is sane, else a new one. */
    id: string;
    /** The caller's trace, if it names one. */
    trace: Trace | undefined;
  }
  interface Locals {
    logger: Logger;
    /** The address of the client, as far as proxies that are trusted tell it. */
    client?: string | undefined;
    /** The id of the request's key, once it is known to be valid. */
    keyId?: string;
    /** The tool that a request to /mcp called, and how it ended: ok, abandoned, or the code of an error. */
    tool?: { name: string; outcome: string };
    /** The server stops, and tells a balancer: a 503 is no error. */
    isDraining?: boolean;
  }
}

/** The first digits of all ids of this process: those of a random UUID. */
const ID_PREFIX = randomUUID().slice(0, -12);
let lastId = 0;

/** An id like a UUID that no other request has. It is no secret, so a count does for what a random one takes 1 µs more. */
const makeId = (): string => ID_PREFIX + (lastId += 1).toString(16).padStart(12, '0');

/**
 * Gives a request its id, and when it has ended, its line in the log and its place in the metrics. One listener for
 * both, and no logger of its own for each request.
 */
export function logRequests(
  logger: Logger,
  metrics: Metrics,
): (request: Request, response: Response) => void {
  // A line holds no header, so no key; redaction would take as long as writing it.
  const lines = logger.child({}, { redact: [] });
  return (request, response) => {
    const started = performance.now();
    // The id goes into logs and headers, so its characters are limited.
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : makeId();
    request.trace = parseTrace(request.headers.traceparent);
    response.locals.logger = logger;
    response.locals.client = getClient(request);
    metrics.begin();
    response.on('close', () => {
      const elapsedMs = performance.now() - started;
      metrics.end();
      if (response.writableFinished) metrics.measure(request, response, elapsedMs / 1000);
      logEnd(lines, request, response, Math.round(elapsedMs));
    });
  };
}

/**
 * The address of the client, undefined of a connection that has gone. Express reads it from the forwarded ones even where
 * they are missing: 2 µs of the 50 of a cached response.
 */
const getClient = (request: Request): string | undefined =>
  request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;

/** The logger of a request, for what happens on the way. */
export function getLog(request: Request, response: Response): Logger {
  const { logger, keyId } = response.locals;
  return logger.child({
    req: requestFields(request, response),
    ...(keyId !== undefined && { key_id: keyId }),
    ...traceIds(request),
  });
}

function logEnd(logger: Logger, request: Request, response: Response, responseTime: number): void {
  const status = response.statusCode;
  const line = {
    req: requestFields(request, response),
    key_id: response.locals.keyId,
    ...(response.locals.tool && { tool: response.locals.tool }),
    ...traceIds(request),
    res: { status },
    responseTime,
  };
  if (status >= 500 && response.locals.isDraining !== true) logger.error(line, 'request errored');
  else logger.info(line, response.writableFinished ? 'request completed' : 'request aborted');
}

function traceIds({ trace }: Request): Partial<Pick<Trace, 'trace_id' | 'span_id'>> {
  return trace === undefined ? {} : { trace_id: trace.trace_id, span_id: trace.span_id };
}

/** The fields of a request in its line; headers stay out, and the key with them. */
function requestFields({ id, method, originalUrl }: Request, { locals }: Response): object {
  return { id, method, url: withoutKeys(originalUrl), client: locals.client };
}

/** A URL without the secret of a key that a client has put into it. */
function withoutKeys(url: string): string {
  return url.replace(/(fas(?:_|%5f)[a-z0-9]{8})(?:_|%5f)[\w%-]+/gi, '$1_[redacted]');
}
