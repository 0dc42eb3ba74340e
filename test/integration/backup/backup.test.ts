import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { audit } from '../../../src/ingest/audit.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { rowCount } from '../../../src/ingest/spans.js';
import { endLoadLocks, withLoadLock } from '../../../src/store/lock/lock.js';
import { markRestore } from '../../../src/store/restore-mark.js';
import type { Store } from '../../../src/store/store.js';
import { sql } from '../../../src/queries/sql.js';
import { answersOf, randomFeeds } from '../../support/backups.js';
import { refusal } from '../../support/failure.js';
import { FEEDS } from '../../support/contract/data.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { until } from '../../support/process.js';
import { startTestService } from '../../support/service.js';
import { sizes } from '../../support/ingest/loads.js';
import { temporaryFolder } from '../../support/store.js';
import { overTransports } from '../../support/transports.js';
import { itInCi } from '../../support/runner/range.js';

// No other test guards this: a backup beside loads and readers is one version of the data, and comes back as it was.

const CORRECTION: FeedLines = {
  observations: ['KORD,2026-03-05,51.25,33,verified,2026-03-09T00:00:00Z'],
};

const loadUnderLock = (store: Store, lines: FeedLines): Promise<unknown> =>
  withLoadLock(store, (locked) => loadLines(locked, lines));

/** Closes a store so that the next one takes its tables over. */
async function close(store: Store): Promise<void> {
  await endLoadLocks(store);
  await store.close();
}

overTransports('a backup', (open, transport) => {
  if (transport === 'the socket of another process') return; // programs.test.ts has the command beside a server
  let store: Store;
  const full = join(temporaryFolder(), 'full');
  const incremental = join(temporaryFolder(), 'incremental');
  const state = temporaryFolder();
  /** Files beside the tables; only the first is there. */
  const files = (at: string) => ({ 'collect.json': join(at, 'collect.json'), 'x.json': join(at, 'x.json') });

  before(async function () {
    store = await open();
    await loadLines(store, FEEDS);
    writeFileSync(join(state, 'collect.json'), '{"a": 1}');
  });
  after(() => store?.close());

  itInCi(
    'given a load before it, one behind it and clients, then it is one version that answers to the digit',
    async function () {
      const service = await startTestService(store);
      let isOver = false;
      const clients = Array.from({ length: 2 }, async () => {
        for (let asked = 0; asked === 0 || !isOver; asked += 1) {
          expect((await service.get('/api/v1/accuracy/summary')).status).to.equal(200);
          await setTimeout(20);
        }
      });
      const before = loadUnderLock(store, randomFeeds(1));
      await until(
        async () => (await rowCount(store, sql`(SELECT load_id FROM loads WHERE load_id = 2)`)) || undefined,
      );
      const waited: string[] = [];
      const backing = backup(store, full, { stateFiles: files(state), onWait: (line) => waited.push(line) });
      await before;
      const behind = loadUnderLock(store, CORRECTION);
      const { data_version } = await backing;
      isOver = true;
      await Promise.all([behind, ...clients]);
      expect(waited.join()).to.match(/^another load is running/);
      expect(data_version).to.be.oneOf([2, 3]); // whichever took the lock first

      const restored = await open();
      const lineages = await rowCount(restored, sql`lineages`);
      expect(await restore(restored, full)).to.include({ data_version });
      expect(await rowCount(restored, sql`lineages`), 'begins another one').to.equal(lineages + 1);
      expect(await audit(restored)).to.deep.equal([]);
      expect(await checkSeals(restored)).to.deep.equal([]);
      expect(await answersOf(restored, data_version)).to.deep.equal(await answersOf(store, data_version));
      expect(await refusal(restore(restored, full))).to.match(
        /^DATA_DIR, CLICKHOUSE_DATABASE: has data already/,
      );
      await close(restored);
    },
  );

  // damage.test.ts, which restores a backup with its base, stands for it in `make test`.
  itInCi(
    'given a base, then it has what is new alone, and both together are the later version',
    async function () {
      await loadUnderLock(store, { observations: ['KBOS,2026-04-05,50,33,verified,2026-04-09T00:00:00Z'] });
      await backup(store, incremental, { base: full });
      const files = (folder: string): number => readdirSync(folder, { recursive: true }).length;
      expect(files(incremental)).to.be.below(files(full));
      expect(await refusal(backup(store, temporaryFolder(), { base: incremental }))).to.match(
        /^--base: .+ is incremental itself; name its base, .+full$/,
      );
      const restored = await open();
      await restore(restored, incremental);
      expect(await audit(restored)).to.deep.equal([]);
      expect(await answersOf(restored)).to.deep.equal(await answersOf(store));
      await close(restored);
    },
  );

  itInCi(
    'given a restore cut off, then nothing is answered or loaded; one that fails leaves nothing',
    async function () {
      const cut = await open();
      await loadLines(cut, FEEDS); // the half that it left
      await markRestore(cut);
      const service = await startTestService(cut);
      const { status, text } = await service.get('/api/v1/accuracy/summary');
      expect(status).to.equal(503);
      expect(text).to.contain('STORE_UNAVAILABLE');
      expect(await refusal(loadUnderLock(cut, CORRECTION))).to.match(
        /^a restore into this store has begun and not ended: [^\n]+ run it again/,
      );
      const nowhere = files(join(state, 'collect.json'));
      expect(await refusal(restore(cut, full, { stateFiles: nowhere }))).to.match(
        /^--from: cannot write .+collect\.json \(\w+\)$/,
      );
      expect(Object.values(await sizes(cut)).every((rows) => rows === 0)).to.equal(true);

      const to = temporaryFolder();
      writeFileSync(join(to, 'x.json'), 'stays');
      await restore(cut, full, { stateFiles: files(to) });
      const [pairs] = await cut.query(sql.rows(z.object({ n: z.number() }))`SELECT count() AS n FROM pairs`);
      expect(pairs?.n).to.be.above(1000);
      expect(readFileSync(join(to, 'collect.json'), 'utf8')).to.equal('{"a": 1}');
      expect(readFileSync(join(to, 'x.json'), 'utf8')).to.equal('stays');
      expect((await service.get('/api/v1/accuracy/summary')).status).to.equal(200);
      await close(cut);
    },
  );

  it('given an unsettled load, or a folder that has something or cannot be made, then it is refused', async () => {
    const taken = temporaryFolder();
    writeFileSync(join(taken, 'x.json'), 'stays');
    expect(await refusal(backup(store, taken))).to.match(/^--to: .+ is not empty/);
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusal(backup(store, join(file, 'b')))).to.match(/^--to: cannot write .+\(ENOTDIR\)$/);
    await store.insert('touched_days', ['station_id', 'target_date', 'load_id'], [['KORD', '2026-01-31', 9]]);
    expect(await refusal(backup(store, temporaryFolder()))).to.match(/^a load was cut short; .+--repair/);
  });
});
