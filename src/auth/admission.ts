import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type RateLimitInfo, type Store } from 'express-rate-limit';
import { ApiError } from '../api/errors/api-error.js';
import { type Account, Accounts, addressAccounts } from './accounts.js';
import type { Keyring, KeyRecord } from './keys.js';
import { type Limits, getLimits } from './limits.js';
import { RequestCounter } from './request-counter.js';

// Authentication of requests by their API key, and the rate limit of each key, or of an address without one.

/** The limits of each key, unless its record says otherwise, and of requests without one. */
export interface RateLimits extends Limits {
  /** Requests a minute from one address without a valid key; 0 is no limit. */
  authFailuresPerMinute: number;
}

const WINDOW_MS = 60_000;

// draft-8 of the RateLimit headers; it also sets Retry-After.
const HEADERS = { standardHeaders: 'draft-8', legacyHeaders: false } as const;

/** The key of a request: `Authorization: Bearer <key>`, the scheme in any case. */
export const getKey = (authorization = ''): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** A request that was counted. */
export interface Passed {
  account: Account;
  /** Requests left in the minute, and the seconds until it ends. */
  requestsLeft: number;
  resetSeconds: number;
}

/** Admits requests with a valid key that has requests left, and says whose each is. */
export class KeyGate {
  readonly #accounts: Accounts;
  readonly #counter = new RequestCounter();
  readonly #limitKey = requestLimiter('with this key', this.#counter);
  readonly #refuse: ReturnType<typeof refusal>;

  constructor(
    private readonly keyring: Keyring,
    private readonly limits: RateLimits,
    clock: () => Date,
  ) {
    this.#accounts = new Accounts(clock);
    this.#refuse = refusal(limits.authFailuresPerMinute);
  }

  /** Decides before anything else reads the request. */
  readonly admit: RequestHandler = (request, response, next) => {
    if (response.locals.isPublic === true) {
      next();
      return;
    }
    const key = getKey(request.headers.authorization);
    const record = key === undefined ? undefined : this.keyring.find(key);
    if (record === undefined) {
      this.#refuse(request, response, next, key === undefined);
      return;
    }
    const account = this.#getAccount(record);
    account.requested();
    response.locals.keyId = record.id;
    response.locals.caller = account;
    if (account.limits.rateLimitPerMinute === 0) next();
    else {
      void this.#limitKey(request, response, (error?: unknown) => {
        account.requestsLeft = (request as { rateLimit?: RateLimitInfo }).rateLimit?.remaining;
        next(error);
      });
    }
  };

  /** Whether the key of a request that was admitted is still valid. */
  readonly isValid = (authorization: string | undefined): boolean =>
    this.keyring.find(getKey(authorization) ?? '') !== undefined;

  /**
   * Counts a request as `admit` does, at once.
   * @param limit the requests a minute that the key had
   * @returns undefined, and nothing is counted, where `admit` has to decide: the key is not valid any more, its limit is
   * another, its minute is over, or it has no request left
   */
  authenticateNow(key: string, limit: number): Passed | undefined {
    const record = this.keyring.find(key);
    if (record === undefined) return undefined;
    const account = this.#getAccount(record);
    if (account.limits.rateLimitPerMinute !== limit) return undefined;
    if (limit === 0) {
      account.requested();
      return { account, requestsLeft: 0, resetSeconds: 0 };
    }
    const taken = this.#counter.take(account.name, limit);
    if (taken === undefined) return undefined;
    account.requested();
    account.requestsLeft = taken.requestsLeft;
    return { account, ...taken };
  }

  #getAccount(record: KeyRecord): Account {
    return this.#accounts.of(record, getLimits(record, this.limits));
  }
}

/**
 * Admits a request without a key (D60), as the address that it came from; one with a key goes on to KeyGate. It stands
 * before the routes that are public alone, so that a route needs a key unless it is listed.
 * @param limits of each address
 */
export function admitPublicly(limits: Limits, clock: () => Date): RequestHandler {
  const accounts = addressAccounts(clock);
  const limitAddress = requestLimiter('from this address without an API key');
  return (request, response, next) => {
    if (request.headers.authorization !== undefined) {
      next();
      return;
    }
    // No key has such an id.
    const account = accounts.of({ id: `address ${getAddress(request)}`, name: '' }, limits);
    response.locals.isPublic = true;
    response.locals.caller = account;
    if (limits.rateLimitPerMinute === 0) next();
    else void limitAddress(request, response, next);
  };
}

/** The connection's address, or the one that a trusted proxy names. */
const getAddress = ({ ip }: Request): string => ipKeyGenerator(ip ?? '');

/** Counts the requests of each account. */
const requestLimiter = (whose: string, store?: Store): RequestHandler =>
  rateLimit({
    ...HEADERS,
    ...(store && { store }),
    windowMs: WINDOW_MS,
    limit: (_request, response) => getAccount(response).limits.rateLimitPerMinute,
    keyGenerator: (_request, response) => getAccount(response).name,
    handler: (_request, response) => {
      const account = getAccount(response);
      account.refused();
      throw new ApiError(
        'RATE_LIMITED',
        `More than ${account.limits.rateLimitPerMinute} requests in a minute ${whose}; see Retry-After`,
      );
    },
  });

const getAccount = (response: Response): Account => response.locals.caller as Account;

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
    keyGenerator: getAddress,
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
