import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FeedFiles } from '../../src/ingest/stage.js';
import { writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms, type ServerProgram } from '../support/process.js';
import { temporaryFolder } from '../support/store.js';
import { Random } from '../support/random.js';
import { median, moments, sleep, tell } from '../support/torture/torture.js';
import { type Cover, feedsOf, pairsOf } from '../support/torture/feeds.js';
import {
  answersOf,
  type Bed,
  copyFolder,
  endOf,
  expectNoDifference,
  loadAll,
  newBed,
  onFolder,
  questionsOf,
  startLoad,
  stop,
  startServer,
} from '../support/torture/programs.js';

/** What a load is killed over: an empty folder, one that has data, or one with a server on it. */
const GROUNDS = ['an empty folder', 'a folder with data', 'a server'] as const;
type Ground = (typeof GROUNDS)[number];

export interface KilledLoads {
  seed: number;
  kills: number;
  /** Of the feeds; 25 forecasts of each station day. */
  stationDays: number;
}

/** kill -9 of a load at random moments, then the load again, then verify. */
export function killedLoads({ seed, kills, stationDays }: KilledLoads): void {
  describe(`given a load that is killed at ${kills} random moments (seed ${seed})`, function () {
    this.timeout(600_000);
    const random = new Random(seed);
    const stations = 20;
    const days = Math.ceil(stationDays / stations);
    // Half of the stations and of the days are in both: all forecasts corrected, and observations verified.
    const older: Cover = {
      stations: [10, 30],
      days: [-days / 2, days / 2].map(Math.round) as [number, number],
      issuances: 25,
      status: 'preliminary',
    };
    const loaded: Cover = { ...older, stations: [0, stations], days: [0, days], status: 'verified' };
    const questions = questionsOf(-days, days);
    const durations: number[] = [];
    const killedAt: number[] = [];
    let bed: Bed;
    let files: FeedFiles;
    let oldFolder: string;
    const undisturbed = new Map<Ground, unknown[]>();

    const timed = async (on: Bed): Promise<void> => {
      const started = performance.now();
      await loadAll(on, files);
      durations.push(performance.now() - started);
    };
    const asked = async (on: Bed): Promise<unknown[]> => {
      const server = await startServer(on);
      const answers = await answersOf(server, on, questions);
      await stop(server);
      return answers;
    };
    const folderFor = (ground: Ground): Bed => {
      const folder = join(temporaryFolder(), 'data');
      if (ground === 'a folder with data') copyFolder(oldFolder, folder);
      return onFolder(bed, folder);
    };

    before(async () => {
      files = writeFeeds(feedsOf(loaded, random));
      bed = await newBed();
      await timed(bed);
      const fresh = await asked(bed);
      expect(fresh[0], 'an undisturbed load').to.include({ verification_pairs: pairsOf(loaded) });
      undisturbed.set('an empty folder', fresh).set('a server', fresh);
      if (kills < 2) return;
      oldFolder = join(temporaryFolder(), 'old');
      await loadAll(onFolder(bed, oldFolder), writeFeeds(feedsOf(older, random)));
      const onOld = folderFor('a folder with data');
      await timed(onOld);
      const both = await asked(onOld);
      expect(both[0], 'over other data').to.include({ verification_pairs: pairsOf(loaded, older) });
      undisturbed.set('a folder with data', both);
    });
    after(killPrograms);
    after(() => {
      if (killedAt.length === 0) return;
      tell('loads killed', {
        kills: killedAt.length,
        seed,
        undisturbed_ms: Math.round(median(durations)),
        first_kill_ms: Math.round(Math.min(...killedAt)),
        last_kill_ms: Math.round(Math.max(...killedAt)),
      });
    });

    const shares = moments(kills, 1, random);
    for (const [index, share] of shares.entries()) {
      const ground = GROUNDS[index % GROUNDS.length] as Ground;
      it(`when it is killed after ${Math.round(share * 100)} % of its time over ${ground}, and run again, then all is as if undisturbed`, async () => {
        const started = await killed(ground, share * median(durations));
        const { on } = started;
        await loadAll(on, files);
        // Alone and through the server in turn.
        if (index % 2 === 0 && started.server === undefined) await expectNoDifference(on);
        const server = started.server ?? (await startServer(on));
        if (index % 2 === 1 || started.server !== undefined) await expectNoDifference(on);
        expect(await answersOf(server, on, questions)).to.deep.equal(undisturbed.get(ground));
        await stop(server);
        rmSync(on.env.DATA_DIR ?? '', { recursive: true });
      });
    }

    /** Kills a load at a moment; one that has ended by then is tried once more, earlier. */
    const killed = async (ground: Ground, atMs: number): Promise<{ on: Bed; server?: ServerProgram }> => {
      const on = folderFor(ground);
      const server = ground === 'a server' ? await startServer(on) : undefined;
      const load = startLoad(on, files);
      await sleep(atMs);
      load.kill('SIGKILL');
      const { code, signal, stderr } = await endOf(load);
      if (signal === 'SIGKILL') {
        killedAt.push(atMs);
        return { on, ...(server && { server }) };
      }
      expect(code, stderr).to.equal(0);
      server?.kill('SIGKILL');
      return killed(ground, atMs * 0.8);
    };
  });
}
