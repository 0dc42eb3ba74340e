import { expect } from 'chai';
import type { Statement } from '../../../src/queries/sql.js';
import { openLocks } from '../../../src/store/lock/locks.js';
import type { Store } from '../../../src/store/store.js';

// No other test counts the statements of a heartbeat, or moves a clock below one: a load of a minute has a dozen.

const BEGAN_MS = 1_700_000_000_000;

/** A database with a released lock. Its clock stands still, and each look at it is counted. */
function openDatabase() {
  const told: string[] = [];
  let looks = 0;
  const store = {
    queryOne: () => {
      looks += 1;
      return Promise.resolve({
        locks: [[4, 'load_lock_4_0_1_elsewhere', 0]],
        writes: 0,
        restores: 0,
        now_ms: BEGAN_MS,
      });
    },
    command: ({ text }: Statement) => Promise.resolve(void told.push(text)),
  };
  /** The time of the latest heartbeat, ms after the first look. */
  const heartbeat_ms = (): number => Number(/ TO load_lock_5_(\d+)_/.exec(told.at(-1) ?? '')?.[1]) - BEGAN_MS;
  return { locks: openLocks(store as unknown as Store), told, looks: () => looks, heartbeat_ms };
}

describe('the heartbeat of a lock', () => {
  const { now } = Date;
  const setClock = (later_ms: number): void => {
    Date.now = () => BEGAN_MS + later_ms;
  };
  beforeEach(() => setClock(0));
  after(() => {
    Date.now = now;
  });

  it('given a look at the clock of the database, then it is one statement, and runs on with time here', async () => {
    const { locks, told, looks, heartbeat_ms } = openDatabase();
    await locks.take(await locks.look());
    for (const later_ms of [5000, 10_000, 15_000]) {
      setClock(later_ms);
      expect(await locks.beat()).to.equal(true);
      expect(heartbeat_ms()).to.equal(later_ms);
    }
    expect(told).to.have.lengthOf(4);
    expect(looks()).to.equal(1);
  });

  it('given a look that is more than a minute old, then the clock of the database is read again', async () => {
    const { locks, looks, heartbeat_ms } = openDatabase();
    await locks.take(await locks.look());
    setClock(61_000);
    await locks.beat();
    expect(looks()).to.equal(2);
    expect(heartbeat_ms()).to.be.below(61_000);
  });
});
