import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Caller, RequestScope } from '../api/caller.js';
import type { RequestText } from '../api/groups.js';

declare module 'express-serve-static-core' {
  interface Locals {
    /** The client by its key, or by its address without a key. */
    caller?: Caller;
    /** The request came without a key, and a cache may give its response to others (D60). */
    isPublic?: boolean;
  }
}

// Endpoints and downloads share the reading of a request, and headers of the response.

/** The parts of a request that determine its params. */
export const requestText = (request: Request, now: Date): RequestText => ({
  url: request.url,
  accept: request.headers.accept ?? '',
  now: now.getTime(),
  pathStation: request.params.station_id as string | undefined,
  preferred: (mediaTypes) => request.accepts([...mediaTypes]) || undefined,
});

const VARY = 'Authorization, Accept, Accept-Encoding';

/** Removes the headers about one request, or about one client, from a response that a cache may keep. */
export function withoutClient(response: ServerResponse): void {
  for (const name of ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']) response.removeHeader(name);
}

/**
 * The caching headers of a 200 and its 304. A public response loses those that are nothing for others.
 * @param age of a response from the cache, in seconds
 */
export function cachingHeaders(response: Response, tag: string, cacheControl: string, age?: string) {
  const isPublic = response.locals.isPublic === true;
  if (isPublic) withoutClient(response);
  return {
    ETag: tag,
    'Cache-Control': cacheControl,
    // The format may depend on Accept, and the permission of a web page on its Origin (CORS).
    Vary: response.hasHeader('Vary') ? `${VARY}, Origin` : VARY,
    // A shared cache subtracts it from the 10 s that it may keep a public response, which the service has validated just now.
    ...(age !== undefined && !isPublic && { Age: age }),
  };
}

/** The header that names the file of a response: by its path below /api/v1 and words of its params. */
export function attachment(path: string, words: readonly string[], extension: string) {
  const name = [...path.split('/').slice(1, 3), ...words].join('-');
  return { 'Content-Disposition': `attachment; filename="${name}.${extension}"` };
}

/** For whom a request is answered, until its client leaves. */
export const requestScope = (
  request: Request,
  response: Response,
  transport: 'api' | 'mcp' = 'api',
): RequestScope => ({
  caller: getCaller(response),
  signal: closeSignal(response),
  findOrigin: (operation) => ({
    transport,
    operation,
    keyId: response.locals.keyId,
    requestId: request.id,
    trace: request.trace,
  }),
});

/** The client; behind admission there is always one. */
export function getCaller({ locals: { caller } }: Response): Caller {
  if (caller === undefined) throw new Error('nobody has been admitted');
  return caller;
}

/** Aborts when the client leaves. */
function closeSignal(response: Response): AbortSignal {
  const closed = new AbortController();
  if (response.destroyed) closed.abort();
  response.once('close', () => closed.abort());
  return closed.signal;
}
