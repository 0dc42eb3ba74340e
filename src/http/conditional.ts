import { hash } from 'node:crypto';

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

const DAY_MS = 86_400_000;

/**
 * How long a client may use an answer without asking again. Numbers that are final, all of them verified and their days
 * over for a whole day, change at most by a late correction: an hour.
 * @param periodEnd the last day asked for, YYYY-MM-DD
 */
export function cacheControl(verified: boolean, periodEnd: string | undefined, now: Date): string {
  const yesterday = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
  return verified && periodEnd !== undefined && periodEnd < yesterday
    ? 'private, max-age=3600'
    : 'private, max-age=0, must-revalidate';
}
