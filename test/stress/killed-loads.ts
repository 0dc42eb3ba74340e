import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { killPrograms, type ServerProgram } from '../support/process.js';
import { Random } from '../support/random.js';
import type { Cover } from '../support/stress/feeds.js';
import {
  type Bed,
  endOf,
  expectNoDifference,
  expectSealed,
  loadAll,
  startLoad,
  startServer,
  stop,
} from '../support/stress/programs.js';
import { AT_LENGTH, moments, scaled, SEED, sleep, tell } from '../support/stress/stress.js';
import { Undisturbed } from '../support/stress/undisturbed.js';

/** Grounds over which a load is killed: an empty folder, one that has data, or one with a server on it. */
const GROUNDS = ['an empty folder', 'a folder with data', 'a server'] as const;
type Ground = (typeof GROUNDS)[number];

/** kill -9 of a load at random moments, then the load again, then verify; the seals of all versions before and after. */
export function killedLoads(): void {
  const kills = scaled({ few: 1, full: 60 });
  const stationDays = AT_LENGTH ? 6000 : 100;
  describe(`given a load that is killed at ${kills} random moments (seed ${SEED})`, function () {
    const random = new Random(SEED);
    const days = Math.ceil(stationDays / 20);
    const loaded: Cover = {
      stations: [0, 20],
      days: [0, days],
      issuances: 25,
      status: 'verified',
      hours: true,
    };
    // Half of the stations and of the days are in both: all forecasts corrected, and observations verified.
    const half = Math.round(days / 2);
    const older: Cover = { ...loaded, stations: [10, 30], days: [-half, half], status: 'preliminary' };
    const killedAt: number[] = [];
    let fresh: Undisturbed;
    let onData: Undisturbed;

    before(async () => {
      fresh = await Undisturbed.load(loaded, random);
      if (kills > 1) onData = await Undisturbed.load(loaded, random, older);
    });
    after(killPrograms);
    after(() => {
      if (killedAt.length === 0) return;
      tell('loads killed', {
        kills: killedAt.length,
        undisturbed_ms: Math.round(fresh.durationMs),
        first_kill_ms: Math.round(Math.min(...killedAt)),
        last_kill_ms: Math.round(Math.max(...killedAt)),
      });
    });

    for (const [index, share] of moments(kills, 1, random).entries()) {
      const ground = GROUNDS[index % GROUNDS.length] as Ground;
      it(`when it is killed after ${Math.round(share * 100)} % of its time over ${ground}, and run again, then all is as if undisturbed`, async () => {
        const undisturbed = ground === 'a folder with data' ? onData : fresh;
        const { on, running } = await killed(undisturbed, ground, share * undisturbed.durationMs);
        await expectSealed(on); // the killed load either has finished with its seal, or has neither
        await loadAll(on, undisturbed.files);
        await expectSealed(on);
        // Alone and through the server in turn.
        if (index % 2 === 0 && running === undefined) await expectNoDifference(on);
        const server = running ?? (await startServer(on));
        await undisturbed.expectOn(on, server);
        await stop(server);
        rmSync(on.env.DATA_DIR ?? '', { recursive: true });
      });
    }

    /** Kills a load at a moment; one that has ended by then is tried once more, earlier. */
    const killed = async (
      undisturbed: Undisturbed,
      ground: Ground,
      atMs: number,
    ): Promise<{ on: Bed; running: ServerProgram | undefined }> => {
      const on = undisturbed.folder();
      const running = ground === 'a server' ? await startServer(on) : undefined;
      const load = startLoad(on, undisturbed.files);
      await sleep(atMs);
      load.kill('SIGKILL');
      const { code, signal, stderr } = await endOf(load);
      if (signal === 'SIGKILL') {
        killedAt.push(atMs);
        return { on, running };
      }
      expect(code, stderr).to.equal(0);
      running?.kill('SIGKILL');
      return killed(undisturbed, ground, atMs * 0.8);
    };
  });
}
