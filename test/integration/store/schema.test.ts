import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readSchema } from '../../../scripts/schema/read.js';
import { rowCount } from '../../../src/ingest/spans.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { migrate } from '../../../src/store/schema/migrate.js';
import { openTestStore } from '../../support/store.js';

// No other test holds clickhouse/schema.sql, of which a new store is made, to the migrations.
describe('clickhouse/schema.sql', () => {
  it('given a new store, and one by all migrations, then both have just these tables and as many rows', async () => {
    const store = await openTestStore();
    const schema = readFileSync(new URL('../../../clickhouse/schema.sql', import.meta.url), 'utf8');
    const folder = fileURLToPath(new URL('../../../clickhouse/schema/', import.meta.url));
    const remake = async (options: { folder?: string }): Promise<void> => {
      const made = [...schema.matchAll(/^CREATE .*?(?:TABLE|VIEW) (\w+)/gm)].map(([, name]) => name);
      await store.command(sql`DROP TABLE IF EXISTS ${raw(made.reverse().join(', '))} SYNC`);
      await migrate(store, undefined, { isAlone: true, ...options });
    };
    const rowsAtFirst = async (): Promise<number[]> =>
      Promise.all([rowCount(store, sql`lineages`), rowCount(store, sql`migrations`)]);
    await remake({});
    expect(await readSchema(store)).to.equal(schema);
    const rows = await rowsAtFirst();
    await remake({ folder });
    expect(await readSchema(store)).to.equal(schema);
    expect(await rowsAtFirst()).to.deep.equal(rows);
    await store.close();
  });
});
