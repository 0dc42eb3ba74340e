import { z } from 'zod';
import type { ParamIssue } from '../parameters.js';

interface ErrorKind {
  status: number;
  /** Given where the error itself has nothing that a client may read: no stack, SQL or path ever leaves. */
  message?: string;
  /** Retry-After, unless the error has its own. */
  retryAfterSeconds?: number;
}

/** Every error of the API by its code, with the status of HTTP. */
export const ERRORS = {
  INVALID_PARAMETER: { status: 400 },
  AMBIGUOUS_CITY: { status: 400 },
  UNAUTHORIZED: { status: 401 },
  ORIGIN_NOT_ALLOWED: { status: 403 },
  STATION_NOT_FOUND: { status: 404 },
  PROVIDER_NOT_FOUND: { status: 404 },
  NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405 },
  PRECONDITION_FAILED: { status: 412 },
  RANGE_NOT_SATISFIABLE: { status: 416 },
  QUERY_TOO_LARGE: {
    status: 422,
    message: 'The query needs more memory than it may use; narrow the window, or name a station',
  },
  RATE_LIMITED: { status: 429 },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong; the log has the cause under the request id',
  },
  OVERLOADED: {
    status: 503,
    message: 'Too many queries are waiting, or memory is short; try again in a few seconds',
    retryAfterSeconds: 5,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'The data cannot be reached at the moment; try again in a few seconds',
    retryAfterSeconds: 5,
  },
  QUERY_TIMEOUT: {
    status: 504,
    message: 'The query took too long; narrow the window, or name a station',
    retryAfterSeconds: 5,
  },
} satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** The status, message and Retry-After of a code. */
export const getErrorKind = (code: ErrorCode): ErrorKind => ERRORS[code];

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

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

/** An error of another folder that says by which code clients hear of it. */
interface CodedError extends Error {
  apiCode: ErrorCode;
  /** In place of the message of the code. */
  clientMessage?: string;
  /** The parameters that are wrong. */
  issues?: ParamIssue[];
}

const isCoded = (error: unknown): error is CodedError =>
  error instanceof Error && 'apiCode' in error && Object.hasOwn(ERRORS, String(error.apiCode));

/** The part of an error that a client may know. */
export function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isCoded(error)) return new ApiError('INTERNAL', ERRORS.INTERNAL.message);
  const { apiCode, clientMessage, issues } = error;
  const message = clientMessage ?? getErrorKind(apiCode).message ?? error.message;
  const several = (issues?.length ?? 0) > 1 ? `${issues?.length} errors: ` : '';
  return new ApiError(apiCode, several + message, issues);
}
