import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readSchema } from '../../../scripts/schema/read.js';
import { openTestStore } from '../../support/store.js';

// No other test holds the schema that people read to the one that the store has.
describe('clickhouse/schema.sql', () => {
  it('given a new store, then it has just these tables and views', async () => {
    const store = await openTestStore();
    const schema = readFileSync(new URL('../../../clickhouse/schema.sql', import.meta.url), 'utf8');
    expect(await readSchema(store)).to.equal(schema);
    await store.close();
  });
});
