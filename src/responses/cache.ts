import { LRUCache } from 'lru-cache';
import type { ResponseSource } from '../observe/metrics.js';

// The cache of responses. Identical requests under way are coalesced.

// The memory of an entry beside its body and its key: objects, headers, the place in the list. Measured: 740 bytes for
// JSON, 970 for CSV, which has a file name.
const ENTRY_BYTES = 700;

interface Cacheable {
  body: { length: number };
}

/** Where a response comes from: the cache, work that began for it, or the same work under way for another request. */
export type ComputedSource = Exclude<ResponseSource, 'not_modified'>;

/** The work on a response, and how many requests wait for it. */
interface InFlight<Response> {
  response: Promise<Response>;
  waiters: number;
  /** Aborts the work when the last waiter leaves. */
  abandon: AbortController;
}

/**
 * The latest responses, by key. Nothing is invalidated: a key names the version of the data from before its query, so a load
 * changes every key.
 */
export class ResponseCache<Response extends Cacheable> {
  readonly #cached: LRUCache<string, Response> | undefined;
  readonly #inFlight = new Map<string, InFlight<Response>>();

  /** @param maxBytes 0 caches nothing; a response larger than a quarter of it is not cached */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    this.#cached = new LRUCache<string, Response>({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes / 4),
      sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
    });
  }

  /** The bytes of all cached responses. */
  get bytes(): number {
    return this.#cached?.calculatedSize ?? 0;
  }

  get(key: string): Response | undefined {
    return this.#cached?.get(key);
  }

  /**
   * Computes a response that get() has not found, and caches it. Concurrent requests of one key share the work. An error reaches
   * all of them, and is not cached.
   * @param compute its signal aborts when the last waiter leaves
   * @param left aborts when this waiter leaves
   */
  async compute(
    key: string,
    compute: (signal: AbortSignal) => Promise<Response>,
    left?: AbortSignal,
  ): Promise<{ response: Response; source: 'miss' | 'coalesced' }> {
    const known = this.#inFlight.get(key);
    const inFlight = known ?? this.#begin(key, compute);
    inFlight.waiters += 1;
    const leave = (): void => {
      inFlight.waiters -= 1;
      if (inFlight.waiters > 0) return;
      this.#end(key, inFlight); // a request from now on starts the work anew
      inFlight.abandon.abort();
    };
    if (left?.aborted === true)
      leave(); // it left before it came here, and no event tells it again
    else left?.addEventListener('abort', leave, { once: true });
    try {
      return { response: await inFlight.response, source: known === undefined ? 'miss' : 'coalesced' };
    } finally {
      left?.removeEventListener('abort', leave);
    }
  }

  #begin(key: string, compute: (signal: AbortSignal) => Promise<Response>): InFlight<Response> {
    const abandon = new AbortController();
    const response = compute(abandon.signal)
      .then((computed) => {
        this.#cached?.set(key, computed);
        return computed;
      })
      .finally(() => {
        this.#end(key, inFlight);
      });
    const inFlight: InFlight<Response> = { response, waiters: 0, abandon };
    this.#inFlight.set(key, inFlight);
    return inFlight;
  }

  #end(key: string, inFlight: InFlight<Response>): void {
    if (this.#inFlight.get(key) === inFlight) this.#inFlight.delete(key);
  }
}
