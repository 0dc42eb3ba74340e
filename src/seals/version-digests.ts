import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { type DayDigest, dayDigests, monthDigests, type MonthDigest } from './digests.js';
import { dateOf, dayOf, isDated, ofDays, SEALED_FEEDS, type SealedFeed } from './lines.js';

// The digests of facts of any number: some statements, each over the days of at most so many facts.

/** Each fact takes some 150 bytes of the engine's memory. */
const FACTS_PER_STATEMENT = 2_000_000;

/** Facts that are digested together. */
export interface FactScope {
  feeds: readonly SealedFeed[];
  /** An expression of the version that a fact belongs to. */
  version: Statement;
  /** The facts that count, as a condition. */
  condition: Statement;
}

/** The digests by version of some months, whole ones. @throws what the store throws */
export async function* readDigests(
  store: Store,
  { feeds, version, condition }: FactScope,
  only?: string,
): AsyncGenerator<ReadonlyMap<number, MonthDigest[]>> {
  const undated = only === undefined ? feeds.filter((feed) => !isDated(feed)) : [];
  const digest = (of: readonly SealedFeed[], where: (feed: SealedFeed) => Statement) =>
    store.query(dayDigests(of, version, where));
  const dated = feeds.filter(isDated);
  let left: DayDigest[] = undated.length > 0 ? await digest(undated, () => condition) : [];
  for (const span of await readSpans(store, dated, condition, only)) {
    left.push(...(await digest(dated, (feed) => sql`${condition} AND ${ofDays(feed, span)}`)));
    // The days of a month may be in two spans.
    const isWhole = ({ day }: DayDigest): boolean => day.slice(0, 7) < span.last_date.slice(0, 7);
    yield monthDigests(left.filter(isWhole));
    left = left.filter((day) => !isWhole(day));
  }
  yield monthDigests(left);
}

const spanRow = z.object({ first_date: z.string(), last_date: z.string() });

/** The days of these facts in spans, each with as many facts as a statement takes, or with one day more. */
function readSpans(store: Store, feeds: readonly SealedFeed[], condition: Statement, month = '') {
  const days = feeds.map(
    (feed) =>
      sql`SELECT ${dayOf(feed)} AS day, count() AS facts FROM ${raw(feed)} WHERE ${condition} GROUP BY ${dateOf(feed)}`,
  );
  const all = days.reduce(
    (before, next) => sql`${before} UNION ALL ${next}`,
    sql`SELECT '' AS day, 0 AS facts`,
  );
  return store.query(sql.rows(spanRow)`
    SELECT min(day) AS first_date, max(day) AS last_date
    FROM (
      SELECT day, intDiv(sum(sum(facts)) OVER (ORDER BY day), ${raw(`${FACTS_PER_STATEMENT}`)}) AS span
      FROM (${all})
      WHERE day != '' AND startsWith(day, ${bind({ month }, 'String')})
      GROUP BY day
    )
    GROUP BY span
    ORDER BY first_date`);
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
