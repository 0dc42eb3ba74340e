import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import type { OpenedStore } from '../../src/store/engine/open.js';
import { dropLoadLocks } from '../../src/store/lock/lock.js';
import type { Store } from '../../src/store/store.js';
import { raw } from '../../src/sql.js';
import { TestCluster } from '../support/clickhouse-server/cluster.js';
import { answers, counts, faults } from '../support/clickhouse-server/compare.js';
import { loadLines } from '../support/ingest/feeds.js';
import { emptyStore, joined, linesOf, type Load, type World, worlds } from '../support/plain/oracle.js';
import { range } from '../support/runner/range.js';
import { openTestStore } from '../support/store.js';

const DATABASE = 'accuracy';

// Anywhere: rows that came before a shard was added, or by hand.
for (const rows of range({ test: 1, ci: 2 }, ['anywhere', 'by station'] as const)) {
  describe(`given a cluster of two shards, with rows ${rows}, when random feeds are loaded`, function () {
    this.timeout(400_000);
    let cluster: TestCluster;
    let opened: OpenedStore;
    let embedded: Store;

    before(async () => {
      cluster = await TestCluster.start({ rows });
      opened = await cluster.open(DATABASE);
      await dropLoadLocks(opened.store); // that of the migration
      embedded = await openTestStore();
    });
    after(async () => {
      await opened?.close();
      await embedded?.close();
      await cluster?.stop();
    });

    it('then reports, answers and findings are those of one engine', () =>
      fc.assert(
        fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
          await emptyCluster(opened.store);
          await emptyStore(embedded);
          for (const each of loadsOf(world)) {
            const there = await loadLines(opened.store, linesOf(each));
            const here = await loadLines(embedded, linesOf(each));
            expect(counts(there)).to.deep.equal(counts(here));
          }
          expect(await faults(opened.store)).to.deep.equal([]);
          const questions = questionsOf(world);
          expect(await answers(opened.store, questions)).to.deep.equal(await answers(embedded, questions));
        }),
        {
          seed: 20_260_412,
          numRuns: range({ test: 1, ci: 1, torture: 4 }),
          interruptAfterTimeLimit: 300_000,
        },
      ));
  });
}

/** The loads of a world; in two, but in `make torture`: each takes the cluster seconds. */
function loadsOf({ loads: [first, ...others] }: World): Load[] {
  const all = first === undefined ? [] : [first, ...others];
  const count = range({ test: 2, ci: 2, torture: Infinity });
  return all.length <= count ? all : [all[0]!, joined(others)];
}

/** Empties all tables but the record of migrations. */
async function emptyCluster(store: Store): Promise<void> {
  const tables = await store.query(
    raw(`SELECT DISTINCT replaceRegexpOne(name, '_local$', '') AS name FROM cluster('${TestCluster.NAME}', system.tables)
    WHERE database = '${DATABASE}' AND engine LIKE '%MergeTree' AND name != 'migrations_local' AND total_rows > 0`),
    z.object({ name: z.string() }),
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
