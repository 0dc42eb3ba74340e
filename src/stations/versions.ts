import { z } from 'zod';
import { bind, sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';

/** How a request names a version of the data (D31): by the number of its load, or by an instant. */
export interface VersionName {
  /** As the request has it. */
  requested: string;
  load_id?: number;
  /** The timeline of the store in which the load has this number (D49); the store's own by default. */
  timeline?: string | undefined;
  /** Unix ms. */
  instant_ms?: number;
}

/** A version of the data that a request names: all loads up to the last one that had finished. */
export interface AsOf {
  requested: string;
  /** The number of that load; 0 before the first. */
  version: number;
  /** When that load finished, ISO 8601 in UTC; null before the first. */
  recorded_at: string | null;
  /** The instant that the request names, or when that load finished, Unix ms. */
  moment_ms: number;
}

/** No load that finished has this number, or the store has another timeline. */
class UnknownVersion extends Error {
  readonly apiCode = 'INVALID_PARAMETER';
  readonly issues: { parameter: string; message: string }[];

  constructor(message: string) {
    super(`as_of ${message}`);
    this.issues = [{ parameter: 'as_of', message }];
  }
}

const row = z.object({ load_id: z.number(), recorded_ms: z.number() });

/**
 * Finds the load first: rows are recorded over the whole of a load, so their own times would cut it in two.
 * @param own the timeline of the store
 * @throws UnknownVersion, and what the store throws
 */
export async function readAsOf(
  store: Pick<Store, 'query'>,
  { requested, load_id, timeline, instant_ms }: VersionName,
  own: string,
): Promise<AsOf> {
  if (timeline !== undefined && timeline !== own) {
    throw new UnknownVersion(
      `names timeline ${timeline}, but the data have timeline ${own}, in which numbers of loads mean other data; ` +
        `give v${load_id} without a timeline for theirs, GET /api/v1/loads lists all`,
    );
  }
  const named =
    load_id === undefined
      ? sql`recorded_ms <= ${bind({ instant_ms: instant_ms ?? 0 }, 'Int64')}`
      : sql`load_id <= ${bind({ load_id }, 'UInt32')}`;
  const [last] = await store.query(
    sql.rows(row)`SELECT load_id, toUnixTimestamp64Milli(recorded_at) AS recorded_ms
    FROM loads
    WHERE event = 'finished' AND ${named}
    ORDER BY load_id DESC
    LIMIT 1`,
  );
  if (load_id !== undefined && last?.load_id !== load_id) {
    const before = last === undefined ? '' : `; the last one before it is v${last.load_id}`;
    throw new UnknownVersion(
      `names v${load_id}, but no load of this number has finished${before}; GET /api/v1/loads lists all`,
    );
  }
  const recorded_at = last === undefined ? null : new Date(last.recorded_ms).toISOString();
  return {
    requested,
    version: last?.load_id ?? 0,
    recorded_at,
    moment_ms: instant_ms ?? last?.recorded_ms ?? 0,
  };
}
