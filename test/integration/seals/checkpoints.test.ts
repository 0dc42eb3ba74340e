import { join } from 'node:path';
import { expect } from 'chai';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { checkSeals, compareWithCheckpoint } from '../../../src/seals/compare-seals.js';
import { parseLeaf, readVersions } from '../../../src/seals/log.js';
import { SealLog } from '../../../src/seals/seal-log.js';
import { DataVersion } from '../../../src/store/data-version.js';
import type { Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const STATIONS: FeedLines = { stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'] };
const observed = (day: number): FeedLines => ({
  observations: [`KORD,2026-03-0${day},5${day}.25,33,verified,2026-03-19T00:00:00Z`],
});

const checkpointOf = async (store: Store): Promise<string> => {
  const log = new SealLog(store, new DataVersion(store), { origin: 'example.org/accuracy' });
  return (await log.current()).checkpoint;
};

/** The statements by which somebody rewrites what the log says of a version. */
const REWRITES: Record<string, (version: number) => string> = {
  'a leaf changed': (version) =>
    `ALTER TABLE loads UPDATE report = replaceRegexpOne(report, '("rows\\\\\\\\":)', '\\\\11') WHERE load_id = ${version} AND event = 'finished'`,
  'a leaf dropped': (version) => `ALTER TABLE loads DELETE WHERE load_id = ${version}`,
  'two leaves that are one': (version) =>
    `ALTER TABLE loads UPDATE report = (SELECT any(report) FROM loads WHERE event = 'finished' AND load_id = ${(version % 5) + 1}) WHERE load_id = ${version} AND event = 'finished'`,
  'the time of a version': (version) =>
    `ALTER TABLE loads UPDATE report = replaceRegexpOne(report, '(recorded_at\\\\\\\\":\\\\\\\\"\\\\d{3})\\\\d', '\\\\15') WHERE load_id = ${version} AND event = 'finished'`,
};

describe('a checkpoint that somebody kept', () => {
  let store: Store;
  const kept: string[] = [];

  before(async () => {
    store = await openTestStore();
    await loadLines(store, STATIONS);
    kept.push(await checkpointOf(store));
    for (const day of [1, 2, 3, 4]) {
      await loadLines(store, observed(day));
      kept.push(await checkpointOf(store));
    }
  });
  after(() => store.close());

  it('given the log that it is of, then each later log begins with it', async () => {
    for (const note of kept) expect(await compareWithCheckpoint(store, note, undefined)).to.equal(undefined);
  });

  for (const [what, rewrite] of Object.entries(REWRITES)) {
    const versions = range({ test: 1, ci: 5 }, [1, 2, 3, 4, 5]);
    it(`given ${what}, then it is not that log any more`, async () => {
      for (const version of versions) {
        await store.command(sql`CREATE TABLE loads_before AS loads`);
        await store.command(sql`INSERT INTO loads_before SELECT * FROM loads`);
        await store.command(
          raw(`${rewrite(version)} SETTINGS mutations_sync = 1, allow_nondeterministic_mutations = 1`),
        );
        const found = await compareWithCheckpoint(store, kept.at(-1) ?? '', undefined);
        await store.command(sql`TRUNCATE TABLE loads`);
        await store.command(sql`INSERT INTO loads SELECT * FROM loads_before`);
        await store.command(sql`DROP TABLE loads_before SYNC`);
        expect(found, `v${version}`).to.match(
          /^the (first 5 versions of the log are not|checkpoint has 5 versions)/,
        );
      }
    });
  }

  it('given a restore to an earlier version, then the new timeline names the checkpoint that it left', async () => {
    const folder = join(temporaryFolder(), 'backup');
    const early = await openTestStore();
    for (const lines of [STATIONS, observed(1)]) await loadLines(early, lines);
    await backup(early, folder);
    const before = await checkpointOf(early);
    await loadLines(early, observed(2));
    const after = await checkpointOf(early);

    const restored = await openTestStore();
    await restore(restored, folder);
    expect(await checkSeals(restored)).to.deep.equal([]);
    await loadLines(restored, observed(3));
    const leaves = (await readVersions(restored)).map(({ leaf }) => parseLeaf(leaf));
    const [origin = '', size, root] = before.split('\n');
    expect(leaves.map(({ left }) => left)).to.deep.equal([
      undefined,
      undefined,
      { timeline: origin.split('/').at(-1), size: Number(size), root },
    ]);
    expect(leaves[2]?.timeline).not.to.equal(leaves[1]?.timeline);
    expect(await compareWithCheckpoint(restored, before, undefined)).to.equal(undefined);
    expect(await compareWithCheckpoint(restored, after, undefined)).to.match(
      /^the checkpoint has 3 versions, but a restore left timeline \w{4} after 2$/,
    );
    await early.close();
    await restored.close();
  });
});
