import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import { dropLoadLocks, withLoadLock } from '../../../src/store/lock/lock.js';
import { migrate, sqlFile, statements } from '../../../src/store/schema/migrate.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/sql.js';
import { refusal } from '../../support/failure.js';
import { answers, questionsIn } from '../../support/clickhouse-server/compare.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';
import { words } from '../../support/words.js';

const FEEDS = {
  stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'],
  forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,31,18'],
  observations: ['KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z'],
};
const FILES =
  words(`001_facts 002_staging 003_ledger 004_histograms 005_normals 006_lineages 007_spreads 008_hours
  009_under_way 010_reported_in 011_issued 012_celsius_by_hour 013_network_days 014_distributions`).map(
    (name) => `${name}.sql`,
  );
const QUESTIONS = ['high', 'low'].flatMap((metric) =>
  questionsIn(`date_from=2026-01-01&date_to=2026-01-18&metric=${metric}`),
);
const ALONE = { isAlone: true };
const nameRow = z.object({ name: z.string() });

describe('migrate', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  afterEach(() => dropLoadLocks(store));
  after(() => store.close());

  const tables = async (): Promise<string[]> => {
    const found = await store.query(
      sql.rows(nameRow)`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
    );
    return found.map(({ name }) => name);
  };
  const recorded = async (): Promise<string[]> =>
    (await store.query(sql.rows(nameRow)`SELECT name FROM migrations ORDER BY name`)).map(({ name }) => name);
  const dropAll = async (): Promise<void> => {
    for (const name of (await tables()).reverse())
      await store.command(raw(`DROP TABLE IF EXISTS ${name} SYNC`));
    expect(await tables()).to.deep.equal([]);
  };
  it('given an empty database, then every file is applied, in order, and its name is told', async () => {
    const expected = await tables();
    await dropAll();
    expect(await migrate(store, undefined, ALONE)).to.deep.equal(FILES);
    expect(await tables()).to.deep.equal(expected);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
  });

  it('given that, then each file is recorded with the SHA-256 of its text and the time', async () => {
    const rows = await store.query(
      sql.rows(
        nameRow.extend({ checksum: z.string(), age: z.number() }),
      )`SELECT name, checksum, dateDiff('second', applied_at, now64(3)) AS age FROM migrations ORDER BY name`,
    );
    expect(rows.map(({ name }) => name)).to.deep.equal(FILES);
    for (const { name, checksum, age } of rows) {
      expect(checksum).to.equal(
        createHash('sha256')
          .update(await sqlFile(`schema/${name}`))
          .digest('hex'),
      );
      expect(age).to.be.within(0, 60);
    }
  });

  it('given a database that is up to date, then nothing is applied and no data is lost', async () => {
    await loadLines(store, FEEDS);
    const before = await recorded();
    expect(await migrate(store)).to.deep.equal([]);
    expect(await migrate(store)).to.deep.equal([]);
    expect(await recorded()).to.deep.equal(before);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
  });

  it('given a database that is up to date, then nothing is written, so that a user who may only read can open it', async () => {
    const before = store.writes;
    await migrate(store);
    expect(store.writes).to.equal(before);
  });

  itInCi(
    'given an empty database that two processes open at once, then one makes the tables, and the other finds them made',
    async () => {
      const expected = await tables();
      await dropAll();
      const applied = await Promise.all([migrate(store), migrate(store), migrate(store)]);
      expect(applied.filter((files) => files.length > 0)).to.deep.equal([FILES]);
      expect(await recorded()).to.deep.equal(FILES);
      expect((await tables()).filter((name) => !name.startsWith('load_lock_'))).to.deep.equal(expected);
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
    },
  );

  itInCi(
    'given an empty database that a load or another server holds, then its tables are made when that has ended',
    async () => {
      await dropAll();
      let isHeld = true;
      const holding = withLoadLock(store, async () => {
        await setTimeout(300);
        isHeld = false;
      });
      await setTimeout(50);
      expect(await migrate(store)).to.deep.equal(FILES);
      expect(isHeld).to.equal(false);
      await holding;
    },
  );

  it('given a database of one engine and the name of a cluster, then it is refused in one line that says where to go', async () => {
    expect(await refusal(migrate(store, 'two-shards'))).to.match(
      /^CLICKHOUSE_CLUSTER: [^\n]*single server[^\n]*docs\/operating\.md[^\n]*$/,
    );
  });

  describe('given other records than it has files', () => {
    const record = (rows: readonly string[][]) => store.insert('migrations', ['name', 'checksum'], rows);
    let whole: string[][];

    before(async () => {
      const found = await store.query(
        sql.rows(nameRow.extend({ checksum: z.string() }))`SELECT name, checksum FROM migrations`,
      );
      whole = found.map(({ name, checksum }) => [name, checksum]);
    });
    afterEach(async () => {
      await store.command(sql`TRUNCATE TABLE migrations`);
      await record(whole);
    });

    it('given a file that changed after it was applied, then it is refused in one line that names it and the way out', async () => {
      await store.command(
        sql`ALTER TABLE migrations DELETE WHERE name = '002_staging.sql' SETTINGS mutations_sync = 1`,
      );
      await record([['002_staging.sql', 'f'.repeat(64)]]);
      const message = await refusal(migrate(store));
      expect(message).to.match(/^clickhouse\/schema\/002_staging\.sql: changed after it was applied[^\n]+$/);
      expect(message).to.contain('new numbered file');
    });

    it('given a migration that this version does not have, then it is refused in one line that names it', async () => {
      await record([['999_future.sql', 'f'.repeat(64)]]);
      const message = await refusal(migrate(store));
      expect(message).to.match(/^CLICKHOUSE_DATABASE: [^\n]*999_future\.sql[^\n]+$/);
      expect(message).to.contain('use the version that wrote the data');
    });
  });

  itInCi(
    'given an empty database, when its migration was cut short after any statement, then it is completed',
    async function () {
      this.timeout(120_000);
      const expected = await tables();
      const all: string[] = [];
      for (const name of FILES) all.push(...statements(await sqlFile(`schema/${name}`)));
      expect(all).to.have.lengthOf(83);
      for (const done of range(
        { test: 2, ci: 3, torture: Infinity },
        [...all.keys()].map((at) => at + 1),
      )) {
        await dropAll();
        for (const statement of all.slice(0, done)) await store.command(raw(statement));
        expect(await migrate(store, undefined, ALONE), `after ${done} statements`).to.deep.equal(FILES);
        expect(await tables(), `after ${done} statements`).to.deep.equal(expected);
      }
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
    },
  );

  // The migrations of an empty database stand for it and the next in `make test`.
  itInCi(
    'given days that a killed load left unsettled in the tables before 009, when that is cut short, then they wait to be settled still',
    async () => {
      const before: string[] = [];
      for (const name of FILES.slice(0, 8)) before.push(...statements(await sqlFile(`schema/${name}`)));
      const under = statements(await sqlFile('schema/009_under_way.sql'));
      for (const done of range({ test: 2, ci: 3, torture: Infinity }, [8, 7, 9, 6, 5, 4, 10, 1])) {
        await dropAll();
        for (const statement of before) await store.command(raw(statement));
        await store.insert('loads', ['load_id', 'event'], [[6, 'finished']]);
        for (const table of ['unsettled', 'unsettled_hours']) {
          const days = ['2026-01-04', '2026-01-05'].map((day) => ['KORD', day, 7]);
          await store.insert(table, ['station_id', 'target_date', 'load_id'], days);
        }
        for (const statement of under.slice(0, done)) await store.command(raw(statement));
        expect(await migrate(store, undefined, ALONE)).to.include('009_under_way.sql');
        for (const table of ['unsettled', 'unsettled_hours']) {
          const left = sql`SELECT DISTINCT toString(target_date) AS name FROM ${raw(table)} ORDER BY name`;
          expect(await store.query(sql.rows(nameRow)`${left}`), `${table} after ${done}`).to.deep.equal([
            { name: '2026-01-04' },
            { name: '2026-01-05' },
          ]);
        }
        await store.insert('loads', ['load_id', 'event'], [[8, 'finished']]);
        expect(await store.query(sql.rows(nameRow)`SELECT station_id AS name FROM unsettled`)).to.deep.equal(
          [],
        );
      }
      await dropAll();
      await migrate(store, undefined, ALONE);
    },
  );

  itInCi(
    'given standard deviations in the table before 014, when that is cut short anywhere, then they are distributions, each once',
    async () => {
      const before: string[] = [];
      for (const name of FILES.slice(0, 13)) before.push(...statements(await sqlFile(`schema/${name}`)));
      const moving = statements(await sqlFile('schema/014_distributions.sql'));
      const insert = moving.findIndex((statement) => statement.startsWith('INSERT INTO distributions'));
      const spreads = [
        ['high', 'nbm', 'KORD', '2026-01-05', '2026-01-04 18:00:00.123', 2.5, false, 3],
        ['low', 'nbm', 'KORD', '2026-01-05', '2026-01-04 18:00:00.123', 0, true, 4],
        ['low', 'nbm', 'KORD', '2026-01-05', '2026-01-04 18:00:00.123', 3, false, 3],
        ['low', 'default', 'KSEA', '2026-02-05', '2026-02-04 18:00:00.000', 49.99, false, 3],
      ];
      const columns = words('metric provider station_id target_date issued_at spread withdrawn load_id');
      for (const done of range({ test: 1, ci: 4, torture: Infinity }, [
        ...[insert + 1, insert, insert + 2, 5],
        ...moving.keys(),
      ])) {
        await dropAll();
        for (const statement of before) await store.command(raw(statement));
        await store.insert('spreads', columns, spreads);
        for (const statement of moving.slice(0, done)) await store.command(raw(statement));
        // An insert that dies has put in whole blocks: those of a month.
        if (done === insert)
          await store.command(raw(moving[insert]!.replace('WHERE', "WHERE target_date < '2026-02-01' AND")));
        expect(await migrate(store, undefined, ALONE)).to.include('014_distributions.sql');
        const moved = sql`SELECT formatRow('TSV', *) AS name FROM distributions ORDER BY ALL`;
        expect(
          (await store.query(sql.rows(nameRow)`${moved}`)).map(({ name }) => name.trimEnd().split('\t')),
          `after ${done}`,
        ).to.have.deep.members(
          spreads.map(([metric, provider, station, date, issued, spread, withdrawn, load]) =>
            [
              metric,
              provider,
              station,
              date,
              issued,
              withdrawn ? '[]' : `[(0,${spread})]`,
              withdrawn,
              load,
            ].map(String),
          ),
        );
        expect(await tables()).not.to.include.members(['spreads']);
        expect(await tables()).not.to.include.members(['staged_spreads']);
      }
      expect((await loadLines(store, FEEDS)).pairs_added, 'it loads').to.equal(2);
      await dropAll();
      await migrate(store, undefined, ALONE);
    },
  );

  itInCi(
    'given a migration that was cut short when none or some of its files were recorded, then data that are there stay',
    async () => {
      await loadLines(store, FEEDS);
      const before = await answers(store, QUESTIONS);
      for (const first of range({ test: 2, ci: 2, torture: 4 }, FILES)) {
        await store.command(
          raw(`ALTER TABLE migrations DELETE WHERE name >= '${first}' SETTINGS mutations_sync = 1`),
        );
        expect(await migrate(store), `from ${first}`).to.deep.equal(FILES.slice(FILES.indexOf(first)));
        expect(await answers(store, QUESTIONS), `from ${first}`).to.deep.equal(before);
      }
      expect(await audit(store)).to.deep.equal([]);
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
    },
  );
});
