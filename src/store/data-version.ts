import { z } from 'zod';
import { sql } from '../queries/sql.js';
import { TIMELINE } from './timeline.js';
import { RESTORES_UNDER_WAY, unfinishedRestore } from './restore-mark.js';
import type { Store } from './store.js';

/** How long a version is served without another read. After that it is read again, and served meanwhile. */
const FRESH_MS = 1000;

/** How old a served version may be: a load by another process shows after this time at the latest. */
const USABLE_MS = 5000;

const row = z.object({
  events: z.number(),
  latest_ms: z.number(),
  finished_load: z.number(),
  timeline: z.string(),
  restores: z.number(),
});

/** A version of the data. */
export interface Version {
  /** A short text that changes with every event of a load, and with the timeline. */
  key: string;
  /** The history that the numbers of loads belong to (D49): four letters and digits. */
  timeline: string;
  /** The number of the last load that had finished; 0 before the first. */
  finishedLoad: number;
}

interface Known {
  version: Version;
  /** The store's writes when the reading began: those are in it. */
  writes: number;
  /** When the reading began, ms. */
  readAt: number;
}

/**
 * The version of the data. A load records an event after its change. So what is read after a version is as new as
 * that version, or newer.
 *
 * A load by this process, or through it, shows at once; one by another process within 5 s. At most one reading of the
 * version is under way, ahead of waiting queries, and up to those 5 s nobody waits for it.
 */
export class DataVersion {
  #known: Known | undefined;
  #reading: Promise<Known> | undefined;

  constructor(
    private readonly store: Pick<Store, 'query' | 'writes'>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /**
   * @param usableMs how old the version may be.
   * @throws what the store throws, when the version could not be read for 5 s or since the last write through it.
   * @throws StoreUnavailable while a restore is under way, or when one was cut off
   */
  async current(usableMs = USABLE_MS): Promise<Version> {
    const { atHand } = this;
    if (atHand !== undefined && usableMs === USABLE_MS) return atHand;
    const { writes } = this.store;
    const now = this.clock();
    let known = this.#known;
    // A reading under way may have begun before the last write: then the next one is the first to show it.
    while (known === undefined || known.writes < writes || now - known.readAt >= usableMs)
      known = await this.#read();
    return known.version;
  }

  /** The version to serve without a wait; undefined before the first, and when a newer one has to be read. */
  get atHand(): Version | undefined {
    const known = this.#known;
    const age = known === undefined ? Infinity : this.clock() - known.readAt;
    if (known === undefined || known.writes < this.store.writes || age >= USABLE_MS) return undefined;
    if (age >= FRESH_MS) this.#read().catch(() => {}); // told to the first that needs a newer one
    return known.version;
  }

  #read(): Promise<Known> {
    this.#reading ??= this.#readVersion().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readVersion(): Promise<Known> {
    const { writes } = this.store;
    const readAt = this.clock();
    const [found] = await this.store.query(
      sql.rows(row)`SELECT
        count() AS events, toUnixTimestamp64Milli(max(recorded_at)) AS latest_ms,
        maxIf(load_id, event = 'finished') AS finished_load,
        (${TIMELINE}) AS timeline, (${RESTORES_UNDER_WAY}) AS restores
      FROM loads`,
      { priority: 'ahead' },
    );
    if (found !== undefined && found.restores > 0) throw unfinishedRestore();
    const { events = 0, latest_ms = 0, finished_load = 0, timeline = '' } = found ?? {};
    // A folder that was copied back has its timeline still, and perhaps as many events, but not at the same time.
    const key = `${events}-${latest_ms.toString(36)}-${timeline}`;
    const version = { key, timeline, finishedLoad: finished_load };
    return (this.#known = { version, writes, readAt });
  }
}
