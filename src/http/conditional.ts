import { hash } from 'node:crypto';
import { addDays } from '../accuracy/calendar.js';

// Conditional requests (RFC 9110, section 13).

/** The entity tag of the answer with a key: weak, as its bytes differ in generated_at. */
export function entityTag(key: string): string {
  return `W/"${hash('sha256', key, 'base64url').slice(0, 22)}"`;
}

/** Whether the client has the answer with this tag already, by its If-None-Match; compared weakly. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  const opaque = (text: string): string => text.replace(/^W\//, '');
  // A tag may hold commas, so a list is not split at them.
  const listed = ifNoneMatch.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return listed.some((each) => opaque(each) === opaque(tag));
}

/** Whether the last day of a window has been over for a whole day, by UTC dates; its numbers may be final then. */
export function isClosed(periodEnd: string, today: string): boolean {
  return periodEnd < addDays(today, -1);
}

/**
 * How long a client may use an answer without asking again.
 * @param final all numbers are verified and their window is closed: a late correction at most changes them
 */
export function cacheControl(final: boolean): string {
  return final ? 'private, max-age=3600' : 'private, max-age=0, must-revalidate';
}
