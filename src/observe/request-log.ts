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

/** One listener for all that waits for the end of a response, and no logger of its own for each request. */
export function watchResponses(
  logger: Logger,
  metrics: Pick<Metrics, 'measure'>,
  underWay: Set<ServerResponse>,
): WatchResponse {
  // A line holds no header, so no key; redaction would take as long as writing it.
  const lines = logger.child({}, { redact: [] });
  return (response, describe) => {
    const started = performance.now();
    underWay.add(response);
    response.on('close', () => {
      const elapsedMs = performance.now() - started;
      const record = describe();
      underWay.delete(response);
      if (response.writableFinished) metrics.measure(record, response.statusCode, elapsedMs / 1000);
      logEnd(lines, record, response, Math.round(elapsedMs));
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

function logEnd(logger: Logger, record: RequestRecord, response: ServerResponse, responseTime: number): void {
  const status = response.statusCode;
  const line = {
    req: requestFields(record),
    key_id: record.keyId,
    ...(record.tool && { tool: record.tool }),
    ...traceIds(record),
    res: { status },
    responseTime,
  };
  if (status >= 500 && record.isDraining !== true) logger.error(line, 'request errored');
  else logger.info(line, response.writableFinished ? 'request completed' : 'request aborted');
}

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
