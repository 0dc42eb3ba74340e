import { createHash } from 'node:crypto';
import { z } from 'zod';
import { raw, type Rows, sql, type Statement } from '../queries/sql.js';
import { dateOf, dayOf, lineOf, type SealedFeed } from './lines.js';

// Digests of facts (D80). A day has the SHA-256 of the sorted SHA-256 of its lines, and a month the SHA-256 of its days in
// order, 32 bytes each. Sums or XORs of hashes would be cheaper, but somebody can compute other facts with the same sum.

const digestRow = z.object({
  feed: z.string(),
  version: z.number(),
  /** YYYY-MM-DD; blank in a feed without dates. */
  day: z.string(),
  row_count: z.number(),
  /** 32 bytes in hex. */
  digest: z.string(),
});

/** The digest of what a version added to a feed on a day. */
export type DayDigest = z.infer<typeof digestRow>;

/** The digest of what a version added to a feed in a month, `2026-01`; `all` in a feed without dates. */
export const monthRow = z.object({
  feed: z.string(),
  month: z.string(),
  rows: z.number(),
  /** 32 bytes in hex. */
  root: z.string(),
});

export type MonthDigest = z.infer<typeof monthRow>;

/**
 * The digests of facts, by feed, version and day.
 * @param version an expression of the version that a fact belongs to
 * @param condition of the facts that count
 */
export function dayDigests(
  feeds: readonly SealedFeed[],
  version: Statement,
  condition: (feed: SealedFeed) => Statement,
): Rows<DayDigest> {
  // arrayStringConcat cuts zero bytes off a FixedString, so concat() makes a String of each hash first.
  const selects = feeds.map(
    (feed) => sql`
    SELECT
      '${raw(feed)}' AS feed, ${version} AS version, ${dayOf(feed)} AS day, count() AS row_count,
      lower(hex(SHA256(arrayStringConcat(arrayMap(hash -> concat(hash, ''), arraySort(groupArray(SHA256(${lineOf(feed)})))))))) AS digest
    FROM ${raw(feed)}
    WHERE ${condition(feed)}
    GROUP BY version, ${dateOf(feed)}`,
  );
  return sql.rows(digestRow)`${selects.reduce((all, next) => sql`${all} UNION ALL ${next}`)}`;
}

/** The digests of the months of these days, by version, in the order of feeds and months. */
export function monthDigests(days: readonly DayDigest[]): Map<number, MonthDigest[]> {
  const months = new Map<string, DayDigest[]>();
  for (const day of days) {
    const key = `${day.version} ${day.feed} ${day.day === '' ? 'all' : day.day.slice(0, 7)}`;
    const known = months.get(key);
    if (known === undefined) months.set(key, [day]);
    else known.push(day);
  }
  const versions = new Map<number, MonthDigest[]>();
  for (const [key, ofMonth] of [...months].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [version = '', feed = '', month = ''] = key.split(' ');
    const hash = createHash('sha256');
    let rows = 0;
    for (const { digest, row_count } of ofMonth.sort((a, b) => (a.day < b.day ? -1 : 1))) {
      hash.update(digest, 'hex');
      rows += row_count;
    }
    const digests = versions.get(Number(version)) ?? [];
    versions.set(Number(version), digests);
    digests.push({ feed, month, rows, root: hash.digest('hex') });
  }
  return versions;
}
