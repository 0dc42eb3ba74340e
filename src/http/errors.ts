import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { AmbiguousCity, UnknownStation } from '../stations/directory.js';
import { UnknownProvider } from '../stations/providers.js';
import { UnknownVersion } from '../stations/versions.js';
import {
  QueryTimeout,
  QueryTooLarge,
  StoreDamaged,
  StoreNotWritable,
  StoreOverloaded,
  StoreUnavailable,
} from '../store/errors.js';
import { InvalidParameters, type ParameterFault } from '../api/parameters.js';
import { logOf } from '../observe/request-log.js';
import { clip } from '../text.js';

export const ERROR_STATUS = {
  INVALID_PARAMETER: 400,
  AMBIGUOUS_CITY: 400,
  UNAUTHORIZED: 401,
  ORIGIN_NOT_ALLOWED: 403,
  STATION_NOT_FOUND: 404,
  PROVIDER_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  OVERLOADED: 503,
  STORE_UNAVAILABLE: 503,
  QUERY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error (D19). */
export const errorBody = z
  .object({
    success: z.literal(false).meta({ type: 'boolean', const: false }),
    error: z.object({
      code: z.enum(CODES).meta({ id: 'ErrorCode' }),
      message: z.string(),
      details: z
        .array(z.object({ parameter: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'The faults of the request, all of them' }),
    }),
    metadata: z.object({ generated_at: z.iso.datetime(), endpoint: z.string(), request_id: z.string() }),
  })
  .meta({ id: 'ErrorResponse' });

/** An error as a caller sees it. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ParameterFault[],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

const RETRY_AFTER_SECONDS = 5;

/** What a client may know of an error: no stack, SQL or path ever leaves (D19). */
export function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InvalidParameters) {
    const count =
      error.faults.length === 1 ? 'a parameter that cannot be used' : `${error.faults.length} faults`;
    return new ApiError('INVALID_PARAMETER', `The request has ${count}: ${error.message}`, error.faults);
  }
  if (error instanceof UnknownVersion) {
    return apiError(new InvalidParameters([{ parameter: 'as_of', message: error.message }]));
  }
  if (error instanceof UnknownStation) return new ApiError('STATION_NOT_FOUND', error.message);
  if (error instanceof UnknownProvider) return new ApiError('PROVIDER_NOT_FOUND', error.message);
  if (error instanceof AmbiguousCity) return new ApiError('AMBIGUOUS_CITY', error.message);
  if (error instanceof QueryTimeout) {
    return new ApiError('QUERY_TIMEOUT', 'The query took too long; narrow the window, or name a station');
  }
  if (error instanceof QueryTooLarge) {
    return new ApiError(
      'QUERY_TIMEOUT',
      'The query needs more memory than it may use; narrow the window, or name a station',
    );
  }
  if (error instanceof StoreOverloaded) {
    return new ApiError('OVERLOADED', 'Too many queries are waiting; try again in a few seconds');
  }
  if (error instanceof StoreDamaged) {
    return new ApiError(
      'STORE_UNAVAILABLE',
      'Some of the data cannot be read; the operator has to restore them',
    );
  }
  // A query that sorts or groups on disk writes, too.
  if (error instanceof StoreUnavailable || error instanceof StoreNotWritable) {
    return new ApiError(
      'STORE_UNAVAILABLE',
      'The data cannot be reached at the moment; try again in a few seconds',
    );
  }
  // Express reports a path that is no valid percent-encoding so.
  if (error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)) {
    return new ApiError('INVALID_PARAMETER', 'The path is not valid percent-encoded UTF-8');
  }
  return new ApiError('INTERNAL', 'Something went wrong here; the request id finds it in the log');
}

/** Answers with an error. */
export function sendError(request: Request, response: Response, error: ApiError): void {
  const status = ERROR_STATUS[error.code];
  response.status(status);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405 && !response.hasHeader('Allow')) response.setHeader('Allow', 'GET, HEAD');
  const retryAfter =
    error.retryAfterSeconds ?? (status === 503 || status === 504 ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.setHeader('Cache-Control', 'no-store');
  response.json(errorEnvelope(error.code, error.message, pathOf(request), request.id, error.details));
}

/** The body of an error. */
export function errorEnvelope(
  code: ErrorCode,
  message: string,
  endpoint: string,
  requestId: string,
  details?: ParameterFault[],
): z.input<typeof errorBody> {
  return {
    success: false,
    error: { code, message, ...(details && { details }) },
    metadata: { generated_at: new Date().toISOString(), endpoint, request_id: requestId },
  };
}

export const handleErrors: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (response.headersSent || response.destroyed) {
    // A part of the answer has gone out: only a broken connection shows that it is not whole. Or the client has gone.
    logOf(request, response).info({ err: error }, 'the answer was broken off');
    response.destroy();
    return;
  }
  const answer = apiError(error);
  if (answer.code === 'INTERNAL') logOf(request, response).error({ err: error }, 'unexpected error');
  else if (ERROR_STATUS[answer.code] >= 500) logOf(request, response).warn({ err: error }, answer.code);
  sendError(request, response, answer);
};

export const notFound: RequestHandler = (request) => {
  throw new ApiError(
    'NOT_FOUND',
    `There is no ${clip(pathOf(request), 100)}; GET /openapi.json lists what there is`,
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

/** Node itself would refuse a request without one, but without a body (D19), and takes the first of several. */
export function requireHost({ headersDistinct: { host = [] }, httpVersion }: Request): void {
  if (host.length > 1 || (host.length === 0 && httpVersion === '1.1')) {
    throw new ApiError('INVALID_PARAMETER', 'A request in HTTP/1.1 needs the header Host, once');
  }
}

export function onlyReads(request: Request): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed; everything here is read with GET or HEAD`,
    );
  }
}

/** The path as it was asked for, without its query. */
export function pathOf(request: Request): string {
  return request.originalUrl.split('?', 1)[0] ?? '/';
}
