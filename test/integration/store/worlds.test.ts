import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import { sql } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { answersOf } from '../../support/backups.js';
import { FEEDS } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { sizes } from '../../support/ingest/loads.js';
import { openTestStore } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';
import { itInCi } from '../../support/runner/range.js';

// Guards what the tests of `make test` rest on, of which many fail where it does not hold.
// Guards what the other tests rest on: a copy of a world is what its loads make, and nothing of one test comes into another.

const CORRECTION = { forecasts: ['KORD,2024-03-18T00:00:00Z,2024-03-18,48.00,28.25'] };

describe('a copy of a world', function () {
  const databaseOf = async (store: Store): Promise<string> => {
    const asked = sql`SELECT currentDatabase() AS database`;
    return (await store.queryOne(sql.rows(z.object({ database: z.string() }))`${asked}`)).database;
  };

  itInCi(
    'has the rows that its loads make, answers as they do, and takes the next load as they do',
    async () => {
      const [loaded, copy] = [await openTestStore(), await openWorld([FEEDS])];
      await loadLines(loaded, FEEDS);
      expect(await sizes(copy)).to.deep.equal(await sizes(loaded));
      const { load_id, feeds, pairs_added, pairs_withdrawn } = await loadLines(loaded, CORRECTION);
      const report = { load_id, feeds, pairs_added, pairs_withdrawn };
      expect(await loadLines(copy, CORRECTION)).to.deep.include(report);
      expect(pairs_added).to.be.above(0);
      expect(await sizes(copy)).to.deep.equal(await sizes(loaded));
      expect(await answersOf(copy)).to.deep.equal(await answersOf(loaded));
      expect(await audit(copy)).to.deep.equal([]);
      await Promise.all([loaded.close(), copy.close()]);
    },
  );

  itInCi('goes to the next test if nothing was written, and else a new one does', async () => {
    const first = await openWorld([FEEDS]);
    const [database, before] = [await databaseOf(first), await sizes(first)];
    await first.close();
    const second = await openWorld([FEEDS]);
    expect(await databaseOf(second)).to.equal(database);
    await loadLines(second, CORRECTION);
    await second.close();
    const third = await openWorld([FEEDS]);
    expect(await sizes(third)).to.deep.equal(before);
    await third.close();
    const empty = await openTestStore();
    expect(new Set(Object.values(await sizes(empty)))).to.deep.equal(new Set([0]));
    await empty.close();
  });
});
