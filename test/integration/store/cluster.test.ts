import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { FEED_NAMES } from '../../../src/feeds/feeds.js';
import { rowCount } from '../../../src/ingest/spans.js';
import { inCluster } from '../../../src/store/engine/cluster.js';
import type { OpenedStore } from '../../../src/store/engine/open.js';
import { endLoadLocks } from '../../../src/store/lock/lock.js';
import { sqlFile, statementsOf } from '../../../src/store/schema/migrate.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { parseLeaf, readVersions } from '../../../src/seals/log.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { refusal } from '../../support/failure.js';
import { CODED_VARIABLES } from '../../../src/variables/codes.js';
import { TestCluster } from '../../support/clickhouse-server/cluster.js';
import { answers, counts, faults } from '../../support/clickhouse-server/compare.js';
import { hasZooKeeper, ZooKeeper } from '../../support/clickhouse-server/zookeeper.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { emptyStore, joined, linesOf, type Load, type World, worlds } from '../../support/plain/oracle.js';
import { describeInCi, itInCi, itInStressTier, range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { openTestStore } from '../../support/store.js';
import { repair, audit } from '../../../src/ingest/audit.js';

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
  forecasts: [
    ...IDS.flatMap((id, i) =>
      DAYS.flatMap((day, j) => [
        `${id},2026-01-29T12:00:00Z,${day},${30 + i + j},${10 + i}.25`,
        `${id},2026-01-29T18:30:00Z,${day},${31 + i - j}.5,${11 + j}`,
      ]),
    ),
  ],
  observations: IDS.flatMap((id, i) =>
    DAYS.slice(0, 3).map((day, j) => `${id},${day},${32 + j},${12 - i}.75,preliminary,2026-02-03T06:00:00Z`),
  ),
  normals: IDS.map((id, i) => `${id},01-31,${33 + i},12.5`),
  hours: IDS.flatMap((id, i) =>
    Array.from(
      { length: 24 },
      (_, hour) => `${id},2026-01-31T${`${hour}`.padStart(2, '0')}:51Z,${20 + i + hour / 4}`,
    ),
  ),
  hourly_forecasts: IDS.flatMap((id, i) =>
    ['06', '12', '18'].map((hour) => `${id},2026-01-31T00:00Z,2026-01-31T${hour}:00Z,${22 + i}`),
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
  hours: ['KORD,2026-01-31T20:51Z,44'],
  hourly_forecasts: [
    'KJFK,2026-01-31T00:00Z,2026-01-31T12:00Z,29',
    'KORD,2026-01-31T20:00Z,2026-01-31T21:00Z,40',
  ],
  normals: ['KORD,01-31,41,12.5', 'KJFK,01-31,,14', 'KLAX,01-30,55,'],
};

/** Takes the correction of KORD back: the histograms get what they have had before. */
const THIRD: FeedLines = { forecasts: [`KORD,2026-01-29T12:00:00Z,2026-01-30,30,10.25`] };

const QUESTIONS = range({ test: 6, ci: Infinity }, [
  'summary?ci=0.9&',
  'summary?station_id=KSEA&',
  'summary?as_of=v1&',
  'by-date?',
  'by-date/KORD?',
  'by-lead-time?',
  'by-city?',
  'by-city?min_samples=13&sort_by=mae&',
  'by-station/KJFK?include_raw=true&',
  'hit-rate?lead=24&',
  'by-bucket/KORD?',
  'events?group_by=station&thresholds=10,32,40&',
  'revision-stats?station_id=KORD&',
  'by-lead-time?align=matched&',
  'by-date?group_by=month&',
  'exceedance?',
  'error-distribution?station_id=KORD&signed=true&',
  'sample-size?stations=KORD,KJFK&',
  'update-frequency?',
  'hit-rate?as_of=v1&',
  'compare?group_by=lead_time_bucket&',
  'skill?group_by=station&reference=climatology&',
  'bias-correction?station_id=KORD&forecast_for_date=2026-02-03&known_at=2026-02-04T07:00:00Z&',
])
  .map(
    (question, nth) =>
      `/api/v1/accuracy/${question}date_from=2026-01-01&date_to=2026-02-28&metric=${nth % 2 === 0 ? 'high' : 'low'}`,
  )
  .concat(
    ['summary?', 'summary?stations=KORD,KJFK&', 'by-hour?group_by=local_hour&'].map(
      (question) => `/api/v1/accuracy/${question}date_from=2026-01-01&date_to=2026-02-28&metric=temperature`,
    ),
  );

// In `make test`, test/unit/store/cluster.test.ts guards how statements change for a cluster. Only `make ci` guards that a
// cluster does as one engine does. Two servers and all migrations over them would take a tenth of `make test`.
// Anywhere: rows that came before a shard was added, or by hand.
for (const rows of range({ test: 0, ci: 1, stress: 2 }, ['by station', 'anywhere'] as const)) {
  describeInCi(`given a cluster of two shards, with rows ${rows}`, function () {
    let cluster: TestCluster;
    let opened: OpenedStore;
    let embedded: Store;

    before(async () => {
      cluster = await TestCluster.start({ rows });
      opened = await cluster.open('accuracy');
      await endLoadLocks(opened.store); // that of the migration
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
        const migrations = sql.rows(recorded)`SELECT name, checksum FROM migrations ORDER BY name`;
        const here = await embedded.query(migrations);
        expect([...opened.migrated].sort()).to.deep.equal(here.map(({ name }) => name));
        expect(await opened.store.query(migrations)).to.deep.equal(here);
        for (const { name, checksum } of here.filter((each) => MIGRATIONS.includes(each.name))) {
          const text = await sqlFile(`schema/${name}`);
          expect(checksum).to.equal(createHash('sha256').update(text).digest('hex'));
        }
      });

      it('then it has every table of one engine as a local one, a view beside it, and one over all shards', async () => {
        const row = nameRow.extend({ engine: z.string() });
        const tables = sql.rows(
          row,
        )`SELECT name, engine FROM system.tables WHERE database = currentDatabase()`;
        const expected = (await embedded.query(tables)).flatMap(({ name, engine }) =>
          engine.endsWith('View')
            ? [{ name, engine }]
            : [
                { name, engine: 'Distributed' },
                { name: `${name}_local`, engine },
              ],
        );
        const claims = { name: 'load_lock_claims', engine: 'EmbeddedRocksDB' }; // what stands in for KeeperMap here
        expect(await opened.store.query(tables)).to.have.deep.members([...expected, claims]);
      });

      it('then the local tables have the order, the partitions and the columns of those of one engine', async () => {
        const row = z.looseObject({ base: z.string() });
        const tables = sql.rows(row)`SELECT
            replaceRegexpOne(t.name, '_local$', '') AS base, any(t.sorting_key) AS sorting_key,
            any(t.partition_key) AS partition_key,
            arraySort(groupArray((c.position, c.name, c.type, c.default_expression))) AS columns
          FROM system.tables AS t
          INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
          WHERE t.database = currentDatabase() AND t.engine LIKE '%MergeTree'
          GROUP BY base ORDER BY base`;
        const here = await embedded.query(tables);
        expect(await opened.store.query(tables)).to.deep.equal(here);
        expect(here).to.have.length.above(10);
      });
    });

    if (rows === 'by station')
      describe('when it is opened again, or by another name', () => {
        it('given tables that are up to date, then nothing is written: a user who may only read can open it', async () => {
          const { store, migrated, close } = await cluster.open('accuracy');
          expect(migrated).to.deep.equal([]);
          expect(store.writes).to.equal(0);
          await close();
        });

        it('given the tables of the last build before 1.0, then they are taken over, without what 1.0 has not', async () => {
          const { store } = opened;
          for (const name of ['network_days', 'touched_day_hours']) {
            const columns = '(station_id String, target_date Date, load_id UInt32)';
            const table = `CREATE TABLE IF NOT EXISTS ${name} ${columns} ENGINE = MergeTree ORDER BY load_id`;
            await store.command(raw(`-- shard: station_id\n${table}`));
          }
          // Its staging had columns that are gone: 007_staging.sql makes it anew.
          for (const feed of ['forecasts', 'observations', 'normals', 'hours', 'hourly_forecasts']) {
            await store.command(raw(`DROP VIEW IF EXISTS staged_${feed}_mv`));
            for (const name of [`staged_${feed}`, `${feed.slice(0, -1)}_rows`])
              await store.command(raw(`DROP TABLE IF EXISTS ${name} SYNC`));
          }
          await store.command(raw('TRUNCATE TABLE migrations'));
          const checksum = '55a07dd1dee08f746ea41496648370ef5e5f48585a861c4e709bb12248ee0558';
          const names = ['001_facts.sql', ...Array(12).keys(), '014_distributions.sql'];
          await store.insert(
            'migrations',
            ['name', 'checksum'],
            names.map((name) => [`${name}`, checksum]),
          );
          const { migrated, close } = await cluster.open('accuracy');
          await close();
          expect(migrated).to.deep.equal([
            ...MIGRATIONS.toSorted(),
            ...CODED_VARIABLES.map(({ name }) => `variable ${name}`),
          ]);
          const left = sql.rows(
            nameRow,
          )`SELECT name FROM system.tables WHERE name LIKE 'network_days%' OR name LIKE 'touched_day_hours%'`;
          expect(await store.query(left)).to.deep.equal([]);
          await endLoadLocks(store);
        });

        it('given a name that no cluster has, then it is refused with the names there are', async () => {
          const message = await refusal(cluster.open('accuracy', 'three-shards'));
          expect(message).to.match(
            /^CLICKHOUSE_CLUSTER: [^\n]*unknown cluster three-shards\. Available: [^\n]*two-shards/,
          );
        });

        itInCi(
          'given replicas that would each be given every row, then it is refused with the setting to look at',
          async () => {
            const message = await refusal(cluster.open('accuracy', 'doubling'));
            expect(message).to.match(
              /^CLICKHOUSE_CLUSTER: doubling [^\n]*internal_replication[^\n]*remote_servers$/,
            );
          },
        );

        it('given no name, then it is refused: its tables would be emptied on no shard', async () => {
          expect(await refusal(cluster.open('accuracy', ''))).to.match(/^CLICKHOUSE_CLUSTER: [^\n]+name it$/);
        });

        itInCi('given a name, and tables of a single server, then it is refused', async () => {
          await (await cluster.open('single', '')).close();
          const message = await refusal(cluster.open('single'));
          expect(message).to.match(/^CLICKHOUSE_CLUSTER: [^\n]+single server[^\n]+docs\/operating\.md/);
        });
      });

    describe('when feeds are loaded, corrected, and corrected back', () => {
      for (const [name, lines] of Object.entries({ first: FIRST, second: SECOND, third: THIRD }).slice(
        0,
        range({ test: 1, ci: 3 }),
      )) {
        it(`then the ${name} load reports what it does on one engine`, async () => {
          const there = await loadLines(opened.store, lines);
          expect(counts(there)).to.deep.equal(counts(await loadLines(embedded, lines)));
          expect(there.pairs_added).to.be.above(0);
        });
      }

      it('then every answer is that of one engine, and verify finds no difference', async () => {
        expect(await answers(opened.store, QUESTIONS)).to.deep.equal(await answers(embedded, QUESTIONS));
        expect(await faults(opened.store)).to.deep.equal([]);
      });

      it('then the facts are sealed as on one engine, whatever shard has them', async () => {
        const digests = async (store: Store): Promise<unknown[]> =>
          (await readVersions(store)).map(({ leaf }) => parseLeaf(leaf).facts);
        expect(await digests(opened.store)).to.deep.equal(await digests(embedded));
        expect(await checkSeals(opened.store)).to.deep.equal([]);
      });

      it('then both shards have rows of the ledger, which together are all of it', async () => {
        const shards = await opened.store.query(
          sql.rows(
            z.object({ shard: z.number(), row_count: z.number() }),
          )`SELECT shardNum() AS shard, count() AS row_count FROM station_days GROUP BY shard ORDER BY shard`,
        );
        expect(shards.map(({ shard }) => shard)).to.deep.equal([1, 2]);
        for (const { shard, row_count } of shards) {
          const [ledger] = await onShard(shard, 'SELECT count() FROM accuracy.station_days_local');
          expect(row_count, `shard ${shard}`).to.equal(ledger);
        }
      });

      it('then the histograms beside a part of the ledger are those of its pairs', async () => {
        for (const shard of [1, 2]) {
          const [pairs = 0, ofDays = 0, ...histograms] = await onShard(
            shard,
            `SELECT
              (SELECT sum(sign * length(lead_ms)) FROM accuracy.station_days_local) AS pairs,
              (SELECT sum(sign * length(lead_ms)) FROM accuracy.station_days_local WHERE metric != 'temperature') AS of_days,
              (SELECT sum(pair_count) FROM accuracy.network_day_errors_local) AS c,
              (SELECT sum(pair_count) FROM accuracy.station_day_counts_local) AS e,
              (SELECT sum(pair_count) FROM accuracy.station_day_errors_local) AS b,
              (SELECT sum(pair_count) FROM accuracy.station_week_errors_local) AS d,
              (SELECT sum(pair_count) FROM accuracy.network_lead_errors_local) AS f`,
          );
          expect(ofDays, `shard ${shard}`).to.be.above(0);
          // Stations have no histograms of hours, which alone have one by lead hour.
          expect(histograms, `shard ${shard}`).to.deep.equal([pairs, pairs, ofDays, ofDays, pairs - ofDays]);
        }
      });

      it('then nothing is unsettled, and what was staged is forgotten in a week', async () => {
        expect(await rowCount(opened.store, sql`unsettled`)).to.equal(0);
        const forgetful = await opened.store.query(
          sql.rows(nameRow)`SELECT name FROM system.tables
          WHERE database = currentDatabase() AND engine_full LIKE '%TTL staged_at + toIntervalDay(7)%' ORDER BY name`,
        );
        const staged = FEED_NAMES.map((name) => `staged_${name}_local`).sort();
        expect(forgetful.map(({ name }) => name)).to.deep.equal(staged);
      });
    });

    describe('when a histogram is damaged', () => {
      // verify.test.ts stands for it in make test.
      itInCi(
        'then verify counts the differences, and repair mends them, as often as it happens',
        async () => {
          const expected = await answers(embedded, QUESTIONS);
          for (let time = 0; time < range({ test: 0, ci: 1, stress: 2 }); time += 1) {
            await opened.store.command(
              sql`INSERT INTO network_day_errors_local SELECT metric, provider, target_date, lead_time_bucket, error_hundredths, 1, 0
            FROM network_day_errors_local ORDER BY ALL LIMIT 1`,
            );
            const damage = await audit(opened.store);
            expect(damage.map(({ table, rows }) => [table, rows])).to.deep.equal([['network_day_errors', 1]]);
            await repair(opened.store, damage);
          }
          expect(await faults(opened.store)).to.deep.equal([]);
          expect(await answers(opened.store, QUESTIONS)).to.deep.equal(expected);
        },
      );
    });

    // The last of all, as it empties the tables. The loads above stand for it in `make ci`.
    describe('when random feeds are loaded', () => {
      itInStressTier('then reports, answers and findings are those of one engine', () =>
        fc.assert(
          fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
            await emptyCluster(opened.store);
            await emptyStore(embedded);
            for (const each of loadsOf(world)) {
              const there = await loadLines(opened.store, linesOf(each));
              expect(counts(there)).to.deep.equal(counts(await loadLines(embedded, linesOf(each))));
            }
            expect(await faults(opened.store)).to.deep.equal([]);
            const questions = questionsOf(world);
            expect(await answers(opened.store, questions)).to.deep.equal(await answers(embedded, questions));
          }),
          {
            seed: 20_260_412,
            numRuns: 4,
            interruptAfterTimeLimit: 300_000,
          },
        ),
      );
    });
  });
}

/** The loads of a world; in two, but in `make stress`: each takes the cluster seconds. */
function loadsOf({ loads: [first, ...others] }: World): Load[] {
  const all = first === undefined ? [] : [first, ...others];
  const count = range({ test: 2, ci: 2, stress: Infinity });
  return all.length <= count ? all : [all[0]!, joined(others)];
}

/** Empties all tables but the record of migrations. */
async function emptyCluster(store: Store): Promise<void> {
  const tables = await store.query(
    sql.rows(
      z.object({ name: z.string() }),
    )`${raw(`SELECT DISTINCT replaceRegexpOne(name, '_local$', '') AS name FROM cluster('${TestCluster.NAME}', system.tables)
    WHERE database = 'accuracy' AND engine LIKE '%MergeTree' AND name != 'migrations_local' AND total_rows > 0`)}`,
  );
  for (const { name } of tables) await store.command(raw(`TRUNCATE TABLE ${name}`));
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
    'compare?lead=0&',
    'skill?',
    ...stations.map((id) => `by-station/${id}?include_raw=true&`),
  ].flatMap((question) =>
    ['high', 'low'].map((metric) => `/api/v1/accuracy/${question}${when}&metric=${metric}`),
  );
}

describeInCi('given a cluster with a coordinator', function () {
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

  itInCi(
    'when all migrations are carried out, then every table that keeps rows is a replica of its shard',
    async () => {
      const at = { name: TestCluster.NAME, database: 'accuracy' };
      await cluster!.post('CREATE DATABASE accuracy ON CLUSTER `two-shards`');
      for (const file of MIGRATIONS) {
        for (const sql of statementsOf(await sqlFile(`schema/${file}`)).flatMap((written) =>
          inCluster(written, at),
        )) {
          // A replica that nobody reaches takes no rows and no changes of columns, which views may need.
          if (!/^\s*(INSERT|ALTER|CREATE MATERIALIZED VIEW)\b/.test(sql)) await cluster!.post(sql);
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
    },
  );
});
