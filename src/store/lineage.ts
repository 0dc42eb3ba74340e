import { z } from 'zod';
import type { Store } from './store.js';

// The lineage of a store (D49) says which history the numbers of its loads belong to: four letters and digits.

/** A SELECT of the lineage of the store. */
export const LINEAGE = 'SELECT argMax(lineage, nth) FROM lineages';

/** Begins another lineage: from now on the numbers of loads are of another history. */
export async function beginLineage(store: Store): Promise<void> {
  await store.command('INSERT INTO lineages (nth) SELECT max(nth) + 1 FROM lineages');
}

/** Gives a store the lineage of another one, whose whole history it has. */
export async function copyLineage(from: Store, to: Store): Promise<void> {
  const [found] = await from.query(`SELECT (${LINEAGE}) AS lineage`, {}, z.object({ lineage: z.string() }));
  await to.command(
    'INSERT INTO lineages (nth, lineage) SELECT max(nth) + 1, {lineage: String} FROM lineages',
    { lineage: found?.lineage ?? '' },
  );
}
