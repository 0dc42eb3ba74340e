import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type RateLimitInfo } from 'express-rate-limit';
import { ApiError } from '../api/errors/errors.js';
import { type Account, Accounts, addressAccounts } from './accounts.js';
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
  const limitKey = requestLimiter('with this key');
  const refuse = refusal(limits.authFailuresPerMinute);
  return (request, response, next) => {
    if (response.locals.isPublic === true) {
      next();
      return;
    }
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

/**
 * Admits a request without a key (D60), as the address that it came from; one with a key goes on to `admit`. It stands
 * before the routes that are public alone, so that a route needs a key unless it is listed.
 * @param publicRead the limits of each address, unless the file of limits is tighter
 */
export function admitPublicly(
  publicRead: Limits,
  limitsFile: LimitsFile | undefined,
  clock: () => Date,
): RequestHandler {
  const accounts = addressAccounts(clock);
  const limitAddress = requestLimiter('from this address without an API key');
  return (request, response, next) => {
    if (request.headers.authorization !== undefined) {
      next();
      return;
    }
    const limits = limitsOf({ name: '' }, publicRead, limitsFile?.content);
    // No key has such an id.
    const account = accounts.of({ id: `address ${addressOf(request)}`, name: '' }, limits);
    response.locals.isPublic = true;
    response.locals.caller = account;
    if (limits.rateLimitPerMinute === 0) next();
    else void limitAddress(request, response, next);
  };
}

/** The connection's address, or what a trusted proxy says of it (D38). */
const addressOf = ({ ip }: Request): string => ipKeyGenerator(ip ?? '');

/** Counts the requests of each account. */
const requestLimiter = (whose: string): RequestHandler =>
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
        `More than ${account.limits.rateLimitPerMinute} requests in a minute ${whose}; see Retry-After`,
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
    keyGenerator: addressOf,
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
