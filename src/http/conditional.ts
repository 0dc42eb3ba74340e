import { hash } from 'node:crypto';
import fresh from 'fresh';
import { addDays } from '../accuracy/time/calendar.js';
import type { VersionName } from '../stations/versions.js';

// Conditional requests (RFC 9110, section 13).

/** The entity tag of the answer with a key: weak, as its bytes differ in generated_at. */
export function entityTag(key: string): string {
  return `W/"${hash('sha256', key, 'base64url').slice(0, 22)}"`;
}

/** Whether the client has the answer with this tag already, by its If-None-Match; compared weakly. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  // Of the request's headers this one alone: by Cache-Control: no-cache a client asks to revalidate, which a tag does.
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch.trim() }, { etag: tag });
}

/** Whether the last day of a window has been over for a whole day, by UTC dates; its numbers may be final then. */
export function isClosed(periodEnd: string, today: string): boolean {
  return periodEnd < addDays(today, -1);
}

// A load that has finished shows here up to 5 s later, and its clock may be another one.
const PIN_SETTLES_MS = 60_000;

/** Whether an answer to a request of the version `named` never changes (D31). */
export function isPinned(named: VersionName | undefined, now: Date): boolean {
  return named !== undefined && (named.instant_ms ?? 0) + PIN_SETTLES_MS <= now.getTime();
}

/**
 * How long a client may use an answer without asking again.
 * @param final all numbers are verified and their window is closed: a late correction at most changes them
 * @param pinned it never changes
 */
export function cacheControl(final: boolean, pinned = false): string {
  if (pinned) return 'private, max-age=31536000, immutable';
  return final ? 'private, max-age=3600' : 'private, max-age=0, must-revalidate';
}
