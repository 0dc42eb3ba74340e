import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../lib/user-error.js';
import { isReleased, type Locks, type Look, openLocks } from './locks.js';
import { type Moment, msSince, thisMoment } from './moment.js';
import { Replicas } from './replicas.js';
import { unfinishedRestore } from '../restore-mark.js';
import type { Store } from '../store.js';

// One load at a time changes a database, from whichever process or machine. ClickHouse locks no rows, but of several
// that rename one table exactly one succeeds. So a lock is a lease with a fencing token, its number: a table
// load_lock_<number>_<heartbeat>, or in a cluster a row of that number in Keeper (locks.ts). This is the rule:
//
// - The lock with the highest number is in force, and is never dropped. Its holder records a heartbeat in it every
//   5 s, and releases it at the end. It reads the clock of the database with its look and each minute.
// - A lock has expired when it is released, or when its last heartbeat is older than 30 s by the clock of the database.
// - Then the next load takes the next number. A table has its number and its heartbeat in its name, so one that comes
//   too late, or whose holder is alive after all, cannot be renamed any more. In Keeper the number is taken.
// - A new holder waits until all earlier locks have expired and no statement that writes to this database is under
//   way, because statements of a killed load run on. Only then it drops those locks and begins.
// - A heartbeat lets its holder write for 20 s. A holder whose time has run out (stopped, cut off) records another before its next
//   write, and ends if somebody else has taken the lock. So a write begins within 20 s of a heartbeat, and a
//   successor after 30 s.
//
// On one engine a lock is three statements: a look, the lock, its release. One that follows a released lock needs no
// second look, since nobody can have worked in between.
//
// An open request cannot be the lock, though ClickHouse runs a query_id once. Tried on 26.7: it is free 0.1 to 1.3 s after
// kill -9 and stays held while its process is paused. But it is lost when the server restarts, and a paused holder does not
// know. A cut connection keeps it until TCP gives up, and a cluster has one query_id on each server.
//
// One risk is left: a statement that the network brings more than 10 s late from a load that is taken for dead. verify
// finds rows that it may have counted twice, and verify --repair mends them. An embedded engine has one process. The
// process that opens its folder knows that nobody else is at work, and ends all locks (endLoadLocks).
export interface LockLifetimes {
  /** How often the holder of the lock says that it is alive. */
  heartbeatMs: number;
  /** How long after a heartbeat the holder may write without another. */
  writableMs: number;
  /** How long after a heartbeat the lock is free for the next. */
  expiryMs: number;
}

export const LOAD_LOCK_LIFETIMES: LockLifetimes = { heartbeatMs: 5000, writableMs: 20_000, expiryMs: 30_000 };

/** How long a load waits for others. */
const LOAD_LOCK_WAIT_MS = 600_000;

const LOAD_LOCK_LOOK_EVERY_MS = 500;

const WRITING_MS = 'a statement of an earlier load is still running on this database';

export interface LoadLockOptions {
  /** Gives up, before its next statement, what runs under the lock. */
  signal?: AbortSignal;
  /** Receives one line when this load has to wait for another. */
  onWait?: (line: string) => void;
  /** How long to wait for others, ms; ten minutes if not given. */
  waitMs?: number;
  /** All who use one database must agree on them. */
  lifetimes?: LockLifetimes;
  /** The work under the lock is a restore, which begins an unfinished one anew. */
  isRestore?: boolean;
}

/**
 * Runs what changes the data when no other load does; waits up to ten minutes for others to end.
 * @param work gets a store that refuses to write when the lock is lost.
 * @throws UserError when others take too long, or when another has taken the lock over.
 * @throws StoreUnavailable when a restore has begun and not ended
 */
export async function withLoadLock<Result>(
  store: Store,
  work: (store: Store) => Promise<Result>,
  options: LoadLockOptions = {},
): Promise<Result> {
  const lifetimes = options.lifetimes ?? LOAD_LOCK_LIFETIMES;
  const locks = openLocks(store);
  const taken = await takeNext(locks, lifetimes, options);
  const lock = new LoadLock(store, locks, taken, lifetimes, options.signal);
  try {
    const { restores } = await lock.begin(options);
    if (options.isRestore !== true && restores > 0) throw unfinishedRestore();
    return await work(lock.guarded());
  } finally {
    await lock.release();
  }
}

/** Ends all locks; for a process that knows that no other works on this database. */
export const endLoadLocks = (store: Store): Promise<void> => openLocks(store).endAll();

/** Makes a function that waits between two looks: it says once what it waits for, and throws when it takes too long. */
function waiting({ onWait, waitMs = LOAD_LOCK_WAIT_MS }: LoadLockOptions) {
  const deadline = performance.now() + waitMs;
  let isLogged = false;
  return async (running: string, or = ''): Promise<void> => {
    if (performance.now() > deadline) throw new UserError(`${running}; start this one when it has ended`);
    if (!isLogged) onWait?.(`${running}${or}; waiting for it`);
    isLogged = true;
    await setTimeout(LOAD_LOCK_LOOK_EVERY_MS);
  };
}

/** A lock as it was taken, and what was looked at before. */
interface Taken {
  number: number;
  look: Look;
  /** The time of the look, from which the lock has its first heartbeat. */
  heartbeatBegan: Moment;
}

/** Takes the next number when the latest lock has expired. */
async function takeNext(locks: Locks, { expiryMs }: LockLifetimes, options: LoadLockOptions): Promise<Taken> {
  const wait = waiting(options);
  for (;;) {
    options.signal?.throwIfAborted();
    const heartbeatBegan = thisMoment();
    const look = await locks.look();
    const latest = look.locks.at(-1);
    if (latest !== undefined && latest.age_ms <= expiryMs) {
      await wait(
        `another load is running on this database (${latest.holder})`,
        `, or was killed less than ${expiryMs / 1000} s ago`,
      );
      continue;
    }
    if (look.writes > 0) {
      await wait(WRITING_MS);
      continue;
    }
    const number = await locks.take(look);
    if (number !== undefined) return { number, look, heartbeatBegan };
  }
}

class LoadLock {
  readonly #timer: NodeJS.Timeout;
  readonly #replicas: Replicas;
  #heartbeatBegan: Moment;
  #beating: Promise<void> | undefined;
  #isLost = false;

  constructor(
    private readonly store: Store,
    private readonly locks: Locks,
    private readonly taken: Taken,
    private readonly lifetimes: LockLifetimes,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#heartbeatBegan = taken.heartbeatBegan;
    this.#replicas = new Replicas(store);
    // A heartbeat that fails here fails again before the next write.
    this.#timer = setInterval(() => void this.#beat().catch(() => {}), lifetimes.heartbeatMs);
  }

  /**
   * Waits until nothing of earlier holders is at work any more, then drops their locks.
   * @returns the last look, after which nobody else was at work
   */
  async begin(options: LoadLockOptions): Promise<Look> {
    const { number, look: before } = this.taken;
    if (this.store.cluster === undefined && before.locks.length === 1 && before.locks.every(isReleased))
      return before;
    const wait = waiting(options);
    for (;;) {
      const look = await this.locks.look();
      const earlier = look.locks.filter((each) => each.number < number);
      if (earlier.every(({ age_ms }) => age_ms > this.lifetimes.expiryMs) && look.writes === 0) {
        if (earlier.length > 0) await this.locks.dropEarlier();
        if (!(await this.#replicas.areBehind())) return look;
        await wait('a replica of the cluster is still fetching what was written before');
      } else await wait(WRITING_MS);
      await this.#confirm();
    }
  }

  /** The store, but a write first makes sure that the lock is still held. */
  guarded(): Store {
    return this.store.guardedBy({
      beforeRead: () => this.signal?.throwIfAborted(),
      beforeWrite: () => this.#confirm(),
    });
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating?.catch(() => {});
    // A store that is gone cannot be told; the lock expires by itself.
    await this.locks.release().catch(() => {});
  }

  async #confirm(): Promise<void> {
    this.signal?.throwIfAborted();
    if (msSince(this.#heartbeatBegan) > this.lifetimes.writableMs) await this.#beat();
    if (this.#isLost) throw this.#lost();
    await this.#replicas.confirm();
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#recordHeartbeat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #recordHeartbeat(): Promise<void> {
    const began = thisMoment();
    this.#isLost ||= !(await this.locks.beat());
    if (this.#isLost) throw this.#lost();
    this.#heartbeatBegan = began;
  }

  #lost(): UserError {
    return new UserError(
      `this load did not renew its lock for ${this.lifetimes.expiryMs / 1000} s, and another one has begun; load the files again when that has ended`,
    );
  }
}
