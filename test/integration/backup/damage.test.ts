import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { backup } from '../../../src/backup/backup.js';
import { type Manifest, readBackup, writeManifest } from '../../../src/backup/manifest.js';
import { restore } from '../../../src/backup/restore.js';
import { dataTables } from '../../../src/backup/tables.js';
import type { Settings } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { refusal } from '../../support/failure.js';
import { FEEDS } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { sizes } from '../../support/ingest/loads.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder, withMethod } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

// No other test guards this: a backup which is not whole is refused, or comes back with all rows.

describe('a backup that is not as it was written', function () {
  const folder = temporaryFolder();
  const [base, whole] = [join(folder, 'base'), join(folder, 'whole')];
  let store: Store;
  let empty: Store;

  before(async () => {
    store = await openWorld([FEEDS]);
    empty = await openTestStore();
    await backup(store, base);
    await loadLines(store, { observations: ['KORD,2024-03-17,41,,verified,2024-03-19T12:00:00Z'] });
    await backup(store, whole, { base });
  });
  after(async () => {
    await store?.close();
    await empty?.close();
  });

  /** Expects that it is refused while a file is changed, with a line that matches, and is whole again after. */
  async function expectRefused(file: string, change: () => void, line: RegExp): Promise<void> {
    const before = readFileSync(file);
    change();
    try {
      expect(await refusal(restore(empty, whole)), file).to.match(line);
    } finally {
      writeFileSync(file, before);
    }
  }

  const filesOf = (at: string): string[] =>
    readdirSync(at, { recursive: true, encoding: 'utf8' })
      .map((name) => join(at, name))
      .filter((path) => statSync(path).isFile())
      .sort();
  const manifest = join(whole, 'backup.json');

  it('given none of it, then it is whole', async () => {
    expect((await readBackup('--from', whole)).base?.folder).to.equal(base);
  });

  it('given a backup.json that is cut off at a byte, then it is refused', async () => {
    const { size } = statSync(manifest);
    for (const at of range({ test: 4, ci: 8, stress: Infinity }, [...Array(size).keys()])) {
      await expectRefused(
        manifest,
        () => truncateSync(manifest, at),
        /^--from: .+backup\.json is cut off or has changed/,
      );
    }
  });

  /** The rows of all tables, those with equal keys merged. */
  const rowsIn = async (of: Store): Promise<unknown> => {
    const rows = (await dataTables(of)).map(
      ({ name, engine }) =>
        `(SELECT (count(), sum(cityHash64(*))) FROM ${name}${engine === 'MergeTree' ? '' : ' FINAL'}) AS ${name}`,
    );
    return of.queryOne(sql.rows(z.looseObject({}))`SELECT ${raw(rows.join(', '))}`);
  };

  itInCi(
    'given a file that is changed, cut off or missing, then it is refused, or the same rows come back',
    async () => {
      const expected = await rowsIn(store);
      const damages = [...filesOf(base), ...filesOf(whole)]
        .filter((file) => statSync(file).size > 0)
        .flatMap((file) => (['changed', 'cut', 'missing'] as const).map((how) => ({ file, how })));
      let refused = 0;
      for (const { file, how } of range({ test: 2, ci: 4, stress: Infinity }, damages)) {
        const bytes = readFileSync(file);
        const changed = Buffer.from(bytes);
        changed[Math.floor(bytes.length / 2)]! ^= 1;
        if (how === 'missing') rmSync(file);
        else writeFileSync(file, how === 'cut' ? bytes.subarray(0, -1) : changed);
        const message = await restore(empty, whole).then(
          () => undefined,
          (error: Error) => error.message,
        );
        writeFileSync(file, bytes);
        if (message === undefined) {
          expect(await rowsIn(empty), `${how} ${file}`).to.deep.equal(expected);
          for (const { name } of await dataTables(empty)) await empty.command(raw(`TRUNCATE TABLE ${name}`));
        } else {
          refused += 1;
          expect(message, `${how} ${file}`).to.match(/^--from: [^\n]+$/);
        }
        expect(
          Object.values(await sizes(empty)).every((rows) => rows === 0),
          `${how} ${file}`,
        ).to.equal(true);
      }
      expect(refused).to.be.above(0);
    },
  );

  itInCi(
    'given a table that CHECK TABLE finds damaged, then it is refused, and the part is named',
    async () => {
      const checks: Settings[] = [];
      const part = { part_path: '202403_1_1_0', is_passed: 0, message: 'Checksum mismatch' };
      const found = withMethod(empty, 'query', async (rows, options) => {
        const { text, settings } = rows.statement;
        if (text.startsWith('CHECK TABLE')) checks.push(settings);
        return text.startsWith('CHECK TABLE station_days')
          ? [rows.row.parse(part)]
          : empty.query(rows, options);
      });
      expect(await refusal(restore(found, whole))).to.match(
        /^--from: .+ is damaged: station_days, part 202403_1_1_0: Checksum mismatch; take another backup$/,
      );
      // A server may be set to answer with one row for the whole table.
      expect(checks).not.to.be.empty;
      for (const settings of checks) expect(settings).to.deep.equal({ check_query_single_value_result: 0 });
      expect(Object.values(await sizes(empty)).every((rows) => rows === 0)).to.equal(true);
    },
  );

  it('given no backup.json, then it is one that was cut off, and so is one without its base', async () => {
    for (const at of [whole, base]) {
      const file = join(at, 'backup.json');
      renameSync(file, `${file}.away`);
      expect(await refusal(restore(empty, whole))).to.match(
        /^--from: .+ has no backup\.json, so it is not a complete backup;/,
      );
      renameSync(`${file}.away`, file);
    }
  });

  /** Makes the store's first tables those of a file with this checksum. */
  const recordFacts = async (checksum: string): Promise<void> => {
    await empty.command(
      sql`ALTER TABLE migrations DELETE WHERE name = '001_loads.sql' SETTINGS mutations_sync = 1`,
    );
    await empty.insert('migrations', ['name', 'checksum'], [['001_loads.sql', checksum]]);
  };

  // A byte that has changed stands for it in `make test`, as for those below.
  itInCi('given another base, or other tables, then it is refused', async () => {
    const other = temporaryFolder();
    cpSync(folder, other, { recursive: true });
    await backup(store, join(other, 'later'));
    renameSync(join(other, 'base'), join(other, 'gone'));
    renameSync(join(other, 'later'), join(other, 'base'));
    expect(await refusal(restore(empty, join(other, 'whole')))).to.match(
      /^--from: .+base is not the base of .+whole; put that backup there$/,
    );
    await recordFacts('f'.repeat(64));
    expect(await refusal(restore(empty, whole))).to.match(
      /^--from: 001_loads\.sql in the schema of the backup differs .+; restore it with the build of version \S+ that wrote it$/,
    );
  });

  it('given all of these, then the store has stayed empty, and takes a backup that was moved with its base', async () => {
    expect(Object.values(await sizes(empty)).every((rows) => rows === 0)).to.equal(true);
    const { migrations } = JSON.parse(readFileSync(join(whole, 'backup.json'), 'utf8')) as Manifest;
    await recordFacts(migrations['001_loads.sql'] ?? '');
    const moved = join(temporaryFolder(), 'moved');
    renameSync(folder, moved);
    await restore(empty, join(moved, 'whole'));
    expect((await sizes(empty)).station_days_rows).to.equal((await sizes(store)).station_days_rows);
    expect(await refusal(restore(empty, join(moved, 'whole'))), 'now that it has data').to.match(
      /^DATA_DIR, CLICKHOUSE_DATABASE: has data already \(\w+: \d+ rows\); restore into a new folder or database$/,
    );
  });
});

describeInCi('a backup that was made to do harm', function () {
  const folder = join(temporaryFolder(), 'made');
  const victim = join(temporaryFolder(), 'api-keys.json');
  let empty: Store;
  let made: Manifest;

  before(async () => {
    const store = await openWorld([FEEDS]);
    made = await backup(store, folder);
    // A table that writes a file of the victim, and a view that fills it from the next load.
    await store.command(raw(`CREATE TABLE evil (text String) ENGINE = File(CSV, '${victim}')`));
    await store.command(sql`CREATE MATERIALIZED VIEW evil_view TO evil AS SELECT report AS text FROM loads`);
    rmSync(join(folder, 'clickhouse'), { recursive: true });
    const list = [...Object.keys(made.tables), 'evil', 'evil_view'].map((name) => `TABLE ${name}`).join(', ');
    await store.command(
      raw(`BACKUP ${list} TO File({folder: String})`, { folder: join(folder, 'clickhouse') }),
    );
    await store.close();
    empty = await openTestStore();
  });
  after(async () => {
    await empty?.close();
  });

  /** Expects that it is refused with such a manifest, and leaves neither a table nor a row. */
  async function expectHarmless(changed: Partial<Manifest>, line: RegExp): Promise<void> {
    rmSync(join(folder, 'backup.json'));
    await writeManifest(folder, { ...made, ...changed });
    expect(await refusal(restore(empty, folder, { stateFiles: { 'collect.json': victim } }))).to.match(line);
    const [found] = await empty.query(
      sql.rows(
        z.object({ tables: z.number() }),
      )`SELECT count() AS tables FROM system.tables WHERE database = currentDatabase() AND name LIKE 'evil%'`,
    );
    expect(found).to.deep.equal({ tables: 0 });
    expect(Object.values(await sizes(empty)).every((rows) => rows === 0)).to.equal(true);
    expect(existsSync(victim)).to.equal(false);
  }

  itInCi('given a name of a database with SQL in it, then nothing of that runs', async () => {
    const { database } = made;
    const injected = `${database}.evil AS evil, TABLE ${database}.evil_view AS evil_view, TABLE ${database}`;
    await expectHarmless(
      { database: injected },
      /^--from: .+ is of a format that this version does not read/,
    );
  });

  itInCi('given the name of a table that the service does not have, then it is not made', async () => {
    const tables = { ...made.tables, evil: 0, evil_view: null };
    await expectHarmless(
      { tables },
      /^--from: the backup has a table evil, which does not belong to this service; /,
    );
  });

  itInCi('given a state file that is a link, then what it leads to is not copied', async () => {
    const link = join(folder, 'collect.json');
    symlinkSync('/etc/hostname', link);
    await expectHarmless({}, /^--from: .+collect\.json is a link, not a file; take another backup$/);
    rmSync(link);
  });

  const LIST = join(folder, 'clickhouse', '.backup');

  it('given a list of files that leads elsewhere, then it is refused before RESTORE', async () => {
    let asked = 0;
    const host = createServer((_, response) => {
      asked += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const address = `127.0.0.1:${(host.address() as AddressInfo).port}/b`;
    const before = readFileSync(LIST, 'utf8');
    const named = (base: string): string =>
      before.replace('<contents>', `<base_backup>${base}</base_backup><contents>`);
    const data = '<data_file>data';
    for (const text of range({ test: 4, ci: Infinity }, [
      named(`S3('http://${address}', 'key', 'secret')`),
      before.replace('<contents>', `<original_endpoint>${address}</original_endpoint><contents>`),
      Buffer.from(`\ufeff${named(`S3('http://${address}', 'key', 'secret')`)}`, 'utf16le'),
      named(`URL('http://${address}')`),
      named("Disk('default', 'other')"),
      named("File('/elsewhere')"),
      named('named_collection'),
      `<!DOCTYPE config [<!ENTITY e SYSTEM "http://${address}">]>${before}`,
      before.replace('<name>data', '<name>&#46;./data'),
      before.replace('<name>data', '<name>data/../../../data'),
      before.replace('<name>data', '<name>/data'),
      before
        .replace(data, '<data_file>../../data')
        .replace('</size>', '</size><data_file>/etc/hostname</data_file>'),
    ])) {
      writeFileSync(LIST, text);
      await expectHarmless(
        {},
        /^--from: .+\.backup names files of another place, which no backup of this service does; take another backup$/,
      );
    }
    writeFileSync(LIST, before);
    expect(asked).to.equal(0);
    host.close();
  });

  itInCi('given a link among the files of the engine, then it is refused', async () => {
    const link = join(folder, 'clickhouse', 'metadata', 'more');
    symlinkSync('/etc', link);
    await expectHarmless({}, /^--from: .+more is a link, not a file; take another backup$/);
    rmSync(link);
  });
});
