import { expect } from 'chai';

/** Headers about one response, or about the time at which it was sent. */
const OF_ONE = ['age', 'connection', 'date', 'keep-alive', 'ratelimit', 'server-timing', 'x-request-id'];

/** Expects that a cache which takes the headers of a 304 for those of its stored 200 (RFC 9111, 4.3.4) changes nothing. */
export function expectHeadersOfStored(
  notModified: Record<string, unknown>,
  stored: Record<string, unknown>,
): void {
  const names = Object.keys(notModified).filter((name) => !OF_ONE.includes(name));
  expect(names).to.include.members(['etag', 'cache-control', 'vary', 'content-security-policy']);
  const pick = (headers: Record<string, unknown>) => names.map((name) => [name, headers[name]]);
  expect(pick(notModified)).to.deep.equal(pick(stored));
}
