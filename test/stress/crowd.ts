import { Agent } from 'node:http';
import { expect } from 'chai';
import { writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms, type ServerProgram } from '../support/process.js';
import type { Contract } from '../support/contract/contract.js';
import { ask, checkAnswer, contractOf, type Exchange, exchange } from '../support/stress/clients.js';
import { Random } from '../support/random.js';
import { AT_LENGTH, median, scaled, SEED, tell } from '../support/stress/stress.js';
import { type Cover, dateOf, feedsOf, pairsOf } from '../support/stress/feeds.js';
import {
  type Bed,
  expectNoDifference,
  loadAll,
  newBed,
  pairsIn,
  stop,
  startServer,
} from '../support/stress/programs.js';

/** The data after so many loads: the pairs of a metric, and when the load that made it began and ended. */
interface Version {
  pairs: number;
  beganAt: number;
  endedAt: number;
}

// A new version of the data is seen within 5 s.
const SEEN_WITHIN_MS = 5000;

const ENDPOINTS = ['summary', 'by-date', 'by-lead-time', 'by-city'];

/** Many clients while one load follows the other: each adds pairs, corrects all of the one before, or does both. */
export function crowd(): void {
  const clients = AT_LENGTH ? 64 : 16;
  const seconds = scaled({ few: 2, full: 60 });
  const stationDays = AT_LENGTH ? 2000 : 60;
  describe(`given ${clients} clients for ${seconds} s during loads (seed ${SEED})`, function () {
    this.timeout((seconds * 10 + 300) * 1000);
    const random = new Random(SEED);
    const STATIONS = 20;
    const step = Math.ceil(stationDays / STATIONS);
    const window = `date_from=${dateOf(0)}&date_to=${dateOf(3000)}`;
    const versions: Version[] = [];
    const totals: { exchange: Exchange; total: number }[] = [];
    const statuses = new Map<number, number>();
    const broken: string[] = [];
    const latencies: number[] = [];
    let bed: Bed;
    let server: ServerProgram;
    let contract: Contract;

    /** The covers of loads, without end: new days, then the same ones corrected and verified, then both. */
    const covers = (index: number): Cover => {
      const round = Math.floor(index / 3);
      const [from, to] = [
        [round * 2, round * 2 + 1],
        [round * 2, round * 2 + 1],
        [round * 2, round * 2 + 2],
      ][index % 3] as [number, number];
      return {
        stations: [0, STATIONS],
        days: [from * step, to * step],
        issuances: 25,
        status: index % 3 === 0 ? 'preliminary' : 'verified',
      };
    };
    const all: Cover[] = [];
    const loadNext = async (): Promise<void> => {
      const cover = covers(all.length);
      all.push(cover);
      const files = writeFeeds(feedsOf(cover, random));
      const beganAt = performance.now();
      const version = { pairs: pairsOf(...all), beganAt, endedAt: Infinity };
      versions.push(version);
      await loadAll(bed, files);
      version.endedAt = performance.now();
    };

    before(async () => {
      bed = await newBed();
      server = await startServer(bed);
      contract = await contractOf(server.url, bed.key);
      await loadNext();
      await loadNext();

      const until = performance.now() + seconds * 1000;
      const agent = new Agent({ keepAlive: true, maxSockets: clients });
      const loading = (async () => {
        do await loadNext();
        while (performance.now() < until);
      })();
      const tags = new Map<string, string>();
      await Promise.all([
        loading,
        ask(clients, until, async () => {
          const path = question();
          const tag = random.below(4) === 0 ? tags.get(path) : undefined;
          const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
          const done = await exchange(server.url, path, { agent, key: bed.key, headers });
          note(path, done);
          if (done.answer?.headers.etag !== undefined) tags.set(path, done.answer.headers.etag);
          return undefined;
        }),
      ]);
      agent.destroy();
    });
    after(killPrograms);
    after(() =>
      tell('crowd', {
        clients,
        seconds,
        loads: versions.length,
        requests: latencies.length,
        median_ms: Math.round(median(latencies)),
        slowest_ms: Math.round(latencies.reduce((most, ms) => Math.max(most, ms), 0)),
        statuses: [...statuses].map(([status, count]) => `${status}: ${count}`).join(' '),
        broken: broken.length,
      }),
    );

    /** A question about all days, whose total is known; or about some days, in any form. */
    const question = (): string => {
      const metric = random.of(['high', 'low']);
      if (random.below(2) === 0) return `/api/v1/accuracy/${random.of(ENDPOINTS)}?${window}&metric=${metric}`;
      const name = random.of([...ENDPOINTS, 'by-station/T0001', 'by-date/T0002', 'by-station/town%203']);
      const format = random.below(4) === 0 ? '&format=csv' : '';
      const from = random.below(4 * step);
      return `/api/v1/accuracy/${name}?date_from=${dateOf(from)}&date_to=${dateOf(from + random.below(400))}&metric=${metric}${format}`;
    };

    const note = (path: string, done: Exchange): void => {
      latencies.push(done.endedAt - done.startedAt);
      if (done.answer === undefined) {
        broken.push(`${path}: ${done.broken}`);
        return;
      }
      const { status, text } = done.answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      checkAnswer(contract, 'GET', path, done.answer);
      if (status === 200 && path.includes(window))
        totals.push({ exchange: done, total: totalOf(path, text) });
    };

    const totalOf = (path: string, text: string): number => {
      const { data } = JSON.parse(text) as { data: unknown };
      if (path.includes('/summary')) return (data as { verification_pairs: number }).verification_pairs;
      return (data as { stats: { verification_pairs: number } }[]).reduce(
        (sum, { stats }) => sum + stats.verification_pairs,
        0,
      );
    };

    it('then no request fails, but for 429 and 503', () => {
      expect(broken).to.deep.equal([]);
      expect([...statuses.keys()].filter((status) => ![200, 304, 429, 503].includes(status))).to.deep.equal(
        [],
      );
      expect(statuses.get(200), 'answers').to.be.above(0);
    });

    it('then every total lies between the versions of the data that it was asked between', () => {
      expect(totals).not.to.be.empty;
      for (const {
        exchange: { path, startedAt, endedAt },
        total,
      } of totals) {
        // A load that had ended 5 s before is in it; one that began after its end is not.
        const seen = versions.filter((version) => version.endedAt + SEEN_WITHIN_MS < startedAt).at(-1);
        const begun = versions.filter(({ beganAt }) => beganAt < endedAt).at(-1);
        expect(total, path).to.be.within(seen?.pairs ?? 0, begun?.pairs ?? NaN);
      }
    });

    it('then at the end all is in, and nothing differs', async () => {
      const total = await pairsIn(server, bed, `/api/v1/accuracy/summary?${window}`);
      expect(total).to.equal(pairsOf(...all));
      await expectNoDifference(bed);
      await stop(server);
    });
  });
}
