import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { repair, audit } from '../../../src/ingest/audit.js';
import type { LoadReport } from '../../../src/ingest/feed/report.js';
import { StoreNotOpened } from '../../../src/store/errors.js';
import { inCluster } from '../../../src/store/engine/cluster.js';
import { dropLoadLocks } from '../../../src/store/lock/lock.js';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';
import type { OpenedStore } from '../../../src/store/engine/open.js';
import type { Store } from '../../../src/store/store.js';
import { TestCluster } from '../../support/clickhouse-server/cluster.js';
import { type FeedLines, loadLines } from '../../support/feeds.js';
import { emptyStore, linesOf, type World, worlds } from '../../support/oracle.js';
import { range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { hasZooKeeper, ZooKeeper } from '../../support/clickhouse-server/zookeeper.js';

const MIGRATIONS = readdirSync(new URL('../../../clickhouse/schema/', import.meta.url))
  .filter((name) => /^\d/.test(name))
  .sort();

const nameRow = z.object({ name: z.string() });

// Eight stations, so that both shards have some; days on both sides of a month's end.
const IDS = ['KORD', 'KJFK', 'KLAX', 'KDEN', 'KSEA', 'KMIA', 'KBOS', 'KPHX'];
const station = (id: string, timezone: string): string =>
  `${id},City ${id},US,40,-90,${timezone},Dfa,true,,${id.slice(1)}`;
const DAYS = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'];

const FIRST: FeedLines = {
  stations: IDS.map((id) => station(id, 'America/Chicago')),
  forecasts: IDS.flatMap((id, i) =>
    DAYS.flatMap((day, j) => [
      `${id},2026-01-29T12:00:00Z,${day},${30 + i + j},${10 + i}.25`,
      `${id},2026-01-29T18:30:00Z,${day},${31 + i - j}.5,${11 + j}`,
    ]),
  ),
  observations: IDS.flatMap((id, i) =>
    DAYS.slice(0, 3).map((day, j) => `${id},${day},${32 + j},${12 - i}.75,preliminary,2026-02-03T06:00:00Z`),
  ),
};

/** Corrected forecasts and observations, verified ones, and a station that moves to another zone. */
const SECOND: FeedLines = {
  stations: [station('KSEA', 'America/Los_Angeles'), station('KORD', 'America/Chicago')],
  forecasts: [
    `KORD,2026-01-29T12:00:00Z,2026-01-30,44,10.25`,
    `KJFK,2026-01-29T12:00:00Z,2026-02-02,12,13`,
    `KMIA,2026-01-30T00:00:00Z,2026-01-31,70,60`,
  ],
  observations: IDS.map((id, i) => `${id},2026-01-31,${30 + i},11,verified,2026-02-04T06:00:00Z`),
};

/** Takes the correction of KORD back: the histograms get what they have had before. */
const THIRD: FeedLines = { forecasts: [`KORD,2026-01-29T12:00:00Z,2026-01-30,30,10.25`] };

const QUESTIONS = [
  'summary?',
  'summary?station_id=KSEA&',
  'by-date?',
  'by-date/KORD?',
  'by-lead-time?',
  'by-city?',
  'by-city?min_samples=13&sort_by=mae&',
  'by-station/KJFK?include_raw=true&',
].flatMap((question) =>
  ['high', 'low'].map(
    (metric) => `/api/v1/accuracy/${question}date_from=2026-01-01&date_to=2026-02-28&metric=${metric}`,
  ),
);

/** What verify finds wrong, by table. */
async function faults(store: Store): Promise<string[]> {
  return (await audit(store)).map(({ table, rows }) => `${table}: ${rows}`);
}

/** What of a report does not depend on the machine, nor on the folder of the feeds. */
function counts(report: LoadReport): object {
  const named = JSON.stringify(report, (key, value: unknown) =>
    key === 'file' && typeof value === 'string' ? basename(value) : value,
  );
  return { ...(JSON.parse(named) as object), seconds: 0, rows_per_second: 0, peak_memory_mb: 0 };
}

async function answers(store: Store, questions: readonly string[]): Promise<unknown[]> {
  const service = await startTestService(store, { now: '2026-02-05T12:00:00Z' });
  const found: unknown[] = [];
  for (const question of questions) {
    const answer = await service.get(question);
    expect(answer.status, `${question}: ${answer.text}`).to.equal(200);
    found.push((answer.body as { data: unknown }).data);
  }
  return found;
}

async function refusal(opening: Promise<OpenedStore>): Promise<string> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StoreNotOpened) return error.message;
  throw new Error('it was not refused', { cause: error });
}

// Anywhere: rows that came before a shard was added, or by hand.
for (const rows of range({ test: 1, ci: 2 }, ['by station', 'anywhere'] as const)) {
  describe(`given a cluster of two shards, with rows ${rows}`, function () {
    this.timeout(300_000);
    let cluster: TestCluster;
    let opened: OpenedStore;
    let embedded: Store;

    before(async () => {
      cluster = await TestCluster.start({ rows });
      opened = await cluster.open('accuracy');
      await dropLoadLocks(opened.store); // that of the migration
      embedded = await openTestStore();
    });
    after(async () => {
      await opened?.close();
      await embedded?.close();
      await cluster?.stop();
    });

    /** The only row of an answer that a shard gives by itself. */
    const onShard = async (shard: number, sql: string): Promise<number[]> =>
      (await cluster.shards[shard - 1]!.run(sql)).trim().split('\t').map(Number);

    describe('when it is opened for the first time', () => {
      it('then every migration is applied and recorded with the SHA-256 of its text, as on one engine', async () => {
        const recorded = z.object({ name: z.string(), checksum: z.string() });
        const sql = 'SELECT name, checksum FROM migrations ORDER BY name';
        const here = await embedded.query(sql, {}, recorded);
        expect(opened.migrated).to.deep.equal(here.map(({ name }) => name));
        expect(await opened.store.query(sql, {}, recorded)).to.deep.equal(here);
        for (const { name, checksum } of here) {
          const text = await sqlFile(`schema/${name}`);
          expect(checksum).to.equal(createHash('sha256').update(text).digest('hex'));
        }
      });

      it('then it has every table of one engine as a local one, a view beside it, and one over all shards', async () => {
        const sql = 'SELECT name, engine FROM system.tables WHERE database = currentDatabase()';
        const row = nameRow.extend({ engine: z.string() });
        const expected = (await embedded.query(sql, {}, row)).flatMap(({ name, engine }) =>
          engine.endsWith('View')
            ? [{ name, engine }]
            : [
                { name, engine: 'Distributed' },
                { name: `${name}_local`, engine },
              ],
        );
        expect(await opened.store.query(sql, {}, row)).to.have.deep.members(expected);
      });

      it('then the local tables have the order, the partitions and the columns of those of one engine', async () => {
        const sql = `SELECT
            replaceRegexpOne(t.name, '_local$', '') AS base, any(t.sorting_key) AS sorting_key,
            any(t.partition_key) AS partition_key,
            arraySort(groupArray((c.position, c.name, c.type, c.default_expression))) AS columns
          FROM system.tables AS t
          INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
          WHERE t.database = currentDatabase() AND t.engine LIKE '%MergeTree'
          GROUP BY base ORDER BY base`;
        const row = z.looseObject({ base: z.string() });
        const here = await embedded.query(sql, {}, row);
        expect(await opened.store.query(sql, {}, row)).to.deep.equal(here);
        expect(here).to.have.length.above(10);
      });
    });

    describe('when feeds are loaded, corrected, and corrected back', () => {
      for (const [name, lines] of Object.entries({ first: FIRST, second: SECOND, third: THIRD })) {
        it(`then the ${name} load reports what it does on one engine, and loaded again it adds nothing`, async () => {
          const there = await loadLines(opened.store, lines);
          const here = await loadLines(embedded, lines);
          expect(counts(there)).to.deep.equal(counts(here));
          expect(there.pairs_added).to.be.above(0);
          const again = counts(await loadLines(opened.store, lines));
          expect(again).to.deep.include({ pairs_added: 0, pairs_withdrawn: 0 });
          expect(again).to.deep.equal(counts(await loadLines(embedded, lines)));
        });

        it(`then every answer after the ${name} load is that of one engine`, async () => {
          expect(await answers(opened.store, QUESTIONS)).to.deep.equal(await answers(embedded, QUESTIONS));
        });

        it(`then verify finds no difference after the ${name} load`, async () => {
          expect(await faults(opened.store)).to.deep.equal([]);
        });
      }

      it('then both shards have pairs, which together are those of the ledger', async () => {
        const shards = await opened.store.query(
          'SELECT shardNum() AS shard, count() AS row_count FROM pairs GROUP BY shard ORDER BY shard',
          {},
          z.object({ shard: z.number(), row_count: z.number() }),
        );
        expect(shards.map(({ shard }) => shard)).to.deep.equal([1, 2]);
        for (const { shard, row_count } of shards) {
          const [ledger] = await onShard(shard, 'SELECT count() FROM accuracy.pairs_local');
          expect(row_count, `shard ${shard}`).to.equal(ledger);
        }
      });

      it('then the histograms beside the pairs are those of the pairs', async () => {
        for (const shard of [1, 2]) {
          const [pairs = 0, ...histograms] = await onShard(
            shard,
            `SELECT
              (SELECT sum(sign) FROM accuracy.pairs_local) AS a,
              (SELECT sum(pair_count) FROM accuracy.station_day_errors_local) AS b,
              (SELECT sum(pair_count) FROM accuracy.network_day_errors_local) AS c,
              (SELECT sum(pair_count) FROM accuracy.station_week_errors_local) AS d,
              (SELECT sum(pair_count) FROM accuracy.station_day_counts_local) AS e`,
          );
          expect(pairs, `shard ${shard}`).to.be.above(0);
          expect(histograms, `shard ${shard}`).to.deep.equal([pairs, pairs, pairs, pairs]);
        }
      });

      it('then the tables for work under way are empty', async () => {
        for (const table of ['staged_stations', 'staged_forecasts', 'staged_observations', 'unsettled']) {
          for (const shard of [1, 2]) {
            const counted = await onShard(shard, `SELECT count() FROM accuracy.${table}_local`);
            expect(counted, `${table} of shard ${shard}`).to.deep.equal([0]);
          }
        }
      });
    });

    describe('when a histogram is damaged', () => {
      it('then verify counts the differences, and repair mends them, as often as it happens', async () => {
        const expected = await answers(embedded, QUESTIONS);
        for (let time = 0; time < 2; time += 1) {
          await opened.store.command(
            `INSERT INTO network_day_errors_local SELECT metric, provider, target_date, lead_time_bucket, error_hundredths, 1, 0
            FROM network_day_errors_local ORDER BY ALL LIMIT 1`,
          );
          expect(await faults(opened.store)).to.deep.equal(['network_day_errors: 1']);
          await repair(opened.store, await audit(opened.store));
          expect(await faults(opened.store)).to.deep.equal([]);
          expect(await answers(opened.store, QUESTIONS)).to.deep.equal(expected);
        }
      });
    });

    describe('when random feeds are loaded', () => {
      it('then reports, answers and findings are those of one engine', () =>
        fc.assert(
          fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
            await emptyCluster(opened.store);
            await emptyStore(embedded);
            for (const each of world.loads) {
              const there = await loadLines(opened.store, linesOf(each));
              const here = await loadLines(embedded, linesOf(each));
              expect(counts(there)).to.deep.equal(counts(here));
            }
            expect(await faults(opened.store)).to.deep.equal([]);
            const questions = questionsOf(world);
            expect(await answers(opened.store, questions)).to.deep.equal(await answers(embedded, questions));
          }),
          { seed: 20_260_412, numRuns: range({ test: 1, ci: 4 }), interruptAfterTimeLimit: 240_000 },
        ));
    });
  });
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
    await store.command(claim);
    const again = await store.command(claim).catch((error: unknown) => error);
    expect(again).to.have.property('code', '57'); // TABLE_ALREADY_EXISTS
    await store.command("INSERT INTO load_lock_77 (event) SELECT 'held'");
    const seen = `SELECT name, comment, (SELECT count() FROM load_lock_77) AS notes FROM system.tables
      WHERE database = currentDatabase() AND name = 'load_lock_77'`;
    const row = nameRow.extend({ comment: z.string(), notes: z.number() });
    expect(await store.query(seen, {}, row)).to.deep.equal([
      { name: 'load_lock_77', comment: 'process 7', notes: 1 },
    ]);
    await store.command('DROP TABLE IF EXISTS load_lock_77 SYNC');
    const left = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'load_lock_77%'`;
    expect(await store.query(left, {}, nameRow)).to.deep.equal([]);
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
    if (!hasZooKeeper()) {
      console.log('      skipped: no ZooKeeper is installed (Debian: apt-get install zookeeper)');
      this.skip();
    }
    zooKeeper = await ZooKeeper.start();
    cluster = await TestCluster.start({ rows: 'by station', zookeeper: zooKeeper.port });
  });
  after(async () => {
    await cluster?.stop();
    await zooKeeper?.stop();
  });

  it('when the statements of all migrations that need no running replica are carried out, then every table that keeps rows is a replica of its shard', async () => {
    const at = { name: TestCluster.NAME, database: 'accuracy' };
    await cluster!.post('CREATE DATABASE accuracy');
    for (const file of MIGRATIONS) {
      for (const sql of statements(await sqlFile(`schema/${file}`)).flatMap((written) =>
        inCluster(written, at),
      )) {
        await cluster!.post(sql);
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
      'pairs_local',
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

/** Empties all tables but the record of migrations. */
async function emptyCluster(store: Store): Promise<void> {
  const tables = await store.query(
    `SELECT replaceRegexpOne(name, '_local$', '') AS name FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'migrations_local'`,
    {},
    nameRow,
  );
  for (const { name } of tables) await store.command(`TRUNCATE TABLE ${name}`);
}

/** Questions of every kind over all days of a world. */
function questionsOf(world: World): string[] {
  const dates = [...world.dates].sort();
  const window = `date_from=${dates[0]}&date_to=${dates.at(-1)}`;
  const stations = [...new Set(world.loads.flatMap((each) => each.stations.map((row) => row.station_id)))];
  const spans = Date.parse(dates.at(-1) ?? '') - Date.parse(dates[0] ?? '') < 3600 * 86_400_000;
  const when = spans ? window : `date_from=${dates[0]}&days=365`;
  return [
    'summary?',
    'by-date?',
    'by-lead-time?',
    'by-city?',
    ...stations.map((id) => `by-station/${id}?include_raw=true&`),
  ].flatMap((question) =>
    ['high', 'low'].map((metric) => `/api/v1/accuracy/${question}${when}&metric=${metric}`),
  );
}
