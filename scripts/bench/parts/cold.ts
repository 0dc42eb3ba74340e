import { pairCount, type Shape } from '../data.js';
import type { Duck } from '../duckdb.js';
import { inTurns, median, timed } from '../measure.js';
import { expectSame, numbersOfBody, numbersOfRows, type BenchRequest, makeRequests } from '../requests.js';
import type { Figure } from '../report.js';
import { request, type Service } from '../service.js';
import type { EngineTimes } from '../worker.js';

// Cold: every endpoint without a cache, beside the same request as plain SQL over the pairs in the same engine, its
// SELECT 1, and DuckDB. A request about one station also beside the engine's bare read of its rows.

export const WINDOWS = [90, 365];

const WARM_UP_ROUNDS = 20;

/** Bars of the plain SQL by scope and days: how many times faster the service is to be. */
const FASTER_THAN_PLAIN: Partial<Record<string, number>> = {
  'network 90': 8,
  'network 365': 25,
  'each_station 90': 2,
};

export async function measureCold(
  service: Service,
  duck: Duck | undefined,
  engineTimes: EngineTimes,
  { rounds, ...shape }: Shape & { rounds: number },
): Promise<Figure[]> {
  const figures: Figure[] = [await diskFigure(service, pairCount(shape))];
  const requests = WINDOWS.filter((window) => window <= shape.days).flatMap((window) => makeRequests(window));
  // A server runs for weeks: the first requests of a process, slower by 1 ms and more, are not what its users see.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const { path } of requests) await request(service, path);
  for (const benchmark of requests) {
    process.stderr.write(`  ${benchmark.name}\n`);
    figures.push(...(await measureRequest(service, duck, engineTimes, benchmark, rounds)));
  }
  return figures;
}

async function measureRequest(
  service: Service,
  duck: Duck | undefined,
  engineTimes: EngineTimes,
  benchmark: BenchRequest,
  rounds: number,
): Promise<Figure[]> {
  await check(service, duck, benchmark);
  const { engine } = service;
  const { params, plainSql, path, name, scope, days } = benchmark;
  const ask = async (sql: string): Promise<void> => {
    const result = await engine.query({ query: sql, query_params: params, format: 'JSONEachRow' });
    await result.text();
  };
  const overhead: number[] = [];
  const measured = await inTurns(
    {
      service: async (round) => {
        const { total_ms, store_ms, status } = await request(service, path);
        if (status !== 200) throw new Error(`${name}: status ${status}`);
        if (round > 0) {
          overhead.push(total_ms - store_ms);
        }
        return total_ms;
      },
      plain: () => timed(() => ask(plainSql)),
      floor: () => timed(() => ask('SELECT 1')),
      duck: async () => duck?.ask(benchmark) ?? NaN,
    },
    rounds,
  );
  const ms = Object.fromEntries(
    Object.entries(measured).map(([what, values]) => [what, median(values)]),
  ) as Record<keyof typeof measured, number>;
  const overhead_ms = median(overhead);
  const alone = engineTimes[name];
  const section = `cold: ${name}`;
  const text = (value: number): string => `${value.toFixed(2)} ms`;
  const bound = FASTER_THAN_PLAIN[`${scope} ${days}`];
  const made = `service ${text(ms.service)}`;
  return [
    {
      section,
      what: 'over HTTP',
      value: ms.service,
      unit: 'ms',
      made_of: `engine's SELECT 1 ${text(ms.floor)}`,
    },
    {
      section,
      what: 'faster than plain SQL over pairs',
      value: ms.plain / ms.service,
      unit: '×',
      made_of: `plain ${text(ms.plain)}, ${made}`,
      ...(bound !== undefined && { bar: { sign: '>=', bound } }),
    },
    ...(alone === undefined
      ? []
      : [
          {
            section,
            what: "engine time against the engine's bare read",
            value: alone.own_ms / alone.bare_ms,
            unit: '×',
            made_of: `engine ${text(alone.own_ms)}, bare read ${text(alone.bare_ms)}, both in its process`,
            ...(!name.includes('lead-time') && { bar: { sign: '<=', bound: 1.6 } as const }),
          },
        ]),
    {
      section,
      what: 'HTTP and framework on top of engine time',
      value: overhead_ms,
      unit: 'ms',
      bar: { sign: '<=', bound: 1.5 },
    },
    ...(duck === undefined
      ? []
      : [
          {
            section,
            what: 'time against DuckDB',
            value: ms.service / ms.duck,
            unit: '×',
            made_of: `DuckDB ${text(ms.duck)}, ${made}`,
            bar: { sign: '<=', bound: scope === 'station' ? 3 : 1 } as const,
          },
        ]),
  ];
}

/** The size of the data folder: every part that is in use, of facts, ledger and histograms. */
export async function diskFigure({ engine }: Service, pairs: number): Promise<Figure> {
  const result = await engine.query({
    query: 'SELECT toFloat64(sum(bytes_on_disk)) AS bytes, count() AS parts FROM system.parts WHERE active',
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ bytes: number; parts: number }>();
  const { bytes = NaN, parts = NaN } = row ?? {};
  const made_of = `${(bytes / 1e9).toFixed(2)} GB in ${parts} parts`;
  return { section: 'cold: disk', what: 'bytes on disk per pair', value: bytes / pairs, unit: 'B', made_of };
}

/** All sides give the same numbers. */
async function check(service: Service, duck: Duck | undefined, benchmark: BenchRequest): Promise<void> {
  const { body } = await request(service, benchmark.path);
  const response = numbersOfBody(body);
  const result = await service.engine.query({
    query: benchmark.plainSql,
    query_params: benchmark.params,
    format: 'JSONEachRow',
  });
  expectSame(`${benchmark.name}, plain SQL`, response, numbersOfRows(await result.json()));
  if (duck) expectSame(`${benchmark.name}, DuckDB`, response, await duck.numbers(benchmark));
}
