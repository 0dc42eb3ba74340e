import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type RateLimitInfo } from 'express-rate-limit';
import { ApiError } from '../api/errors/errors.js';
import { type Account, Accounts } from './accounts.js';
import type { Keyring } from './keys.js';
import { type Limits, type LimitsFile, limitsOf } from './limits.js';

/** The limits of each key, unless its record says otherwise, and of requests without one. */
export interface RateLimits extends Limits {
  /** What may tighten them while the server runs. */
  limitsFile?: LimitsFile | undefined;
  /** Requests a minute from one address without a valid key; 0 is no limit. */
  authFailuresPerMinute: number;
}

const WINDOW_MS = 60_000;

// draft-8 of the RateLimit headers; it also sets Retry-After.
const HEADERS = { standardHeaders: 'draft-8', legacyHeaders: false } as const;

/**
 * Admits a request with a valid key (`Authorization: Bearer <key>`, the scheme in any case) that has requests left, and
 * says whose it is. It decides before anything else reads the request.
 */
export function admit(keyring: Keyring, limits: RateLimits, clock: () => Date): RequestHandler {
  const accounts = new Accounts(clock);
  const limitKey = keyLimiter();
  const refuse = refusal(limits.authFailuresPerMinute);
  return (request, response, next) => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const record = key === undefined ? undefined : keyring.find(key);
    if (record === undefined) {
      refuse(request, response, next, key === undefined);
      return;
    }
    const account = accounts.of(record, limitsOf(record, limits, limits.limitsFile?.content));
    account.requested();
    response.locals.keyId = record.id;
    response.locals.caller = account;
    if (account.limits.rateLimitPerMinute === 0) next();
    else {
      void limitKey(request, response, (error?: unknown) => {
        account.requestsLeft = (request as { rateLimit?: RateLimitInfo }).rateLimit?.remaining;
        next(error);
      });
    }
  };
}

/** Counts the requests of each key. */
const keyLimiter = (): RequestHandler =>
  rateLimit({
    ...HEADERS,
    windowMs: WINDOW_MS,
    limit: (_request, response) => accountOf(response).limits.rateLimitPerMinute,
    keyGenerator: (_request, response) => accountOf(response).name,
    handler: (_request, response) => {
      const account = accountOf(response);
      account.refused();
      throw new ApiError(
        'RATE_LIMITED',
        `More than ${account.limits.rateLimitPerMinute} requests in a minute with this key; see Retry-After`,
      );
    },
  });

const accountOf = (response: Response): Account => response.locals.caller as Account;

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
