import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from './errors.js';
import type { Keyring } from './keys.js';

/** Lets a request pass that carries a valid key, `Authorization: Bearer <key>`; the scheme in any case. */
export function requireKey(keyring: Keyring): RequestHandler {
  return (request, response, next) => {
    const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) {
      throw new ApiError(
        'UNAUTHORIZED',
        'This needs an API key: send the header Authorization: Bearer <API_KEY>',
      );
    }
    const record = keyring.find(key);
    if (record === undefined) {
      throw new ApiError('UNAUTHORIZED', 'The API key is not valid: it is unknown, mistyped or revoked');
    }
    response.locals.keyId = record.id;
    next();
  };
}

/** At most so many requests a minute with one key; 0 is no limit. */
export function limitRate(requestsPerMinute: number): RequestHandler[] {
  if (requestsPerMinute === 0) return [];
  const limiter = rateLimit({
    windowMs: 60_000,
    limit: requestsPerMinute,
    standardHeaders: 'draft-8', // it also sets Retry-After
    legacyHeaders: false,
    keyGenerator: (request, response) => response.locals.keyId ?? ipKeyGenerator(request.ip ?? ''),
    handler: () => {
      throw new ApiError(
        'RATE_LIMITED',
        `More than ${requestsPerMinute} requests in a minute with this key; see Retry-After`,
      );
    },
  });
  return [limiter];
}
