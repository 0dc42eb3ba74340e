import { setImmediate } from 'node:timers/promises';

// The event loop has one thread for all requests: long work on a response is cut into slices, with those of others between.

/** How long the work on one response goes on before others have their slices, ms. */
const YIELD_AFTER_MS = 5;

/** The slice of some work, which has begun. */
export class Yielder {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > YIELD_AFTER_MS;
  }

  /** Lets others have their slices, and begins the next one. */
  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}

/** Works through a list; other requests have their slices in between. */
export async function forEachCooperatively<Member>(
  members: Iterable<Member>,
  work: (member: Member) => void,
): Promise<void> {
  const yielder = new Yielder();
  await yielder.yieldNow(); // what went before has had one
  for (const member of members) {
    if (yielder.isOver) await yielder.yieldNow();
    work(member);
  }
}

/** A function's results of a list, in slices, because intervals of 2,000 stations take 100 ms and more. */
export async function mapCooperatively<Member, Result>(
  members: Iterable<Member>,
  makeResult: (member: Member) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachCooperatively(members, (member) => results.push(makeResult(member)));
  return results;
}
