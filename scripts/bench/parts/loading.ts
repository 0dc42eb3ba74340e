import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { ISSUANCES_PER_DAY, LAST_DAY, type Shape } from '../data.js';
import { inTurns, median } from '../measure.js';
import type { Figure } from '../report.js';
import { load, work } from '../service.js';
import type { BareLoad, Increments } from '../worker.js';

// Loading: feed files from end to end beside the least that the engine needs for them, and increments on a long and a
// short history.

export const FEED_DAYS = 30;

/** Loads feed files into an empty store, as an operator does, and with the engine's bare means. */
export async function measureLoading(
  folder: string,
  feeds: string,
  shape: Shape,
  rounds: number,
): Promise<Figure[]> {
  const bareRuns: BareLoad[] = [];
  const fresh = async (use: (dataDir: string) => Promise<number>): Promise<number> => {
    const dataDir = await mkdtemp(join(folder, 'load-'));
    const ms = await use(dataDir);
    await rm(dataDir, { recursive: true });
    return ms;
  };
  const file = (name: string): string => join(feeds, `${name}.csv`);
  const measured = await inTurns(
    {
      load: () =>
        fresh((dataDir) =>
          load(dataDir, {
            stations: file('stations'),
            forecasts: file('forecasts'),
            observations: file('observations'),
          }),
        ),
      bare: () =>
        fresh(async (dataDir) => {
          const bare = await work<BareLoad>('bareLoad', { dataDir, folder: feeds });
          bareRuns.push(bare);
          return bare.read_ms + bare.join_ms;
        }),
    },
    rounds,
  );
  const rows = shape.stations * shape.days * (ISSUANCES_PER_DAY + 1) + shape.stations;
  const [load_ms, bare_ms] = [median(measured.load), median(measured.bare)];
  const section = `loading ${rows.toLocaleString('en-US')} rows of feed files`;
  return [
    { section, what: 'rows per second, end to end', value: rows / (load_ms / 1000), unit: 'rows/s' },
    {
      section,
      what: "time against the engine's bare minimum",
      value: load_ms / bare_ms,
      unit: '×',
      made_of: `npm run load ${(load_ms / 1000).toFixed(2)} s with its start; bare ${(bare_ms / 1000).toFixed(2)} s: read ${(median(bareRuns.map(({ read_ms }) => read_ms)) / 1000).toFixed(2)} s, join ${(median(bareRuns.map(({ join_ms }) => join_ms)) / 1000).toFixed(2)} s`,
      bar: { sign: '<=', bound: 2 },
    },
  ];
}

/** New days arrive on the whole history and on a tenth of it, in turns. */
export async function measureIncrements(
  folders: { full: string; tenth: string },
  scratch: string,
  shape: Shape,
  rounds: number,
): Promise<Figure[]> {
  const runs: Record<'full' | 'tenth', Increments[]> = { full: [], tenth: [] };
  const perRound = 2;
  for (let round = 0; round < rounds; round += 1) {
    // The first day after the history is for warmth.
    const days = Array.from({ length: perRound + 1 }, (_, i) =>
      addDays(LAST_DAY, 2 + round * (perRound + 1) + i),
    );
    for (const which of ['full', 'tenth'] as const) {
      const folder = join(scratch, `days-${which}`);
      await mkdir(folder, { recursive: true });
      runs[which].push(
        await work<Increments>('increments', { dataDir: folders[which], shape, days, folder }),
      );
    }
  }
  const middle = (which: 'full' | 'tenth', what: 'arrival_ms' | 'verification_ms'): number =>
    median(runs[which].flatMap((each) => each[what].slice(1)));
  const [full, tenth] = [middle('full', 'arrival_ms'), middle('tenth', 'arrival_ms')];
  const verified = middle('full', 'verification_ms');
  const pairs = runs.full[0]?.pairs_added[0] ?? 0;
  const section = `a day's observations of all stations (${pairs.toLocaleString('en-US')} new pairs)`;
  return [
    {
      section,
      what: 'time on the full history',
      value: full / 1000,
      unit: 's',
      bar: { sign: '<=', bound: 3 },
    },
    {
      section,
      what: 'full history against a tenth of it',
      value: full / tenth,
      unit: '×',
      made_of: `${full.toFixed(0)} ms, ${tenth.toFixed(0)} ms`,
      bar: { sign: '<=', bound: 1.3 },
    },
    {
      section,
      what: 'the same day verified, against its arrival',
      value: verified / full,
      unit: '×',
      made_of: `${verified.toFixed(0)} ms; one value in twenty is another`,
      bar: { sign: '<=', bound: 2.5 },
    },
  ];
}
