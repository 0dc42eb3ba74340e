import { z } from 'zod';
import { AmbiguousCity, UnknownStation } from '../../stations/directory.js';
import { UnknownProvider } from '../../stations/provider-choice.js';
import { UnknownVersion } from '../../stations/versions.js';
import {
  QueryTimeout,
  QueryTooLarge,
  StoreDamaged,
  StoreNotWritable,
  StoreOverloaded,
  StoreUnavailable,
} from '../../store/store-errors.js';
import { InvalidParamsError, type ParamIssue } from '../parameters.js';

/** The codes of errors, and the status of HTTP that each has. */
export const ERROR_STATUS = {
  INVALID_PARAMETER: 400,
  AMBIGUOUS_CITY: 400,
  UNAUTHORIZED: 401,
  ORIGIN_NOT_ALLOWED: 403,
  STATION_NOT_FOUND: 404,
  PROVIDER_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PRECONDITION_FAILED: 412,
  RANGE_NOT_SATISFIABLE: 416,
  QUERY_TOO_LARGE: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  OVERLOADED: 503,
  STORE_UNAVAILABLE: 503,
  QUERY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error. */
export const errorBody = z
  .object({
    success: z.literal(false).meta({ type: 'boolean', const: false }),
    error: z.object({
      code: z.enum(CODES).meta({ id: 'ErrorCode' }),
      message: z.string(),
      details: z
        .array(z.object({ parameter: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'All errors of the request' }),
    }),
    metadata: z.object({ generated_at: z.iso.datetime(), endpoint: z.string(), request_id: z.string() }),
  })
  .meta({ id: 'ErrorResponse' });

/** An error as a caller sees it. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ParamIssue[],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  /** As a body has it. */
  get body(): z.input<typeof errorBody>['error'] {
    const { code, message, details } = this;
    return { code, message, ...(details && { details }) };
  }
}

/** The body of an error. */
export const errorEnvelope = (
  error: ApiError,
  endpoint: string,
  requestId: string,
): z.input<typeof errorBody> => ({
  success: false,
  error: error.body,
  metadata: { generated_at: new Date().toISOString(), endpoint, request_id: requestId },
});

/** The part of an error that a client may know: no stack, SQL or path ever leaves. */
export function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof InvalidParamsError) {
    const { issues, message } = error;
    const text = issues.length === 1 ? message : `${issues.length} errors: ${message}`;
    return new ApiError('INVALID_PARAMETER', text, issues);
  }
  if (error instanceof UnknownVersion) {
    return apiError(new InvalidParamsError([{ parameter: 'as_of', message: error.message }]));
  }
  if (error instanceof UnknownStation) return new ApiError('STATION_NOT_FOUND', error.message);
  if (error instanceof UnknownProvider) return new ApiError('PROVIDER_NOT_FOUND', error.message);
  if (error instanceof AmbiguousCity) return new ApiError('AMBIGUOUS_CITY', error.message);
  if (error instanceof QueryTimeout) {
    return new ApiError('QUERY_TIMEOUT', 'The query took too long; narrow the window, or name a station');
  }
  if (error instanceof QueryTooLarge) {
    return new ApiError(
      'QUERY_TOO_LARGE',
      'The query needs more memory than it may use; narrow the window, or name a station',
    );
  }
  if (error instanceof StoreOverloaded) {
    return new ApiError(
      'OVERLOADED',
      'Too many queries are waiting, or memory is short; try again in a few seconds',
    );
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
  return new ApiError('INTERNAL', 'Something went wrong; the log has the cause under the request id');
}
