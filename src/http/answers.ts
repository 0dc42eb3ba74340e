import { LRUCache } from 'lru-cache';

/** An answer that can be kept; it knows how many bytes it holds. */
export interface Keepable {
  bytes: number;
}

// What an entry takes beside its body and its key: objects, headers, the place in the list.
const ENTRY_BYTES = 500;

/**
 * The answers of late, by key. Questions that are equal have equal keys, and a key names the version of the data that
 * was known before the question was asked: it never leads to an older answer.
 */
export class Answers<Answer extends Keepable> {
  readonly #kept: LRUCache<string, Answer> | undefined;
  readonly #underWay = new Map<string, Promise<Answer>>();

  /** @param maxBytes 0 keeps nothing; an answer larger than a quarter of it is not kept */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    this.#kept = new LRUCache<string, Answer>({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes / 4),
      sizeCalculation: (answer, key) => answer.bytes + key.length + ENTRY_BYTES,
    });
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  find(key: string): Answer | undefined {
    return this.#kept?.get(key);
  }

  /**
   * Works an answer out and keeps it; equal questions that come meanwhile wait for the same work. A failure is not kept,
   * and reaches all of them.
   */
  async ask(key: string, work: () => Promise<Answer>): Promise<{ answer: Answer; shared: boolean }> {
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return { answer: await underWay, shared: true };
    const working = work()
      .then((answer) => {
        this.#kept?.set(key, answer);
        return answer;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, working);
    return { answer: await working, shared: false };
  }
}
