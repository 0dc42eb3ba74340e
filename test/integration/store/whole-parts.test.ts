import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import { damagedParts } from '../../../src/store/damage.js';
import { EmbeddedTransport } from '../../../src/store/engine/embedded.js';
import { connect, SERVING } from '../../../src/store/engine/open.js';
import { StoreNotWritable } from '../../../src/store/store-errors.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { skip } from '../../support/runner/skip.js';
import { SmallDisk } from '../../support/small-disk.js';
import { engineFolder, openTestStore } from '../../support/store.js';
import { whyNoWriteLimit, withoutWrites } from '../../support/write-limit.js';

// No other test holds that a part that the engine wrote empty, and reported as written, is found and goes back to its sources.

const STATION = 'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD';
const feedsOf = (day: string, degrees: number) => ({
  stations: [STATION.replace('Chicago', `Chicago ${degrees}`)],
  forecasts: [`KORD,2026-01-03T12:00:00Z,${day},${degrees},18`],
  members: ['1', '2', '3', '4', '5'].map(
    (member) => `KORD,2026-01-03T00:00:00Z,${day},${degrees},18,${member},gefs,`,
  ),
  observations: [`KORD,${day},${degrees + 1},17,verified,2026-03-01T00:00:00Z`],
  hours: [`KORD,${day}T18:00:00Z,${degrees}`],
  hourly_forecasts: [`KORD,2026-01-03T12:00:00Z,${day}T18:00:00Z,${degrees + 2}`],
  normals: [`KORD,${day.slice(5)},33,19`],
});

const FACTS = [
  'stations', 'normals', 'forecasts', 'distributions', 'observations', 'hours', 'hourly_forecasts', 'loads',
]; // prettier-ignore
const DERIVED = ['touched_days', 'station_days', 'network_day_errors', 'station_day_counts'];

describe('a part that was written without room', function () {
  let store: Store;

  before(async function () {
    const reason = whyNoWriteLimit();
    if (reason !== undefined) skip(this, reason);
    store = await openTestStore();
    await loadLines(store, feedsOf('2026-01-05', 31));
    await loadLines(store, feedsOf('2026-01-06', 41));
  });
  after(async () => store?.close());

  const hashOf = async (table: string): Promise<unknown> =>
    store.query(
      sql.rows(z.unknown())`SELECT count() AS n, sum(cityHash64(*)) AS hash FROM ${raw(table)} WHERE 1`,
    );

  for (const table of [...FACTS, ...DERIVED]) {
    it(`given a merge of ${table} that writes nothing, then a look takes the part back from its sources`, async () => {
      const before = await hashOf(table);
      const taken = store.partsTakenBack;
      await withoutWrites(async () => {
        await store.command(sql`OPTIMIZE TABLE ${raw(table)} FINAL`).catch(() => {});
      });
      expect(await store.confirmParts()).to.equal(0);
      expect(store.partsTakenBack, 'the merge must have written an empty part').to.be.above(taken);
      expect(await hashOf(table)).to.deep.equal(before);
      expect(await damagedParts(store)).to.deep.equal([]);
    });
  }

  it('given a merge whose files are cut off, then a look takes the part back as well', async () => {
    const before = await hashOf('hours');
    const taken = store.partsTakenBack;
    await withoutWrites(async () => {
      await store.command(sql`OPTIMIZE TABLE hours FINAL`).catch(() => {});
    }, 100);
    expect(await store.confirmParts()).to.equal(0);
    expect(store.partsTakenBack).to.be.above(taken);
    expect(await hashOf('hours')).to.deep.equal(before);
  });

  it('given these, then the store is sound, and a load goes in', async () => {
    expect(await audit(store)).to.deep.equal([]);
    expect(await loadLines(store, feedsOf('2026-01-07', 51))).to.include({ outcome: 'complete' });
    expect(await audit(store)).to.deep.equal([]);
  });

  it('given an INSERT that writes nothing on a disk with little room, then it fails, and its part is gone', async function () {
    const disk = SmallDisk.mount();
    if (disk === undefined) skip(this, 'this user may not mount a small disk');
    const { database } = await store.queryOne(
      sql.rows(z.object({ database: z.string() }))`SELECT currentDatabase() AS database`,
    );
    const lines: string[] = [];
    // The rows are on the disk of all tests. The room is looked at on the small one.
    const transport = await EmbeddedTransport.open({
      connect: async () => connect({ folder: engineFolder() }, database, SERVING),
      folder: disk.folder,
      log: (line) => lines.push(line),
    });
    const before = await hashOf('observations');
    const write = async (): Promise<unknown> =>
      transport.write('INSERT INTO observations SELECT * FROM observations', {});
    const error: unknown = await withoutWrites(write).catch((reason: unknown) => reason);
    await transport.close();
    await disk.unmount();
    expect(error).to.be.instanceOf(StoreNotWritable);
    expect((error as Error).message).to.match(/the disk is full; make room/);
    expect(await hashOf('observations')).to.deep.equal(before);
    expect(await damagedParts(store)).to.deep.equal([]);
    expect(lines).to.deep.equal([]);
  });
});
