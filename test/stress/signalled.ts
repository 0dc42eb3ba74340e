import { Agent } from 'node:http';
import { expect } from 'chai';
import { writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms } from '../support/process.js';
import { ask, exchange, type Exchange } from '../support/stress/clients.js';
import { Random } from '../support/random.js';
import { AT_LENGTH, scaled, SEED, sleep, tell } from '../support/stress/stress.js';
import { type Cover, dateOf, feedsOf } from '../support/stress/feeds.js';
import { type Bed, endOf, loadAll, newBed, startServer } from '../support/stress/programs.js';

/** SIGTERM while clients ask one thing after the other on connections that they keep. */
export function signalled(): void {
  const times = scaled({ few: 1, full: 10 });
  const clients = AT_LENGTH ? 32 : 8;
  const endsWithinMs = AT_LENGTH ? 10_000 : 60_000;
  describe(`given ${clients} clients and SIGTERM, ${times} times (seed ${SEED})`, function () {
    const random = new Random(SEED);
    const cover: Cover = { stations: [0, 40], days: [0, 60], issuances: 25, status: 'verified' };
    const underWay: number[] = [];
    const endedAfter: number[] = [];
    let answered = 0;
    let refused = 0;
    let bed: Bed;

    before(async () => {
      bed = await newBed();
      await loadAll(bed, writeFeeds(feedsOf(cover, random)));
    });
    after(killPrograms);
    after(() => {
      if (endedAfter.length === 0) return;
      tell('SIGTERM', {
        times: endedAfter.length,
        clients,
        answered,
        refused_later: refused,
        under_way: underWay.join(' '),
        slowest_end_ms: Math.round(Math.max(...endedAfter)),
      });
    });

    for (let time = 0; time < times; time += 1) {
      it(`when that is the ${time + 1}. time, then every request under way is answered, and it ends in time`, async () => {
        // Every question is another one: none is answered at once, from what is kept.
        const server = await startServer(bed, { CACHE_MB: '0' });
        const agent = new Agent({ keepAlive: true, maxSockets: clients });
        const all: Exchange[] = [];
        const sent: Exchange[] = [];
        let signalledAt = Infinity;
        const asking = ask(clients, performance.now() + 60_000, async () => {
          const begun = { path: question(), startedAt: performance.now(), endedAt: Infinity };
          sent.push(begun);
          const done = await exchange(server.url, begun.path, { agent, key: bed.key });
          begun.endedAt = done.endedAt;
          all.push(done);
          return done.answer === undefined ? 'stop' : undefined;
        });
        await sleep(500 + random.below(1000));
        const open = sent.filter(({ endedAt }) => endedAt === Infinity).length;
        signalledAt = performance.now();
        server.kill('SIGTERM');
        const { code, signal, stderr } = await endOf(server);
        const tookMs = performance.now() - signalledAt;
        await asking;
        agent.destroy();

        const before = all.filter(({ startedAt }) => startedAt < signalledAt);
        expect(open, 'requests under way at the signal').to.be.above(0);
        expect(describeBroken(before), 'under way at the signal').to.deep.equal({});
        // Who comes later finds the port closed; a new connection that was not accepted any more is reset by the system.
        const later = all.filter(({ startedAt, broken }) => startedAt >= signalledAt && broken !== undefined);
        const reset = later.filter(({ broken, reused }) => broken !== 'ECONNREFUSED' && reused === true);
        expect(describeBroken(reset), 'on a connection that was open').to.deep.equal({});
        refused += later.length;
        const statuses = new Set(all.flatMap(({ answer }) => (answer === undefined ? [] : [answer.status])));
        expect([...statuses].filter((status) => status !== 200 && status !== 503)).to.deep.equal([]);
        expect({ code, signal, stderr }).to.deep.equal({ code: 0, signal: null, stderr: '' });
        expect(tookMs, 'ms from the signal to the end').to.be.below(endsWithinMs);
        underWay.push(open);
        endedAfter.push(tookMs);
        answered += all.filter(({ answer }) => answer !== undefined).length;
      });
    }

    const question = (): string => {
      const name = random.of(['summary', 'by-date', 'by-lead-time', 'by-city', 'by-station/T0007']);
      const from = random.below(30);
      const window = `date_from=${dateOf(from)}&date_to=${dateOf(from + random.below(300))}`;
      return `/api/v1/accuracy/${name}?${window}&metric=${random.of(['high', 'low'])}`;
    };
  });
}

/** How many requests were broken off, by the code of what broke them. */
function describeBroken(exchanges: Exchange[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { broken } of exchanges) if (broken !== undefined) counts[broken] = (counts[broken] ?? 0) + 1;
  return counts;
}
