import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { LAST_DAY, pairCount, type Shape } from '../data.js';
import { inTurns, median } from '../measure.js';
import { makeRequests } from '../requests.js';
import type { Figure } from '../report.js';
import {
  responseMs,
  readMemory,
  run,
  type Server,
  startServer,
  startService,
  using,
  work,
} from '../service.js';
import type { Increments } from '../worker.js';
import { diskFigure, WINDOWS } from './cold.js';

// Scale: a billion pairs beside the history of every other part, in turns: disk, start, each cold request, a day that
// arrives, and verify of a month.

/** 2,000 stations, three providers, nine and a half years: 1.0002 billion pairs. */
export const BILLION: Shape = { stations: 2000, days: 3473, grain: 1, providers: 3 };

/** How many times as long as on the smaller history a cold request may take. */
const BOUND = 1.5;

const WARM_UP_ROUNDS = 3;

const COLD = { CACHE_MB: '0' };

/** The two histories, which are asked in turns. */
type Which = 'billion' | 'year';

export async function measureScale(
  folders: Record<Which, string>,
  scratch: string,
  shape: Shape,
  rounds: number,
): Promise<Figure[]> {
  const starts = await inTurns(
    { billion: () => startMs(folders.billion), year: () => startMs(folders.year) },
    Math.min(rounds, 5),
  );
  process.stderr.write(
    `  start: ${median(starts.billion).toFixed(0)} and ${median(starts.year).toFixed(0)} ms\n`,
  );
  const cold = await using(startService(folders.billion, COLD), (billion) =>
    using(startService(folders.year, COLD), async (year) => [
      ...(await diskFigures({ billion, year }, shape)),
      ...(await measureRequests({ billion, year }, rounds)),
      ...(await memoryFigures({ billion, year })),
    ]),
  );
  return [
    makeFigure('start, to the first response', starts, 3),
    ...cold,
    ...(await measureArrivals(folders, scratch, shape)),
    makeFigure(
      'verify of a month',
      await inTurns({ billion: () => verifyMs(folders.billion), year: () => verifyMs(folders.year) }, 1),
    ),
  ];
}

async function startMs(dataDir: string): Promise<number> {
  const started = performance.now();
  return using(startServer(dataDir, COLD), async (server) => {
    await responseMs(server, '/api/v1/accuracy/summary');
    return performance.now() - started;
  });
}

/** Before the days of the provider that comes with the requests, which has a ledger and no facts. */
const VERIFIED_MONTH = addDays(LAST_DAY, -150).slice(0, 7);

const verifyMs = (dataDir: string): Promise<number> => run('verify', ['--month', VERIFIED_MONTH], dataDir);

async function diskFigures(
  services: Record<Which, Parameters<typeof diskFigure>[0]>,
  shape: Shape,
): Promise<Figure[]> {
  const section = 'scale: disk';
  const billion = await diskFigure(services.billion, pairCount(BILLION));
  const year = await diskFigure(services.year, pairCount(shape));
  const total_gb = (billion.value * pairCount(BILLION)) / 1e9;
  return [
    { ...billion, section, what: 'bytes on disk per pair, a billion' },
    { ...year, section, what: 'bytes on disk per pair, the year' },
    { section, what: 'a billion pairs', value: total_gb, unit: 'GB', bar: { sign: '<=', bound: 8 } },
  ];
}

async function measureRequests(services: Record<Which, Server>, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, path } of WINDOWS.flatMap((days) => makeRequests(days))) {
    const ask = (which: Which) => () => responseMs(services[which], path);
    const contenders = { billion: ask('billion'), year: ask('year') };
    await inTurns(contenders, WARM_UP_ROUNDS);
    const measured = await inTurns(contenders, rounds);
    const [billion, year] = [median(measured.billion), median(measured.year)];
    const made_of = `${billion.toFixed(1)} and ${year.toFixed(1)} ms`;
    process.stderr.write(`  ${name}: ${made_of}\n`); // a run takes long, and may be cut short
    figures.push({
      section: 'scale: cold requests, a billion pairs against the year',
      what: name,
      value: billion / year,
      unit: '×',
      made_of,
      bar: { sign: '<=', bound: BOUND },
    });
  }
  return figures;
}

async function memoryFigures(services: Record<Which, Server>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [which, { pid }] of Object.entries(services)) {
    const memory = await readMemory(pid);
    if (memory === undefined) continue;
    figures.push({
      section: 'scale: memory',
      what: `peak of the server, ${which}`,
      value: memory.peak_mb,
      unit: 'MB',
    });
  }
  return figures;
}

/** A day's observations of all stations, by one provider's forecasts. */
async function measureArrivals(
  folders: Record<Which, string>,
  scratch: string,
  shape: Shape,
): Promise<Figure[]> {
  const runs: Record<Which, number[]> = { billion: [], year: [] };
  for (const which of ['billion', 'year'] as const) {
    const folder = join(scratch, `days-${which}`);
    await mkdir(folder, { recursive: true });
    const { last_day } = await work<{ last_day: string }>('lastDay', { dataDir: folders[which] });
    const days = Array.from({ length: 4 }, (_, i) => addDays(last_day, 2 + i));
    const { arrival_ms } = await work<Increments>('increments', {
      dataDir: folders[which],
      shape,
      days,
      folder,
    });
    runs[which].push(...arrival_ms.slice(1)); // the first is for warmth
  }
  return [makeFigure("a day's observations of all stations", runs)];
}

/** @param within_s the bar, if there is one */
function makeFigure(what: string, { billion, year }: Record<Which, number[]>, within_s?: number): Figure {
  return {
    section: 'scale: start, arrivals, verify',
    what,
    value: median(billion) / 1000,
    unit: 's',
    made_of: `the year ${(median(year) / 1000).toFixed(2)} s`,
    ...(within_s !== undefined && { bar: { sign: '<=', bound: within_s } }),
  };
}
