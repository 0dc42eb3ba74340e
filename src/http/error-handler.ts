import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express';
import { ApiError, apiError, errorEnvelope, getErrorKind } from '../api/errors/api-error.js';
import { getLog } from '../observe/request-log.js';
import { nearest } from '../lib/nearest.js';
import { clip } from '../lib/text.js';

/** The part of an error that the client of the request may know. */
export function requestError(error: unknown): ApiError {
  // Express reports a path that is no valid percent-encoding so.
  if (error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)) {
    return new ApiError('INVALID_PARAMETER', 'The path is not valid percent-encoded UTF-8');
  }
  return apiError(error);
}

/** Answers with an error. */
function sendError(request: Request, response: Response, error: ApiError): void {
  const { status, retryAfterSeconds } = getErrorKind(error.code);
  response.status(status);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405 && !response.hasHeader('Allow')) response.setHeader('Allow', 'GET, HEAD');
  const retryAfter = error.retryAfterSeconds ?? retryAfterSeconds;
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.setHeader('Cache-Control', 'no-store');
  response.json(errorEnvelope(error, getPath(request), request.id));
}

/** Logs an error of the service, with what only the log may tell of it. */
export function logError(request: Request, response: Response, { code }: ApiError, cause: unknown): void {
  if (code === 'INTERNAL') getLog(request, response).error({ err: cause }, 'unexpected error');
  else if (getErrorKind(code).status >= 500 || code === 'QUERY_TOO_LARGE')
    getLog(request, response).warn({ err: cause }, code);
}

export const handleErrors: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (response.headersSent || response.destroyed) {
    // A part of the response has gone out: only a broken connection shows that it is not whole. Or the client has gone.
    getLog(request, response).info({ err: error }, 'the response was cut off');
    response.destroy();
    return;
  }
  const failure = requestError(error);
  logError(request, response, failure, error);
  sendError(request, response, failure);
};

/** The prefix of the API, and what may stand in its place: nothing, a part of it, or another version. */
const PREFIX = '/api/v1';
const ANY_PREFIX = /^(?:\/api)?(?:\/v\d{1,3})?(?=\/)/i;

/** A path of the API that may have been meant, with the station of the request in its place. @param paths below the prefix */
function findMeant(path: string, paths: readonly string[]): string | undefined {
  if (path.length > 200) return undefined;
  const parts = path.replace(ANY_PREFIX, '').replace(/\/$/, '').split('/');
  const named = paths.map((known) =>
    known
      .split('/')
      .map((part, at) => (part.startsWith(':') ? (parts[at] ?? part) : part))
      .join('/'),
  );
  const [close] = nearest(parts.join('/'), named, 1);
  const found = close ?? findElsewhere(parts, paths);
  return found && PREFIX + found;
}

/** A path that names its station in the query, or the one of another folder that ends alike. */
function findElsewhere(parts: readonly string[], paths: readonly string[]): string | undefined {
  const [last = '', parent] = [parts.at(-1), parts.slice(0, -1).join('/')];
  if (parent.startsWith('/accuracy/') && paths.includes(parent)) return `${parent}?station_id=${last}`;
  return paths.find((path) => !path.includes(':') && last !== '' && path.endsWith(`/${last}`));
}

/** Answers a 404. @param paths those below /api/v1 that may have been meant; of two as near, the first one is */
export const notFound =
  (paths: readonly string[] = []): RequestHandler =>
  (request) => {
    const close = findMeant(request.path, paths);
    const meant = close === undefined ? '' : `; did you mean ${close}?`;
    throw new ApiError(
      'NOT_FOUND',
      `Unknown path ${clip(getPath(request), 100)}${meant || ';'} GET /openapi.json lists all paths`,
    );
  };

/** Adds the paths below a prefix that have no data: each is a 404 that says why. */
export function mountUnavailable(
  router: IRouter,
  prefix: string,
  unavailable: readonly { path: string; message: string }[],
): void {
  for (const { path, message } of unavailable) {
    router.get(prefix + path, () => {
      throw new ApiError('NOT_FOUND', message);
    });
  }
}

export function requireRead({ method }: Request): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method);
}

/** The error of a method that would not only read. */
export const methodNotAllowed = (method: string | undefined): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', `${method} is not allowed; use GET or HEAD`);

/** The path as it was asked for, without its query. */
function getPath(request: Request): string {
  return request.originalUrl.split('?', 1)[0] ?? '/';
}
