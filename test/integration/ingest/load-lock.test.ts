import { expect } from 'chai';
import { z } from 'zod';
import { load } from '../../../src/ingest/load.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import { audit } from '../../../src/ingest/audit.js';
import { UserError } from '../../../src/lib/user-error.js';
import {
  endLoadLocks,
  LOAD_LOCK_LIFETIMES,
  type LockLifetimes,
  withLoadLock,
} from '../../../src/store/lock/lock.js';
import { StoreNotOpened } from '../../../src/store/store-errors.js';
import { openLocks } from '../../../src/store/lock/locks.js';
import type { Store } from '../../../src/store/store.js';
import { raw, type Rows, sql, type Statement } from '../../../src/queries/sql.js';
import { failureOf } from '../../support/failure.js';
import { answers, questionsIn } from '../../support/clickhouse-server/compare.js';
import { TestCluster } from '../../support/clickhouse-server/cluster.js';
import { whyNoReplicas } from '../../support/clickhouse-server/replication.js';
import { ZooKeeper } from '../../support/clickhouse-server/zookeeper.js';
import { type FeedLines, writeFeeds } from '../../support/ingest/feeds.js';
import { until } from '../../support/process.js';
import { itInCi, range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { openTestStore } from '../../support/store.js';

const CHICAGO = 'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD';
const FEEDS: FeedLines = {
  stations: [CHICAGO],
  forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,31,18', 'KORD,2026-01-05T00:00:00Z,2026-01-05,32,19'],
  observations: ['KORD,2026-01-05,30,17,verified,2026-01-06T06:00:00Z'],
};
const OVERLAPPING: FeedLines = {
  ...FEEDS,
  forecasts: ['KORD,2026-01-05T00:00:00Z,2026-01-05,33,19', 'KORD,2026-01-04T12:00:00Z,2026-01-05,34,20'],
};

/** As in a service, but for the time it takes. */
const SHORT: LockLifetimes = { heartbeatMs: 100, writableMs: 1000, expiryMs: 2000 };

const QUESTIONS = questionsIn('date_from=2026-01-01&date_to=2026-01-31').slice(0, 4);

const nameRow = z.object({ name: z.string() });

const KINDS = ['one engine', 'a cluster'] as const;

for (const kind of range({ test: 1, ci: 2 }, KINDS)) describe(`the lock of loads of ${kind}`, () => of(kind));

function of(kind: (typeof KINDS)[number]): void {
  const isCluster = kind === 'a cluster';
  /** A test of what does not depend on the tables of locks: in one engine alone. */
  const ofOne: typeof itInCi = isCluster ? () => {} : it;
  const ofOneInCi: typeof itInCi = isCluster ? () => {} : itInCi;
  let zooKeeper: ZooKeeper | undefined;
  let cluster: TestCluster | undefined;
  let store: Store;

  before(async function () {
    if (!isCluster) {
      store = await openTestStore();
      return;
    }
    const why = whyNoReplicas();
    if (why !== undefined) skip(this, why);
    zooKeeper = await ZooKeeper.start();
    cluster = await TestCluster.start({ rows: 'by station', replicas: 2, zookeeper: zooKeeper.port });
    ({ store } = await cluster.open('accuracy'));
    await endLoadLocks(store); // that of the migration
  });
  afterEach(() => dropLocks());
  after(async () => {
    await store?.close();
    await cluster?.stop();
    await zooKeeper?.stop();
  });

  const locks = async (): Promise<string[]> => {
    const found = await store.query(
      sql.rows(nameRow)`${
        isCluster
          ? sql`SELECT concat('load_lock_', toString(number)) AS name FROM load_lock_claims ORDER BY number`
          : sql`SELECT extract(name, '^load_lock_[0-9]+') AS name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'load\\_lock\\_%' ORDER BY name`
      }`,
    );
    return found.map(({ name }) => name);
  };
  const dropLocks = async (): Promise<void> => {
    if (isCluster) return endLoadLocks(store);
    // A heartbeat may rename one between the two statements.
    for (;;) {
      const found = await store.query(
        sql.rows(
          nameRow,
        )`SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'load\\_lock\\_%'`,
      );
      if (found.length === 0) return;
      for (const { name } of found) await store.command(raw(`DROP TABLE IF EXISTS ${name} SYNC`));
    }
  };
  const engineMs = async (): Promise<number> => {
    const [row] = await store.query(
      sql.rows(z.object({ ms: z.number() }))`SELECT toUnixTimestamp64Milli(now64(3)) AS ms`,
    );
    return row?.ms ?? NaN;
  };
  /** The lock that a killed process leaves, last heard of some seconds ago. */
  const abandoned = async (number: number, seconds: number): Promise<void> => {
    const heartbeat = `now64(3, 'UTC') - INTERVAL ${seconds * 1000} MILLISECOND`;
    if (isCluster) {
      const lock = `INSERT INTO load_lock_claims SELECT ${number}, 'process 1 on elsewhere', ${heartbeat}`;
      return store.command(raw(lock));
    }
    await dropLocks(); // one engine has one lock
    const name = `load_lock_${number}_${(await engineMs()) - seconds * 1000}_1_elsewhere`;
    await store.command(raw(`CREATE TABLE ${name} (row UInt8) ENGINE = Null`));
  };
  it('given a free one, when work is done under it, then its result comes back, and the next takes over', async () => {
    for (const number of [1, 2, 3]) {
      const waits: string[] = [];
      const result = await withLoadLock(store, () => Promise.resolve(number), {
        onWait: (line) => waits.push(line),
      });
      expect(result).to.equal(number);
      expect(await locks()).to.deep.equal([`load_lock_${number}`]);
      expect(waits).to.deep.equal([]);
    }
  });

  ofOne('given work that fails, then its error comes back, and the lock is free', async () => {
    const fault = new Error('disk full');
    expect(await failureOf(withLoadLock(store, () => Promise.reject(fault)))).to.equal(fault);
    expect(await withLoadLock(store, () => Promise.resolve('free'), { waitMs: 0 })).to.equal('free');
  });

  it('given many at once, then they work one after another, and each is told whom it waits for', async () => {
    let atWork = 0;
    const waits: string[] = [];
    const all = Array.from({ length: range({ test: 3, ci: isCluster ? 3 : 5 }) }, (_, before) => before + 1);
    const loads = all.map((load) =>
      withLoadLock(
        store,
        async () => {
          atWork += 1;
          expect(atWork).to.equal(1);
          await until(() => waits.length > 0 || undefined); // another has begun
          expect(atWork).to.equal(1);
          atWork -= 1;
          return load;
        },
        { onWait: (line) => waits.push(line) },
      ),
    );
    expect(await Promise.all(loads)).to.deep.equal(all);
    // On a busy machine the last statement of the load before may still run, which is another line.
    const ofLoads = waits.filter((line) => !line.startsWith('a statement of an earlier load '));
    expect(ofLoads).to.have.length.within(1, all.length - 1);
    for (const line of ofLoads) {
      expect(line).to.match(
        new RegExp(
          `^another load is running on this database \\(process ${process.pid} on .+\\).*; waiting for it$`,
        ),
      );
    }
    expect(await locks()).to.have.lengthOf(1);
  });

  // A cluster: one works at a time (above), and its loads are sound (the last test).
  ofOneInCi(
    'given loads of the same and of overlapping files at once, then nothing is counted twice',
    async () => {
      const files = [FEEDS, OVERLAPPING, FEEDS, FEEDS].map(writeFeeds);
      const reports = await Promise.all(
        files.map((feeds) => withLoadLock(store, (locked): Promise<LoadReport> => load(locked, feeds))),
      );
      expect(reports.map(({ load_id }) => load_id).sort()).to.deep.equal(files.map((_, i) => i + 1));
      expect(await audit(store)).to.deep.equal([]);
      const [counted] = await store.query(
        sql.rows(z.object({ pairs: z.number() }))`SELECT sum(pair_count) AS pairs FROM network_day_errors`,
      );
      expect(counted).to.deep.equal({ pairs: 6 });
    },
  );

  it('given one held for longer than one wants to wait, then it is refused in a line with the holder', async () => {
    await abandoned(7, 0);
    const error = await failureOf(withLoadLock(store, () => Promise.resolve(), { waitMs: 100 }));
    expect(error).to.be.instanceOf(UserError);
    expect(error.message).to.equal(
      'another load is running on this database (process 1 on elsewhere); start this one when it has ended',
    );
    expect(await locks()).to.deep.equal(['load_lock_7']);
  });

  ofOne(
    'given the lifetimes of a service, then heartbeats fit into the time to write, and that into expiry',
    () => {
      expect(LOAD_LOCK_LIFETIMES).to.deep.equal({ heartbeatMs: 5000, writableMs: 20_000, expiryMs: 30_000 });
    },
  );

  itInCi(
    'given one whose holder was killed, when its last heartbeat is 30 s old, then it is taken over',
    async () => {
      await abandoned(7, 31);
      await withLoadLock(store, () => Promise.resolve(), { waitMs: 0 });
      expect(await locks()).to.deep.equal(['load_lock_8']);
    },
  );

  itInCi(
    'given one whose holder was killed lately, then it is waited for until its heartbeat is 30 s old',
    async () => {
      await abandoned(7, 27);
      const early = await failureOf(withLoadLock(store, () => Promise.resolve(), { waitMs: 0 }));
      expect(early).to.be.instanceOf(UserError);
      const before = await engineMs();
      await abandoned(8, 0);
      const takenOver = await withLoadLock(store, engineMs, { lifetimes: SHORT });
      expect(takenOver - before, 'ms').to.be.at.least(SHORT.expiryMs);
      expect(await locks()).to.deep.equal(['load_lock_9']);
    },
  );

  itInCi(
    'given two that looked before a lock was taken or kept alive, then neither can take it over',
    async () => {
      const [holder, early, late] = [openLocks(store), openLocks(store), openLocks(store)];
      const first = await early.look();
      await withLoadLock(store, () => Promise.resolve());
      const free = await late.look();
      const number = await holder.take(await holder.look());
      expect(number).to.equal(2);
      expect(await early.take(first), 'of no lock at all').to.equal(undefined);
      expect(await late.take(free), 'of a released claim').to.equal(undefined);
      const held = await late.look();
      const looked = await engineMs();
      await until(async () => (await engineMs()) > looked || undefined);
      expect(await holder.beat()).to.equal(true);
      if (!isCluster) expect(await late.take(held), 'of one that is held').to.equal(undefined);
      await holder.release();
      await withLoadLock(store, () => Promise.resolve(), { waitMs: 0 });
      expect(await holder.beat(), 'once another has begun').to.equal(false);
    },
  );

  itInCi('given several that looked before the first lock was taken, then one of them has it', async () => {
    const [first, second, third] = [openLocks(store), openLocks(store), openLocks(store)];
    const [none, nothing] = [await first.look(), await second.look()];
    if (!isCluster) await first.take(none);
    const fresh = await third.look();
    expect(await first.take(isCluster ? none : await first.look())).to.equal(1);
    expect(await second.take(nothing)).to.equal(undefined);
    if (!isCluster)
      expect(await third.take(fresh), 'of a first table that was made again').to.equal(undefined);
    expect(await first.beat()).to.equal(true);
  });

  itInCi(
    'given one whose holder was killed, when several want it, then one takes it over, and others wait',
    async () => {
      await abandoned(7, 31);
      let atWork = 0;
      const loads = [1, 2, 3, 4].map(() =>
        withLoadLock(store, async () => {
          atWork += 1;
          expect(atWork).to.equal(1);
          await locks(); // time for others to begin
          atWork -= 1;
        }),
      );
      await Promise.all(loads);
      expect(await locks()).to.deep.equal(['load_lock_11']);
    },
  );

  itInCi(
    'given one taken over while its holder was cut off, then the holder writes nothing more, and is told',
    async () => {
      const error = await failureOf(
        withLoadLock(
          store,
          async (locked) => {
            await locked.insert(
              'touched_days',
              ['station_id', 'target_date', 'load_id'],
              [['KORD', '2026-01-05', 99]],
            );
            await abandoned(2, 0);
            // Until it has tried to record a heartbeat, and looked.
            const write = () => locked.command(sql`TRUNCATE TABLE staged_stations`);
            await until(async () =>
              write().then(
                () => undefined,
                () => true,
              ),
            );
            for (const write of [
              locked.command(sql`TRUNCATE TABLE touched_days`),
              locked.insert(
                'touched_days',
                ['station_id', 'target_date', 'load_id'],
                [['KORD', '2026-01-06', 99]],
              ),
              locked.relay('TRUNCATE TABLE touched_days', {}),
            ]) {
              expect((await failureOf(write)).message).to.contain('another one has begun');
            }
            await locked.command(sql`TRUNCATE TABLE touched_days`);
          },
          { lifetimes: SHORT },
        ),
      );
      expect(error).to.be.instanceOf(UserError);
      expect(error.message).to.match(
        /^this load did not renew its lock for 2 s, and another one has begun; [^\n]+$/,
      );
      const left = await store.query(sql.rows(z.unknown())`SELECT target_date FROM unsettled`);
      expect(left).to.deep.equal([{ target_date: '2026-01-05' }]);
    },
  );

  // The lock that is taken over stands for it in `make test`.
  ofOneInCi(
    'given a holder that stood still too long, then it renews before a write, and ends if it lost it',
    async () => {
      const still: LockLifetimes = { heartbeatMs: 60_000, writableMs: 60_000, expiryMs: 60_000 };
      const error = await failureOf(
        withLoadLock(
          store,
          async (locked) => {
            still.writableMs = -1;
            await locked.command(sql`TRUNCATE TABLE touched_days`); // still its own
            still.writableMs = 60_000;
            await abandoned(2, 0);
            await locked.command(sql`TRUNCATE TABLE touched_days`); // within the time
            still.writableMs = -1;
            await locked.command(sql`TRUNCATE TABLE touched_days`);
          },
          { lifetimes: still },
        ),
      );
      expect(error.message).to.contain('another one has begun');
    },
  );

  if (isCluster)
    itInCi(
      "given a killed load's statement that still runs on another server, then the next waits for its end",
      async () => {
        const [[, second] = [], [, away] = []] = cluster!.replicas;
        await away!.kill();
        const authorization = `Basic ${Buffer.from(`${second!.user}:${second!.password}`).toString('base64')}`;
        let isRunning = true;
        const running = fetch(`${second!.url}/?database=accuracy`, {
          method: 'POST',
          body: `INSERT INTO touched_days_local SELECT 'KORD', toDate('2026-05-05'), sleepEachRow(1) FROM numbers(3)`,
          headers: { authorization },
        }).then(({ status }) => {
          isRunning = false;
          expect(status).to.equal(200);
        });
        const writes = `SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO touched_days_local%'`;
        await until(async () => (await second!.run(writes)) !== '0\n' || undefined);
        const waits: string[] = [];
        await withLoadLock(
          store,
          async () => {
            expect(isRunning).to.equal(false);
            await running;
          },
          { onWait: (line) => waits.push(line) },
        );
        expect(waits).to.deep.equal([
          'a statement of an earlier load is still running on this database; waiting for it',
        ]);
        await away!.restart();
      },
    );
  else
    // One whose last heartbeat is 30 s old stands for it in `make test`.
    itInCi(
      'given a statement of a killed load that still runs on a server, then the next one waits for its end',
      async () => {
        // The embedded engine does not list its statements: sharing.ts has them end first. So the answers of a server are given here.
        const answers = [1, 1, 0];
        const answering = (next: () => number): Store =>
          new Proxy(store, {
            get(target, name) {
              const member: unknown = Reflect.get(target, name, target);
              if (typeof member !== 'function') return member;
              return async (...args: unknown[]): Promise<unknown> => {
                const found: unknown = await Reflect.apply(member, target, args);
                if (!(args[0] as Partial<Rows<unknown>>).statement?.text.includes('FROM system.processes'))
                  return found;
                expect(found).to.include({ writes: 0 });
                return { ...(found as object), writes: next() };
              };
            },
          });
        const server = answering(() => answers.shift() ?? 0);
        const waits: string[] = [];
        await withLoadLock(server, () => Promise.resolve(), { onWait: (line) => waits.push(line) });
        expect(answers).to.deep.equal([]);
        expect(waits).to.deep.equal([
          'a statement of an earlier load is still running on this database; waiting for it',
        ]);
        const error = await failureOf(
          withLoadLock(
            answering(() => 1),
            () => Promise.resolve(),
            { waitMs: 100 },
          ),
        );
        expect(error.message).to.match(
          /is (still )?running on this database.*; start this one when it has ended$/,
        );
        await withLoadLock(store, () => Promise.resolve(), { waitMs: 0 });
      },
    );

  // In `make test` work that is to end: test/unit/store/lock.test.ts.
  ofOneInCi(
    'given work that is called off, then it writes nothing more, and the lock is free at once',
    async () => {
      const controller = new AbortController();
      const error = await failureOf(
        withLoadLock(
          store,
          async (locked) => {
            controller.abort(new UserError('stopped'));
            await locked.command(sql`TRUNCATE TABLE touched_days`);
          },
          { signal: controller.signal },
        ),
      );
      expect(error.message).to.equal('stopped');
      await withLoadLock(store, () => Promise.resolve(), { waitMs: 0 });
    },
  );

  itInCi(
    'given a process alone on its engine, when it ends what others left, then the lock is free',
    async () => {
      await abandoned(3, 0);
      if (isCluster) await abandoned(4, 0);
      else await store.command(sql`CREATE TABLE load_lock_0 (row UInt8) ENGINE = Null`);
      await endLoadLocks(store);
      expect(await locks()).to.deep.equal(isCluster ? [] : ['load_lock_3']);
      const made: string[] = [];
      const noted = new Proxy(store, {
        set: (target, name, value) => Reflect.set(target, name, value, target),
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== 'function') return member;
          if (name !== 'command') return member.bind(target) as unknown;
          return (statement: Statement) => {
            made.push(statement.text);
            return target.command(statement);
          };
        },
      });
      await withLoadLock(noted, () => Promise.resolve(), { waitMs: 0 });
      expect(made.filter((text) => /CREATE/.test(text))).to.deep.equal([]);
    },
  );

  ofOneInCi(
    'given servers that keep no table in Keeper, then a cluster is refused in a line with the setting',
    async () => {
      const message = "KeeperMap is disabled because 'keeper_map_path_prefix' config is not defined.";
      const servers = { cluster: 'any', command: () => Promise.reject(new Error(message)) };
      const error = await failureOf(openLocks(servers as unknown as Store).prepare!());
      expect(error).to.be.instanceOf(StoreNotOpened);
      expect(error.message).to.match(/^CLICKHOUSE_CLUSTER: [^\n]*<keeper_map_path_prefix>[^\n]*$/);
    },
  );

  if (!isCluster) return;

  const TOUCHED = ['station_id', 'target_date', 'load_id'];
  const touch = (on: Store, day: number): Promise<void> =>
    on.insert('touched_days', TOUCHED, [['KORD', `2026-05-0${day}`, 1]]);

  itInCi('given a replica that has something left to fetch, then a load waits until it has it', async () => {
    const [, second] = cluster!.servers;
    await touch(store, 1);
    await second!.run('SYSTEM STOP FETCHES');
    store.insertQuorum = 1;
    for (let day = 2; day < 5; day += 1) {
      for (const id of ['KORD', 'KJFK', 'KLAX', 'KDEN']) {
        await store.insert('touched_days', TOUCHED, [[id, `2026-05-0${day}`, 1]]);
      }
    }
    const error = await failureOf(withLoadLock(store, () => Promise.resolve(), { waitMs: 1000 }));
    expect(error.message).to.match(/^a replica of the cluster is still fetching [^\n]+$/);
    await second!.run('SYSTEM START FETCHES');
    await withLoadLock(store, () => Promise.resolve());
  });

  itInCi(
    'given servers that are all up, then an insert returns when all replicas of its shard have it',
    async () => {
      const seconds = cluster!.replicas.map(([, second]) => second!);
      await withLoadLock(store, async (locked) => {
        for (const second of seconds) await second.run('SYSTEM STOP FETCHES');
        let hasReturned = false;
        const inserting = touch(locked, 6).then(() => (hasReturned = true));
        // Both shards have told their other replica of it, which has not fetched it.
        const behind = `SELECT count() FROM system.replicas WHERE table = 'touched_days_local' AND queue_size > 0`;
        await until(async () => {
          const counts = await Promise.all(seconds.map((each) => each.run(behind)));
          return counts.some((count) => count !== '0\n') || undefined;
        });
        expect(hasReturned).to.equal(false);
        for (const second of seconds) await second.run('SYSTEM START FETCHES');
        await inserting;
      });
    },
  );

  itInCi(
    'given servers that are away, then loads go in, and those that come back late are not read',
    async () => {
      await store.command(sql`TRUNCATE TABLE touched_days`); // the tests before have touched some
      const away = [cluster!.replicas[0]![0]!, cluster!.replicas[1]![1]!];
      await Promise.all(away.map((each) => each.kill()));
      for (const feeds of [FEEDS, OVERLAPPING]) {
        const files = writeFeeds(feeds);
        await withLoadLock(store, (locked): Promise<LoadReport> => load(locked, files));
      }
      expect(await audit(store)).to.deep.equal([]);
      const before = await answers(store, QUESTIONS);
      cluster!.areFellowsApart = true;
      const error = await failureOf(
        withLoadLock(store, async (locked) => {
          await touch(locked, 7);
          await Promise.all(away.map((each) => each.restart()));
          await touch(locked, 8);
        }),
      );
      for (let time = 0; time < 3; time += 1) expect(await answers(store, QUESTIONS)).to.deep.equal(before);
      cluster!.areFellowsApart = false;
      expect(error).to.be.instanceOf(UserError);
      expect(error.message).to.equal('a server of the cluster came or went during this load; run it again');
    },
  );
}
