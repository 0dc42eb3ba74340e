import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { checkSeals, compareWithCheckpoint } from '../../../src/seals/compare-seals.js';
import { formatVerifierKey, parseCheckpoint } from '../../../src/seals/formats/checkpoint.js';
import { parseLeaf, readVersions } from '../../../src/seals/log.js';
import { SealLog } from '../../../src/seals/seal-log.js';
import { DataVersion } from '../../../src/store/data-version.js';
import { ANY_PARTITIONS, type Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { openNote, parseVerifierKey } from '../../support/seals/notes.js';
import { forgeVersion, REWRITES, rewriteLog, writeLog } from '../../support/seals/rewrites.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const STATIONS: FeedLines = { stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'] };
const observed = (day: number): FeedLines => ({
  observations: [`KORD,2026-03-0${day},5${day}.25,33,verified,2026-03-19T00:00:00Z`],
});

const { privateKey: key } = generateKeyPairSync('ed25519');

/** The signed checkpoint of a store, whatever has been done to its log. */
const checkpointOf = async (store: Store): Promise<string> => {
  const log = new SealLog(store, new DataVersion(store), { origin: 'example.org/accuracy', key });
  return (await log.current()).checkpoint;
};

// Only here: the service compares its log with a checkpoint. Programs of others see the same rewrites in test/e2e/verify-seal.test.ts.
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

  const isSigned = (note: string): boolean => {
    const { origin: name } = parseCheckpoint(note);
    return openNote(note, [parseVerifierKey(formatVerifierKey({ name, key }))]).verified.length === 1;
  };

  it('given the log that it is of, then each later log begins with it', async () => {
    for (const note of kept) expect(await compareWithCheckpoint(store, note, key)).to.equal(undefined);
  });

  const times = range({ test: 5, ci: 20 });
  it(`given ${times} logs that the right key signs anew, then each is another than the one it is of`, async () => {
    const random = new Random(20_261_129);
    const leaves = await readVersions(store);
    for (const table of ['loads', 'observations'])
      await store.command(
        sql`CREATE TABLE ${raw(table)}_before ENGINE = Memory AS SELECT * FROM ${raw(table)}`,
      );
    for (let nth = 0; nth < times; nth++) {
      const kind = [...REWRITES, 'forge' as const][nth % 5]!;
      if (kind === 'forge') await forgeVersion(store, random.of(leaves.slice(1)));
      else await writeLog(store, rewriteLog(leaves, kind, random));
      if (kind === 'forge') expect(await checkSeals(store), 'the facts are as sealed, now').to.deep.equal([]);
      const note = await checkpointOf(store);
      expect(isSigned(note)).to.equal(true);
      expect(note).not.to.equal(kept.at(-1));
      expect(await compareWithCheckpoint(store, kept.at(-1)!, key), `${nth} ${kind}`).to.match(
        /^the (first 5 versions of the log are not|checkpoint has 5 versions)/,
      );
      for (const table of ['loads', 'observations']) {
        await store.command(sql`TRUNCATE TABLE ${raw(table)}`);
        await store.command(
          sql`INSERT INTO ${raw(table)} SELECT * FROM ${raw(table)}_before`.with(ANY_PARTITIONS),
        );
      }
    }
    expect(await compareWithCheckpoint(store, kept.at(-1)!, key)).to.equal(undefined);
  });

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
