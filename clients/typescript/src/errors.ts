import type { ErrorCode, ErrorResponse } from './generated.js';

/** An error of a request: the parameter, and what is wrong with it. */
export type Fault = NonNullable<ErrorResponse['error']['details']>[number];

/**
 * The code of the service's response, or one of the client. NO_CONNECTION: the service could not be reached, or the connection
 * broke. TIMEOUT: it said nothing for the time allowed. NO_ANSWER: something else answered, such as a proxy.
 */
export type FailureCode = ErrorCode | 'NO_CONNECTION' | 'TIMEOUT' | 'NO_ANSWER';

/** A request that failed, after the last try. Branch on `code`, never on `message`. */
export class ForecastAccuracyError extends Error {
  override readonly name = 'ForecastAccuracyError';
  readonly code: FailureCode;
  /** Every error of the request, with INVALID_PARAMETER. */
  readonly details: readonly Fault[];
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Status of HTTP; absent where nothing answered. */
  readonly status: number | undefined;
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    about: {
      code: FailureCode;
      details?: readonly Fault[] | undefined;
      requestId?: string | undefined;
      status?: number | undefined;
      retryAfter?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = about.code;
    this.details = about.details ?? [];
    this.requestId = about.requestId;
    this.status = about.status;
    this.retryAfter = about.retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    const { status } = this;
    if (status === undefined) return this.code !== 'NO_ANSWER';
    return status === 408 || status === 429 || status >= 500;
  }
}

/** The error that a response tells, whoever wrote it. */
export function errorOf(response: Response, text: string): ForecastAccuracyError {
  const { status, headers } = response;
  const about = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  };
  try {
    const { error, metadata } = JSON.parse(text) as ErrorResponse;
    const { code, message, details } = error;
    return new ForecastAccuracyError(message, { ...about, code, details, requestId: metadata.request_id });
  } catch {
    return new ForecastAccuracyError(`HTTP ${status}: ${text.slice(0, 200)}`, {
      ...about,
      code: 'NO_ANSWER',
    });
  }
}

/** Retry-After is a number of seconds, or an instant. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
