import { expect } from 'chai';
import { z } from 'zod';
import { BUCKET_TYPE, bucketSql } from '../../../src/queries/lead-time-sql.js';
import { raw, sql } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { LEADS_AT_EDGES } from '../../support/plain/lead-times.js';
import { openTestStore } from '../../support/store.js';

describe('lead-time buckets in SQL', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  it('given lead times at each edge and a millisecond beside it, then each is in its bucket', async () => {
    const leads = raw(LEADS_AT_EDGES.map(({ lead_ms }) => lead_ms).join(', '));
    const found = await store.query(
      sql.rows(
        z.object({ lead_ms: z.number(), bucket: z.string() }),
      )`SELECT arrayJoin([${leads}]) AS lead_ms, ${bucketSql(sql`lead_ms`)} AS bucket`,
    );
    expect(found).to.deep.equal(LEADS_AT_EDGES);
  });

  it('given the tables, then each column of buckets has their type', async () => {
    const found = await store.query(
      sql.rows(z.object({ table: z.string(), type: z.string() }))`SELECT table, type FROM system.columns
      WHERE database = currentDatabase() AND name = 'lead_time_bucket'`,
    );
    expect(found).not.to.be.empty;
    for (const { table, type } of found) expect(type, table).to.equal(BUCKET_TYPE);
  });
});
