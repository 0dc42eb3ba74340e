import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { backup } from '../../../src/backup/backup.js';
import { type Manifest, readBackup, writeManifest } from '../../../src/backup/manifest.js';
import { restore } from '../../../src/backup/restore.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/sql.js';
import { refusal } from '../../support/failure.js';
import { FEEDS } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { sizes } from '../../support/ingest/loads.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

// No other test guards this: a backup which is not whole is refused before the first row, in a line that names the file.

describe('a backup that is not as it was written', function () {
  this.timeout(600_000);
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
    for (const at of range({ test: 4, ci: 100, torture: Infinity }, [...Array(size).keys()])) {
      await expectRefused(
        manifest,
        () => truncateSync(manifest, at),
        /^--from: .+backup\.json is cut off or has changed/,
      );
    }
  });

  it('given a byte of any file that has changed, then it is refused, and the file is named', async () => {
    const files = [...filesOf(base), ...filesOf(whole)].filter((file) => statSync(file).size > 0);
    for (const file of range({ test: 3, ci: 15, torture: Infinity }, files)) {
      const bytes = readFileSync(file);
      for (const at of range({ test: 1, ci: 3 }, [...bytes.keys()])) {
        const change = (): void => {
          const changed = Buffer.from(bytes);
          changed[at]! ^= 1;
          writeFileSync(file, changed);
        };
        await expectRefused(
          file,
          change,
          /^--from: .+ (has changed since|is cut off or has changed|is not the base of)/,
        );
      }
    }
  });

  itInCi('given a file that is cut off or missing, then it is refused, and the file is named', async () => {
    const files = [...filesOf(base), ...filesOf(whole)].filter(
      (file) => statSync(file).size > 0 && !file.endsWith('backup.json'),
    );
    for (const file of range({ test: 2, ci: 10, torture: Infinity }, files)) {
      const size = statSync(file).size;
      await expectRefused(
        file,
        () => truncateSync(file, size - 1),
        /^--from: .+ has \d+ bytes, but had \d+$/,
      );
      renameSync(file, `${file}.away`);
      expect(await refusal(restore(empty, whole)))
        .to.match(/^--from: .+ is missing$/)
        .and.contain(file);
      renameSync(`${file}.away`, file);
    }
  });

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
      /^--from: .+ tables .+ differ .+\(001_loads\.sql\); restore it with version/,
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
  });
});

describe('a backup that was made to do harm', function () {
  this.timeout(120_000);
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
    symlinkSync('/etc/hostname', join(folder, 'collect.json'));
    const text = readFileSync('/etc/hostname');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const file = join(folder, 'backup.json');
    rmSync(file);
    await writeManifest(folder, made);
    const content = JSON.parse(readFileSync(file, 'utf8')) as Manifest & { sha256?: string };
    delete content.sha256;
    const { size } = lstatSync(join(folder, 'collect.json'));
    content.files['collect.json'] = { bytes: size, sha256 };
    const checksum = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    writeFileSync(file, `${JSON.stringify({ ...content, sha256: checksum }, null, 1)}\n`);
    expect(await refusal(restore(empty, folder, { stateFiles: { 'collect.json': victim } }))).to.match(
      /^--from: .+collect\.json is a link or a folder, not a file$/,
    );
    expect(existsSync(victim)).to.equal(false);
  });
});
