import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { z } from 'zod';
import { definitions } from '../../../src/backup/tables.js';
import { audit } from '../../../src/ingest/audit.js';
import { rowCount } from '../../../src/ingest/spans.js';
import { endLoadLocks, withLoadLock } from '../../../src/store/lock/lock.js';
import { CODED_VARIABLES } from '../../../src/variables/codes.js';
import { migrate, sqlFile, statements, statementsOf } from '../../../src/store/schema/migrate.js';
import type { Store } from '../../../src/store/store.js';
import { bind, raw, sql } from '../../../src/queries/sql.js';
import { refusal } from '../../support/failure.js';
import { answers, questionsIn } from '../../support/clickhouse-server/compare.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { until } from '../../support/process.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const FEEDS = {
  stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'],
  forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,31,18'],
  observations: ['KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z'],
};
const SCHEMA = fileURLToPath(new URL('../../../clickhouse/schema/', import.meta.url));
const FILES = readdirSync(SCHEMA).sort();
/** All that a new store has had: the files, then the variables. */
const ALL = [...FILES, ...CODED_VARIABLES.map(({ name }) => `variable ${name}`)];
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
  afterEach(() => endLoadLocks(store));
  after(() => store.close());

  const allTables = async (): Promise<string[]> => {
    const found = await store.query(
      sql.rows(nameRow)`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
    );
    return found.map(({ name }) => name);
  };
  /** Without the lock of the last migration, which stays when it is released. */
  const tables = async (): Promise<string[]> =>
    (await allTables()).filter((name) => !name.startsWith('load_lock_'));
  const recorded = async (): Promise<string[]> =>
    (await store.query(sql.rows(nameRow)`SELECT name FROM migrations ORDER BY name`)).map(({ name }) => name);
  /** Loads FEEDS, unless a test before did: a load that brings nothing takes 17 statements. */
  const ensureRows = async (): Promise<void> => {
    const [pair] = await store.query(sql.rows(z.object({}))`SELECT 1 FROM pairs LIMIT 1`);
    if (pair === undefined) await loadLines(store, FEEDS);
  };
  const dropAll = async (): Promise<void> => {
    const names = await allTables();
    if (names.length > 0) await store.command(raw(`DROP TABLE ${names.reverse().join(', ')} SYNC`));
    expect(await allTables()).to.deep.equal([]);
  };
  /** Makes staging as it was before a file: 013_staging_inputs.sql takes columns away, and no file before it runs on what it makes. */
  const makeStagingBefore = async (file: string): Promise<void> => {
    for (const feed of ['forecasts', 'observations', 'normals', 'hours', 'hourly_forecasts']) {
      await store.command(sql`DROP VIEW IF EXISTS ${raw(`staged_${feed}_mv`)}`);
      const names = `staged_${feed}, ${feed.slice(0, -1)}_rows`;
      await store.command(sql`DROP TABLE IF EXISTS ${raw(names)} SYNC`);
    }
    for (const name of FILES.slice(FILES.indexOf('007_staging.sql'), FILES.indexOf(file)))
      for (const statement of statementsOf(await sqlFile(`schema/${name}`)))
        await store.command(raw(statement));
  };
  it('given an empty database, then every file is applied, in order, and its name is told', async () => {
    const expected = await tables();
    await dropAll();
    expect(await migrate(store, undefined, ALONE)).to.deep.equal(ALL);
    expect(await tables()).to.deep.equal(expected);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
  });

  it('given that, then each file is recorded with the SHA-256 of its text and the time', async () => {
    const rows = await store.query(
      sql.rows(
        nameRow.extend({ checksum: z.string(), age: z.number() }),
      )`SELECT name, checksum, dateDiff('second', applied_at, now64(3)) AS age FROM migrations ORDER BY name`,
    );
    expect(rows.map(({ name }) => name)).to.deep.equal([...ALL].sort());
    for (const { name, checksum, age } of rows.slice(0, FILES.length)) {
      expect(checksum).to.equal(
        createHash('sha256')
          .update(await sqlFile(`schema/${name}`))
          .digest('hex'),
      );
      expect(age).to.be.within(0, 60);
    }
  });

  it('given a database that is up to date, then nothing is applied and no data is lost', async () => {
    await ensureRows();
    const before = await recorded();
    expect(await migrate(store)).to.deep.equal([]);
    expect(await migrate(store)).to.deep.equal([]);
    expect(await recorded()).to.deep.equal(before);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
  });

  it('given a database that is up to date, then nothing is written: a user who may only read can open it', async () => {
    const before = store.writes;
    await migrate(store);
    expect(store.writes).to.equal(before);
  });

  itInCi(
    'given an empty database that two open at once, then one makes the tables, and the other finds them',
    async () => {
      const expected = await tables();
      await dropAll();
      const applied = await Promise.all([migrate(store), migrate(store), migrate(store)]);
      expect(applied.filter((files) => files.length > 0)).to.deep.equal([ALL]);
      expect(await recorded()).to.deep.equal([...ALL].sort());
      expect(await tables()).to.deep.equal(expected);
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
    },
  );

  itInCi(
    'given an empty database that another holds, then its tables are made when that has ended',
    async () => {
      await dropAll();
      const printed = mock.method(console, 'error', () => {});
      let isHeld = false;
      const holding = withLoadLock(store, async () => {
        isHeld = true;
        await until(() => printed.mock.callCount() > 0 || undefined);
        isHeld = false;
      });
      await until(() => isHeld || undefined);
      try {
        expect(await migrate(store)).to.deep.equal(ALL);
      } finally {
        printed.mock.restore();
      }
      expect(isHeld).to.equal(false);
      expect(String(printed.mock.calls[0]?.arguments[0])).to.match(/^another load is running/);
      await holding;
    },
  );

  itInCi(
    "given one engine's database and the name of a cluster, then it is refused, with where to go",
    async () => {
      expect(await refusal(migrate(store, 'two-shards'))).to.match(
        /^CLICKHOUSE_CLUSTER: [^\n]*single server[^\n]*docs\/operating\.md[^\n]*$/,
      );
    },
  );

  const insertRecords = (rows: readonly string[][]) => store.insert('migrations', ['name', 'checksum'], rows);
  const readRecords = async (): Promise<string[][]> => {
    const found = await store.query(
      sql.rows(nameRow.extend({ checksum: z.string() }))`SELECT name, checksum FROM migrations`,
    );
    return found.map(({ name, checksum }) => [name, checksum]);
  };
  const restoreRecords = async (rows: readonly string[][]): Promise<void> => {
    await store.command(sql`TRUNCATE TABLE migrations`);
    await insertRecords(rows);
  };

  describe('given other records than it has files', () => {
    let whole: string[][];

    before(async () => {
      whole = await readRecords();
    });
    afterEach(() => restoreRecords(whole));

    it('given a file that changed after it was applied, then it is refused in a line with the way out', async () => {
      await store.command(
        sql`ALTER TABLE migrations DELETE WHERE name = '007_staging.sql' SETTINGS mutations_sync = 1`,
      );
      await insertRecords([['007_staging.sql', 'f'.repeat(64)]]);
      const message = await refusal(migrate(store));
      expect(message).to.match(/^clickhouse\/schema\/007_staging\.sql: changed after it was applied[^\n]+$/);
      expect(message).to.contain('new numbered file');
    });

    it('given a migration that this version does not have, then it is refused in one line that names it', async () => {
      await insertRecords([['999_future.sql', 'f'.repeat(64)]]);
      const message = await refusal(migrate(store));
      expect(message).to.match(/^CLICKHOUSE_DATABASE: [^\n]*999_future\.sql[^\n]+$/);
      expect(message).to.contain('use the version that wrote the data');
    });
  });

  for (const made of ['schema.sql', 'the migrations'] as const) {
    itInCi(
      `given a first start by ${made} that was cut short after any statement, then all is made anew`,
      async function () {
        const expected = await definitions(store);
        const names = made === 'schema.sql' ? [made] : FILES.map((name) => `schema/${name}`);
        const all = (await Promise.all(names.map(sqlFile))).flatMap(statements);
        if (made === 'schema.sql') all.push('INSERT INTO lineages (nth) SELECT 1');
        for (const done of range(
          { test: 2, ci: 3, stress: Infinity },
          [...all.keys()].map((at) => at + 1),
        )) {
          await dropAll();
          for (const statement of all.slice(0, done)) await store.command(raw(statement));
          // As another version makes it.
          await store.command(sql`DROP TABLE IF EXISTS loads SYNC`);
          await store.command(sql`CREATE TABLE loads (n UInt8) ENGINE = MergeTree ORDER BY n`);
          expect(await migrate(store, undefined, ALONE), `after ${done} statements`).to.deep.equal(ALL);
          expect(await definitions(store), `after ${done} statements`).to.equal(expected);
          expect(await rowCount(store, sql`lineages`), `after ${done} statements`).to.equal(1);
        }
        expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
      },
    );
  }

  itInCi(
    'given a file of a later version, then it runs once on the rows there; the version before refuses',
    async () => {
      const folder = temporaryFolder();
      for (const file of FILES) copyFileSync(join(SCHEMA, file), join(folder, file));
      writeFileSync(join(folder, '998_later.sql'), 'ALTER TABLE loads ADD COLUMN IF NOT EXISTS note String;');
      const loads = sql.rows(
        z.object({ count: z.number() }),
      )`SELECT count() AS count FROM loads WHERE note = ''`;
      await ensureRows();
      expect(await migrate(store, undefined, { folder })).to.deep.equal(['998_later.sql']);
      expect(await migrate(store, undefined, { folder })).to.deep.equal([]);
      expect((await store.queryOne(loads)).count).to.be.above(0);
      expect(await refusal(migrate(store))).to.contain('998_later.sql');
      await store.command(sql`ALTER TABLE loads DROP COLUMN note`);
      await store.command(
        sql`ALTER TABLE migrations DELETE WHERE name = '998_later.sql' SETTINGS mutations_sync = 1`,
      );
    },
  );

  it('given the landing table of 1.0 of a killed load, when its end is cut short, then it alone goes', async () => {
    await ensureRows();
    const expected = await tables();
    const before = await answers(store, QUESTIONS);
    const landing = statements(await sqlFile('schema/007_staging.sql')).slice(0, 3);
    const end = statements(await sqlFile('schema/010_one_reader.sql'));
    for (const done of range({ test: 2, ci: Infinity }, [0, 1, 2, 3])) {
      for (const statement of landing) await store.command(raw(statement.replace('-- shard: none', '')));
      await store.insert('feed_blocks', ['load_id', 'rows_before', 'text'], [[7, 0, 'KORD,a\nKORD,b\n']]);
      expect(await rowCount(store, raw('staged_lines'))).to.equal(2);
      await store.command(
        sql`ALTER TABLE migrations DELETE WHERE name = '010_one_reader.sql' SETTINGS mutations_sync = 1`,
      );
      for (const statement of end.slice(0, done)) await store.command(raw(statement));
      expect(await migrate(store, undefined, ALONE), `after ${done}`).to.deep.equal(['010_one_reader.sql']);
      expect(await tables(), `after ${done}`).to.deep.equal(expected);
    }
    expect(await answers(store, QUESTIONS)).to.deep.equal(before);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
  });

  describeInCi('given the tables of the last build before 1.0', () => {
    const record = async (count: number): Promise<void> => {
      const names = ['001_facts.sql', ...Array.from({ length: count - 2 }, (_, at) => `${at}.sql`)];
      const checksum = '55a07dd1dee08f746ea41496648370ef5e5f48585a861c4e709bb12248ee0558';
      await restoreRecords([...names, '014_distributions.sql'].map((name) => [name, checksum]));
      await store.command(
        sql`CREATE TABLE IF NOT EXISTS network_days (n UInt8) ENGINE = MergeTree ORDER BY n`,
      );
      await store.command(sql`CREATE TABLE IF NOT EXISTS touched_day_hours AS touched_days`);
      await store.command(sql`INSERT INTO touched_day_hours SELECT 'KORD', toDate('2026-01-05'), 9999`);
      await store.command(sql`CREATE VIEW IF NOT EXISTS unsettled_hours AS SELECT * FROM touched_day_hours`);
      await makeStagingBefore(FILES[0]!);
    };

    it('when taking them over is cut short after any step, then it goes on to the same data', async () => {
      await ensureRows();
      const expected = await tables();
      const before = await answers(store, QUESTIONS);
      const steps = [
        sql`INSERT INTO touched_days SELECT * FROM touched_day_hours`,
        sql`DROP VIEW unsettled_hours`,
        sql`DROP TABLE network_days SYNC`,
        sql`DROP TABLE touched_day_hours SYNC`,
        sql`TRUNCATE TABLE migrations`,
        sql`INSERT INTO migrations (name, checksum) SELECT ${bind({ file: FILES[0]! }, 'String')}, ${bind(
          {
            checksum: createHash('sha256')
              .update(await sqlFile(`schema/${FILES[0]}`))
              .digest('hex'),
          },
          'String',
        )}`,
      ];
      for (const done of range({ test: 2, ci: 4, stress: 7 }, [0, 1, 2, 3, 4, 5, 6])) {
        await record(14);
        for (const step of steps.slice(0, done)) await store.command(step);
        expect(await migrate(store, undefined, ALONE), `after ${done}`).to.deep.equal(
          done === 6 ? ALL.slice(1) : ALL,
        );
        expect(await recorded(), `after ${done}`).to.deep.equal([...ALL].sort());
        expect(await tables(), `after ${done}`).to.deep.equal(expected);
        expect(await answers(store, QUESTIONS), `after ${done}`).to.deep.equal(before);
        expect((await rowCount(store, raw('unsettled'))) > 0, `after ${done}`).to.equal(true);
        await store.command(
          sql`ALTER TABLE touched_days DELETE WHERE load_id = 9999 SETTINGS mutations_sync = 1`,
        );
      }
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
    });

    it('when a build before that made them, then they are refused in one line that names the way out', async () => {
      const whole = await readRecords();
      await record(13);
      expect(await refusal(migrate(store))).to.match(
        /^DATA_DIR, CLICKHOUSE_DATABASE: [^\n]* earlier build; load the feeds again[^\n]*$/,
      );
      await restoreRecords(whole);
      await store.command(sql`DROP TABLE unsettled_hours, network_days, touched_day_hours SYNC`);
    });
  });

  itInCi(
    'given a migration that was cut short with none or some files recorded, then data stay',
    async () => {
      await loadLines(store, FEEDS);
      const before = await answers(store, QUESTIONS);
      for (const first of range({ test: 2, ci: 2, stress: 4 }, FILES)) {
        await makeStagingBefore(first);
        await store.command(
          raw(`ALTER TABLE migrations DELETE WHERE name >= '${first}' SETTINGS mutations_sync = 1`),
        );
        expect(await migrate(store, undefined, ALONE), `from ${first}`).to.deep.equal(
          ALL.slice(ALL.indexOf(first)),
        );
        expect(await answers(store, QUESTIONS), `from ${first}`).to.deep.equal(before);
      }
      expect(await audit(store)).to.deep.equal([]);
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
    },
  );

  itInCi('given no record and only rows that the disk has lost, then these stay where they are', async () => {
    await dropAll();
    await migrate(store, undefined, ALONE);
    await store.insert('loads', ['load_id', 'event'], [[1, 'started']]);
    await store.command(sql`ALTER TABLE loads DETACH PARTITION tuple()`);
    await store.command(sql`TRUNCATE TABLE migrations`);
    await makeStagingBefore(FILES[0]!);
    expect(await migrate(store, undefined, ALONE)).to.deep.equal(ALL);
    await store.command(sql`ALTER TABLE loads ATTACH PARTITION tuple()`);
    expect(await rowCount(store, sql`loads`)).to.equal(1);
  });
});
