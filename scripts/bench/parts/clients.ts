import { setTimeout } from 'node:timers/promises';
import { feedsOfDays } from './beside.js';
import type { Shape } from '../data.js';
import { exportPath } from './exporting.js';
import { askUntil, median } from '../measure.js';
import { questionsAtRandom, questionsOf } from '../questions.js';
import type { Figure } from '../report.js';
import { load, memoryOf, request, type Server, startServer, using } from '../service.js';

// Many clients that ask everything of one server as an operator starts it, while days arrive one after another: what
// they get, and whether the server's memory stays within its bar, and where it was.

const CLIENTS = 64;
const LOAD_EVERY_SECONDS = 3;
/** Answers, and refusals of a server that has too much to do. */
const EXPECTED = [200, 429, 503];
const BARS = { peak_mb: 1536, growth: 1.05 };

export async function measureClients(
  dataDir: string,
  shape: Shape,
  folder: string,
  minutes: number,
): Promise<Figure[]> {
  const seconds = minutes * 60;
  const days = await feedsOfDays(dataDir, shape, Math.ceil(seconds / LOAD_EVERY_SECONDS), folder);
  return using(startServer(dataDir), async (server) => {
    const section = `${CLIENTS} clients, ${minutes} min`;
    const paths = everything(shape);
    const statuses = new Map<number, number>();
    const rss: number[] = [];
    const sampling = setInterval(() => {
      void memoryOf(server.pid).then((memory) => memory && rss.push(memory.now_mb));
    }, 1000);
    const loading = loadUntil(performance.now() + seconds * 1000, dataDir, days);
    const { per_second } = await askUntil(setTimeout(seconds * 1000), CLIENTS, () =>
      ask(server, paths, statuses),
    );
    clearInterval(sampling);
    const peak = await memoryOf(server.pid);
    const figures: Figure[] = [
      { section, what: 'answers', value: per_second, unit: '1/s' },
      { section, what: 'days loaded meanwhile', value: await loading, unit: '' },
      ...[...statuses]
        .sort()
        .map(([status, value]) => ({ section, what: `answers ${status}`, value, unit: '' })),
    ];
    if (peak === undefined) return figures;
    const bar = { sign: '<=', bound: BARS.peak_mb } as const;
    figures.push({ section, what: 'peak memory', value: peak.peak_mb, unit: 'MB', bar });
    if (minutes < 3) return figures;
    const [second, last] = [median(rss.slice(60, 120)), median(rss.slice(-60))];
    return [
      ...figures,
      {
        section,
        what: 'memory in the last minute against the second',
        value: last / second,
        unit: '×',
        made_of: `${Math.round(last)} and ${Math.round(second)} MB`,
        bar: { sign: '<=', bound: BARS.growth },
      },
    ];
  });
}

/** Every endpoint: what all ask again and again, what nobody asked before, raw pairs, CSV, and exports now and then. */
function* everything(shape: Shape): Generator<string> {
  const often = [
    ...questionsOf(Math.min(90, shape.days)).map(({ path }) => path),
    '/api/v1',
    '/api/v1/providers',
    '/api/v1/stations/metadata',
  ];
  for (let nth = 1; ; nth += 1) {
    for (const { path, kind } of questionsAtRandom(nth, shape)) {
      yield path;
      yield often[(nth * 7) % often.length] ?? '';
      if (kind === 'station by-station') yield `${path}&include_raw=true`;
      if (kind === 'by-city') yield `${path}&metric=low&format=csv`;
    }
    if (nth % 10 === 0) yield exportPath('csv', 1 + ((nth / 10) % 3));
  }
}

async function ask(server: Server, paths: Iterator<string>, statuses: Map<number, number>): Promise<number> {
  const path = String(paths.next().value);
  const { status, total_ms } = await request(server, path);
  if (!EXPECTED.includes(status)) throw new Error(`${path}: status ${status}`);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return total_ms;
}

/** @returns how many days were loaded */
async function loadUntil(
  end: number,
  dataDir: string,
  days: Awaited<ReturnType<typeof feedsOfDays>>,
): Promise<number> {
  let loaded = 0;
  for (const { forecasts, preliminary } of days) {
    if (performance.now() > end) break;
    await Promise.all([
      load(dataDir, { forecasts, observations: preliminary }),
      setTimeout(LOAD_EVERY_SECONDS * 1000),
    ]);
    loaded += 1;
  }
  return loaded;
}
