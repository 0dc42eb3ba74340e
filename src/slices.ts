import { setImmediate } from 'node:timers/promises';

// The event loop has one thread for all requests: long work on an answer is cut into slices, with those of others between.

/** How long the work on one answer goes on before others have their slices, ms. */
const SLICE_MS = 5;

/** The slice of some work, which has begun. */
export class Slice {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Lets others have their slices, and begins the next one. */
  async pass(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}

/** Works through a list; other requests have their slices in between. */
export async function inSlices<Member>(
  members: Iterable<Member>,
  work: (member: Member) => void,
): Promise<void> {
  const slice = new Slice();
  await slice.pass(); // what went before has had one
  for (const member of members) {
    if (slice.isOver) await slice.pass();
    work(member);
  }
}

/** A function's results of a list, in slices, because intervals of 2,000 stations take 100 ms and more. */
export async function mapInSlices<Member, Result>(
  members: Iterable<Member>,
  resultOf: (member: Member) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await inSlices(members, (member) => results.push(resultOf(member)));
  return results;
}
