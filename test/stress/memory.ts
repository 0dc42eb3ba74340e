import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import { addDays } from '../../src/statistics/time/calendar.js';
import { writeFeeds } from '../support/ingest/feeds.js';
import { sampleSince } from '../support/ingest/sample.js';
import { killPrograms, type LogLine, Program, type ServerProgram, until } from '../support/process.js';
import { ask, exchange } from '../support/stress/clients.js';
import { Random } from '../support/random.js';
import { AT_LENGTH, interval, median, scaled, SEED, sleep, tell } from '../support/stress/stress.js';
import { words } from '../support/words.js';
import { type Cover, feedsOf } from '../support/stress/feeds.js';
import {
  type Bed,
  endOf,
  expectNoDifference,
  loadAll,
  newBed,
  stop,
  startServer,
} from '../support/stress/programs.js';

interface Sample {
  minutes: number;
  mb: number;
}

// Caches fill, the engine's pools grow and JavaScript is compiled in the first part: a quarter of an hour, of an hour.
const WARM_UP_SECONDS = 900;
const WARM_UP = 1 / 3;

/** The end of a run that is shorter may have twice what the beginning has. */
const ALL_WARM_UP_SECONDS = 120;

const CLIENTS = 8;
const SECONDS_BETWEEN_LOADS = 20;

// An hour at this pace is as long for the engine's threads and the garbage of JavaScript as a day of a small service; in
// short, each client asks again at once.
const QUESTIONS_PER_SECOND = 9;
const PAUSE_MS = AT_LENGTH ? (CLIENTS / QUESTIONS_PER_SECOND) * 1000 : 0;

// Facts and ledger keep every version: loads that correct all of their 30,000 forecasts would grow the data, and the
// memory with them. These repeat what is there, but for so many forecasts, which have one value and the other in turn.
const CORRECTED = 10;

const CACHE_MB = 16;

/** The most memory after the run, as a multiple of that after its warm-up, without garbage and beside cached answers. */
const MOST_MORE = 1.1;

/** Data that a server has from the beginning, and the names of some stations. */
interface World {
  name: string;
  stations: readonly string[];
  lastDay: string;
  fill: (bed: Bed, isLong: boolean) => Promise<void>;
}

const TODAY = new Date().toISOString().slice(0, 10);

const SAMPLE: World = {
  name: 'the sample',
  stations: ['KORD', 'KJFK', 'EGLL'],
  lastDay: TODAY,
  fill: async (bed, isLong) => {
    await loadAll(bed, writeFeeds(sampleSince(addDays(TODAY, isLong ? -400 : -10), TODAY)));
  },
};

const MANY_STATIONS: World = {
  name: '2,000 stations',
  stations: ['K00007', 'K00077', 'K01999'],
  lastDay: '2026-10-31',
  fill: async ({ env }, isLong) => {
    const script = fileURLToPath(new URL('../support/stress/many-stations.ts', import.meta.url));
    const { code, stderr } = await endOf(new Program(script, [isLong ? '60' : '2'], env));
    expect(code, stderr).to.equal(0);
  },
};

/** The memory of a server that answers and takes in the same feeds all the time, whose data stay about as large. */
export const memoryOfSample = (): void => memory(SAMPLE);
export const memoryOfManyStations = (): void => memory(MANY_STATIONS);

function memory(world: World): void {
  const seconds = scaled({ few: 4, full: Number(process.env.STRESS_MEMORY_SECONDS ?? 3600) });
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, seconds * WARM_UP);
  describe(`given ${seconds} s of mixed load on ${world.name} (seed ${SEED})`, function () {
    this.timeout((seconds * 2 + 600) * 1000);
    const random = new Random(SEED);
    const cover: Cover = { stations: [0, 20], days: [0, 60], issuances: 25, status: 'verified' };
    const samples: Sample[] = [];
    const statuses = new Map<number, number>();
    let feeds: [corrected: FeedFiles, first: FeedFiles];
    let bed: Bed;
    let server: ServerProgram;
    let loads = 0;

    before(async () => {
      bed = await newBed();
      const lines = feedsOf(cover, random);
      const corrected = lines.forecasts.map((line, at) =>
        at < CORRECTED ? line.replace(/[^,]*$/, '0') : line,
      );
      feeds = [writeFeeds({ ...lines, forecasts: corrected }), writeFeeds(lines)];
      await world.fill(bed, seconds > ALL_WARM_UP_SECONDS);
      await loadAll(bed, feeds[1]);
      const collecting = fileURLToPath(new URL('../support/stress/collecting.cjs', import.meta.url));
      server = await startServer(bed, { CACHE_MB: `${CACHE_MB}`, NODE_OPTIONS: `--require ${collecting}` });
    });
    after(killPrograms);

    it('then it is flat', async () => {
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
      const collecting = (async () => {
        await sleep(warmUpSeconds * 1000);
        return collected(server);
      })();
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
        const { answer, broken, reused } = await exchange(server.url, path, {
          agent,
          ...(keyed && { key: bed.key }),
        });
        // An export of which a part takes too long, on a machine that is busy, is cut.
        if (broken !== undefined && path.startsWith('/api/v1/export/')) return undefined;
        // One that has idled may be closed while the question is under way on it.
        if (broken === 'ECONNRESET' && reused === true) return undefined;
        expect(broken, path).to.equal(undefined);
        const status = answer?.status ?? 0;
        expect(status, path).to.be.oneOf([200, 400, 401, 404, 429, 503, 504]);
        if (!path.includes(NOWHERE)) expect(status, path).not.to.equal(404);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(PAUSE_MS * 2 * random.next());
        return undefined;
      });
      const [warm] = await Promise.all([collecting, sampling, loading, asking]);
      agent.destroy();
      const end = await collected(server);
      await expectNoDifference(bed);
      await stop(server);

      const settled = samples.filter(({ minutes }) => minutes > warmUpSeconds / 60);
      const { slope, noise } = slopeOf(settled, random);
      const quarter = Math.ceil(settled.length / 4);
      const [first, last] = [settled.slice(0, quarter), settled.slice(-quarter)].map((some) =>
        median(some.map(({ mb }) => mb)),
      ) as [number, number];
      tell('memory', {
        seconds,
        answers: [...statuses].map(([status, count]) => `${count} of ${status}`).join(' '),
        loads,
        samples: settled.length,
        first_quarter_mb: Math.round(first),
        last_quarter_mb: Math.round(last),
        peak_mb: Math.round(Math.max(...samples.map(({ mb }) => mb))),
        slope_mb_per_minute: slope.toFixed(2),
        noise: noise.map((bound) => bound.toFixed(2)).join('..'),
        without_garbage_mb: [warm, end].map(({ heapMb }) => Math.round(heapMb)).join('..'),
        resident_then_mb: [warm, end].map(({ mb }) => Math.round(mb)).join('..'),
      });
      const isShort = seconds < ALL_WARM_UP_SECONDS;
      const mostMore = isShort ? 2 : MOST_MORE;
      expect(end.heapMb, 'used by JavaScript, without garbage').to.be.below(
        warm.heapMb * mostMore + CACHE_MB,
      );
      const flat = noise[0] <= 0 || (isShort && last <= first * 2);
      expect(
        flat,
        `from ${Math.round(first)} to ${Math.round(last)} MB, ${slope.toFixed(2)} MB a minute (${noise.map((bound) => bound.toFixed(2)).join('..')})`,
      ).to.equal(true);
    });

    /** All kinds of questions: kept and new answers, small and large ones, and refusals. */
    const question = (): { path: string; keyed: boolean } => {
      const name = random.of(QUESTIONS).replace(':station', random.of(world.stations));
      const isKept = random.below(2) === 0;
      const days = isKept ? 60 : 1 + random.below(60);
      const dateTo = isKept ? world.lastDay : addDays(world.lastDay, -random.below(300));
      const window = `date_from=${addDays(dateTo, 1 - days)}&date_to=${dateTo}`;
      const more = random.of(['', '', '', '&format=csv', '&metric=low', '&dais=7', NOWHERE]);
      const path = `/api/v1/${name}${name.includes('?') ? '&' : '?'}${window}${more}`;
      return { path, keyed: random.below(20) > 0 };
    };
  });
}

/** Parameters that make a question about an unknown place. */
const NOWHERE = '&city=Nowhere';

/** Questions of a window; what reads much is asked of one station. */
const QUESTIONS =
  words(`accuracy/summary accuracy/summary?ci=0.95 accuracy/by-date accuracy/by-lead-time accuracy/by-city
  accuracy/by-city?ci=0.9 accuracy/by-weather-regime accuracy/hit-rate accuracy/exceedance accuracy/error-distribution
  accuracy/by-station/:station accuracy/by-station/:station?include_raw=true accuracy/by-date/:station
  accuracy/by-bucket/:station accuracy/peak-timing/:station accuracy/sample-size accuracy/update-frequency
  accuracy/revision-stats?station_id=:station accuracy/events?thresholds=60&station_id=:station
  accuracy/skill?station_id=:station accuracy/skill?reference=climatology&station_id=:station
  accuracy/compare?station_id=:station accuracy/distribution?station_id=:station
  accuracy/bias-correction?station_id=:station probability/reliability?station_id=:station
  data/forecast-actual?station_id=:station data/forecast-actual?limit=10000 data/observations?limit=2000
  export/pairs?station_id=:station`);

/** The memory of the server once all garbage is collected, MB: in the heap of JavaScript, and resident. */
async function collected(server: ServerProgram): Promise<{ heapMb: number; mb: number }> {
  const lines = (): LogLine[] => server.log().filter(({ msg }) => msg === 'collected');
  const before = lines().length;
  server.kill('SIGUSR2');
  const line = await until(() => lines()[before]);
  return { heapMb: Number(line.heapUsed) / 2 ** 20, mb: Number(line.rss) / 2 ** 20 };
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
