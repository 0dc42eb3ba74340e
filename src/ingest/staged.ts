import { raw, sql, type Statement } from '../sql.js';
import type { FactName } from '../relations/facts.js';
import type { Store } from '../store/store.js';
import { FEED_NAMES } from './feed/columns.js';

const STAGED = [...FEED_NAMES, 'spreads'] as const;

/** What the load under way has staged. */
export const stagedOf = (name: FactName | 'stations'): Statement =>
  sql`(SELECT * FROM staged_${raw(name)} WHERE load_id = (SELECT max(load_id) FROM loads))`;

/** Empties the staging tables, but those of a cluster: that takes all of its servers, so there they forget by themselves. */
export async function clearStaging(store: Store): Promise<void> {
  if (store.cluster !== undefined) return;
  for (const name of STAGED) await store.command(sql`TRUNCATE TABLE staged_${raw(name)}`);
}
