import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Shape } from '../data.js';
import type { Duck } from '../duckdb.js';
import { askUntil, inTurns, median } from '../measure.js';
import { type BenchRequest, requestsAtRandom } from '../requests.js';
import type { Figure } from '../report.js';
import { responseMs, type Server, startServer, using } from '../service.js';

// Concurrent: cold requests a second with one in flight and with several, each of another station and window, so that
// nothing is kept; beside another checkout on a copy of the data, and DuckDB.

/** Requests in flight. */
export const CLIENTS = 8;

const REQUEST_COUNT = 2000;

/** Requests by kind, with the bars of several in flight against one, and against the other checkout. */
const KINDS: Record<string, { one?: number; before?: number }> = {
  'station summary': { one: 1.7, before: 1.8 },
  'network summary': {},
  'by-city': {},
};

const COLD = { CACHE_MB: '0' };

export interface ConcurrentOptions extends Shape {
  rounds: number;
  seconds: number;
  /** The root of the other checkout. */
  against?: string;
}

export async function measureConcurrent(
  full: string,
  folder: string,
  duck: Duck | undefined,
  options: ConcurrentOptions,
): Promise<Figure[]> {
  const { against } = options;
  const rates = (ours: Server, before?: Server): Promise<Figure[]> =>
    measureRates(ours, before, duck, options);
  const ours = (): Promise<Server> => startServer(full, COLD);
  if (against === undefined) return using(ours(), rates);
  const copy = join(folder, 'copy');
  // Node's own copy would make the engine's relative links lead back here.
  execFileSync('cp', ['-a', full, copy]);
  const theirs = (): Promise<Server> => startServer(copy, COLD, against);
  const figures = await using(ours(), (server) => using(theirs(), (before) => rates(server, before)));
  await rm(copy, { recursive: true });
  return figures;
}

async function measureRates(
  ours: Server,
  before: Server | undefined,
  duck: Duck | undefined,
  { rounds, seconds, ...shape }: ConcurrentOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, bars] of Object.entries(KINDS)) {
    process.stderr.write(`  ${kind}\n`);
    const requests = Array.from({ length: REQUEST_COUNT }, (_, nth) =>
      requestsAtRandom(nth, shape).filter((params) => params.kind === kind),
    ).flat();
    const rate =
      (clients: number, ask: (params: BenchRequest, client: number) => Promise<number>) => async () => {
        let next = 0;
        const { per_second } = await askUntil(setTimeout(seconds * 1000), clients, (client) =>
          ask(requests[next++ % requests.length] as BenchRequest, client),
        );
        return per_second;
      };
    const of =
      (server: Server) =>
      ({ path }: BenchRequest) =>
        responseMs(server, path);
    const sides: Record<string, () => Promise<number>> = {
      one: rate(1, of(ours)),
      ours: rate(CLIENTS, of(ours)),
      ...(before && { before: rate(CLIENTS, of(before)) }),
      // One name for all, so that all read one table: the one that is faster for the first.
      ...(duck && {
        duck: rate(CLIENTS, (params, client) => duck.ask({ ...params, name: kind }, client)),
      }),
    };
    const measured = await inTurns(sides, rounds);
    const side = (name: string): number => median(measured[name] ?? []);
    const section = `concurrent: ${kind}`;
    const against = (name: string, words: string, bound?: number): Figure => ({
      section,
      what: `${CLIENTS} in flight against ${words}`,
      value: side('ours') / side(name),
      unit: '×',
      made_of: `${side('ours').toFixed(1)} and ${side(name).toFixed(1)} a second`,
      ...(bound !== undefined && { bar: { sign: '>=', bound } }),
    });
    figures.push(
      { section, what: `${CLIENTS} in flight`, value: side('ours'), unit: '1/s' },
      against('one', '1', bars.one),
      ...(before ? [against('before', `${CLIENTS}, before`, bars.before)] : []),
      ...(duck ? [against('duck', `${CLIENTS} in DuckDB`)] : []),
    );
  }
  return figures;
}
