import { type SealedLoad, sealLoad } from '../seals/seal.js';
import type { Store } from '../store/store.js';
import { type BeforeLoad, beforeLoad, clearStaging, hasPending } from './stage/staging-tables.js';

// The log of loads, table `loads`: one row an event. Readers learn from it that the data have changed.

/**
 * Records an event of a load. `settled` says that the data have changed, and comes once readers can see the change.
 * @param providers whose forecasts it has brought
 */
export async function recordEvent(
  store: Store,
  loadId: number,
  event: 'started' | 'settled' | 'finished' | 'failed',
  report?: object,
  providers: readonly string[] = [],
): Promise<void> {
  const row = [loadId, event, providers, report === undefined ? '' : JSON.stringify(report)];
  await store.insert('loads', ['load_id', 'event', 'forecast_providers', 'report'], [row]);
}

/**
 * Takes the next load_id, and records that the load has started.
 * @param before what is known of the store, if it is
 * @param keepsStaged what a killed load has staged is still to be read
 */
export async function beginLoad(
  store: Store,
  { before, keepsStaged = false }: { before?: BeforeLoad | undefined; keepsStaged?: boolean } = {},
): Promise<number> {
  const { latest, filled } = before ?? (await beforeLoad(store));
  const loadId = latest + 1;
  await recordEvent(store, loadId, 'started');
  if (!keepsStaged) await clearStaging(store, filled);
  return loadId;
}

interface Finished extends Pick<SealedLoad, 'feeds' | 'lost' | 'now'> {
  providers?: readonly string[];
  filled?: readonly string[];
}

/**
 * Seals a version, and records that its load has finished, with the providers whose forecasts it brought. By that row, and with
 * it, nothing is pending any more, and its pairs are in the exports, which go by finished loads.
 * @param staged the providers of its forecasts, in the order of their rows, and the staging tables that it has filled
 */
export async function finishLoad(
  store: Store,
  loadId: number,
  report: object,
  { providers = [], filled, ...known }: Finished = {},
): Promise<void> {
  const seal = await sealLoad(store, { version: loadId, report, ...known });
  await recordEvent(store, loadId, 'finished', { ...report, ...seal }, providers);
  await clearStaging(store, filled);
}

/** Records that a load has failed. While it has something pending its staging stays, for the load that recovers. */
export async function failLoad(store: Store, loadId: number, report: object): Promise<void> {
  await recordEvent(store, loadId, 'failed', report);
  if (!(await hasPending(store))) await clearStaging(store);
}
