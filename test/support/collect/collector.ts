import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Host } from '../../../src/collect/host/host.js';
import type { FeedLine, PublicSource } from '../../../src/collect/source.js';
import type { RowFiles } from '../../../src/collect/pass/batch.js';
import type { Collector } from '../../../src/collect/collector.js';
import { findSourceFiles } from '../../../src/collect/files/find-files.js';
import { toSource } from '../../../src/collect/files/file-source.js';
import { CODE_SOURCES } from '../../../src/collect/sources/index.js';
import { load } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { temporaryFolder } from '../store.js';
import type { StubServer } from './stub-server.js';
import type { VirtualClock } from './virtual-clock.js';

export const OPEN_METEO_HOST = 'https://single-runs-api.open-meteo.com';

/** The sources of the program, code and files. */
export const SOURCES: readonly PublicSource[] = [...CODE_SOURCES, ...findSourceFiles('').files.map(toSource)];

/** The sources that are asked where none is named. */
export const USUAL_SOURCES = SOURCES.filter(({ isOff }) => isOff !== true);

/** A collector of the stub's world, at full speed, which loads into a store of this process. */
export function testCollector(
  stub: StubServer,
  clock: VirtualClock,
  store: Store,
  rest: Partial<Collector> = {},
): Collector {
  const settings = { url: stub.url, gap_ms: 0, pace: 0, user_agent: 'test (+me@example.org)' };
  return {
    wanted: { stations: ['KNYC', 'KORD', 'EGLL'], states: [], countries: [] },
    days: { from: '2026-01-06' },
    sources: USUAL_SOURCES,
    dataDir: temporaryFolder(),
    store: 'test',
    hosts: {
      iem: new Host(settings, clock),
      [OPEN_METEO_HOST]: new Host(settings, clock),
      noaa: new Host(settings, clock),
    },
    load: (files, collected) => load(store, files, { collected, now: new Date(clock.now()) }),
    clock,
    signal: new AbortController().signal,
    log: () => {},
    ...rest,
  };
}

/** The rows of a file of a batch, by column. */
export function rowsOf(file: string): FeedLine[] {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

/** The temperatures within the day that a load brings, under station and time. */
export const hoursIn = (files: RowFiles): [key: string, value: number][] =>
  files.hours.flatMap(rowsOf).map(({ station_id, at, temp_c }) => [`${station_id} ${at}`, Number(temp_c)]);

const FORECASTS = `
  SELECT provider, station_id, toUnixTimestamp64Milli(issued_at) AS issued_ms, toString(target_date) AS date,
    toString(metric) AS metric, toFloat64(argMax(forecast, load_id)) AS value
  FROM forecasts
  WHERE metric IN ('high', 'low')
  GROUP BY ALL
  ORDER BY ALL`;

const OBSERVATIONS = `
  SELECT station_id, toString(target_date) AS date, toString(metric) AS metric,
    toString(observation_status) AS status, toUnixTimestamp64Milli(observed_at) AS observed_ms,
    toFloat64(argMax(actual, load_id)) AS value
  FROM observations
  WHERE metric IN ('high', 'low')
  GROUP BY ALL
  ORDER BY ALL`;

const PAIRS = `
  SELECT provider, station_id, toString(target_date) AS date, toString(metric) AS metric,
    toUnixTimestamp64Milli(issued_at) AS issued_ms, toFloat64(forecast) AS value, toFloat64(actual) AS actual
  FROM pairs
  WHERE metric IN ('high', 'low')
  GROUP BY ALL
  HAVING sum(sign) != 0
  ORDER BY ALL`;

const metric = z.enum(['high', 'low']);
const forecastRow = z.object({
  provider: z.string(),
  station_id: z.string(),
  issued_ms: z.number(),
  date: z.string(),
  metric,
  value: z.number(),
});
const observationRow = z.object({
  station_id: z.string(),
  date: z.string(),
  metric,
  status: z.string(),
  observed_ms: z.number(),
  value: z.number(),
});

/** The facts of a store in the end, whatever loads brought them. */
export interface Facts {
  forecasts: z.infer<typeof forecastRow>[];
  observations: z.infer<typeof observationRow>[];
  pairs: unknown[];
}

export async function factsOf(store: Store): Promise<Facts> {
  const pairRow = forecastRow.extend({ actual: z.number() });
  return {
    forecasts: await store.query(sql.rows(forecastRow)`${raw(FORECASTS)}`),
    observations: await store.query(sql.rows(observationRow)`${raw(OBSERVATIONS)}`),
    pairs: await store.query(sql.rows(pairRow)`${raw(PAIRS)}`),
  };
}
