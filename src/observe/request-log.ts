import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Trace } from '../store/store.js';
import type { Metrics } from './metrics.js';

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

/** The id of a request: the client's when it is sane, because ids go into logs and headers, else a new one. */
export function readId({ headers: { 'x-request-id': given } }: Pick<Request, 'headers'>): string {
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : makeId();
}

/** A request as the log and the metrics tell of it. */
export interface RequestRecord {
  id: string;
  method: string | undefined;
  /** As the client wrote it. */
  url: string | undefined;
  client: string | undefined;
  trace: Trace | undefined;
  keyId?: string | undefined;
  /** As it is written, with names of parameters; undefined of unknown URLs, and of requests refused before routing. */
  route?: string | undefined;
  tool?: { name: string; outcome: string } | undefined;
  isDraining?: boolean | undefined;
}

/** Tells the log and the metrics of a request when its response has ended; until then it is under way. */
export type WatchResponse = (response: ServerResponse, describe: () => RequestRecord) => void;

/** Where lines of requests go, as they are. */
export interface AccessLog {
  write: (line: string) => void;
}

/**
 * One listener for all that waits for the end of a response, and no logger of its own for each request.
 * @param logger of requests that failed @param accessLog of all others; undefined if they have no lines
 */
export function watchResponses(
  { logger, accessLog }: { logger: Logger; accessLog?: AccessLog | undefined },
  metrics: Pick<Metrics, 'measure'>,
  underWay: Set<ServerResponse>,
): WatchResponse {
  const start = `{"level":${logger.levels.values.info},"time":`;
  const bindings = JSON.stringify(logger.bindings()).slice(1, -1);
  const base = bindings === '' ? ',' : `,${bindings},`;
  return (response, describe) => {
    const started = performance.now();
    underWay.add(response);
    response.on('close', () => {
      const elapsedMs = performance.now() - started;
      const record = describe();
      const { statusCode, writableFinished } = response;
      underWay.delete(response);
      if (writableFinished) metrics.measure(record, statusCode, elapsedMs / 1000);
      const isError = statusCode >= 500 && record.isDraining !== true;
      const msg = isError ? 'request errored' : writableFinished ? 'request completed' : 'request aborted';
      const line = makeLine(record, statusCode, Math.round(elapsedMs), msg);
      if (isError) logger.error(line);
      // The bytes of pino, which takes 6 of the 39 µs of a cached response longer.
      else accessLog?.write(`${start}${Date.now()}${base}${JSON.stringify(line).slice(1)}\n`);
    });
  };
}

/** The logger of a request, for what happens on the way. */
export function getLog(request: Request, response: Response): Logger {
  const record = describeRequest(request, response);
  const { keyId } = record;
  return response.locals.logger.child({
    req: requestFields(record),
    ...(keyId !== undefined && { key_id: keyId }),
    ...traceIds(record),
  });
}

/** The record of a request in Express, as far as it is known by now. */
export function describeRequest(request: Request, { locals }: Response): RequestRecord {
  const { id, method, originalUrl: url, trace } = request;
  const { client, keyId, tool, isDraining } = locals;
  return { id, method, url, client, trace, keyId, route: nameRoute(request), tool, isDraining };
}

/** The path of a route, not of the URL: a label for each station would have no bound. */
export function nameRoute({ baseUrl, route }: Request): string | undefined {
  const written = (route as { path?: string | string[] } | undefined)?.path;
  const path = Array.isArray(written) ? written[0] : written;
  return path === undefined ? undefined : `${baseUrl}${path}`;
}

/** The line of a request; JSON leaves out what is undefined. */
const makeLine = (record: RequestRecord, status: number, responseTime: number, msg: string): object => ({
  req: requestFields(record),
  key_id: record.keyId,
  tool: record.tool,
  trace_id: record.trace?.trace_id,
  span_id: record.trace?.span_id,
  res: { status },
  responseTime,
  msg,
});

function traceIds({ trace }: RequestRecord): Partial<Pick<Trace, 'trace_id' | 'span_id'>> | undefined {
  return trace && { trace_id: trace.trace_id, span_id: trace.span_id };
}

/** The fields of a request in its line; headers stay out, and the key with them. */
function requestFields({ id, method, url = '', client }: RequestRecord): object {
  return { id, method, url: withoutKeys(url), client };
}

/** A URL without the secret of a key that a client has put into it. */
function withoutKeys(url: string): string {
  return url.replace(/(fas(?:_|%5f)[a-z0-9]{8})(?:_|%5f)[\w%-]+/gi, '$1_[redacted]');
}
