import { z } from 'zod';
import { raw, sql, type Statement } from '../queries/sql.js';
import { StoreDamaged } from './store-errors.js';
import type { Store } from './store.js';

// ClickHouse puts a part that it cannot read aside and starts without it. A part of a derived table comes back from the facts;
// the facts themselves are nowhere else, and reconciling would take those that are lost for withdrawn.

const damagedPart = z.object({
  table: z.string(),
  part: z.string(),
  month: z.string(),
  has_facts: z.number(),
});

/** A part that was put aside; `month` is that of its target dates, or `all` of a table that has no months. */
export type DamagedPart = z.infer<typeof damagedPart>;

/** Broken parts, for use after FROM. A replicated table, which only a cluster has, fetches its own again. */
export const BROKEN_PARTS = sql`(
        SELECT table, name, partition_id
        FROM system.detached_parts
        WHERE database = currentDatabase() AND startsWith(ifNull(reason, ''), 'broken') AND NOT endsWith(table, '_local')
    )`;

/** The parts that were put aside as broken. */
export async function damagedParts(store: Pick<Store, 'query'>): Promise<DamagedPart[]> {
  return store.query(
    sql.rows(damagedPart)`SELECT
        table, name AS part, replaceRegexpOne(ifNull(partition_id, 'all'), '^(\\\\d{4})(\\\\d{2})$', '\\\\1-\\\\2') AS month,
        table IN ('stations', 'normals', 'forecasts', 'distributions', 'observations', 'hours', 'hourly_forecasts', 'sealed_odds', 'loads') AS has_facts
    FROM ${BROKEN_PARTS}
    ORDER BY table, part`,
    { priority: 'ahead' },
  );
}

/**
 * Looks at the files of new parts first, and mends what it can: the engine keeps the sources of a merged part for 8 minutes.
 * @returns the parts that were put aside as broken
 */
export async function findDamage(store: Pick<Store, 'query' | 'confirmParts'>): Promise<DamagedPart[]> {
  await store.confirmParts();
  return damagedParts(store);
}

/** The damaged parts that have facts. */
export const lostFacts = async (store: Store): Promise<DamagedPart[]> =>
  (await damagedParts(store)).filter(({ has_facts }) => has_facts === 1);

/**
 * @param days a SELECT of the target_date that are to be reconciled; all if not given
 * @throws StoreDamaged when facts of their months are lost, or of a table that has no months
 */
export async function rejectLostFacts(store: Store, days?: Statement): Promise<void> {
  const lost = await lostFacts(store);
  if (lost.length === 0) return;
  const months =
    days === undefined
      ? lost
      : await store.query(
          sql.rows(
            z.object({ month: z.string() }),
          )`SELECT DISTINCT formatDateTime(target_date, '%Y-%m') AS month FROM (${days})`,
        );
  const found = lost.find(({ month }) => month === 'all' || months.some((each) => each.month === month));
  if (found === undefined) return;
  throw new StoreDamaged(
    `DATA_DIR is damaged: part ${found.part} of ${found.table} cannot be read, and what is derived from it would be withdrawn; ` +
      'restore a backup, load all feeds into a new folder, or go on without it: --accept-loss',
  );
}

/** Removes the parts that were put aside as broken. */
export async function dropDamagedParts(store: Store): Promise<void> {
  for (const { table, part } of await damagedParts(store)) {
    const dropping = sql`ALTER TABLE ${raw(table)} DROP DETACHED PART '${raw(part)}'`;
    await store.command(dropping.with({ allow_drop_detached: 1 }));
  }
}
