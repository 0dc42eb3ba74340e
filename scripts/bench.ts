import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { addDays } from '../src/statistics/time/calendar.js';
import { UserError, runCommand } from '../src/lib/user-error.js';
import { VERSION } from '../src/lib/version.js';
import { measureCold, WINDOWS } from './bench/parts/cold.js';
import { CLIENTS, measureConcurrent } from './bench/parts/concurrent.js';
import { LAST_DAY, pairCount, type Shape } from './bench/data.js';
import { type Duck, openDuck } from './bench/duckdb.js';
import { measureExports } from './bench/parts/exporting.js';
import { measureGrowth } from './bench/parts/growth.js';
import { BILLION, measureScale } from './bench/parts/scale.js';
import { measureHot } from './bench/parts/hot.js';
import { FEED_DAYS, measureIncrements, measureLoading } from './bench/parts/loading.js';
import { type Figure, missedText, tableText } from './bench/report.js';
import type { EngineTimes } from './bench/worker.js';
import { load, readMemory, program, startService, using, work } from './bench/service.js';

// npm run bench -- [--stations N] [--days N] [--grain 1|0.01] [--rounds N] [--seconds N] [--only part,part]
//   [--against FOLDER] [--no-duckdb] [--billion [--keep FOLDER]] [--json FILE]

const PARTS = ['cold', 'growth', 'hot', 'export', 'loading', 'increments', 'concurrent'] as const;
type Part = (typeof PARTS)[number];

interface Options {
  stations: number;
  days: number;
  grain: 1 | 0.01;
  rounds: number;
  seconds: number;
  against?: string;
  duckdb: boolean;
  only: Part[];
  billion: boolean;
  keep?: string;
  json: string;
}

// Bytes on disk for a pair: with its facts and histograms, of which the engine keeps what it has merged for some minutes;
// the same without that, as in a history that takes half an hour to make; in Parquet and DuckDB's two tables, while it
// sorts them; and in the largest file that the engine exports by itself.
const BYTES_PER_PAIR = { data: 40, merged: 10, duckdb: 60, export: 220 };

await runCommand(async () => {
  const options = readOptions();
  const { stations, days, grain, only } = options;
  const shape: Shape = { stations, days, grain };
  const folder = await mkdtemp(join(tmpdir(), 'forecast-accuracy-bench-'));
  const started = performance.now();
  try {
    if (options.against !== undefined) program('serve', options.against);
    await checkRoom(folder, options);
    const figures: Figure[] = [];
    const say = (text: string): void =>
      console.error(`[${Math.round((performance.now() - started) / 1000)} s] ${text}`);
    const make = async (name: string, made: Shape, parquet?: string): Promise<string> => {
      say(
        `making ${made.stations} stations, ${made.days} days: ${pairCount(made).toLocaleString('en-US')} pairs`,
      );
      const dataDir = join(folder, name);
      const { make_ms } = await work<{ make_ms: number }>('make', { dataDir, shape: made, parquet });
      say(`made ${Math.round((pairCount(made) / make_ms) * 1000).toLocaleString('en-US')} pairs a second`);
      return dataDir;
    };
    if (options.billion) {
      if (options.keep !== undefined) await mkdir(options.keep, { recursive: true });
      const makeOnce = async (name: string, made: Shape): Promise<string> => {
        const kept = join(options.keep ?? folder, name);
        if (existsSync(kept)) return kept;
        const dataDir = await make(name, made);
        await work('provider', { dataDir, days: 90, shape: made });
        await rename(dataDir, kept);
        return kept;
      };
      const folders = { billion: await makeOnce('billion', BILLION), year: await makeOnce('year', shape) };
      say('a billion pairs beside the year');
      const figures = await measureScale(folders, folder, shape, options.rounds);
      await show(figures, shape, options, (performance.now() - started) / 1000);
      return;
    }
    const parquet = join(folder, 'pairs.parquet');
    const needsHistory = only.some((part) => part !== 'loading');
    const needsDuck = options.duckdb && (only.includes('cold') || only.includes('concurrent'));
    const full = needsHistory ? await make('full', shape, needsDuck ? parquet : undefined) : '';
    const duckDb = async (clients: number): Promise<Duck | undefined> =>
      needsDuck ? openDuck(join(folder, 'duck.db'), parquet, clients) : undefined;
    const cold = { CACHE_MB: '0' };

    if (only.includes('cold')) {
      say('cold requests, beside plain SQL and DuckDB');
      const windows = WINDOWS.filter((window) => window <= days);
      const engineTimes = await work<EngineTimes>('engine', {
        dataDir: full,
        windows,
        rounds: options.rounds,
      });
      const duck = await duckDb(1);
      figures.push(
        ...(await using(startService(full, cold), (service) =>
          measureCold(service, duck, engineTimes, options),
        )),
      );
      duck?.close();
    }
    if (only.includes('growth')) {
      const halfStations = await make('half-stations', { ...shape, stations: Math.ceil(stations / 2) });
      const halfDays = await make('half-days', { ...shape, days: Math.ceil(days / 2) });
      say('requests when stations and days double');
      const window = Math.min(90, Math.floor(days / 2));
      figures.push(
        ...(await using(startService(full, cold), (all) =>
          using(startService(halfStations, cold), (half_stations) =>
            using(startService(halfDays, cold), (half_days) =>
              measureGrowth({ full: all, half_stations, half_days }, { rounds: options.rounds, window }),
            ),
          ),
        )),
      );
    }
    if (only.includes('hot')) {
      say('cached responses and 304s; then a load through the same server');
      figures.push(...(await measureServer(full, shape, folder, options)));
    }
    if (only.includes('export')) {
      say('exports of every pair, beside the files that the engine writes by itself');
      figures.push(...(await measureExports(full, shape)));
    }
    if (only.includes('loading')) {
      const feedShape = { ...shape, days: Math.min(FEED_DAYS, days) };
      const feeds = await makeFeeds(folder, feedShape);
      say('loading feed files');
      figures.push(...(await measureLoading(folder, feeds, feedShape, smallRounds(options))));
    }
    if (only.includes('increments')) {
      const tenth = await make('tenth', { ...shape, days: Math.ceil(days / 10) });
      say('increments');
      figures.push(...(await measureIncrements({ full, tenth }, folder, shape, smallRounds(options))));
    }
    if (only.includes('concurrent')) {
      say('cold requests at once');
      const duck = await duckDb(CLIENTS);
      figures.push(
        ...(await measureConcurrent(full, folder, duck, { ...options, rounds: smallRounds(options) })),
      );
      duck?.close();
    }
    await show(figures, shape, options, (performance.now() - started) / 1000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** For what takes seconds each time. */
function smallRounds({ rounds }: Options): number {
  return Math.ceil(rounds / 10);
}

/** Cached responses, and the memory of the server that sent them and loaded a day meanwhile. */
async function measureServer(
  full: string,
  shape: Shape,
  folder: string,
  options: Options,
): Promise<Figure[]> {
  return using(startService(full), async (service) => {
    const figures = await measureHot(service, {
      rounds: smallRounds(options),
      seconds: options.seconds,
    });
    const rest = await readMemory(service.pid);
    const day = await makeFeeds(folder, { ...shape, days: 1 }, addDays(LAST_DAY, 1));
    await load(full, { forecasts: join(day, 'forecasts.csv'), observations: join(day, 'observations.csv') });
    const peak = await readMemory(service.pid);
    if (rest === undefined || peak === undefined) return figures;
    const section = 'memory of the server';
    return [
      ...figures,
      { section, what: 'after all requests', value: rest.now_mb, unit: 'MB' },
      {
        section,
        what: 'peak, a load through it included',
        value: peak.peak_mb,
        unit: 'MB',
        bar: { sign: '<=', bound: 1536 },
      },
    ];
  });
}

async function makeFeeds(
  folder: string,
  shape: Shape,
  first = addDays(LAST_DAY, 1 - shape.days),
): Promise<string> {
  const feeds = await mkdtemp(join(folder, 'feeds-'));
  const dataDir = await mkdtemp(join(folder, 'feeds-data-'));
  await work('make', { dataDir, shape: { ...shape, days: 1 } });
  await work('feeds', { dataDir, shape, first, folder: feeds });
  await rm(dataDir, { recursive: true });
  return feeds;
}

async function show(figures: Figure[], shape: Shape, options: Options, seconds: number): Promise<void> {
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
  };
  const file = resolve(options.json);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `${JSON.stringify({ version: VERSION, node: process.version, machine, shape, figures }, null, 2)}\n`,
  );
  console.log(
    `${pairCount(shape).toLocaleString('en-US')} pairs (${shape.stations} stations, ${shape.days} days), grain ${shape.grain} °F; ` +
      `medians of ${options.rounds} in turns; ${machine.cores} cores, Node ${process.version}; ${Math.round(seconds)} s`,
  );
  console.log(tableText(figures));
  const missed = missedText(figures);
  console.log(`\n${missed === '' ? 'every bar was met' : missed}\n\n${file}`);
}

async function checkRoom(
  folder: string,
  { only, against, duckdb, billion, ...shape }: Options,
): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  // Growth makes two halves; the other checkout has a copy.
  const copies = 1 + (only.includes('growth') ? 1 : 0) + (against === undefined ? 0 : 1);
  const bytesPerPair =
    copies * BYTES_PER_PAIR.data +
    (duckdb ? BYTES_PER_PAIR.duckdb : 0) +
    (only.includes('export') ? BYTES_PER_PAIR.export : 0);
  const needed = billion
    ? (pairCount(BILLION) + pairCount(shape)) * BYTES_PER_PAIR.merged
    : pairCount(shape) * bytesPerPair;
  if (bavail * bsize < needed) {
    throw new UserError(
      `TMPDIR: ${tmpdir()} has ${Math.round((bavail * bsize) / 1e9)} GB free, and the bench needs ${Math.round(needed / 1e9)}; name another folder, or give --stations, --days, --no-duckdb or --only`,
    );
  }
}

function readOptions(): Options {
  const whole = (minimum: number, maximum: number) => (text: string) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < minimum || value > maximum)
      throw new UserError(`${text} is not a whole number from ${minimum} to ${maximum}`);
    return value;
  };
  return new Command('bench')
    .description('Measure the service side by side with what it could be compared with, on made-up data.')
    .option('--stations <n>', 'stations', whole(100, 10_000), 2000)
    .option('--days <n>', 'days of history', whole(20, 3650), 365)
    .option(
      '--grain <degrees>',
      'grain of the temperatures, °F: 1 or 0.01',
      (text) => {
        if (text !== '1' && text !== '0.01') throw new UserError(`--grain: ${text} is neither 1 nor 0.01`);
        return text === '1' ? 1 : 0.01;
      },
      1,
    )
    .option('--rounds <n>', 'how often each request is asked', whole(3, 1000), 30)
    .option('--seconds <n>', 'how long each rate is measured', whole(1, 60), 3)
    .option('--against <folder>', 'another checkout, built, to ask the same on a copy of the data')
    .option('--no-duckdb', 'leave DuckDB out, and the room that its copy takes')
    .option(
      '--only <parts>',
      `of ${PARTS.join(', ')}`,
      (text) => {
        const parts = text.split(',');
        const unknown = parts.find((part) => !(PARTS as readonly string[]).includes(part));
        if (unknown !== undefined)
          throw new UserError(`--only: ${unknown} is not one of ${PARTS.join(', ')}`);
        return parts as Part[];
      },
      [...PARTS],
    )
    .option(
      '--billion',
      'a billion pairs beside the history, and nothing else: an hour more, and 10 GB',
      false,
    )
    .option(
      '--keep <folder>',
      'with --billion: the data sets stay in this folder of the same disk, for the next run',
    )
    .option('--json <file>', 'where to write the figures', 'build/bench.json')
    .parse()
    .opts<Options>();
}
