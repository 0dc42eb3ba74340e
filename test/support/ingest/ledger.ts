import { expect } from 'chai';
import { z } from 'zod';
import { type Histogram, HISTOGRAMS } from '../../../src/relations/histograms.js';
import { FEED_NAMES } from '../../../src/ingest/feed/columns.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/sql.js';
import { LEDGER_BUCKETS, type Load, type Pair } from '../plain/oracle.js';

// What stands in the ledger and in all that is made of it.

const PAIR = `metric, provider, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error,
  observation_status`;

const pairRow = z.object({
  metric: z.enum(['high', 'low']),
  provider: z.string(),
  station_id: z.string(),
  target_date: z.string(),
  issued_at: z.number(),
  local_midnight: z.number(),
  lead_time_bucket: z.enum(LEDGER_BUCKETS),
  forecast: z.number(),
  actual: z.number(),
  error: z.number(),
  observation_status: z.enum(['preliminary', 'verified']),
});

/** The pairs that stand in the ledger, or in those of its rows that a condition takes. */
export async function standing(store: Store, condition = '1'): Promise<Pair[]> {
  return store.query(
    raw(`SELECT
      metric, provider, station_id, target_date,
      toUnixTimestamp64Milli(issued_at) AS issued_at, toUnixTimestamp64Milli(local_midnight) AS local_midnight,
      lead_time_bucket,
      toInt64(forecast * 100) AS forecast, toInt64(actual * 100) AS actual, toInt64(error * 100) AS error,
      observation_status
    FROM (SELECT ${PAIR} FROM pairs WHERE ${condition} GROUP BY ${PAIR} HAVING sum(sign) != 0)
    ORDER BY metric, provider, station_id, target_date, issued_at`),
    pairRow,
  );
}

/** Each row of the ledger stands once or not at all, a station day has one at most, and its latest forecast comes first. */
async function expectSound(store: Store, when = ''): Promise<void> {
  const unsound = (columns: string): string =>
    `(SELECT count() FROM (SELECT sum(sign) AS times FROM station_days GROUP BY ${columns} HAVING times NOT IN (0, 1)))`;
  const [counts] = await store.query(
    raw(`SELECT
      ${unsound('metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts')} AS rows_unsound,
      ${unsound('metric, provider, station_id, target_date')} AS days_unsound,
      (SELECT count() FROM station_days WHERE lead_ms != arraySort(arrayDistinct(lead_ms)) OR length(forecasts) != length(lead_ms)
        OR empty(lead_ms)) AS out_of_order`),
    z.object({ rows_unsound: z.number(), days_unsound: z.number(), out_of_order: z.number() }),
  );
  expect(counts, when).to.deep.equal({ rows_unsound: 0, days_unsound: 0, out_of_order: 0 });
}

/** The ledger is sound and holds these pairs, histograms hold what it holds, and no work is left over. */
export async function expectSettled(store: Store, pairs: readonly Pair[], when = ''): Promise<void> {
  await expectSound(store, when);
  expect(await standing(store), when).to.deep.equal(inOrder(pairs));
  for (const each of HISTOGRAMS) {
    expect(await histogram(store, each), `${each.table} ${when}`).to.deep.equal(
      await histogram(store, each, 'pairs'),
    );
  }
  expect(await rowCounts(store, WORK), when).to.deep.equal({
    unsettled: 0,
    unsettled_hours: 0,
    staged_stations: 0,
    staged_forecasts: 0,
    staged_observations: 0,
    staged_normals: 0,
    staged_spreads: 0,
    staged_hours: 0,
  });
}

/** Pairs in the order in which `standing` gives them. */
export function inOrder(pairs: readonly Pair[]): Pair[] {
  const key = ({ metric, provider, station_id, target_date, issued_at }: Pair): string =>
    [metric, provider, station_id, target_date, String(issued_at).padStart(16, '0')].join(' ');
  return [...pairs].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const countRow = z.array(z.union([z.string(), z.number()]));

/** The rows of a histogram, or what the ledger says they should be: the key and two counts. */
async function histogram(
  store: Store,
  { table, key, hasLeadTimes }: Histogram,
  source: 'histogram' | 'pairs' = 'histogram',
): Promise<unknown[]> {
  /** The columns that are made of the ledger's, which has the others as they are. */
  const made: Record<string, string> = {
    week_start: 'toMonday(target_date)',
    error_hundredths: 'toInt16(error * 100)',
  };
  const columns = key.map((column) => `toString(${source === 'pairs' ? (made[column] ?? column) : column})`);
  const [standing, preliminary] =
    source === 'pairs'
      ? ['sign', "if(observation_status = 'preliminary', sign, 0)"]
      : ['pair_count', 'preliminary_pair_count'];
  return store.query(
    raw(`SELECT [${columns.join(', ')}] AS key, sum(${standing}) AS standing, sum(${preliminary}) AS preliminary
    FROM ${source === 'histogram' ? table : `pairs ${hasLeadTimes ? '' : "WHERE lead_time_bucket != 'same-day'"}`}
    GROUP BY key
    HAVING standing != 0 OR preliminary != 0
    ORDER BY key`),
    z.object({ key: countRow, standing: z.number(), preliminary: z.number() }),
  );
}

/** All that answers are made of. */
export async function picture(store: Store): Promise<unknown> {
  const rows = await Promise.all(HISTOGRAMS.map((each) => histogram(store, each)));
  return { pairs: await standing(store), histograms: rows };
}

/** Tables that are empty when a load has ended. */
const WORK = [
  'unsettled',
  'unsettled_hours',
  ...FEED_NAMES.map((feed) => `staged_${feed}`),
  'staged_spreads',
];

async function rowCounts(store: Store, tables: readonly string[]): Promise<Record<string, number>> {
  const [counts] = await store.query(
    raw(`SELECT ${tables.map((table) => `(SELECT count() FROM ${table}) AS ${table}`).join(', ')}`),
    z.record(z.string(), z.number()),
  );
  return counts ?? {};
}

/** The facts of a store as one load, whose rows come in the order of the loads that brought them. */
export async function factsOf(store: Store): Promise<Load[]> {
  const stations = await store.query(
    sql`SELECT station_id, city_name, timezone, iata FROM stations ORDER BY load_id`,
    z.object({ station_id: z.string(), city_name: z.string(), timezone: z.string(), iata: z.string() }),
  );
  const valueRow = z.object({ metric: z.enum(['high', 'low']), hundredths: z.number() });
  const forecasts = await store.query(
    sql`SELECT metric, station_id, target_date, toUnixTimestamp64Milli(issued_at) AS issued_ms, toInt64(forecast * 100) AS hundredths
    FROM forecasts
    ORDER BY load_id`,
    valueRow.extend({ station_id: z.string(), target_date: z.string(), issued_ms: z.number() }),
  );
  const observations = await store.query(
    sql`SELECT metric, station_id, target_date, observation_status, toUnixTimestamp64Milli(observed_at) AS observed_ms,
      toInt64(actual * 100) AS hundredths
    FROM observations
    ORDER BY load_id`,
    valueRow.extend({
      station_id: z.string(),
      target_date: z.string(),
      observation_status: z.enum(['preliminary', 'verified']),
      observed_ms: z.number(),
    }),
  );
  const values = ({ metric, hundredths }: z.infer<typeof valueRow>) => ({
    high: metric === 'high' ? hundredths : undefined,
    low: metric === 'low' ? hundredths : undefined,
  });
  return [
    {
      stations,
      forecasts: forecasts.map((row) => ({
        station_id: row.station_id,
        target_date: row.target_date,
        issued_at: row.issued_ms,
        ...values(row),
      })),
      observations: observations.map((row) => ({
        station_id: row.station_id,
        date: row.target_date,
        status: row.observation_status,
        observed_at: row.observed_ms,
        ...values(row),
      })),
    },
  ];
}
