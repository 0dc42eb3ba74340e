import { QueryAbandoned, StoreOverloaded } from './store-errors.js';

/** How long something may wait in the queue, and for whom. */
export interface Waiting {
  /** Without it, as long as it takes. */
  waitMs?: number;
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal | undefined;
  /** Each name has its own share of places; all without a name count as one. */
  name?: string | undefined;
  /** May only take one of the places for what takes long. */
  isLong?: boolean;
}

export interface QueuePlaces {
  /** The number that run at the same time. */
  places: number;
  /** The places among them for work that may take long. */
  longPlaces?: number;
  /** The number that may wait. */
  maxWaiting?: number;
}

interface Entry {
  name: string;
  isLong: boolean;
  start: () => void;
  reject: (error: Error) => void;
}

/** Names whose last start is known; a name that is not among them has waited the longest. */
const MAX_NAMES = 10_000;

/** How long a name that has asked is expected to ask again, ms. */
const EXPECTED_MS = 5000;

/**
 * The places that a name may have while another is expected: one less than half, because half keep all processors busy.
 * With it, 95 of 100 requests beside 64 connections of another key take 1.6 times as long as alone. With half of
 * the places they take 3.3 times; the other key has as many responses (two processors).
 */
const placesBesideOthers = (places: number): number => Math.max(1, Math.ceil(places / 2) - 1);

/**
 * A queue that is fair to names: the next place goes to the one of which the least runs, and among equals to the one
 * whose last start is the longest ago. A name that is alone has all places; beside another, fewer than half.
 */
export class FairQueue {
  readonly #limits: Required<QueuePlaces>;
  /** By name, in the order in which they came. */
  readonly #waiting = new Map<string, Entry[]>();
  readonly #running = new Map<string, number>();
  /** The number of each name's last start, the oldest first. */
  readonly #lastStarts = new Map<string, number>();
  #starts = 0;
  /** The two names that asked last, and when, ms; without those that have none. */
  #latest: { name: string; at: number }[] = [];
  #runningLong = 0;
  #runningAll = 0;
  #onIdle: (() => void)[] = [];

  constructor({ places, longPlaces = places, maxWaiting = Infinity }: QueuePlaces) {
    this.#limits = { places, longPlaces, maxWaiting };
  }

  /** How many wait. */
  get size(): number {
    return [...this.#waiting.values()].reduce((size, entries) => size + entries.length, 0);
  }

  /**
   * Runs work once it has a place. It leaves the queue when its time is up or nobody waits for it; once it runs, it keeps
   * its place until it has ended. Where too many wait, the last of the name that has the most of them is refused.
   * @throws StoreOverloaded, QueryAbandoned
   */
  async run<Result>(work: () => Promise<Result>, waiting: Waiting = {}): Promise<Result> {
    const leave = await this.#placeFor(waiting);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves when nothing runs or waits any more. */
  async idle(): Promise<void> {
    if (this.#runningAll > 0 || this.size > 0)
      await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Waits for a place. @returns what gives it back */
  async #placeFor({ name = '', isLong = false, waitMs, signal }: Waiting): Promise<() => void> {
    if (signal?.aborted === true) throw new QueryAbandoned('nobody waits for it');
    let timer: NodeJS.Timeout | undefined;
    let abandon: (() => void) | undefined;
    const entry: Entry = { name, isLong, start: () => {}, reject: () => {} };
    try {
      await new Promise<void>((resolve, reject) => {
        entry.start = resolve;
        entry.reject = (error) => {
          this.#remove(entry);
          reject(error);
        };
        abandon = () => entry.reject(new QueryAbandoned('nobody waits for it'));
        signal?.addEventListener('abort', abandon, { once: true });
        if (waitMs !== undefined) {
          timer = setTimeout(() => {
            entry.reject(new StoreOverloaded(`a query has waited for ${waitMs} ms`));
          }, waitMs);
        }
        this.#enter(entry);
      });
    } finally {
      clearTimeout(timer);
      if (abandon !== undefined) signal?.removeEventListener('abort', abandon);
    }
    return () => {
      this.#leave(entry);
    };
  }

  #enter(entry: Entry): void {
    const { name } = entry;
    if (name !== '') {
      const others = this.#latest.filter((each) => each.name !== name);
      this.#latest = [{ name, at: performance.now() }, ...others].slice(0, 2);
    }
    const entries = this.#waiting.get(entry.name);
    if (entries === undefined) this.#waiting.set(entry.name, [entry]);
    else entries.push(entry);
    this.#fill();
    if (this.size <= this.#limits.maxWaiting) return;
    const max = [...this.#waiting.values()].reduce((a, b) => (b.length > a.length ? b : a));
    max.at(-1)?.reject(new StoreOverloaded(`${this.size} queries are waiting`));
  }

  #leave({ name, isLong }: Entry): void {
    this.#runningAll -= 1;
    if (isLong) this.#runningLong -= 1;
    const left = this.#countRunning(name) - 1;
    if (left === 0) this.#running.delete(name);
    else this.#running.set(name, left);
    this.#fill();
    if (this.#runningAll > 0 || this.size > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Gives free places away. */
  #fill(): void {
    while (this.#runningAll < this.#limits.places) {
      const entry = this.#next();
      if (entry === undefined) return;
      const { name, isLong } = entry;
      this.#remove(entry);
      this.#lastStarts.delete(name);
      this.#lastStarts.set(name, (this.#starts += 1));
      const [oldest = name] = this.#lastStarts.keys();
      if (this.#lastStarts.size > MAX_NAMES) this.#lastStarts.delete(oldest);
      this.#runningAll += 1;
      if (isLong) this.#runningLong += 1;
      this.#running.set(name, this.#countRunning(name) + 1);
      entry.start();
    }
  }

  #next(): Entry | undefined {
    let next: Entry | undefined;
    for (const [name, entries] of this.#waiting) {
      const entry =
        this.#runningLong < this.#limits.longPlaces ? entries[0] : entries.find(({ isLong }) => !isLong);
      if (entry === undefined || this.#countRunning(name) >= this.#countPlaces(name)) continue;
      if (next === undefined || this.#isBefore(name, next.name)) next = entry;
    }
    return next;
  }

  #isBefore(a: string, b: string): boolean {
    const more = this.#countRunning(a) - this.#countRunning(b);
    return more === 0 ? (this.#lastStarts.get(a) ?? 0) < (this.#lastStarts.get(b) ?? 0) : more < 0;
  }

  /** The places that a name may have at the moment. */
  #countPlaces(name: string): number {
    const { places } = this.#limits;
    const since = performance.now() - EXPECTED_MS;
    const isAlone = !this.#latest.some((each) => each.name !== name && each.at > since);
    return isAlone ? places : placesBesideOthers(places);
  }

  #countRunning(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  #remove(entry: Entry): void {
    const entries = this.#waiting.get(entry.name) ?? [];
    const at = entries.indexOf(entry);
    if (at === -1) return;
    entries.splice(at, 1);
    if (entries.length === 0) this.#waiting.delete(entry.name);
  }
}
