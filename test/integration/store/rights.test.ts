import { join } from 'node:path';
import { expect } from 'chai';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { dataTables } from '../../../src/backup/tables.js';
import { repair, audit } from '../../../src/ingest/audit.js';
import { withLoadLock } from '../../../src/store/lock/lock.js';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';
import { type OpenedStore, SERVING } from '../../../src/store/engine/open.js';
import type { StoreLimits } from '../../../src/store/store.js';
import { raw } from '../../../src/queries/sql.js';
import { failureOf, refusal } from '../../support/failure.js';
import { answers, questionsIn } from '../../support/clickhouse-server/compare.js';
import { type ServiceUser, serviceUsers } from '../../support/clickhouse-server/users.js';
import { TestCluster } from '../../support/clickhouse-server/cluster.js';
import { whyNoReplicas } from '../../support/clickhouse-server/replication.js';
import { ZooKeeper } from '../../support/clickhouse-server/zookeeper.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { sizes } from '../../support/ingest/loads.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { AT_LENGTH } from '../../support/stress/stress.js';
import { skip } from '../../support/runner/skip.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const FEEDS: FeedLines = {
  stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'],
  // The lines of so large a file land.
  forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,31,18', ...Array<string>(2).fill(' '.repeat(60_000))],
  observations: ['KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z'],
};
const CORRECTION: FeedLines = { forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,33,18'] };

describeInCi('clickhouse/server/users.sql', function () {
  it('given each of its statements, then the engine can read it', async () => {
    const store = await openTestStore();
    const all = statements(await sqlFile('server/users.sql'));
    expect(all).to.have.length.above(20);
    const passwords = { api_password: 'a', loader_password: 'b', owner_password: 'c' };
    for (const sql of all) await store.relay(`EXPLAIN AST ${sql}`, passwords);
    expect((await failureOf(store.relay('EXPLAIN AST CREATE USR x', {}))).message).to.contain('Syntax error');
    await store.close();
  });

  for (const kind of range({ test: 0, ci: 2 }, ['one server', 'a cluster'] as const)) {
    describe(`given ${kind} and a user with the grants of`, () => {
      const name = kind === 'a cluster' ? TestCluster.NAME : '';
      let cluster: TestCluster;
      let zooKeeper: ZooKeeper | undefined;

      before(async function () {
        // In `make ci` without replicas, each of which would be a server more: they need no further grants.
        if (kind === 'a cluster' && AT_LENGTH) {
          const why = whyNoReplicas();
          if (why !== undefined) skip(this, why);
          zooKeeper = await ZooKeeper.start();
        }
        cluster = await TestCluster.start({
          rows: 'by station',
          shards: kind === 'a cluster' ? 2 : 1,
          ...(zooKeeper && { replicas: 2, zookeeper: zooKeeper.port }),
          ...(await serviceUsers(zooKeeper !== undefined)),
        });
      });
      after(async () => {
        await cluster?.stop();
        await zooKeeper?.stop();
      });
      const as = (user: ServiceUser, limits?: StoreLimits): Promise<OpenedStore> =>
        cluster.open('forecast_accuracy', name, `forecast_accuracy_${user}`, limits);

      it('the reader, when there are no tables yet, then opening fails in a line that says who makes them', async () => {
        expect(await refusal(as('api'))).to.match(
          /^CLICKHOUSE_USER: [^\n]*forecast_accuracy[^\n]*run migrate[^\n]*$/,
        );
      });

      it('the owner, then migrate makes the tables', async () => {
        const { migrated, close } = await as('owner');
        expect(migrated).to.include('001_loads.sql');
        await close();
      });

      it('the loader, then it loads, verifies and repairs, and cannot drop a table or empty the ledger', async () => {
        const { store, migrated, close } = await as('loader');
        expect(migrated).to.deep.equal([]);
        // Under the lock, a load reads what it has written on every replica.
        const load = (lines: FeedLines) => withLoadLock(store, (locked) => loadLines(locked, lines));
        expect((await load(FEEDS)).pairs_added).to.equal(2);
        expect(await load(CORRECTION)).to.deep.include({ pairs_added: 1, pairs_withdrawn: 1 });
        await repair(store, await audit(store));
        expect(await audit(store)).to.deep.equal([]);
        for (const sql of [
          'TRUNCATE TABLE station_days',
          'TRUNCATE TABLE forecasts',
          'DROP TABLE IF EXISTS station_days SYNC',
          'DROP VIEW IF EXISTS station_day_counts_mv',
          'ALTER TABLE loads MODIFY COLUMN report String',
          '-- shard: none\nCREATE TABLE IF NOT EXISTS x (n Int8) ENGINE = MergeTree ORDER BY n',
        ]) {
          expect((await failureOf(store.command(raw(sql)))).message, sql).to.match(/privileges/i);
        }
        await close();
      });

      it('the reader, then the service answers, and nothing can be written', async () => {
        const { store, close } = await as('api', { ...SERVING, queryMemoryBytes: 1_000_000_000 });
        const questions = questionsIn('date_from=2026-01-01&date_to=2026-01-31');
        for (const data of await answers(store, questions))
          expect(JSON.stringify(data)).to.contain('"mean_error":3');
        for (const sql of [
          "INSERT INTO loads (load_id, event, report) VALUES (9, 'started', '')",
          'TRUNCATE TABLE staged_forecasts',
          'DROP TABLE IF EXISTS station_days SYNC',
          '-- shard: none\nCREATE TABLE IF NOT EXISTS x (n Int8) ENGINE = MergeTree ORDER BY n',
        ]) {
          expect((await failureOf(store.command(raw(sql)))).message, sql).to.match(/privileges|readonly/i);
        }
        await close();
      });

      if (kind === 'a cluster') return; // it has no backups

      it('the owner, then it backs up, and restores what was lost', async () => {
        const { store, close } = await as('owner');
        const folder = join(temporaryFolder(), 'backup');
        await backup(store, folder);
        for (const { name: table } of await dataTables(store))
          await store.command(raw(`TRUNCATE TABLE ${table}`));
        await restore(store, folder);
        expect(await audit(store)).to.deep.equal([]);
        expect((await sizes(store)).station_days_rows).to.equal(4);
        await close();
      });
    });
  }
});
