import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { inCluster } from '../../../src/store/engine/cluster.js';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';

const CLUSTER = { name: 'two-shards', database: 'accuracy' };
const ON = 'ON CLUSTER `two-shards`';
const folder = new URL('../../../clickhouse/schema/', import.meta.url);
const migrations = readdirSync(folder);

const forms = (sql: string): string[] => inCluster(sql, CLUSTER);

describe('inCluster', () => {
  for (const [what, sql, ...expected] of [
    [
      'a table that is spread by station, then it is a replicated one on every shard and one over all, by a hash of the station',
      '-- shard: station_id\nCREATE TABLE IF NOT EXISTS pairs (\n  station_id String,\n  n Decimal(5, 2)\n) ENGINE = MergeTree PARTITION BY n\nORDER BY (n)',
      `CREATE TABLE IF NOT EXISTS accuracy.pairs_local ${ON} (\n  station_id String,\n  n Decimal(5, 2)\n) ENGINE = ReplicatedMergeTree PARTITION BY n\nORDER BY (n) SETTINGS replicated_deduplication_window = 0`,
      `CREATE TABLE IF NOT EXISTS accuracy.pairs ${ON} AS accuracy.pairs_local ENGINE = Distributed('two-shards', 'accuracy', 'pairs_local', cityHash64(station_id))`,
    ],
    [
      'a table that Keeper has, then every server has it under one path, which names cluster and database',
      '-- shard: keeper\nCREATE TABLE IF NOT EXISTS claims (\n  n Int8\n) ENGINE = KeeperMap PRIMARY KEY n',
      `CREATE TABLE IF NOT EXISTS accuracy.claims ${ON} (\n  n Int8\n) ENGINE = KeeperMap('/two-shards/accuracy/claims') PRIMARY KEY n`,
    ],
    [
      'a view that fills a table, then each shard has it between its own tables',
      'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO sums AS\nSELECT n\nFROM pairs\nGROUP BY n',
      `CREATE MATERIALIZED VIEW IF NOT EXISTS accuracy.v ${ON} TO accuracy.sums_local AS SELECT n\nFROM accuracy.pairs_local\nGROUP BY n`,
    ],
    [
      'any other view, then it is over all shards, and so is every table that it reads',
      'CREATE VIEW IF NOT EXISTS v AS\nSELECT n\nFROM pairs\nWHERE n > (SELECT max(n) FROM loads)',
      `CREATE VIEW IF NOT EXISTS accuracy.v ${ON} AS\nSELECT n\nFROM accuracy.pairs\nWHERE n > (SELECT max(n) FROM accuracy.loads)`,
    ],
    [
      'a column to change, then it changes on every shard, and over all',
      'ALTER TABLE loads MODIFY COLUMN n Int8',
      `ALTER TABLE accuracy.loads_local ${ON} MODIFY COLUMN n Int8`,
      `ALTER TABLE accuracy.loads ${ON} MODIFY COLUMN n Int8`,
    ],
    [
      'a table to drop, then it goes on every shard, and over all',
      'DROP TABLE IF EXISTS t SYNC',
      `DROP TABLE IF EXISTS accuracy.t_local ${ON} SYNC`,
      `DROP TABLE IF EXISTS accuracy.t ${ON} SYNC`,
    ],
    ['a table to empty', 'TRUNCATE TABLE t', `TRUNCATE TABLE accuracy.t_local ${ON} SYNC`],
    [
      'rows to forget',
      'ALTER TABLE t MODIFY TTL at + INTERVAL 7 DAY',
      `ALTER TABLE accuracy.t_local ${ON} MODIFY TTL at + INTERVAL 7 DAY`,
    ],
    ['a view to drop', 'DROP VIEW IF EXISTS v', `DROP VIEW IF EXISTS accuracy.v ${ON} SYNC`],
  ]) {
    it(`given ${what}`, () => {
      expect(forms(sql ?? '')).to.deep.equal(expected);
    });
  }

  for (const spread of ['none', 'local']) {
    it(`given a table spread by ${spread}, then all that is put into it goes to the first shard`, () => {
      const [local, all] = forms(
        `-- shard: ${spread}\nCREATE TABLE IF NOT EXISTS sums (station_id String, n Int64) ENGINE = SummingMergeTree((n)) ORDER BY n`,
      );
      expect(local).to.contain(') ENGINE = ReplicatedSummingMergeTree((n)) ORDER BY n SETTINGS');
      expect(all).to.match(/ENGINE = Distributed\('two-shards', 'accuracy', 'sums_local', 0\)$/);
    });
  }

  it('given a table of which no line says how it is spread, then it is refused with the lines there are', () => {
    for (const line of ['', '-- shard: station\n']) {
      expect(() => forms(`${line}CREATE TABLE IF NOT EXISTS t (station_id String) ENGINE = Null`)).to.throw(
        /-- shard: station_id \| none \| local \| keeper/,
      );
    }
  });

  it('given a table that keeps nothing, then it is no replicated one', () => {
    const [local] = forms(
      '-- shard: station_id\nCREATE TABLE IF NOT EXISTS rows (station_id String) ENGINE = Null',
    );
    expect(local).to.equal(
      `CREATE TABLE IF NOT EXISTS accuracy.rows_local ${ON} (station_id String) ENGINE = Null`,
    );
  });

  it('given rows to insert or to read, then the statement is the same', () => {
    const forget = 'DELETE FROM load_lock_claims WHERE number = 1';
    for (const sql of ['INSERT INTO t SELECT 1', 'SELECT 1', 'WITH 1 AS a SELECT a', forget])
      expect(forms(sql)).to.deep.equal([sql]);
  });

  it('given a statement that defines something in another way, then it is refused by name', () => {
    for (const sql of [
      'CREATE TABLE t (n Int8) ENGINE = MergeTree ORDER BY n',
      'CREATE TABLE IF NOT EXISTS t (n Int8) ENGINE = Log',
      'DROP TABLE t',
      'ALTER TABLE t DELETE WHERE n = 1',
      'RENAME TABLE a TO b',
      'DELETE FROM loads WHERE load_id = 1',
      'OPTIMIZE TABLE t',
    ]) {
      expect(() => forms(sql), sql).to.throw(`no form for a cluster of: ${sql}`);
    }
  });

  for (const name of migrations) {
    it(`given ${name}, then every statement has a form, and what defines something names the cluster`, async () => {
      for (const sql of statements(await sqlFile(`schema/${name}`))) {
        for (const form of forms(sql)) {
          if (!form.startsWith('INSERT')) expect(form).to.contain(` ${ON}`);
          expect(form).not.to.match(/\$\d/);
        }
      }
    });
  }
});
