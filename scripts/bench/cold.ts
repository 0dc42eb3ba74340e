import type { Duck } from './duckdb.js';
import { inTurns, median, timed } from './measure.js';
import { expectSame, numbersOfBody, numbersOfRows, type Question, questionsOf } from './questions.js';
import type { Figure } from './report.js';
import { request, type Service } from './service.js';

// Cold: every endpoint without a cache, beside the same question as plain SQL over the pairs in the same engine, the
// engine's bare read of the rows behind it, its SELECT 1, and DuckDB.

const WINDOWS = [90, 365];

/** Bars of the plain SQL by scope and days: how many times faster the service is to be. */
const FASTER_THAN_PLAIN: Partial<Record<string, number>> = {
  'network 90': 8,
  'network 365': 25,
  'each_station 90': 2,
};

export async function measureCold(
  service: Service,
  duck: Duck,
  { rounds, days }: { rounds: number; days: number },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const question of WINDOWS.filter((window) => window <= days).flatMap((window) =>
    questionsOf(window),
  )) {
    process.stderr.write(`  ${question.name}\n`);
    figures.push(...(await measureQuestion(service, duck, question, rounds)));
  }
  return figures;
}

async function measureQuestion(
  service: Service,
  duck: Duck,
  question: Question,
  rounds: number,
): Promise<Figure[]> {
  await check(service, duck, question);
  const { engine } = service;
  const { params, plainSql, bareSql, path, name, scope, days } = question;
  const ask = async (sql: string): Promise<void> => {
    const result = await engine.query({ query: sql, query_params: params, format: 'JSONEachRow' });
    await result.text();
  };
  const store: number[] = [];
  const overhead: number[] = [];
  const measured = await inTurns(
    {
      service: async (round) => {
        const { total_ms, store_ms, status } = await request(service, path);
        if (status !== 200) throw new Error(`${name}: status ${status}`);
        if (round > 0) {
          store.push(store_ms);
          overhead.push(total_ms - store_ms);
        }
        return total_ms;
      },
      plain: () => timed(() => ask(plainSql)),
      bare: () => timed(() => engine.command({ query: bareSql, query_params: params })),
      floor: () => timed(() => ask('SELECT 1')),
      duck: () => duck.ask(question),
    },
    rounds,
  );
  const ms = Object.fromEntries(
    Object.entries(measured).map(([what, values]) => [what, median(values)]),
  ) as Record<keyof typeof measured, number>;
  const [store_ms, overhead_ms] = [median(store), median(overhead)];
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
    ...(scope === 'station'
      ? [
          {
            section,
            what: "engine time against the engine's bare read",
            value: store_ms / ms.bare,
            unit: '×',
            made_of: `engine ${text(store_ms)}, bare read ${text(ms.bare)}`,
            ...(!name.includes('lead-time') && { bar: { sign: '<=', bound: 1.6 } as const }),
          },
        ]
      : []),
    {
      section,
      what: 'HTTP and framework on top of engine time',
      value: overhead_ms,
      unit: 'ms',
      bar: { sign: '<=', bound: 1.5 },
    },
    {
      section,
      what: 'time against DuckDB',
      value: ms.service / ms.duck,
      unit: '×',
      made_of: `DuckDB ${text(ms.duck)}, ${made}`,
      bar: { sign: '<=', bound: scope === 'station' ? 3 : 1 },
    },
  ];
}

/** All sides give the same numbers. */
async function check(service: Service, duck: Duck, question: Question): Promise<void> {
  const { body } = await request(service, question.path);
  const answered = numbersOfBody(body);
  const result = await service.engine.query({
    query: question.plainSql,
    query_params: question.params,
    format: 'JSONEachRow',
  });
  expectSame(`${question.name}, plain SQL`, answered, numbersOfRows(await result.json()));
  expectSame(`${question.name}, DuckDB`, answered, await duck.numbers(question));
}
