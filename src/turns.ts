import { setImmediate } from 'node:timers/promises';

// The event loop has one thread for all requests: long work on an answer is cut into turns, with those of others between.

/** How long the work on one answer goes on before others have their turns, ms. */
const TURN_MS = 5;

/** The turn of some work, which has begun. */
export class Turn {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }

  /** Lets others have their turns, and begins the next one. */
  async pass(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}

/** Works through a list; other requests have their turns in between. */
export async function inTurns<Member>(
  members: Iterable<Member>,
  work: (member: Member) => void,
): Promise<void> {
  const turn = new Turn();
  for (const member of members) {
    if (turn.isOver) await turn.pass();
    work(member);
  }
}

/** A function's results of a list, in turns, because intervals of 2,000 stations take 100 ms and more. */
export async function mapInTurns<Member, Result>(
  members: Iterable<Member>,
  resultOf: (member: Member) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await inTurns(members, (member) => results.push(resultOf(member)));
  return results;
}
