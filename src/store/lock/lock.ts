import { setTimeout } from 'node:timers/promises';
import { OperatorFault } from '../../operator-fault.js';
import { type Claim, claims, createClaim, dropClaim, note, silence, writesUnderWay } from './claims.js';
import type { Store } from '../store.js';

// One load at a time changes a database, from whichever process or machine. ClickHouse locks no rows, but of several
// that create one table exactly one succeeds. So a claim is a table load_lock_<number>, and this is the rule:
//
// - The claim with the highest number has the lock, and is never dropped. Its holder notes `held` in it every 5 s, and
//   `released` at the end.
// - A claim is over when it is released, or when its last note is older than 30 s by the clock of the database.
// - When it is over, the next load claims the next number. One that comes too late finds its table there already; one
//   that is later still finds a higher number beside its own, and drops its own again.
// - Who has claimed waits until all claims before are over and no statement that writes to this database is under
//   way: those of a killed load run on. Only then it drops those claims and begins.
// - A holder that was not heard for 20 s (stopped, cut off) makes sure before its next write that it still has the
//   lock, and ends if another has claimed it. So a write begins within 20 s of a note, and a successor after 30 s.
//
// What is left: a statement that the network brings more than 10 s late from a load that is taken for dead. verify
// finds what it may have counted twice, and verify --repair mends it. An embedded engine has one process; who opens
// its folder knows that nobody else is at work, and drops all claims (dropLoadLocks).
const NOTED_EVERY_MS = 5000;
const TRUSTED_MS = 20_000;
const OVER_AFTER_MS = 30_000;

/** How long a load waits for others. */
const PATIENCE_MS = 600_000;
const LOOK_EVERY_MS = 500;

export interface LoadLockOptions {
  /** Gives up, before its next write, what runs under the lock. */
  signal?: AbortSignal;
  /** Told once, when there is somebody to wait for. */
  onWait?: (line: string) => void;
  patienceMs?: number;
}

/**
 * Runs what changes the data when no other load does; waits up to ten minutes for others to end.
 * @param work gets a store that refuses to write when the lock is lost
 * @throws OperatorFault when others take too long, or when another has taken the lock over
 */
export async function withLoadLock<Result>(
  store: Store,
  work: (store: Store) => Promise<Result>,
  options: LoadLockOptions = {},
): Promise<Result> {
  const lock = new LoadLock(store, await claim(store, options), options.signal);
  try {
    await lock.begin(options);
    return await work(lock.guarded());
  } finally {
    await lock.release();
  }
}

/** Drops all claims; for a process that knows that no other works on this database. */
export async function dropLoadLocks(store: Store): Promise<void> {
  for (const { number } of await claims(store)) await dropClaim(store, number);
}

/** What passes the time from one look to the next: tells once who is waited for, and throws when it takes too long. */
function waiting({ onWait, patienceMs = PATIENCE_MS }: LoadLockOptions) {
  const deadline = performance.now() + patienceMs;
  let told = false;
  return async (running: string, or = ''): Promise<void> => {
    if (performance.now() > deadline) throw new OperatorFault(`${running}; start this one when it has ended`);
    if (!told) onWait?.(`${running}${or}; waiting for it`);
    told = true;
    await setTimeout(LOOK_EVERY_MS);
  };
}

/** Claims the next number when the latest claim is over. */
async function claim(store: Store, options: LoadLockOptions): Promise<number> {
  const wait = waiting(options);
  for (;;) {
    options.signal?.throwIfAborted();
    const latest = (await claims(store)).at(-1);
    if (latest === undefined || ((await isOver(store, latest)) && (await writesUnderWay(store)) === 0)) {
      const number = (latest?.number ?? 0) + 1;
      if (await createClaim(store, number)) {
        if ((await claims(store)).at(-1)?.number === number) return number;
        await dropClaim(store, number);
      }
      continue; // another was faster, and is to be waited for
    }
    await wait(
      `another load is running on this database (${latest.holder})`,
      `, or was killed less than ${OVER_AFTER_MS / 1000} s ago`,
    );
  }
}

class LoadLock {
  readonly #timer: NodeJS.Timeout;
  #trusted = now();
  #noting: Promise<void> | undefined;
  #isLost = false;

  constructor(
    private readonly store: Store,
    private readonly number: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    // What fails here fails again before the next write.
    this.#timer = setInterval(() => void this.#note().catch(() => {}), NOTED_EVERY_MS);
  }

  /** Waits until nothing of those before is at work any more, then drops their claims. */
  async begin(options: LoadLockOptions): Promise<void> {
    await this.#note();
    const wait = waiting(options);
    for (;;) {
      const before = (await claims(this.store)).filter(({ number }) => number < this.number);
      const over = await Promise.all(before.map((claim) => isOver(this.store, claim)));
      if (over.every(Boolean) && (await writesUnderWay(this.store)) === 0) {
        for (const { number } of before) await dropClaim(this.store, number);
        return;
      }
      await wait('a statement of an earlier load is still running on this database');
      await this.#confirm();
    }
  }

  /** The store, but a write first makes sure that the lock is still held. */
  guarded(): Store {
    const writes = new Set<string | symbol>(['command', 'insert', 'insertText', 'relay']);
    return new Proxy(this.store, {
      get: (store, name) => {
        const member: unknown = Reflect.get(store, name, store);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]): Promise<unknown> => {
          if (writes.has(name)) await this.#confirm();
          return Reflect.apply(member, store, args) as unknown;
        };
      },
    });
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#noting?.catch(() => {});
    // A store that is gone cannot be told; the claim is over by itself after a while.
    await note(this.store, this.number, 'released').catch(() => {});
  }

  async #confirm(): Promise<void> {
    this.signal?.throwIfAborted();
    if (msSince(this.#trusted) > TRUSTED_MS) await this.#note();
    if (this.#isLost) throw lost();
  }

  #note(): Promise<void> {
    this.#noting ??= this.#noteNow().finally(() => {
      this.#noting = undefined;
    });
    return this.#noting;
  }

  async #noteNow(): Promise<void> {
    const asked = now();
    const isThere = await note(this.store, this.number, 'held');
    if (!isThere || (await claims(this.store)).at(-1)?.number !== this.number) this.#isLost = true;
    if (this.#isLost) throw lost();
    this.#trusted = asked;
  }
}

async function isOver(store: Store, claim: Claim): Promise<boolean> {
  return (await silence(store, claim)) > OVER_AFTER_MS;
}

function lost(): OperatorFault {
  return new OperatorFault(
    `this load was not heard of for ${OVER_AFTER_MS / 1000} s, and another one has begun; load the files again when that has ended`,
  );
}

/** A time by two clocks: one stands still while a machine sleeps, the other may be set. */
const now = () => ({ monotonic: performance.now(), wall: Date.now() });

const msSince = (time: ReturnType<typeof now>): number =>
  Math.max(performance.now() - time.monotonic, Date.now() - time.wall);
