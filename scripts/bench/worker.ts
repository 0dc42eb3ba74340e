import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { readConfig } from '../../src/config.js';
import { load } from '../../src/ingest/load.js';
import { connect, openStore, WORKING } from '../../src/store/engine/open.js';
import type { Store } from '../../src/store/store.js';
import { digitsOf, forecastRows, makeData, observationRows, type Shape, stationId } from './data.js';
import { inTurns, median, timed } from './measure.js';
import { questionsOf } from './questions.js';

// What the bench does on a data folder, in a process of its own: the embedded engine has one folder a process.

/** Tasks by name; each takes its options and returns what the bench reads. */
const TASKS = {
  /** Makes a data set; with `parquet`, writes its pairs there. */
  async make({ dataDir, shape, parquet }: { dataDir: string; shape: Shape; parquet?: string }) {
    return onStore(dataDir, async (store) => {
      const make_ms = await timed(() =>
        makeData(store, shape, progress(`${shape.stations} stations, ${shape.days} days`)),
      );
      if (parquet !== undefined) {
        await store.command(
          `INSERT INTO FUNCTION file('${parquet}', Parquet)
          SELECT metric, station_id, target_date, lead_time_bucket, toFloat64(error) AS error FROM pairs`,
        );
      }
      await settled(store);
      return { make_ms };
    });
  },

  /** One station's questions in the engine alone: the service's statement beside the bare read of the same rows. */
  async engine({ dataDir, windows, rounds }: { dataDir: string; windows: number[]; rounds: number }) {
    const folder = join(dataDir, 'clickhouse');
    const client = await connect({ folder }, readConfig({}).clickhouse.database, WORKING);
    const found: EngineTimes = {};
    for (const { name, scope, params, ownSql, bareSql } of windows.flatMap((days) => questionsOf(days))) {
      if (scope !== 'station') continue;
      const own = async (): Promise<void> => {
        const result = await client.query({ query: ownSql, query_params: params, format: 'JSONEachRow' });
        await result.json();
      };
      const measured = await inTurns(
        {
          own: () => timed(own),
          bare: () => timed(() => client.command({ query: bareSql, query_params: params })),
        },
        rounds,
      );
      found[name] = { own_ms: median(measured.own), bare_ms: median(measured.bare) };
    }
    await client.close();
    return found;
  },

  /** Writes the feed files of a data set. */
  async feeds({
    dataDir,
    shape,
    first,
    folder,
  }: {
    dataDir: string;
    shape: Shape;
    first: string;
    folder: string;
  }) {
    return onStore(dataDir, async (store) => {
      await writeFeeds(store, shape, first, folder);
      return {};
    });
  },

  /** Writes the feeds of days that arrive one after another. */
  async days({ dataDir, shape, days, folder }: DaysOptions) {
    return onStore(dataDir, async (store) => {
      const written: DayFeeds[] = [];
      for (const day of days) {
        const ofDay = join(folder, day);
        await mkdir(ofDay, { recursive: true });
        written.push(await writeDay(store, shape, day, ofDay));
      }
      return written;
    });
  },

  /** Writes later observations of days in the history, with other values. */
  async correction({
    dataDir,
    shape,
    first,
    file,
  }: {
    dataDir: string;
    shape: Shape;
    first: string;
    file: string;
  }) {
    return onStore(dataDir, async (store) => {
      const params = { stations: shape.stations, days: shape.days, first };
      await writeObservations(store, file, digitsOf(shape.grain), 'verified', params, '1');
      return {};
    });
  },

  /** The least that the engine needs for feed files: read them into typed tables, then one join into an empty ledger. */
  async bareLoad({ dataDir, folder }: { dataDir: string; folder: string }) {
    return onStore(dataDir, async (store) => {
      const file = (name: string, columns: string): string =>
        `file('${join(folder, name)}', CSVWithNames, '${columns}') SETTINGS date_time_input_format = 'best_effort'`;
      await load(store, { stations: [join(folder, 'stations.csv')], forecasts: [], observations: [] });
      await makeMidnights(store, folder);
      await store.command(
        `CREATE TABLE bare_forecasts
        (station_id LowCardinality(String), issued_at DateTime64(3, 'UTC'), target_date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2)))
        ENGINE = MergeTree ORDER BY (target_date, station_id, issued_at)`,
      );
      await store.command(
        `CREATE TABLE bare_observations
        (station_id LowCardinality(String), date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2)), status LowCardinality(String), observed_at DateTime64(3, 'UTC'))
        ENGINE = MergeTree ORDER BY (date, station_id)`,
      );
      const read_ms = await timed(async () => {
        await store.command(
          `INSERT INTO bare_forecasts SELECT * FROM ${file(
            'forecasts.csv',
            "station_id String, issued_at DateTime64(3, \\'UTC\\'), target_date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2))",
          )}`,
        );
        await store.command(
          `INSERT INTO bare_observations SELECT * FROM ${file(
            'observations.csv',
            "station_id String, date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2)), status String, observed_at DateTime64(3, \\'UTC\\')",
          )}`,
        );
      });
      const join_ms = await timed(() => store.command(BARE_JOIN));
      return { read_ms, join_ms, pairs: await pairs(store) };
    });
  },

  /** Days arrive one after another: their forecasts, then preliminary observations, then verified ones. */
  async increments({ dataDir, shape, days, folder }: DaysOptions) {
    return onStore(dataDir, async (store) => {
      const arrival_ms: number[] = [];
      const verification_ms: number[] = [];
      const pairs_added: number[] = [];
      for (const day of days) {
        const { forecasts, preliminary, verified } = await writeDay(store, shape, day, folder);
        await load(store, { stations: [], forecasts: [forecasts], observations: [] });
        const add = async (file: string): Promise<void> => {
          const report = await load(store, { stations: [], forecasts: [], observations: [file] });
          pairs_added.push(report.pairs_added);
        };
        arrival_ms.push(await timed(() => add(preliminary)));
        verification_ms.push(await timed(() => add(verified)));
      }
      return { arrival_ms, verification_ms, pairs_added };
    });
  },
};

interface DaysOptions {
  dataDir: string;
  shape: Shape;
  days: string[];
  folder: string;
}

/** The feed files of a day: what arrives first, and the observations that verify it. */
export interface DayFeeds {
  forecasts: string;
  preliminary: string;
  verified: string;
}

/** Medians by question, within the engine's process. */
export type EngineTimes = Record<string, { own_ms: number; bare_ms: number }>;

/** What the increments task returns. */
export type Increments = Awaited<ReturnType<(typeof TASKS)['increments']>>;
export type BareLoad = Awaited<ReturnType<(typeof TASKS)['bareLoad']>>;

const BARE_JOIN = `
  INSERT INTO pairs
    (metric, provider, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error, observation_status, sign, load_id)
  SELECT
    metric, 'default', f.station_id, f.target_date, f.issued_at, m.local_midnight,
    multiIf(lead_ms < 21600000, '0-6h', lead_ms < 43200000, '6-12h', lead_ms < 86400000, '12-24h', lead_ms < 172800000, '24-48h', lead_ms < 259200000, '48-72h', '72h+'),
    forecast, actual, forecast - actual, o.status, 1, 1
  FROM bare_forecasts AS f
  INNER JOIN bare_observations AS o ON o.station_id = f.station_id AND o.date = f.target_date
  INNER JOIN stations AS s ON s.station_id = f.station_id
  INNER JOIN local_midnights AS m ON m.timezone = s.timezone AND m.target_date = f.target_date
  ARRAY JOIN ['high', 'low'] AS metric, [f.high_f, f.low_f] AS forecast, [o.high_f, o.low_f] AS actual
  WHERE (dateDiff('millisecond', f.issued_at, m.local_midnight) AS lead_ms) >= 0
  SETTINGS max_partitions_per_insert_block = 0`;

/** Local midnights for the bare join, which is not about working them out: a load of the observations leaves them. */
async function makeMidnights(store: Store, folder: string): Promise<void> {
  await load(store, { stations: [], forecasts: [], observations: [join(folder, 'observations.csv')] });
}

// CSV as feeds are: without quotes where none are needed.
const FEED_SETTINGS = `
  SETTINGS engine_file_truncate_on_insert = 1, format_custom_escaping_rule = 'Raw', format_custom_field_delimiter = ','`;

async function writeFeeds(
  store: Store,
  { stations, days, grain }: Shape,
  first: string,
  folder: string,
): Promise<void> {
  const digits = digitsOf(grain);
  const params = { stations, days, first };
  const into = (name: string): string =>
    `INSERT INTO FUNCTION file('${join(folder, name)}', CustomSeparatedWithNames)`;
  const settings = FEED_SETTINGS;
  await store.command(
    `${into('stations.csv')}
    SELECT station_id, city_name, country, latitude, longitude, timezone, climate_zone, toString(data_active) AS data_active, '' AS aliases, iata
    FROM current_stations ${settings}`,
  );
  const utc = (instant: string): string => `formatDateTime(${instant}, '%Y-%m-%dT%H:%i:%SZ')`;
  await store.command(
    `${into('forecasts.csv')}
    SELECT
      ${stationId('station')} AS station_id, ${utc('issued_at')} AS issued_at, day AS target_date,
      anyIf(forecast, metric = 'high') AS high_f, anyIf(forecast, metric = 'low') AS low_f
    FROM (${forecastRows(digits)})
    GROUP BY station, day, issued_at
    ORDER BY issued_at, station ${settings}`,
    params,
  );
  await writeObservations(store, join(folder, 'observations.csv'), digits, 'verified', params);
}

/** Writes a day's feeds: forecasts, preliminary observations, and verified ones, one in twenty with another value. */
async function writeDay(store: Store, shape: Shape, day: string, folder: string): Promise<DayFeeds> {
  const digits = digitsOf(shape.grain);
  const params = { stations: shape.stations, days: 1, first: day };
  await writeFeeds(store, { ...shape, days: 1 }, day, folder);
  const [preliminary, verified] = [join(folder, 'preliminary.csv'), join(folder, 'verified.csv')];
  await writeObservations(store, preliminary, digits, 'preliminary', params);
  const salt = 'if(cityHash64(station, day) % 20 = 0, 1, 0)';
  await writeObservations(store, verified, digits, 'verified', params, salt);
  return { forecasts: join(folder, 'forecasts.csv'), preliminary, verified };
}

async function writeObservations(
  store: Store,
  file: string,
  digits: number,
  status: 'preliminary' | 'verified',
  params: { stations: number; days: number; first: string },
  salt?: string,
): Promise<void> {
  const hours = status === 'verified' ? 48 : 36;
  await store.command(
    `INSERT INTO FUNCTION file('${file}', CustomSeparatedWithNames)
    SELECT
      ${stationId('station')} AS station_id, day AS date,
      anyIf(actual, metric = 'high') AS high_f, anyIf(actual, metric = 'low') AS low_f,
      '${status}' AS status, formatDateTime(toDateTime(day, 'UTC') + INTERVAL ${hours} HOUR, '%Y-%m-%dT%H:%i:%SZ') AS observed_at
    FROM (${observationRows(digits, salt)})
    GROUP BY station, day
    ORDER BY day, station
    ${FEED_SETTINGS}`,
    params,
  );
}

async function pairs(store: Store): Promise<number> {
  const [row] = await store.query('SELECT count() AS n FROM pairs', {}, z.object({ n: z.number() }));
  return row?.n ?? 0;
}

/** Waits until the engine has merged what it merges by itself, as on a server at rest; a minute at most. */
async function settled(store: Store): Promise<void> {
  for (let second = 0; second < 60; second += 1) {
    const [row] = await store.query(
      'SELECT count() AS n FROM system.merges',
      {},
      z.object({ n: z.number() }),
    );
    if (row?.n === 0) return;
    await setTimeout(1000);
  }
}

async function onStore<Result>(dataDir: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const { store, close } = await openStore(readConfig({ DATA_DIR: dataDir }), 'command');
  try {
    return await work(store);
  } finally {
    await close();
  }
}

function progress(what: string): (share: number) => void {
  return (share) => {
    if (process.stderr.isTTY)
      process.stderr.write(`\r\x1b[K  making ${what}: ${Math.round(share * 100)} %${share >= 1 ? '\n' : ''}`);
  };
}

const [name = '', options = '{}'] = process.argv.slice(2);
process.send?.(
  await (TASKS as Record<string, (options: unknown) => Promise<unknown>>)[name]?.(JSON.parse(options)),
);
process.disconnect();
