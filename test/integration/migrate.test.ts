import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { StoreNotOpened } from '../../src/store/errors.js';
import { migrate, sqlFile, statements } from '../../src/store/migrate.js';
import type { Store } from '../../src/store/store.js';
import { loadLines } from '../support/feeds.js';
import { openTestStore } from '../support/store.js';

const FEEDS = {
  stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'],
  forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,31,18'],
  observations: ['KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z'],
};
const FILES = ['001_facts.sql', '002_pairs.sql', '003_histograms.sql'];
const nameRow = z.object({ name: z.string() });

describe('migrate', () => {
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore();
  });
  afterEach(async () => {
    await store.close();
  });

  const tables = async (): Promise<string[]> => {
    const found = await store.query(
      'SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name',
      {},
      nameRow,
    );
    return found.map(({ name }) => name);
  };
  const recorded = async (): Promise<string[]> =>
    (await store.query('SELECT name FROM migrations ORDER BY name', {}, nameRow)).map(({ name }) => name);
  const dropAll = async (): Promise<void> => {
    for (const name of (await tables()).reverse()) await store.command(`DROP TABLE IF EXISTS ${name} SYNC`);
    expect(await tables()).to.deep.equal([]);
  };
  const refusal = async (): Promise<string> => {
    const error = await migrate(store).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof StoreNotOpened) return error.message;
    throw new Error('it was not refused', { cause: error });
  };

  it('given an empty database, then every file is applied, in order, and its name is told', async () => {
    const expected = await tables();
    await dropAll();
    expect((await migrate(store)).slice(0, 3)).to.deep.equal(FILES);
    expect(await tables()).to.deep.equal(expected);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
  });

  it('given that, then each file is recorded with the SHA-256 of its text and the time', async () => {
    const rows = await store.query(
      "SELECT name, checksum, dateDiff('second', applied_at, now64(3)) AS age FROM migrations ORDER BY name",
      {},
      nameRow.extend({ checksum: z.string(), age: z.number() }),
    );
    expect(rows.map(({ name }) => name).slice(0, 3)).to.deep.equal(FILES);
    for (const { name, checksum, age } of rows) {
      expect(checksum).to.equal(
        createHash('sha256')
          .update(await sqlFile(name))
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

  it('given a file that changed after it was applied, then it is refused in one line that names it and the way out', async () => {
    await store.command(
      `ALTER TABLE migrations DELETE WHERE name = '002_pairs.sql' SETTINGS mutations_sync = 1`,
    );
    await store.insert('migrations', ['name', 'checksum'], [['002_pairs.sql', 'f'.repeat(64)]]);
    const message = await refusal();
    expect(message).to.match(/^clickhouse\/002_pairs\.sql: changed after it was applied[^\n]+$/);
    expect(message).to.contain('new numbered file');
  });

  it('given a migration that this version does not have, then it is refused in one line that names it', async () => {
    await store.insert('migrations', ['name', 'checksum'], [['999_future.sql', 'f'.repeat(64)]]);
    const message = await refusal();
    expect(message).to.match(/^CLICKHOUSE_DATABASE: [^\n]*999_future\.sql[^\n]+$/);
    expect(message).to.contain('use the version that wrote the data');
  });

  for (const done of [1, 7]) {
    it(`given a migration that was cut short after ${done} statements, then it is completed`, async () => {
      const expected = await tables();
      await dropAll();
      const all: string[] = [];
      for (const name of FILES) all.push(...statements(await sqlFile(name)));
      for (const statement of all.slice(0, done)) await store.command(statement);
      expect((await migrate(store)).slice(0, 3)).to.deep.equal(FILES);
      expect(await tables()).to.deep.equal(expected);
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(2);
    });
  }

  it('given a migration that was cut short before it was recorded, then data that is there stays', async () => {
    await loadLines(store, FEEDS);
    await store.command(
      `ALTER TABLE migrations DELETE WHERE name = '003_histograms.sql' SETTINGS mutations_sync = 1`,
    );
    expect(await migrate(store)).to.deep.equal(['003_histograms.sql']);
    expect((await loadLines(store, FEEDS)).pairs_added).to.equal(0);
  });
});
