import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { ISSUANCES_PER_DAY, LAST_DAY, pairCount, type Shape } from '../data.js';
import { download, exportPath } from './exporting.js';
import { askUntil, median, quantile, timed } from '../measure.js';
import { questionsAtRandom } from '../questions.js';
import type { Figure } from '../report.js';
import { load, memoryOf, request, type Server, startServer, using, work } from '../service.js';
import type { DayFeeds } from '../feeds.js';

// How long a reader waits for a cold question about one station while the same server takes in a load, or sends
// exports, beside the same reader when it is quiet.

const READERS = 2;
const EXPORTS = 2;
const MOST_PAIRS = { export: 5_000_000, correction: 1_000_000 };

/** How many times longer than in quiet 95 of 100 answers may take, and the longest one, ms. */
const BARS = { p95: 3, longest: 500 };

interface Options extends Shape {
  rounds: number;
  seconds: number;
}

/** The feeds of the days before the history, the nearest first: days after it may not be over yet. */
export async function feedsOfDays(
  dataDir: string,
  shape: Shape,
  count: number,
  folder: string,
): Promise<DayFeeds[]> {
  const days = Array.from({ length: count }, (_, i) => addDays(LAST_DAY, -shape.days - i));
  return work('days', { dataDir, shape, days, folder: await mkdtemp(join(folder, 'days-')) });
}

/** Loads through a server: a day that arrives, the same day verified, and a correction of many days. */
export async function measureBesideLoads(
  dataDir: string,
  folder: string,
  env: Record<string, string>,
  { rounds, seconds, ...shape }: Options,
): Promise<Figure[]> {
  const days = await feedsOfDays(dataDir, shape, rounds, folder);
  const correction = join(folder, 'correction.csv');
  const corrected = { ...shape, days: daysOf(shape, Math.min(MOST_PAIRS.correction, pairCount(shape) / 10)) };
  await work('correction', {
    dataDir,
    shape: corrected,
    first: addDays(LAST_DAY, 1 - corrected.days),
    file: correction,
  });
  return using(startServer(dataDir, env), async (server) => {
    const readers = await Readers.of(server, shape, seconds);
    for (const { forecasts, preliminary, verified } of days) {
      await readers.quiet();
      await readers.beside("a day's arrival", load(dataDir, { forecasts, observations: preliminary }));
      await readers.beside('the same day verified', load(dataDir, { observations: verified }));
    }
    const pairs = pairCount(corrected).toLocaleString('en-US');
    await readers.beside(`a correction of ${pairs} pairs`, load(dataDir, { observations: correction }));
    await readers.quiet();
    return readers.figures('loads', BARS.longest);
  });
}

/** Exports of one server that has done nothing else, so that its memory is theirs. */
export async function measureBesideExports(
  server: Server,
  { seconds, ...shape }: Options,
): Promise<Figure[]> {
  const exported = { ...shape, days: daysOf(shape, MOST_PAIRS.export) };
  const pairs = pairCount(exported);
  const what = `${EXPORTS} exports of ${pairs.toLocaleString('en-US')} pairs`;
  const readers = await Readers.of(server, shape, seconds);
  await readers.quiet();
  const path = exportPath('csv', exported.days);
  const ms = await timed(() =>
    readers.beside(what, Promise.all(Array.from({ length: EXPORTS }, () => download(server, path, pairs)))),
  );
  await readers.quiet();
  const section = `readers beside ${what}`;
  const peak = await memoryOf(server.pid);
  return [
    ...readers.figures('exports'),
    { section, what: 'exported', value: (EXPORTS * pairs * 1000) / ms, unit: 'rows/s' },
    ...(peak ? [{ section, what: 'peak memory of the server', value: peak.peak_mb, unit: 'MB' }] : []),
  ];
}

/** Clients that ask about one station after the other, and how long they waited beside what. */
class Readers {
  /** Milliseconds of each answer, by what ran beside it; one list for each time that it ran. */
  readonly #ms = new Map<string, number[][]>();
  #nth = 0;
  #refused = 0;

  private constructor(
    private readonly server: Server,
    private readonly shape: Shape,
    private readonly seconds: number,
  ) {}

  /** Readers of a server that they have warmed up. */
  static async of(server: Server, shape: Shape, seconds: number): Promise<Readers> {
    const readers = new Readers(server, shape, seconds);
    await readers.quiet();
    readers.#ms.clear();
    return readers;
  }

  quiet(): Promise<void> {
    return this.beside('', setTimeout(this.seconds * 1000));
  }

  async beside(what: string, end: Promise<unknown>): Promise<void> {
    const { ms } = await askUntil(end, READERS, () => this.#ask());
    this.#ms.set(what, [...(this.#ms.get(what) ?? []), ms]);
  }

  async #ask(): Promise<number> {
    const question = questionsAtRandom((this.#nth += 1), this.shape).find(
      ({ kind }) => kind === 'station summary',
    );
    const { status, total_ms } = await request(this.server, question?.path ?? '');
    // A reader that is refused has waited all the same.
    if (status === 503) this.#refused += 1;
    else if (status !== 200) throw new Error(`${question?.path}: status ${status}`);
    return total_ms;
  }

  figures(beside: string, longest?: number): Figure[] {
    const share = (what: string, of: number): number =>
      median((this.#ms.get(what) ?? []).map((ms) => quantile(ms, of)));
    const text = (value: number): string => `${value.toFixed(2)} ms`;
    return [...this.#ms].flatMap(([what, times]) => {
      const section = what === '' ? `readers before and after ${beside}` : `readers beside ${what}`;
      const all = times.flat();
      const [p95, quiet] = [share(what, 0.95), share('', 0.95)];
      const most: Figure = {
        section,
        what: 'longest answer',
        value: quantile(all, 1),
        unit: 'ms',
        made_of: `of ${all.length}`,
      };
      return [
        { section, what: 'p50', value: share(what, 0.5), unit: 'ms' },
        { section, what: 'p95', value: p95, unit: 'ms' },
        ...(what === ''
          ? [most, { section, what: `refused, 503, also beside ${beside}`, value: this.#refused, unit: '' }]
          : [
              longest === undefined ? most : { ...most, bar: { sign: '<=', bound: longest } as const },
              {
                section,
                what: 'p95 against quiet',
                value: p95 / quiet,
                unit: '×',
                made_of: `${text(p95)} and ${text(quiet)}`,
                bar: { sign: '<=', bound: BARS.p95 } as const,
              },
            ]),
      ];
    });
  }
}

/** As many days as have so many pairs at most; at least one. */
function daysOf({ stations, days }: Shape, pairs: number): number {
  return Math.max(1, Math.min(days, Math.floor(pairs / (stations * ISSUANCES_PER_DAY * 2))));
}
