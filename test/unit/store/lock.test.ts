import { mock } from 'node:test';
import { expect } from 'chai';
import { z } from 'zod';
import { sql } from '../../../src/queries/sql.js';
import type { Transport } from '../../../src/store/engine/transport.js';
import { LOAD_LOCK_LIFETIMES, withLoadLock } from '../../../src/store/lock/lock.js';
import { Store } from '../../../src/store/store.js';
import { failureOf, refusal } from '../../support/failure.js';

const HEARTBEAT = 'RENAME TABLE load_lock_8';
const WRITE = sql`INSERT INTO loads`;

// A process that was stopped: no timer has run meanwhile, so there was no heartbeat in the background.
describe('the lock of loads, by its lifetimes', () => {
  let now: number;
  /** How long ago the lock before this one had its last heartbeat, by the clock of the database. */
  let age_ms: number;
  let statements: string[];
  let reads: number;
  /** Whether another load has taken the lock over. */
  let isTaken: boolean;
  const look = () => ({
    locks: [[7, `load_lock_7_${now - age_ms}_1_elsewhere`, now - age_ms]],
    writes: 0,
    restores: 0,
    now_ms: now,
  });
  const transport: Transport = {
    queriesAtOnce: 4,
    // A bound, as a load that looks again and again without a wait lets no timer of mocha's run.
    read: () =>
      (reads += 1) > 20
        ? Promise.reject(new Error('the load looked 20 times'))
        : Promise.resolve(Buffer.from(JSON.stringify({ data: [look()], statistics: { rows_read: 1 } }))),
    write: (text) => {
      if (isTaken && text.startsWith(HEARTBEAT))
        return Promise.reject(
          Object.assign(new Error('no such table'), { code: '60', type: 'UNKNOWN_TABLE' }),
        );
      statements.push(text);
      return Promise.resolve(Buffer.alloc(0));
    },
    close: () => Promise.resolve(),
  };
  const store = new Store(transport, { concurrency: 4, maxWaiting: 4, queryTimeoutSeconds: 10 });

  beforeEach(() => {
    [now, age_ms, statements, isTaken] = [Date.parse('2026-01-05T12:00:00Z'), 1e6, [], false];
    reads = 0;
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(Date, 'now', () => now);
  });
  afterEach(() => {
    mock.restoreAll();
    mock.timers.reset();
  });

  const writeAfter = (ms: number): Promise<string[]> =>
    withLoadLock(store, async (locked) => {
      statements = [];
      now += ms;
      await locked.command(WRITE);
      return statements.map((text) => text.split('_').slice(0, 3).join('_'));
    });

  it('given a write up to 20 s after a heartbeat, then it begins at once; later, behind another one', async () => {
    expect(await writeAfter(20_000)).to.deep.equal([WRITE.text]);
    expect(await writeAfter(20_001)).to.deep.equal([HEARTBEAT, WRITE.text]);
  });

  it('given a lock that another one has taken, then a late write is refused, with the time that it had', async () => {
    const work = async (locked: Store): Promise<void> => {
      [isTaken, now] = [true, now + 20_001];
      await locked.command(WRITE);
    };
    expect(await refusal(withLoadLock(store, work))).to.equal(
      'this load did not renew its lock for 30 s, and another one has begun; load the files again when that has ended',
    );
    expect(statements).not.to.include(WRITE.text);
  });

  it('given work that is to end, then neither a read nor a write of it begins any more', async () => {
    const stop = new AbortController();
    const work = async (locked: Store): Promise<string[]> => {
      statements = [];
      stop.abort(new Error('stopped'));
      const reading = locked.queryOne(sql.rows(z.unknown())`SELECT 1`);
      const failures = [failureOf(reading), failureOf(locked.command(WRITE))];
      return (await Promise.all(failures)).map(({ message }) => message);
    };
    expect(await withLoadLock(store, work, { signal: stop.signal })).to.deep.equal(['stopped', 'stopped']);
    expect(statements).not.to.include(WRITE.text);
  });

  it('given a lock whose last heartbeat is 30 s old, then the next load waits; when older, not', async () => {
    age_ms = 30_000;
    const waiting = withLoadLock(store, () => Promise.resolve(), { waitMs: -1 });
    expect(await refusal(waiting)).to.match(
      /^another load is running on this database \(process 1 on elsewhere\)/,
    );
    age_ms = 30_001;
    expect(await withLoadLock(store, () => Promise.resolve('done'))).to.equal('done');
  });

  it('then a statement may come 10 s late and still be before the successor; heartbeats are more frequent', () => {
    const { heartbeatMs, writableMs, expiryMs } = LOAD_LOCK_LIFETIMES;
    expect(expiryMs - writableMs).to.be.at.least(10_000);
    expect(heartbeatMs).to.be.at.most(writableMs / 4);
  });
});
