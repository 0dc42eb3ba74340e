import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { expect } from 'chai';
import type { FeedFiles } from '../../src/ingest/stage.js';
import { writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms, type ServerProgram } from '../support/process.js';
import { ask, exchange } from '../support/torture/clients.js';
import { Random } from '../support/random.js';
import { interval, median, scaled, SEED, sleep, tell } from '../support/torture/torture.js';
import { type Cover, dateOf, feedsOf } from '../support/torture/feeds.js';
import {
  type Bed,
  expectNoDifference,
  loadAll,
  newBed,
  stop,
  startServer,
} from '../support/torture/programs.js';

interface Sample {
  minutes: number;
  mb: number;
}

// Caches fill, the engine's pools grow and JavaScript is compiled in the first part.
const WARM_UP = 1 / 3;

/** Of a run that is shorter, the last quarter may have twice what the first one has. */
const ALL_WARM_UP_SECONDS = 120;

const CLIENTS = 8;
const SECONDS_BETWEEN_LOADS = 20;

// Facts and ledger keep every version: loads that correct all of their 30,000 forecasts would grow the data, and the
// memory with them. These repeat what is there, but for so many forecasts, which have one value and the other in turn.
const CORRECTED = 10;

/** The memory of a server that answers and takes in the same feeds all the time, whose data stay about as large. */
export function memory(): void {
  const seconds = scaled({ few: 4, full: Number(process.env.TORTURE_MEMORY_SECONDS ?? 1800) });
  describe(`given ${seconds} s of mixed load (seed ${SEED})`, function () {
    this.timeout((seconds * 2 + 300) * 1000);
    const random = new Random(SEED);
    const cover: Cover = { stations: [0, 20], days: [0, 60], issuances: 25, status: 'verified' };
    const samples: Sample[] = [];
    let feeds: [corrected: FeedFiles, first: FeedFiles];
    let bed: Bed;
    let server: ServerProgram;
    let requests = 0;
    let loads = 0;

    before(async () => {
      bed = await newBed();
      const lines = feedsOf(cover, random);
      const corrected = lines.forecasts.map((line, at) =>
        at < CORRECTED ? line.replace(/[^,]*$/, '0') : line,
      );
      feeds = [writeFeeds({ ...lines, forecasts: corrected }), writeFeeds(lines)];
      await loadAll(bed, feeds[1]);
      server = await startServer(bed, { CACHE_MB: '16' });
    });
    after(killPrograms);

    it('then it is flat', async () => {
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
      const sampling = (async () => {
        while (performance.now() < until) {
          samples.push({ minutes: (performance.now() - startedAt) / 60_000, mb: residentMb(server.pid) });
          await sleep(Math.min(1000, seconds * 10));
        }
      })();
      const loading = (async () => {
        while (performance.now() < until) {
          const { feeds: found } = await loadAll(bed, feeds[loads % 2 === 0 ? 0 : 1]);
          expect(found.forecasts.rows_corrected).to.equal(CORRECTED);
          loads += 1;
          await sleep(Math.min(SECONDS_BETWEEN_LOADS * 1000, Math.max(0, until - performance.now())));
        }
      })();
      const asking = ask(CLIENTS, until, async () => {
        const { path, keyed } = question();
        const { answer, broken } = await exchange(server.url, path, {
          agent,
          ...(keyed && { key: bed.key }),
        });
        expect(broken, path).to.equal(undefined);
        expect(answer?.status, path).to.be.oneOf([200, 400, 401, 404, 429, 503]);
        requests += 1;
        return undefined;
      });
      await Promise.all([sampling, loading, asking]);
      agent.destroy();
      await expectNoDifference(bed);
      await stop(server);

      const settled = samples.filter(({ minutes }) => minutes > (seconds / 60) * WARM_UP);
      const { slope, noise } = slopeOf(settled, random);
      const quarter = Math.ceil(settled.length / 4);
      const [first, last] = [settled.slice(0, quarter), settled.slice(-quarter)].map((some) =>
        median(some.map(({ mb }) => mb)),
      ) as [number, number];
      tell('memory', {
        seconds,
        requests,
        loads,
        samples: settled.length,
        first_quarter_mb: Math.round(first),
        last_quarter_mb: Math.round(last),
        peak_mb: Math.round(Math.max(...samples.map(({ mb }) => mb))),
        slope_mb_per_minute: slope.toFixed(2),
        noise: noise.map((bound) => bound.toFixed(2)).join('..'),
      });
      const flat = noise[0] <= 0 || (seconds < ALL_WARM_UP_SECONDS && last <= first * 2);
      expect(
        flat,
        `from ${Math.round(first)} to ${Math.round(last)} MB, ${slope.toFixed(2)} MB a minute (${noise.map((bound) => bound.toFixed(2)).join('..')})`,
      ).to.equal(true);
    });

    /** Kept and new answers, small and large ones, and refusals. */
    const question = (): { path: string; keyed: boolean } => {
      const name = random.of([
        'summary',
        'by-date',
        'by-lead-time',
        'by-city',
        'by-station/T0007',
        'by-date/T0003',
      ]);
      const from = random.below(50);
      const kept = random.below(2) === 0;
      const window = kept
        ? `date_from=${dateOf(0)}&date_to=${dateOf(60)}`
        : `date_from=${dateOf(from)}&date_to=${dateOf(from + random.below(3000))}`;
      const more = random.of(['', '', '', '&format=csv', '&metric=low', '&dais=7', '&city=Nowhere']);
      const raw = name.startsWith('by-station') && random.below(3) === 0 ? '&include_raw=true' : '';
      return { path: `/api/v1/accuracy/${name}?${window}${more}${raw}`, keyed: random.below(20) > 0 };
    };
  });
}

/** Resident memory of a process in MB. */
function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/**
 * The least-squares slope in MB a minute, with the bounds that hold 99 of 100 slopes of the same samples drawn again, in
 * blocks: neighbours in time are alike.
 */
function slopeOf(samples: readonly Sample[], random: Random): { slope: number; noise: [number, number] } {
  const slope = leastSquares(samples);
  const block = Math.max(1, Math.floor(samples.length / 12));
  const residuals = samples.map(({ minutes, mb }) => mb - slope * minutes);
  const drawn = Array.from({ length: 500 }, () => {
    const noisy: Sample[] = [];
    while (noisy.length < samples.length) {
      const from = random.below(samples.length - block + 1);
      for (let at = from; at < from + block && noisy.length < samples.length; at += 1) {
        const minutes = samples[noisy.length]?.minutes ?? 0;
        noisy.push({ minutes, mb: slope * minutes + (residuals[at] ?? 0) });
      }
    }
    return leastSquares(noisy);
  });
  return { slope, noise: interval(drawn, 0.01) };
}

function leastSquares(samples: readonly Sample[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(samples.map(({ minutes }) => minutes));
  const y = mean(samples.map(({ mb }) => mb));
  const up = samples.reduce((sum, { minutes, mb }) => sum + (minutes - x) * (mb - y), 0);
  return up / samples.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
}
