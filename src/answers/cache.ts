import { LRUCache } from 'lru-cache';

/** An answer that can be kept; it knows how many bytes it holds. */
export interface Keepable {
  bytes: number;
}

/** Work on an answer, and how many wait for it. */
interface UnderWay<Answer> {
  answer: Promise<Answer>;
  askers: number;
  noneLeft: AbortController;
}

// What an entry takes beside its body and its key: objects, headers, the place in the list.
const ENTRY_BYTES = 500;

/**
 * The answers of late, by key. Questions that are equal have equal keys, and a key names the version of the data that
 * was known before the question was asked: it never leads to an older answer.
 */
export class Answers<Answer extends Keepable> {
  readonly #kept: LRUCache<string, Answer> | undefined;
  readonly #underWay = new Map<string, UnderWay<Answer>>();

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
   * @param work its signal tells that none of those who asked is there any more
   * @param gone tells that this one has gone
   */
  async ask(
    key: string,
    work: (signal: AbortSignal) => Promise<Answer>,
    gone?: AbortSignal,
  ): Promise<{ answer: Answer; shared: boolean }> {
    const known = this.#underWay.get(key);
    const underWay = known ?? this.#begin(key, work);
    underWay.askers += 1;
    const leave = (): void => {
      underWay.askers -= 1;
      if (underWay.askers > 0) return;
      this.#end(key, underWay); // who asks from now on asks anew
      underWay.noneLeft.abort();
    };
    gone?.addEventListener('abort', leave, { once: true });
    try {
      return { answer: await underWay.answer, shared: known !== undefined };
    } finally {
      gone?.removeEventListener('abort', leave);
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<Answer>): UnderWay<Answer> {
    const noneLeft = new AbortController();
    const answer = work(noneLeft.signal)
      .then((made) => {
        this.#kept?.set(key, made);
        return made;
      })
      .finally(() => {
        this.#end(key, underWay);
      });
    const underWay: UnderWay<Answer> = { answer, askers: 0, noneLeft };
    this.#underWay.set(key, underWay);
    return underWay;
  }

  #end(key: string, underWay: UnderWay<Answer>): void {
    if (this.#underWay.get(key) === underWay) this.#underWay.delete(key);
  }
}
