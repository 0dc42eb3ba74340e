import { z } from 'zod';
import { sqlFile, statements } from '../store/migrate.js';
import type { Store } from '../store/store.js';
import { beginLoad, endLoad } from './load.js';
import { settleLeftovers } from './settle.js';

/** What does not hold; all zero in a sound store. */
export interface Findings {
  /** Pairs that do not stand exactly once or not at all: `sum(sign)` is neither 0 nor 1. */
  unsound_pairs: number;
  /** Forecast values with more than one pair. */
  forecasts_with_several_pairs: number;
  /** Rows by which each histogram differs from the ledger. */
  station_errors_differences: number;
  network_errors_differences: number;
  station_week_errors_differences: number;
  station_days_differences: number;
  /** Station days whose facts have changed since the ledger was settled. */
  unsettled_station_days: number;
}

const EVER = { first_date: '1970-01-01', last_date: '2149-06-06' };

/** Holds the derived tables against each other; changes nothing. */
export async function verify(store: Store): Promise<Findings> {
  const count = async (sql: string): Promise<number> => {
    const [found] = await store.query(`SELECT count() AS n FROM (${sql})`, EVER, z.object({ n: z.number() }));
    return found?.n ?? 0;
  };
  return {
    unsound_pairs: await count(`
      SELECT 1 FROM pairs
      GROUP BY metric, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error, observation_status
      HAVING sum(sign) NOT IN (0, 1)`),
    forecasts_with_several_pairs: await count(`
      SELECT 1 FROM pairs
      GROUP BY metric, station_id, target_date, issued_at
      HAVING sum(sign) > 1`),
    station_errors_differences: await count(await differences('station_errors')),
    network_errors_differences: await count(await differences('network_errors')),
    station_week_errors_differences: await count(await differences('station_week_errors')),
    station_days_differences: await count(await differences('station_days')),
    unsettled_station_days: await count('SELECT DISTINCT station_id, target_date FROM unsettled'),
  };
}

/** Settles every station day anew and mends the histograms; in a sound store it adds nothing. */
export async function repair(store: Store): Promise<void> {
  const loadId = await beginLoad(store);
  await store.command(
    `INSERT INTO unsettled (station_id, target_date, load_id)
    SELECT DISTINCT station_id, target_date, {load_id: UInt32} FROM forecasts`,
    { load_id: loadId },
  );
  await settleLeftovers(store, loadId);
  await endLoad(store, loadId, 'finished', { outcome: 'repaired' });
}

/** The rows that a repair would insert into a histogram: its statement without the INSERT. */
async function differences(table: string): Promise<string> {
  const repairs = statements(await sqlFile('repair_histograms.sql'));
  const repair = repairs.find((statement) => statement.startsWith(`INSERT INTO ${table} `)) ?? '';
  return repair.slice(repair.indexOf('SELECT'));
}
