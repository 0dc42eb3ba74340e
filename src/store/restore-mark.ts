import { z } from 'zod';
import { sql } from '../queries/sql.js';
import { StoreUnavailable } from './store-errors.js';
import type { Store } from './store.js';

// A restore is all or nothing. From before its first row until after its last, a table without rows stands in the
// database: whoever finds it answers nothing, and loads nothing, but for another restore, which begins anew.

const MARK = sql`restore_under_way`;

/** A SELECT of 1 while a restore has begun and not ended, else of 0. */
export const RESTORES_UNDER_WAY = sql`SELECT count() FROM system.tables
  WHERE database = currentDatabase() AND name = '${MARK}'`;

/** The error for a restore that has begun and not ended. */
export function unfinishedRestore(): StoreUnavailable {
  return new StoreUnavailable(
    'a restore into this store has begun and not ended: let it end, or run it again; it begins anew',
  );
}

export async function isRestoreUnfinished(store: Store): Promise<boolean> {
  const row = z.object({ restores: z.number() });
  const { restores } = await store.queryOne(sql.rows(row)`SELECT (${RESTORES_UNDER_WAY}) AS restores`);
  return restores > 0;
}

export async function markRestore(store: Store): Promise<void> {
  await store.command(sql`CREATE TABLE IF NOT EXISTS ${MARK} (row UInt8) ENGINE = Null`);
}

export async function unmarkRestore(store: Store): Promise<void> {
  await store.command(sql`DROP TABLE IF EXISTS ${MARK} SYNC`);
}
