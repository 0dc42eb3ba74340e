import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { DateSpan } from '../queries/conditions.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import {
  dateOf,
  dayOf,
  isDated,
  joinSelects,
  lineOf,
  ofDays,
  SEALED_FEEDS,
  type SealedFeed,
} from './lines.js';

// Digests of facts (D80). A day has the SHA-256 of its sorted lines, and a month that of its days in order, each as its date and 32 bytes.
// Sums or XORs of hashes would be cheaper, but somebody can compute other facts with the same sum.

/** The digest of what a version added to a feed in a month, `2026-01`; `all` in a feed without dates. */
export const monthRow = z.object({
  feed: z.string().meta({ example: 'forecasts' }),
  month: z.string().meta({
    description: 'Month of its dates; all for a feed without dates',
    example: '2026-01',
  }),
  rows: z.int().min(0).meta({ description: 'Facts that the version added' }),
  root: z.string().meta({ description: 'The digest of these facts, 32 bytes in hex' }),
});

export type MonthDigest = z.infer<typeof monthRow>;

/** Facts that are digested together. */
export interface FactScope {
  feeds: readonly SealedFeed[];
  /** An expression of the version that a fact belongs to. */
  version: Statement;
  /** The facts that count, as a condition. */
  condition: Statement;
}

const dayRow = z.object({
  feed: z.string(),
  version: z.number(),
  /** YYYY-MM-DD; blank in a feed without dates. */
  day: z.string(),
  facts: z.number(),
  /** 32 bytes in hex. */
  digest: z.string(),
});

/** The digests by feed, version and day. @param span all dates if not given */
function dayDigests({ feeds, version, condition }: FactScope, span?: DateSpan) {
  const selects = feeds.map(
    (feed) => sql`
    SELECT
      '${raw(feed)}' AS feed, ${version} AS version, ${dayOf(feed)} AS day, count() AS facts,
      lower(hex(SHA256(arrayStringConcat(arraySort(groupArray(${lineOf(feed)})), '\\n')))) AS digest
    FROM ${raw(feed)}
    WHERE ${condition}${span === undefined ? raw('') : sql` AND ${ofDays(feed, span)}`}
    GROUP BY version, ${dateOf(feed)}`,
  );
  return sql.rows(dayRow)`SELECT * FROM (${joinSelects(selects)}) ORDER BY day`;
}

/** Each fact takes some 150 bytes of the engine's memory. */
const FACTS_PER_STATEMENT = 2_000_000;

const spanRow = z.object({ first_date: z.string(), last_date: z.string() });

/** The days of these facts in spans, each with as many facts as a statement takes, or with one day more. */
function readSpans(store: Store, { feeds, condition }: FactScope, month: string) {
  const days = feeds.map(
    (feed) =>
      sql`SELECT ${dayOf(feed)} AS day, count() AS facts FROM ${raw(feed)} WHERE ${condition} GROUP BY ${dateOf(feed)}`,
  );
  return store.query(sql.rows(spanRow)`
    SELECT min(day) AS first_date, max(day) AS last_date
    FROM (
      SELECT day, intDiv(sum(sum(facts)) OVER (ORDER BY day), ${raw(`${FACTS_PER_STATEMENT}`)}) AS span
      FROM (${joinSelects(days)})
      WHERE startsWith(day, ${bind({ month }, 'String')})
      GROUP BY day
    )
    GROUP BY span
    ORDER BY first_date`);
}

/**
 * The digests of facts by version, in the order of feeds and months: some statements, each over the days of at most so many facts.
 * @param month the only month; all if not given
 * @throws what the store throws
 */
export async function computeDigests(
  store: Store,
  scope: FactScope,
  month = '',
): Promise<Map<number, MonthDigest[]>> {
  const [dated, undated] = [scope.feeds.filter(isDated), scope.feeds.filter((feed) => !isDated(feed))];
  const statements = undated.length > 0 && month === '' ? [dayDigests({ ...scope, feeds: undated })] : [];
  if (dated.length > 0) {
    const spans = await readSpans(store, { ...scope, feeds: dated }, month);
    statements.push(...spans.map((span) => dayDigests({ ...scope, feeds: dated }, span)));
  }
  const months = new Map<string, { rows: number; hash: ReturnType<typeof createHash> }>();
  for (const statement of statements) {
    for (const { version, feed, day, facts, digest } of await store.query(statement)) {
      const key = `${version} ${feed} ${day.slice(0, 7) || 'all'}`;
      const known = months.get(key) ?? { rows: 0, hash: createHash('sha256') };
      months.set(key, known);
      known.rows += facts;
      known.hash.update(day).update(digest, 'hex');
    }
  }
  const versions = new Map<number, MonthDigest[]>();
  for (const [key, { rows, hash }] of [...months].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [version = '', feed = '', month = ''] = key.split(' ');
    const digests = versions.get(Number(version)) ?? [];
    versions.set(Number(version), digests);
    digests.push({ feed, month, rows, root: hash.digest('hex') });
  }
  return versions;
}

/** Stands for the version of facts that a load has left which has not finished. */
export const PENDING = -1;

const loadRow = z.object({ load_id: z.number(), is_finished: z.number() });

/** The facts of all versions. Loads that were killed or failed left theirs to the next one that finished. */
export async function everyVersion(store: Store): Promise<FactScope> {
  const loads = await store.query(sql.rows(loadRow)`
    SELECT load_id, max(event = 'finished') AS is_finished FROM loads GROUP BY load_id ORDER BY load_id DESC`);
  let version = PENDING;
  const [left, versions] = [[version], [version]]; // transform() takes no empty arrays
  for (const { load_id, is_finished } of loads) {
    if (is_finished === 1) version = load_id;
    else {
      left.push(load_id);
      versions.push(version);
    }
  }
  const [from, to] = [bind({ left }, 'Array(Int64)'), bind({ versions }, 'Array(Int64)')];
  return {
    feeds: SEALED_FEEDS,
    version: sql`transform(toInt64(load_id), ${from}, ${to}, toInt64(load_id))`,
    condition: sql`true`,
  };
}
