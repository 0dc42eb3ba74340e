import { join } from 'node:path';
import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { type Backup, ENGINE_FOLDER } from './manifest.js';

const tableRow = z.object({ name: z.string(), engine: z.string() });

/** A table of a store. */
export type DataTable = z.infer<typeof tableRow>;

/** The tables that hold data, in alphabetical order: all that keep rows, but for lists of migrations and lineages. */
export async function dataTables(store: Store): Promise<DataTable[]> {
  return store.query(
    sql.rows(tableRow)`SELECT name, engine
    FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
        AND name NOT IN ('migrations', 'lineages')
    ORDER BY name`,
  );
}

/** A text of the definitions of all tables and views, without the locks of loads; it differs when any of them does. */
export async function definitions(store: Store): Promise<string> {
  const found = await store.queryOne(
    sql.rows(
      z.object({ definitions: z.string() }),
    )`SELECT hex(sipHash128(arraySort(groupArray((name, create_table_query))))) AS definitions
    FROM system.tables
    WHERE database = currentDatabase() AND NOT match(name, '^load_lock_[0-9]')`,
  );
  return found.definitions;
}

/** Rows of each of these tables; null of a histogram, whose rows with equal keys are merged at any time. */
export async function rowCounts(
  store: Store,
  tables: readonly DataTable[],
): Promise<Record<string, number | null>> {
  const counts = tables.map(
    ({ name, engine }) => `${engine === 'MergeTree' ? `(SELECT count() FROM ${name})` : 'NULL'} AS ${name}`,
  );
  const row = z.record(z.string(), z.number().nullable());
  return store.queryOne(sql.rows(row)`SELECT ${raw(counts.join(', '))}`);
}

/** The files of a backup in this folder that ClickHouse writes and reads. @param name by which the statement binds it */
export const engineFolder = (name: string, backup: string): Statement =>
  sql`File(${bind({ [name]: join(backup, ENGINE_FOLDER) }, 'String')})`;

/** The setting of BACKUP and RESTORE, part of their own grammar, that names the base of an incremental backup. */
export const baseBackup = (base: Backup): Statement =>
  sql`base_backup = ${engineFolder('base', base.folder)}`;
