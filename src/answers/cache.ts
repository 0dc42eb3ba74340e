import { LRUCache } from 'lru-cache';

// The memory of an entry beside its body and its key: objects, headers, the place in the list. Measured: 740 bytes for
// JSON, 970 for CSV, which has a file name.
const ENTRY_BYTES = 700;

/** An answer that the cache can keep. */
interface Keepable {
  bytes: number;
}

/** Work on an answer, and how many requests wait for it. */
interface InFlight<Answer> {
  answer: Promise<Answer>;
  waiters: number;
  /** Aborts the work when the last waiter leaves. */
  abandon: AbortController;
}

/**
 * The latest answers, by key. Equal questions have equal keys, and a key names the version of the data from before its
 * query, so it never finds an answer older than that version.
 */
export class AnswerCache<Answer extends Keepable> {
  readonly #kept: LRUCache<string, Answer> | undefined;
  readonly #inFlight = new Map<string, InFlight<Answer>>();

  /** @param maxBytes 0 keeps nothing; an answer larger than a quarter of it is not kept */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    this.#kept = new LRUCache<string, Answer>({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes / 4),
      sizeCalculation: (answer, key) => answer.bytes + key.length + ENTRY_BYTES,
    });
  }

  /** The bytes of all cached answers. */
  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  find(key: string): Answer | undefined {
    return this.#kept?.get(key);
  }

  /**
   * Makes an answer and keeps it; equal questions that arrive meanwhile wait for the same work. A failure reaches all
   * waiters, and is not kept.
   * @param make its signal aborts when the last waiter leaves
   * @param gone aborts when this waiter leaves
   */
  async ask(
    key: string,
    make: (signal: AbortSignal) => Promise<Answer>,
    gone?: AbortSignal,
  ): Promise<{ answer: Answer; shared: boolean }> {
    const known = this.#inFlight.get(key);
    const inFlight = known ?? this.#begin(key, make);
    inFlight.waiters += 1;
    const leave = (): void => {
      inFlight.waiters -= 1;
      if (inFlight.waiters > 0) return;
      this.#end(key, inFlight); // a request from now on starts a new query
      inFlight.abandon.abort();
    };
    if (gone?.aborted === true)
      leave(); // it left before it came here, and no event tells it again
    else gone?.addEventListener('abort', leave, { once: true });
    try {
      return { answer: await inFlight.answer, shared: known !== undefined };
    } finally {
      gone?.removeEventListener('abort', leave);
    }
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<Answer>): InFlight<Answer> {
    const abandon = new AbortController();
    const answer = make(abandon.signal)
      .then((made) => {
        this.#kept?.set(key, made);
        return made;
      })
      .finally(() => {
        this.#end(key, inFlight);
      });
    const inFlight: InFlight<Answer> = { answer, waiters: 0, abandon };
    this.#inFlight.set(key, inFlight);
    return inFlight;
  }

  #end(key: string, inFlight: InFlight<Answer>): void {
    if (this.#inFlight.get(key) === inFlight) this.#inFlight.delete(key);
  }
}
