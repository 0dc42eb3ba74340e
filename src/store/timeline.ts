import { z } from 'zod';
import { bind, sql } from '../queries/sql.js';
import type { Store } from './store.js';

// The timeline of a store (D49) says which history the numbers of its loads belong to: four letters and digits.

/** A SELECT of the timeline of the store. */
export const TIMELINE = sql`SELECT argMax(lineage, nth) FROM lineages`;

/** Begins another timeline: from now on the numbers of loads are of another history. */
export async function beginTimeline(store: Store): Promise<void> {
  await store.command(sql`INSERT INTO lineages (nth) SELECT max(nth) + 1 FROM lineages`);
}

/** Gives a store the timeline of another one, whose whole history it has. */
export async function copyTimeline(from: Store, to: Store): Promise<void> {
  const { timeline } = await from.queryOne(
    sql.rows(z.object({ timeline: z.string() }))`SELECT (${TIMELINE}) AS timeline`,
  );
  await to.command(
    sql`INSERT INTO lineages (nth, lineage) SELECT max(nth) + 1, ${bind({ timeline }, 'String')} FROM lineages`,
  );
}
