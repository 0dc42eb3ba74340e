import { expect } from 'chai';
import { z } from 'zod';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { audit } from '../../../src/ingest/audit.js';
import { FEED_NAMES } from '../../../src/feeds/feeds.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { LEDGER_BUCKETS, type Pair } from '../plain/oracle.js';
import { AMOUNTS, HOURLY } from '../plain/variables.js';

// The rows of the ledger and of all that is made of it.

const PAIR = `metric, provider, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error,
  observation_status`;

const pairRow = z.object({
  metric: z.enum(['high', 'low', ...AMOUNTS, ...HOURLY]),
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
    sql.rows(pairRow)`${raw(`SELECT
      metric, provider, station_id, target_date,
      toUnixTimestamp64Milli(issued_at) AS issued_at, toUnixTimestamp64Milli(local_midnight) AS local_midnight,
      lead_time_bucket,
      toInt64(forecast * 100) AS forecast, toInt64(actual * 100) AS actual, toInt64(error * 100) AS error,
      observation_status
    FROM (SELECT ${PAIR} FROM pairs WHERE ${condition} GROUP BY ${PAIR} HAVING sum(sign) != 0)
    ORDER BY toString(metric), provider, station_id, target_date, local_midnight, issued_at`)}`,
  );
}

/** Pairs in the order in which `standing` gives them. */
export function inOrder(pairs: readonly Pair[]): Pair[] {
  const key = ({ metric, provider, station_id, target_date, local_midnight, issued_at }: Pair): string =>
    [
      metric,
      provider,
      station_id,
      target_date,
      ...[local_midnight, issued_at].map((at) => String(at).padStart(16, '0')),
    ].join(' ');
  return [...pairs].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Tables that are empty when a load has ended. */
const WORK = ['unsettled', ...FEED_NAMES.map((feed) => `staged_${feed}`)];

/** An audit finds nothing, no work is left over, and the ledger holds these pairs, if they are given. */
export async function expectSettled(store: Store, pairs?: readonly Pair[], when = ''): Promise<void> {
  if (pairs !== undefined) expect(await standing(store), when).to.deep.equal(inOrder(pairs));
  expect(await audit(store), when).to.deep.equal([]);
  expect(await checkSeals(store), when).to.deep.equal([]);
  const left = WORK.map((table) => `SELECT '${table}' AS left FROM ${table}`).join(' UNION ALL ');
  expect(await store.query(sql.rows(z.unknown())`${raw(left)}`), when).to.deep.equal([]);
}

/** All that answers are made of, in a store of which an audit finds nothing. */
export async function picture(store: Store): Promise<unknown> {
  return {
    pairs: await standing(store),
    distributions: await store.query(
      sql.rows(
        z.unknown(),
      )`SELECT metric, provider, station_id, target_date, issued_at, argMax(distribution, load_id) AS said
      FROM distributions GROUP BY ALL HAVING NOT argMax(withdrawn, load_id) ORDER BY ALL`,
    ),
    days: await store.query(
      sql.rows(
        z.unknown(),
      )`SELECT station_id, target_date, argMax((highest_by_hour, lowest_by_hour, highest_c_by_hour, lowest_c_by_hour, weather), load_id) AS said
      FROM station_day_hours GROUP BY ALL ORDER BY ALL`,
    ),
  };
}
