import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { readConfig } from '../../src/config.js';
import { load } from '../../src/ingest/load.js';
import { connect, openStore, WORKING } from '../../src/store/engine/open.js';
import type { Store } from '../../src/store/store.js';
import { raw, sql } from '../../src/queries/sql.js';
import { addHours, addProvider, makeData, type Shape } from './data.js';
import { writeDay, writeFeeds } from './feeds.js';
import { inTurns, median, timed } from './measure.js';
import { makeRequests } from './requests.js';

// Tasks of the bench on a data folder. A process of its own runs them, because the embedded engine has one folder a process.

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
          raw(`INSERT INTO FUNCTION file('${parquet}', Parquet)
          SELECT metric, station_id, target_date, lead_time_bucket, toFloat64(error) AS error FROM pairs`),
        );
      }
      await reconciled(store);
      return { make_ms };
    });
  },

  /** Adds a provider to compare with, and temperatures within the day. */
  async provider({ dataDir, days, shape }: { dataDir: string; days: number; shape: Shape }) {
    return onStore(dataDir, async (store) => {
      await addProvider(store, days);
      await addHours(store, shape);
      await reconciled(store);
      return {};
    });
  },

  /** One station's requests in the engine alone: the service's statement beside the bare read of the same rows. */
  async engine({ dataDir, windows, rounds }: { dataDir: string; windows: number[]; rounds: number }) {
    const folder = join(dataDir, 'clickhouse');
    const client = await connect({ folder }, readConfig({}).clickhouse.database, WORKING);
    const found: EngineTimes = {};
    for (const { name, scope, params, own: statement, bareSql } of windows.flatMap((days) =>
      makeRequests(days),
    )) {
      if (scope !== 'station') continue;
      const own = async (): Promise<void> => {
        const result = await client.query({
          query: statement.text,
          query_params: statement.params,
          format: 'JSONEachRow',
        });
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

  /** The least that the engine needs for feed files: read them into typed tables, then one join into an empty ledger. */
  async bareLoad({ dataDir, folder }: { dataDir: string; folder: string }) {
    return onStore(dataDir, async (store) => {
      const file = (name: string, columns: string): string =>
        `file('${join(folder, name)}', CSVWithNames, '${columns}') SETTINGS date_time_input_format = 'best_effort'`;
      await load(store, { stations: [join(folder, 'stations.csv')], forecasts: [], observations: [] });
      await makeMidnights(store, folder);
      await store.command(
        sql`CREATE TABLE bare_forecasts
        (station_id LowCardinality(String), issued_at DateTime64(3, 'UTC'), target_date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2)))
        ENGINE = MergeTree ORDER BY (target_date, station_id, issued_at)`,
      );
      await store.command(
        sql`CREATE TABLE bare_observations
        (station_id LowCardinality(String), date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2)), status LowCardinality(String), observed_at DateTime64(3, 'UTC'))
        ENGINE = MergeTree ORDER BY (date, station_id)`,
      );
      const read_ms = await timed(async () => {
        await store.command(
          raw(
            `INSERT INTO bare_forecasts SELECT * FROM ${file(
              'forecasts.csv',
              "station_id String, issued_at DateTime64(3, \\'UTC\\'), target_date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2))",
            )}`,
          ),
        );
        await store.command(
          raw(
            `INSERT INTO bare_observations SELECT * FROM ${file(
              'observations.csv',
              "station_id String, date Date, high_f Nullable(Decimal(5, 2)), low_f Nullable(Decimal(5, 2)), status String, observed_at DateTime64(3, \\'UTC\\')",
            )}`,
          ),
        );
      });
      const join_ms = await timed(() => store.command(raw(BARE_JOIN)));
      return { read_ms, join_ms, pairs: await pairs(store) };
    });
  },

  /** The last day that has an observation. */
  async lastDay({ dataDir }: { dataDir: string }) {
    return onStore(dataDir, (store) =>
      store.queryOne(
        sql.rows(
          z.object({ last_day: z.string() }),
        )`SELECT toString(max(target_date)) AS last_day FROM observations`,
      ),
    );
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

/** Medians by request, within the engine's process. */
export type EngineTimes = Record<string, { own_ms: number; bare_ms: number }>;

/** The result of the increments task. */
export type Increments = Awaited<ReturnType<(typeof TASKS)['increments']>>;
export type BareLoad = Awaited<ReturnType<(typeof TASKS)['bareLoad']>>;

const BARE_JOIN = `
  INSERT INTO station_days
    (metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts, sign, load_id)
  SELECT
    metric, 'default', f.station_id, f.target_date, m.local_midnight, actual, o.status,
    arraySort(groupArray(lead)) AS leads, arraySort((_, lead) -> lead, groupArray(forecast), groupArray(lead)), 1, 1
  FROM bare_forecasts AS f
  INNER JOIN bare_observations AS o ON o.station_id = f.station_id AND o.date = f.target_date
  INNER JOIN stations AS s ON s.station_id = f.station_id
  INNER JOIN local_midnights AS m ON m.timezone = s.timezone AND m.target_date = f.target_date
  ARRAY JOIN ['high', 'low'] AS metric, [f.high_f, f.low_f] AS forecast, [o.high_f, o.low_f] AS actual
  WHERE (dateDiff('millisecond', f.issued_at, m.local_midnight) AS lead) >= 0
  GROUP BY ALL
  SETTINGS max_partitions_per_insert_block = 0`;

/** Local midnights for the bare join, which is not about working them out: a load of the observations leaves them. */
async function makeMidnights(store: Store, folder: string): Promise<void> {
  await load(store, { stations: [], forecasts: [], observations: [join(folder, 'observations.csv')] });
}

async function pairs(store: Store): Promise<number> {
  const [row] = await store.query(sql.rows(z.object({ n: z.number() }))`SELECT count() AS n FROM pairs`);
  return row?.n ?? 0;
}

/** Waits until the engine has merged what it merges by itself, as on a server at rest; a minute at most. */
async function reconciled(store: Store): Promise<void> {
  for (let second = 0; second < 60; second += 1) {
    const [row] = await store.query(
      sql.rows(z.object({ n: z.number() }))`SELECT count() AS n FROM system.merges`,
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
      process.stderr.write(`\r\x1b[K  making ${what}: ${Math.round(share * 100)}%${share >= 1 ? '\n' : ''}`);
  };
}

const [name = '', options = '{}'] = process.argv.slice(2);
process.send?.(
  await (TASKS as Record<string, (options: unknown) => Promise<unknown>>)[name]?.(JSON.parse(options)),
);
process.disconnect();
