import { expect } from 'chai';
import { killPrograms } from '../support/process.js';
import { Random } from '../support/random.js';
import { AT_LENGTH, scaled, SEED, sleep, tell } from '../support/stress/stress.js';
import { type Cover, pairsOf } from '../support/stress/feeds.js';
import {
  endOf,
  expectClearFailure,
  reportOf,
  startLoad,
  startServer,
  stop,
} from '../support/stress/programs.js';
import { Undisturbed } from '../support/stress/undisturbed.js';

/** Two loads of the same files at once: one after the other, or one of them refused; never both counted. */
export function twoLoaders(): void {
  const times = scaled({ few: 1, full: 10 });
  const stationDays = AT_LENGTH ? 2000 : 60;
  describe(`given two loads of the same files at once, ${times} times (seed ${SEED})`, function () {
    const random = new Random(SEED);
    const days = Math.ceil(stationDays / 20);
    const loaded: Cover = { stations: [0, 20], days: [0, days], issuances: 25, status: 'verified' };
    const pairs = pairsOf(loaded);
    const outcomes = { served_one_after_the_other: 0, refused: 0 };
    let undisturbed: Undisturbed;

    before(async () => {
      undisturbed = await Undisturbed.load(loaded, random);
    });
    after(killPrograms);
    after(() => tell('two loaders', { times, ...outcomes }));

    for (let time = 0; time < times; time += 1) {
      const beside = time % 2 === 1;
      // Neck and neck, and at a distance.
      const apart = time < 2 ? 0 : random.below(1500);
      it(`when the second starts ${apart} ms after the first${beside ? ', beside a server' : ''}, then nothing is counted twice`, async () => {
        const { files } = undisturbed;
        const on = undisturbed.folder();
        const serving = beside ? await startServer(on) : undefined;
        const one = startLoad(on, files);
        await sleep(apart);
        const ended = await Promise.all([one, startLoad(on, files)].map(endOf));
        const done = ended.filter(({ code }) => code === 0);
        for (const end of ended) if (end.code !== 0) expectClearFailure(end);
        expect(done, 'loads that went in').not.to.be.empty;
        outcomes[done.length === 2 ? 'served_one_after_the_other' : 'refused'] += 1;
        const added = done
          .map((end) => reportOf(end))
          .map((report) => report.pairs_added - report.pairs_withdrawn);
        expect(added.sort((a, b) => b - a)[0], 'pairs added, high and low').to.equal(2 * pairs);
        expect(added[1] ?? 0, 'pairs added by the other').to.equal(0);

        const server = serving ?? (await startServer(on));
        await undisturbed.expectOn(on, server);
        await stop(server);
      });
    }
  });
}
