import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { addDays } from '../statistics/time/calendar.js';
import type { VersionName } from '../stations/versions.js';

// Conditional requests (RFC 9110, section 13): the ETag of a response, If-None-Match, and the 304.

/**
 * The entity tag of the response with a key. It is weak, since bytes of one key may differ: a response that is rendered again,
 * after eviction or by another server, has another generated_at, and compression other bytes (RFC 9110, 8.8.1 and 8.8.3.3). A strong
 * tag would be of the bytes, so a 304 would need them; this one needs the key alone (D65).
 */
export function entityTag(key: string): string {
  return `W/"${hash('sha256', key, 'base64url').slice(0, 22)}"`;
}

/** Whether the client has the response with this tag already, by its If-None-Match; compared weakly. */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  // No other header counts, because Cache-Control: no-cache demands a revalidation, which a tag does.
  if (ifNoneMatch === undefined || ifNoneMatch === tag) return ifNoneMatch === tag;
  return fresh({ 'if-none-match': ifNoneMatch.trim() }, { etag: tag });
}

/** The headers of a 200 that its 304 has: all but those about the content (RFC 9110, 15.4.5). */
export const withoutContent = <Value>(headers: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^content-(?:disposition|encoding|type)$/i.test(name)),
  );

export function sendNotModified(
  response: ServerResponse,
  headers: OutgoingHttpHeaders | string[] = {},
): void {
  response.writeHead(304, headers).end();
}

/** The age of a response, in whole seconds. @param generatedMs its generated_at, Unix ms */
export const ageSeconds = (now: Date, generatedMs: number): string =>
  `${Math.max(0, Math.floor((now.getTime() - generatedMs) / 1000))}`;

/** Whether the last day of a window has been over for a whole day, by UTC dates; its numbers may be final then. */
export function isClosed(periodEnd: string, today: string): boolean {
  return periodEnd < addDays(today, -1);
}

// The service itself shows a load within 5 s. A shared cache asks again every 10 s, however many ask it, and shows the last
// response while it does; what nobody has asked for in 40 s is asked for first. A browser asks the shared cache each time.
const PUBLIC_UNTIL_NEXT_LOAD = 'public, max-age=0, s-maxage=10, stale-while-revalidate=30';

/**
 * How long a response may be used without asking again: by its client alone, or by a cache that many share (D60).
 * @param final all numbers are verified and their window is closed: a late correction at most changes them.
 * @param named the version that the request names: with its timeline one that never changes, without it one of the timeline
 * that the data have today (D49).
 * @param isPublic it was given without a key, and has nothing of one caller
 */
export function cacheControl(final: boolean, named?: VersionName, isPublic = false): string {
  if (named?.timeline !== undefined) return `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`;
  if (isPublic) return PUBLIC_UNTIL_NEXT_LOAD;
  return final && named === undefined ? 'private, max-age=3600' : 'private, max-age=0, must-revalidate';
}
