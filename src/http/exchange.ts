import type { Request, Response } from 'express';
import type { Caller } from '../api/caller.js';
import type { Download, Endpoint } from '../api/endpoint.js';
import { identityOf, type Question, type RequestContext } from '../api/groups.js';
import type { AsOf } from '../stations/versions.js';
import type { Version } from '../store/data-version.js';
import type { QueryOrigin } from '../store/store.js';
import { VERSION } from '../version.js';

declare module 'express-serve-static-core' {
  interface Locals {
    /** Whose key the request came with. */
    caller?: Caller;
  }
}

// What answers and downloads share: the reading of a request, the key of its answer, and headers of the response.

/** The parts of a request that its question depends on, beside the query. */
export function contextOf(request: Request, now: Date): RequestContext {
  return {
    today: now.toISOString().slice(0, 10),
    now: now.getTime(),
    pathStation: request.params.station_id as string | undefined,
    preferred: (mediaTypes) => request.accepts([...mediaTypes]) || undefined,
  };
}

/**
 * The key of an answer: this service's version, the endpoint, the version of the data, and the question. The version
 * that a question names stands in place of the latest, so the answer stays (D31).
 */
export function answerKey(
  { operationId, groups }: Pick<Endpoint | Download, 'operationId' | 'groups'>,
  { key, lineage }: Pick<Version, 'key' | 'lineage'>,
  question: Question,
): string {
  const { asOf } = question as { asOf?: AsOf };
  const version = asOf === undefined ? key : `v${asOf.version}.${lineage}`;
  return `${VERSION} ${operationId} ${version} ${identityOf(groups, question)}`;
}

const VARY = 'Authorization, Accept, Accept-Encoding';

/** The headers that a 200 and its 304 share. */
export function cachingHeaders(response: Response, tag: string, cacheControl: string) {
  return {
    ETag: tag,
    'Cache-Control': cacheControl,
    // The format may depend on Accept (D22), and the permission of a web page on its Origin (CORS).
    Vary: response.hasHeader('Vary') ? `${VARY}, Origin` : VARY,
  };
}

/** The header that names the file of an answer: by its path below /api/v1 and words of its question. */
export function attachment(path: string, words: readonly string[], extension: string) {
  const name = [...path.split('/').slice(1, 3), ...words].join('-');
  return { 'Content-Disposition': `attachment; filename="${name}.${extension}"` };
}

/** Who asks a question, and for how long. */
export interface Asker {
  caller: Caller;
  /** Aborts when nobody waits for the answer any more. */
  gone: AbortSignal;
  /** The request as the queries of an operation are noted. */
  originOf: (operation: string) => QueryOrigin;
}

export const askerOf = (request: Request, response: Response, surface: 'api' | 'mcp' = 'api'): Asker => ({
  caller: callerOf(response),
  gone: goneSignal(response),
  originOf: (operation) => originOf(request, response, operation, surface),
});

/** The request as the queries for it are noted. */
export function originOf(
  request: Request,
  response: Response,
  operation: string,
  surface: 'api' | 'mcp' = 'api',
): QueryOrigin {
  return {
    surface,
    operation,
    keyId: response.locals.keyId,
    requestId: request.id,
    trace: request.trace,
  };
}

/** Who asks; behind the keys there is always one. */
export function callerOf({ locals: { caller } }: Response): Caller {
  if (caller === undefined) throw new Error('this needs a key');
  return caller;
}

/** Aborts when the client leaves. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}
