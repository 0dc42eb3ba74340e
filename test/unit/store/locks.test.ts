import { mock } from 'node:test';
import { expect } from 'chai';
import type { Statement } from '../../../src/queries/sql.js';
import { endLoadLocks, withLoadLock } from '../../../src/store/lock/lock.js';
import { openLocks } from '../../../src/store/lock/locks.js';
import { Replicas } from '../../../src/store/lock/replicas.js';
import { StoreUnavailable } from '../../../src/store/store-errors.js';
import type { Store } from '../../../src/store/store.js';
import { failureOf, refusal } from '../../support/failure.js';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const nameOf = (number: number, heartbeat_ms = NOW - 1e6): string =>
  `load_lock_${number}_${heartbeat_ms}_1_elsewhere`;
const numberOf = (name: string): number => Number(name.split('_')[2]);

/** A database with these tables, and nothing else. */
class Tables {
  restores = 0;
  #now_ms = NOW;
  /** Runs before a table is renamed: another process may be faster. */
  beforeRename = (): void => {};

  constructor(public names: string[] = []) {}

  get numbers(): number[] {
    return this.names.map(numberOf).sort((a, b) => a - b);
  }

  readonly store: Store = {
    cluster: undefined,
    guardedBy: () => this.store,
    queryOne: () => {
      const found = this.names.map(
        (name) => [numberOf(name), name, Number(name.split('_')[3] ?? 0)] as const,
      );
      const locks = found.sort(([a], [b]) => a - b);
      return Promise.resolve({ locks, writes: 0, restores: this.restores, now_ms: (this.#now_ms += 1) });
    },
    command: async ({ text }: Statement) => {
      const [, from = '', to] = /TABLE (?:IF EXISTS )?(\S+)(?: TO (\S+))?/.exec(text) ?? [];
      if (text.startsWith('RENAME')) this.beforeRename();
      const isThere = this.names.includes(from);
      const code =
        text.startsWith('CREATE') && isThere ? '57' : text.startsWith('RENAME') && !isThere ? '60' : '';
      if (code !== '') return Promise.reject(Object.assign(new Error('faster'), { code, type: 'X' }));
      this.names = this.names.filter((name) => name !== from);
      if (text.startsWith('CREATE')) this.names.push(from);
      if (to !== undefined) this.names.push(to);
      return Promise.resolve();
    },
  } as unknown as Store;
}

describe('the locks of loads, as names of tables', () => {
  const holds = (tables: Tables, work: () => void = () => {}) =>
    withLoadLock(tables.store, () => Promise.resolve(work()));

  it('given a database without a lock, then the first has number 1, and the next takes it over as number 2', async () => {
    const tables = new Tables();
    await holds(tables, () => expect(tables.numbers).to.deep.equal([1]));
    expect(tables.names[0]).to.match(/^load_lock_1_0_/, 'released');
    await holds(tables, () => expect(tables.numbers).to.deep.equal([2]));
  });

  it('given a first lock that another took as well, from load_lock_0 made again, then it is dropped', async () => {
    const tables = new Tables(['load_lock_0']);
    const locks = openLocks(tables.store);
    const look = await locks.look();
    tables.names.push(nameOf(5));
    expect(await locks.take(look)).to.equal(undefined);
    expect(tables.numbers).to.deep.equal([5]);
  });

  it('given a lock that another was faster to take, then it is not taken', async () => {
    const tables = new Tables([nameOf(7)]);
    const locks = openLocks(tables.store);
    const look = await locks.look();
    tables.names = [nameOf(8)];
    expect(await locks.take(look)).to.equal(undefined);
    expect(tables.names).to.deep.equal([nameOf(8)]);
  });

  it('given earlier locks that have expired, then work begins when they are dropped, and its own stays', async () => {
    const tables = new Tables([nameOf(5), nameOf(6)]);
    await holds(tables, () => expect(tables.numbers).to.deep.equal([7]));
  });

  it('given a lock that another takes over during the work, then a heartbeat is refused, with the reason', async () => {
    const tables = new Tables([nameOf(7)]);
    const locks = openLocks(tables.store);
    await locks.take(await locks.look());
    expect(await locks.beat()).to.equal(true);
    tables.names = [nameOf(9)];
    expect(await locks.beat()).to.equal(false);
  });

  it('given all locks to end, then the latest alone stays, released; a released one stays as it is', async () => {
    const tables = new Tables([nameOf(5), nameOf(6), nameOf(7)]);
    await endLoadLocks(tables.store);
    expect(tables.names).to.have.length(1);
    expect(tables.names[0]).to.match(/^load_lock_7_0_/);
    const released = [...tables.names];
    tables.beforeRename = () => expect.fail('renamed again');
    await endLoadLocks(tables.store);
    expect(tables.names).to.deep.equal(released);
    await endLoadLocks(new Tables().store);
  });

  it('given a restore that has not ended, then a load is refused, and a restore begins it anew', async () => {
    const tables = new Tables([nameOf(7)]);
    tables.restores = 1;
    expect(await failureOf(holds(tables))).to.be.instanceOf(StoreUnavailable);
    expect(await withLoadLock(tables.store, () => Promise.resolve('done'), { isRestore: true })).to.equal(
      'done',
    );
  });

  it('given another load that goes on, then this one waits for ten minutes and no longer', async () => {
    const tables = new Tables([nameOf(7, NOW)]);
    let passed_ms = 0;
    mock.method(performance, 'now', () => passed_ms);
    /** The message of a load that has waited so long. */
    const said = async (waited_ms: number): Promise<string> => {
      passed_ms = 0;
      const onWait = (): never => {
        throw new Error('it waits');
      };
      const load = withLoadLock(tables.store, () => Promise.resolve(), { onWait });
      passed_ms = waited_ms;
      return (await failureOf(load)).message;
    };
    try {
      expect(await said(600_000)).to.equal('it waits');
      expect(await said(600_001)).to.match(/^another load is running .*; start this one when it has ended$/);
    } finally {
      mock.restoreAll();
    }
  });
});

describe('the locks of loads, as claims of a cluster', () => {
  it('given a claim that a later one has overtaken, then it is dropped, and no other', async () => {
    const written: string[] = [];
    const store = {
      cluster: 'c',
      queryOne: () => Promise.resolve({ locks: [], writes: 0, restores: 0, now_ms: NOW, latest: 9 }),
      command: ({ text }: Statement) => Promise.resolve(void written.push(text)),
    } as unknown as Store;
    const locks = openLocks(store);
    expect(await locks.take(await locks.look())).to.equal(undefined);
    expect(written[0]).to.include('INSERT INTO load_lock_claims');
    expect(written.slice(1)).to.deep.equal(['DELETE FROM load_lock_claims WHERE number = {number: UInt32}']);
  });
});

describe('the replicas of a cluster, during a load', () => {
  let passed_ms: number;
  beforeEach(() => {
    passed_ms = 0;
    mock.method(performance, 'now', () => passed_ms);
  });
  afterEach(() => mock.restoreAll());

  /** Two servers of one shard, of which some are up. */
  const start = async (up: { names: string; uptime_s: number }, unfetched = 0) => {
    const store = {
      cluster: 'c',
      queryOne: ({ statement: { text } }: { statement: Statement }) =>
        Promise.resolve(
          text.includes('system.clusters')
            ? { servers: 2, shards: 1 }
            : text.includes('unfetched')
              ? { unfetched }
              : { fewest: up.names.split(' ').length, ...up },
        ),
    } as unknown as Store;
    const replicas = new Replicas(store);
    return { replicas, store, isBehind: await replicas.areBehind() };
  };

  it('given nothing left to fetch, then none is behind; one piece left, then one is', async () => {
    expect((await start({ names: 'a b', uptime_s: 9 })).isBehind).to.equal(false);
    expect((await start({ names: 'a b', uptime_s: 9 }, 1)).isBehind).to.equal(true);
  });

  it('given that one is away, then no insert waits for it; the load ends once one comes or restarts', async () => {
    const up = { names: 'a', uptime_s: 0 };
    const { replicas, store } = await start(up);
    expect(store.insertQuorum).to.equal(1);
    passed_ms = 60_000;
    up.uptime_s = 59; // whole seconds, rounded down
    await replicas.confirm();
    up.uptime_s = 58;
    expect(await refusal(replicas.confirm())).to.equal(
      'a server of the cluster came or went during this load; run it again',
    );
    Object.assign(up, { names: 'a b', uptime_s: 100 });
    expect(await refusal(replicas.confirm())).to.match(/came or went/);
  });

  it('given one engine, or servers without replicas, then nothing is asked', async () => {
    const asked = { cluster: undefined, queryOne: () => expect.fail('asked') } as unknown as Store;
    expect(await new Replicas(asked).areBehind()).to.equal(false);
    const shards = {
      cluster: 'c',
      queryOne: () => Promise.resolve({ servers: 3, shards: 3 }),
    } as unknown as Store;
    expect(await new Replicas(shards).areBehind()).to.equal(false);
  });
});
