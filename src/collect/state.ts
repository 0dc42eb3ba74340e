import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../lib/user-error.js';
import { replaceFile } from '../lib/replace-file.js';
import { sourceState, type SourceState } from '../stations/source-state.js';
import { CURSOR, type Cursor, NOTHING_READ } from './cursors.js';
import { parsed } from './plain-text.js';
import { STATION_PLACE, type StationPlace } from './source.js';

// The collector's memory between passes: $DATA_DIR/collect.json. It is written only after the load that holds its rows
// has finished. After a kill they are requested again, and loaded again without effect.

const catalogue = z.object({
  /** The names that were searched for, as JSON. */
  wanted: z.string(),
  read_ms: z.number(),
  places: z.array(STATION_PLACE),
  /** One line for each that is not found. */
  missing: z.array(z.string()),
  /** A load has brought these stations into the store. */
  is_loaded: z.boolean(),
});

const counted = z.object({ since_ms: z.number(), weight: z.number() });

const source = z.object({
  requests: sourceState.shape.requests,
  last_success_ms: z.number().optional(),
  stations: z.record(z.string(), CURSOR),
  /** The version of the last response to a path, for the next request: headers by name. */
  validators: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

const VERSION = 1;

const state = z.object({
  version: z.literal(VERSION),
  /** The store that has what is covered. */
  store: z.string(),
  /** The last load of the collector; in a store of another history the next one has no greater number. */
  load_id: z.int(),
  /** Asked for again where another version wrote it. */
  catalogue: catalogue.optional().catch(undefined),
  sources: z.record(z.string(), source),
  /** The weight of requests to each host that has budgets. */
  asked: z
    .record(z.string(), z.object({ minute: counted, hour: counted, day: counted }).partial())
    .default({}),
});

export type State = z.infer<typeof state>;
/** How far a source has been read, by station. */
type SourceCursors = z.infer<typeof source>;
export type Catalogue = z.infer<typeof catalogue>;
export type RequestCounts = SourceState['requests'];
/** Requests of a pass, by outcome. */
export type RunCounts = RequestCounts & { not_requested: number };

export const NO_REQUESTS: RequestCounts = { ok: 0, no_answer: 0, refused: 0, failed: 0 };

export const stateFile = (dataDir: string): string => join(dataDir, 'collect.json');

/**
 * The state of the collector; empty where its file is missing.
 * @param store the name of the store that rows go to now.
 * @throws UserError for a file that cannot be used, or one that is of another store
 */
export async function readState(dataDir: string, store: string): Promise<State> {
  const file = stateFile(dataDir);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return emptyState(store);
    throw new UserError(`DATA_DIR: cannot read ${file} (${code})`, { cause: error });
  }
  const { data } = state.safeParse(parsed(text));
  const out = 'remove it to request everything again';
  if (data === undefined)
    throw new UserError(`DATA_DIR: ${file} is not the collector's state of this version; ${out}`);
  if (data.store !== store)
    throw new UserError(
      `DATA_DIR: ${file} is about the store ${data.store}, not ${store}; use another DATA_DIR, or ${out}`,
    );
  return data;
}

export function emptyState(store: string): State {
  return { version: VERSION, store, load_id: 0, sources: {}, asked: {} };
}

/** @throws UserError */
export async function writeState(dataDir: string, next: State): Promise<void> {
  const file = stateFile(dataDir);
  try {
    await replaceFile(file, `${JSON.stringify(next)}\n`, 0o644);
  } catch (error) {
    throw new UserError(`DATA_DIR: cannot write ${file} (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

/** How far a source has been read; made where nothing is. */
export function getCursors(known: State, name: string): SourceCursors {
  return (known.sources[name] ??= { requests: { ...NO_REQUESTS }, stations: {} });
}

/** Changes how far a source has been read for a station. */
export function changeCursor(
  { stations }: SourceCursors,
  { station_id }: StationPlace,
  change: (cursor: Cursor) => Cursor,
): void {
  stations[station_id] = change(stations[station_id] ?? NOTHING_READ);
}
