import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from '../http/errors.js';
import type { Keyring } from './keys.js';

export interface RateLimits {
  /** Requests a minute with one key, unless its record says otherwise; 0 is no limit. */
  rateLimitPerMinute: number;
  /** Requests a minute from one address without a valid key; 0 is no limit. */
  authFailuresPerMinute: number;
}

const WINDOW_MS = 60_000;

// draft-8 of the RateLimit headers; it also sets Retry-After.
const HEADERS = { standardHeaders: 'draft-8', legacyHeaders: false } as const;

/**
 * Admits a request with a valid key (`Authorization: Bearer <key>`, the scheme in any case) that has requests left. It
 * decides before anything else reads the request.
 */
export function admit(keyring: Keyring, limits: RateLimits): RequestHandler {
  const limitKey = keyLimiter(limits.rateLimitPerMinute);
  const refuse = refusal(limits.authFailuresPerMinute);
  return (request, response, next) => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const record = key === undefined ? undefined : keyring.find(key);
    if (record === undefined) {
      refuse(request, response, next, key === undefined);
      return;
    }
    response.locals.keyId = record.id;
    const limit = record.rate_limit_per_minute ?? limits.rateLimitPerMinute;
    if (limit === 0) {
      next();
      return;
    }
    response.locals.requestsPerMinute = limit;
    void limitKey(request, response, next);
  };
}

/** Counts the requests of each key. */
function keyLimiter(limit: number): RequestHandler {
  return rateLimit({
    ...HEADERS,
    windowMs: WINDOW_MS,
    limit: (_request, response) => response.locals.requestsPerMinute ?? limit,
    keyGenerator: (_request, response) => response.locals.keyId ?? '',
    handler: (_request, response) => {
      throw new ApiError(
        'RATE_LIMITED',
        `More than ${response.locals.requestsPerMinute} requests in a minute with this key; see Retry-After`,
      );
    },
  });
}

/**
 * Refuses a request without a valid key: 401, and 429 after too many from one address. Only these requests count, so a
 * client with a key is never locked out by others behind its address.
 */
function refusal(
  failuresPerMinute: number,
): (request: Request, response: Response, next: NextFunction, isMissing: boolean) => void {
  const limit = rateLimit({
    ...HEADERS,
    windowMs: WINDOW_MS,
    limit: failuresPerMinute,
    identifier: 'requests-without-a-valid-key',
    // The connection's address, or what a trusted proxy says of it (D38).
    keyGenerator: ({ ip }) => ipKeyGenerator(ip ?? ''),
    handler: () => {
      throw new ApiError(
        'RATE_LIMITED',
        `More than ${failuresPerMinute} requests in a minute from this address without a valid API key; see Retry-After`,
      );
    },
  });
  return (request, response, next, isMissing) => {
    const unauthorized = new ApiError(
      'UNAUTHORIZED',
      isMissing
        ? 'This needs an API key: send the header Authorization: Bearer <API_KEY>'
        : 'The API key is not valid: it is unknown, mistyped or revoked',
    );
    if (failuresPerMinute === 0) next(unauthorized);
    else void limit(request, response, (error?: unknown) => next(error ?? unauthorized));
  };
}
