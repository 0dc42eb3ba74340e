import { Agent } from 'node:http';
import { expect } from 'chai';
import { killPrograms, until } from '../support/process.js';
import { ask, exchange } from '../support/stress/clients.js';
import { Random } from '../support/random.js';
import { AT_LENGTH, moments, scaled, SEED, sleep, tell } from '../support/stress/stress.js';
import type { Cover } from '../support/stress/feeds.js';
import {
  answersOf,
  type Bed,
  differs,
  endOf,
  expectClearFailure,
  loadAll,
  startLoad,
  startServer,
  stop,
} from '../support/stress/programs.js';
import { Undisturbed } from '../support/stress/undisturbed.js';

/** kill -9 of a server that takes in a load and answers clients. */
export function killedServers(): void {
  const kills = scaled({ few: 1, full: 20 });
  const stationDays = AT_LENGTH ? 6000 : 100;
  const backWithinMs = AT_LENGTH ? 10_000 : 60_000;
  describe(`given a server that is killed ${kills} times while it loads and serves (seed ${SEED})`, function () {
    const random = new Random(SEED);
    const days = Math.ceil(stationDays / 20);
    const older: Cover = { stations: [0, 20], days: [0, days], issuances: 25, status: 'preliminary' };
    const loaded: Cover = { ...older, stations: [10, 30], status: 'verified' };
    const backAfter: number[] = [];
    let leftToTheNextLoad = 0;
    let undisturbed: Undisturbed;

    before(async () => {
      undisturbed = await Undisturbed.load(loaded, random, older);
    });
    after(killPrograms);
    after(() => {
      if (backAfter.length === 0) return;
      tell('servers killed', {
        kills: backAfter.length,
        load_ms: Math.round(undisturbed.durationMs),
        left_to_the_next_load: leftToTheNextLoad,
        slowest_return_ms: Math.round(Math.max(...backAfter)),
      });
    });

    for (const share of moments(kills, 1, random)) {
      it(`when that is after ${Math.round(share * 100)} % of a load, then it is back, and nothing is lost or counted twice`, async () => {
        const { files, questions, durationMs } = undisturbed;
        const on = undisturbed.folder();
        const server = await startServer(on);
        const load = startLoad(on, files);
        const killAt = performance.now() + share * durationMs;
        const agent = new Agent({ keepAlive: true });
        const clients = ask(4, killAt + 60_000, async () => {
          const { answer } = await exchange(server.url, random.of(questions), { agent, key: on.key });
          return answer === undefined ? 'stop' : undefined;
        });
        await sleep(killAt - performance.now());
        server.kill('SIGKILL');
        expect(await server.ended).to.include({ signal: 'SIGKILL' });
        await clients;
        agent.destroy();

        const startedAt = performance.now();
        const back = await until(() => startUnlessLoading(on), backWithinMs);
        const health = await back.get('/api/v1/health');
        backAfter.push(performance.now() - startedAt);
        expect(await health.json()).to.include({ status: 'ok', database: 'ok' });
        expect(backAfter.at(-1), 'ms until it was back').to.be.below(backWithinMs);
        await answersOf(back, on, questions);

        // It may have come to its end before the server did.
        const ended = await endOf(load);
        if (ended.code !== 0) expectClearFailure(ended);
        if (await differs(on)) leftToTheNextLoad += 1;
        await loadAll(on, files);
        await undisturbed.expectOn(on, back);
        await stop(back);
      });
    }
  });
}

/**
 * A server, unless a load has the folder: one that found the server dead, before anything was begun, works alone. Whatever
 * keeps the service running starts the server again until that load has ended.
 */
async function startUnlessLoading(on: Bed): Promise<Awaited<ReturnType<typeof startServer>> | undefined> {
  return startServer(on).catch((error: unknown) => {
    if (error instanceof Error && /is in use by process \d+ \(a command\)/.test(error.message))
      return undefined;
    throw error;
  });
}
