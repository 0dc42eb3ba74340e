import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { inCluster } from '../../../src/store/engine/cluster.js';
import type { OpenedStore } from '../../../src/store/engine/open.js';
import { StoreNotOpened } from '../../../src/store/errors.js';
import { dropLoadLocks } from '../../../src/store/lock/lock.js';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';
import { raw, sql } from '../../../src/sql.js';
import { TestCluster } from '../../support/clickhouse-server/cluster.js';
import { hasZooKeeper, ZooKeeper } from '../../support/clickhouse-server/zookeeper.js';
import { skip } from '../../support/runner/skip.js';

const MIGRATIONS = readdirSync(new URL('../../../clickhouse/schema/', import.meta.url))
  .filter((name) => /^\d/.test(name))
  .sort();

const nameRow = z.object({ name: z.string() });

async function refusal(opening: Promise<OpenedStore>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StoreNotOpened) return error.message;
  throw new Error('it was not refused', { cause: error });
}

describe('opening a cluster', function () {
  this.timeout(120_000);
  let cluster: TestCluster;

  before(async () => {
    cluster = await TestCluster.start({ rows: 'by station' });
    await (await cluster.open('accuracy')).close();
  });
  after(async () => {
    await cluster?.stop();
  });

  it('given tables that are up to date, then nothing is written, so that a user who may only read can open it', async () => {
    const { store, migrated, close } = await cluster.open('accuracy');
    expect(migrated).to.deep.equal([]);
    expect(store.writes).to.equal(0);
    await close();
  });

  it('given a claim, then of two that create it one does, and every server sees it until it is dropped', async () => {
    const { store, close } = await cluster.open('accuracy');
    await dropLoadLocks(store); // that of the migration
    const claim = `
      CREATE TABLE load_lock_77 (
          event Enum8('held' = 1, 'released' = 2),
          recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
      ) ENGINE = MergeTree ORDER BY recorded_at
      COMMENT 'process 7'`;
    await store.command(raw(claim));
    const again = await store.command(raw(claim)).catch((error: unknown) => error);
    expect(again).to.have.property('code', '57'); // TABLE_ALREADY_EXISTS
    await store.command(sql`INSERT INTO load_lock_77 (event) SELECT 'held'`);
    const seen = `SELECT name, comment, (SELECT count() FROM load_lock_77) AS notes FROM system.tables
      WHERE database = currentDatabase() AND name = 'load_lock_77'`;
    const row = nameRow.extend({ comment: z.string(), notes: z.number() });
    expect(await store.query(raw(seen), row)).to.deep.equal([
      { name: 'load_lock_77', comment: 'process 7', notes: 1 },
    ]);
    await store.command(sql`DROP TABLE IF EXISTS load_lock_77 SYNC`);
    const left = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'load_lock_77%'`;
    expect(await store.query(raw(left), nameRow)).to.deep.equal([]);
    await close();
  });

  it('given a name that no cluster has, then it is refused with the names there are', async () => {
    const message = await refusal(cluster.open('accuracy', 'three-shards'));
    expect(message).to.match(/^CLICKHOUSE_CLUSTER: [^\n]*no cluster three-shards, only: [^\n]*two-shards/);
  });

  it('given replicas that would each be given every row, then it is refused with the setting to look at', async () => {
    const message = await refusal(cluster.open('accuracy', 'doubling'));
    expect(message).to.match(/^CLICKHOUSE_CLUSTER: doubling [^\n]*internal_replication[^\n]*remote_servers$/);
  });

  it('given no name, then it is refused: its tables would be emptied on no shard', async () => {
    expect(await refusal(cluster.open('accuracy', ''))).to.match(/^CLICKHOUSE_CLUSTER: [^\n]+name it$/);
  });

  it('given a name, and tables of a single server, then it is refused', async () => {
    await (await cluster.open('single', '')).close();
    const message = await refusal(cluster.open('single'));
    expect(message).to.match(/^CLICKHOUSE_CLUSTER: [^\n]+single server[^\n]+docs\/operating\.md/);
  });
});

describe('given a cluster with a coordinator', function () {
  this.timeout(300_000);
  let zooKeeper: ZooKeeper | undefined;
  let cluster: TestCluster | undefined;

  before(async function () {
    if (!hasZooKeeper()) skip(this, 'no ZooKeeper; `make ci-tools` installs it');
    zooKeeper = await ZooKeeper.start();
    cluster = await TestCluster.start({ rows: 'by station', zookeeper: zooKeeper.port });
  });
  after(async () => {
    await cluster?.stop();
    await zooKeeper?.stop();
  });

  it('when the statements of all migrations that need no running replica are carried out, then every table that keeps rows is a replica of its shard', async () => {
    const at = { name: TestCluster.NAME, database: 'accuracy' };
    await cluster!.post('CREATE DATABASE accuracy ON CLUSTER `two-shards`');
    for (const file of MIGRATIONS) {
      for (const sql of statements(await sqlFile(`schema/${file}`)).flatMap((written) =>
        inCluster(written, at),
      )) {
        if (!/^\s*INSERT/.test(sql)) await cluster!.post(sql); // a replica that nobody reaches takes no rows
      }
    }
    const ask = async (sql: string): Promise<string[]> => {
      const answer = await cluster!.shards[0]!.run(`${sql} FORMAT TSV`);
      return answer.split('\n').slice(0, -1);
    };
    const kept = await ask(
      `SELECT name FROM system.tables WHERE database = 'accuracy' AND engine LIKE '%MergeTree' ORDER BY name`,
    );
    const replicas = await ask(
      `SELECT table, replica_name, match(zookeeper_path, '^/clickhouse/tables/[0-9a-f-]{36}/1$')
      FROM system.replicas WHERE database = 'accuracy' ORDER BY table`,
    );
    expect(replicas).to.deep.equal(kept.map((name) => `${name}\tone\t1`));
    expect(kept).to.include.members([
      'station_days_local',
      'forecasts_local',
      'network_day_errors_local',
      'loads_local',
    ]);
    const full = await ask(
      `SELECT engine_full FROM system.tables WHERE database = 'accuracy' AND engine LIKE '%MergeTree'`,
    );
    for (const engine of full) {
      expect(engine)
        .to.match(/^Replicated/)
        .and.to.contain('replicated_deduplication_window = 0');
    }
  });
});
