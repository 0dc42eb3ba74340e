import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { bind, raw, sql } from '../../../src/queries/sql.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { parseLeaf, readVersions } from '../../../src/seals/log.js';
import { ANY_PARTITIONS, type Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { itInCi } from '../../support/runner/range.js';
import { monthsOfLoads, TABLES } from '../../support/seals/digests.js';
import { SEALED_LOADS, sealMadeUpOdds } from '../../support/seals/world.js';
import { openTestStore } from '../../support/store.js';

// The digests of facts, beside digests that other code makes (test/support/seals/digests.ts): thousands of lines, because one hash of 256
// ends with a zero byte, which the engine cuts off where a digest is not careful.
describe('the seals of versions', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    for (const lines of SEALED_LOADS) await loadLines(store, lines);
    await sealMadeUpOdds(store, 'celsius');
  });
  after(() => store.close());

  it('given facts of every table, corrected and withdrawn, then other code makes the same digests', async () => {
    const versions = await readVersions(store);
    expect(versions.map(({ version }) => version)).to.deep.equal([1, 2, 3, 4]);
    const sealed = await store.query(sql.rows(z.object({ load_id: z.number(), months: z.string() }))`
      SELECT load_id, JSONExtractRaw(report, 'sealed_months') AS months FROM loads WHERE event = 'finished'`);
    const feeds = new Set<string>();
    for (const { version, leaf } of versions) {
      const months = await monthsOfLoads(store, (loadId) => loadId === version);
      const own = sealed.find(({ load_id }) => load_id === version)?.months ?? '';
      expect(JSON.parse(own), `v${version}`).to.deep.equal(months);
      const canonical = JSON.stringify(
        months.map(({ feed, month, root, rows }) => ({ feed, month, root, rows })),
      );
      expect(parseLeaf(leaf).facts).to.deep.equal({
        months: months.length,
        rows: months.reduce((sum, { rows }) => sum + rows, 0),
        sha256: createHash('sha256').update(canonical).digest('hex'),
      });
      for (const { feed } of months) feeds.add(feed);
    }
    expect([...feeds]).to.have.members(TABLES);
    expect(parseLeaf(versions[0]?.leaf ?? '').facts.rows).to.be.above(3000);
  });

  it('given facts as they were sealed, then nothing differs', async () => {
    expect(await checkSeals(store)).to.deep.equal([]);
    expect(await checkSeals(store, '2026-02')).to.deep.equal([]);
  });

  // The digests above, of sorted lines, stand for it in make test.
  itInCi(
    'given the same facts in other parts and another order, merged or not, then nothing differs',
    async () => {
      const countParts = async (): Promise<number> => {
        const { n } = await store.queryOne(
          sql.rows(
            z.object({ n: z.number() }),
          )`SELECT count() AS n FROM system.parts WHERE active AND table IN ${bind({ TABLES }, 'Array(String)')}`,
        );
        return n;
      };
      for (const table of TABLES) {
        await store.command(sql`CREATE TABLE facts_before ENGINE = Memory AS SELECT * FROM ${raw(table)}`);
        await store.command(sql`TRUNCATE TABLE ${raw(table)}`);
        await store.command(sql`SYSTEM STOP MERGES ${raw(table)}`);
        for (const third of [2, 0, 1])
          await store.command(
            sql`INSERT INTO ${raw(table)} SELECT * FROM facts_before WHERE cityHash64(*) % 3 = ${bind({ third }, 'UInt8')} ORDER BY cityHash64(*)`.with(
              ANY_PARTITIONS,
            ),
          );
        await store.command(sql`DROP TABLE facts_before SYNC`);
      }
      const before = await countParts();
      expect(await checkSeals(store)).to.deep.equal([]);
      for (const table of TABLES) {
        await store.command(sql`SYSTEM START MERGES ${raw(table)}`);
        await store.command(sql`OPTIMIZE TABLE ${raw(table)} FINAL`);
      }
      expect(await countParts()).to.be.below(before);
      expect(await checkSeals(store)).to.deep.equal([]);
    },
  );
});
