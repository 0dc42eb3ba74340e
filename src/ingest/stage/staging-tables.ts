import { z } from 'zod';
import type { FactName } from '../../queries/facts.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { BROKEN_PARTS } from '../../store/damage.js';
import type { Store } from '../../store/store.js';

// Staging tables: the rows of one load on their way; in a cluster they have rows of other loads as well (D59).

const ofLoad = (table: string, loadId: number, columns = raw('*')): Statement =>
  sql`(SELECT ${columns} FROM ${raw(table)} WHERE load_id = ${bind({ load_id: loadId }, 'UInt32')})`;

/** A report as the facts have it: its status is staged in a column of its own. */
const WITH_STATUS = raw(`* REPLACE (CAST(
    tuple(reading.temp_f, reading.max_6h_f, reading.min_6h_f, reading.precip_in, reading.sky, status),
    'Tuple(temp_f Nullable(Decimal(5, 2)), max_6h_f Nullable(Decimal(5, 2)), min_6h_f Nullable(Decimal(5, 2)),
      precip_in Nullable(Decimal(5, 2)), sky LowCardinality(String), status Enum8(\\'\\' = 0, \\'preliminary\\' = 1, \\'verified\\' = 2))'
  ) AS reading)`);

/** The rows that a load has staged. A distribution is staged with its forecast, and withdrawn with it. */
export function stagedBy(loadId: number, name: FactName | 'stations'): Statement {
  if (name === 'distributions')
    return sql`(SELECT * FROM ${stagedBy(loadId, 'forecasts')} WHERE withdrawn OR notEmpty(distribution))`;
  return ofLoad(`staged_${name}`, loadId, name === 'hours' ? WITH_STATUS : undefined);
}

/** The station days of the forecasts and observations that a load has staged. */
export const stagedDays = (loadId: number): Statement => sql`
  SELECT station_id, target_date FROM ${stagedBy(loadId, 'forecasts')}
  UNION ALL
  SELECT station_id, target_date FROM ${stagedBy(loadId, 'observations')}`;

/** The station days that a load touches. */
export const touchedBy = (loadId: number): Statement => ofLoad('touched_days', loadId);

/** Records station days before a load changes what follows from their facts. */
export const recordTouched = (store: Store, loadId: number, days: Statement): Promise<void> =>
  store.command(
    sql`INSERT INTO touched_days (station_id, target_date, load_id)
    SELECT DISTINCT station_id, target_date, ${bind({ load_id: loadId }, 'UInt32')} FROM (${days})`,
  );

/** The names of the staging tables that have rows, as an array. */
const FILLED = sql`(
    SELECT groupArray(name)
    FROM system.tables
    WHERE database = currentDatabase() AND name LIKE 'staged\\_%' AND total_rows > 0
  )`;

const beforeRow = z.object({
  latest: z.number(),
  finished: z.number(),
  touched: z.number(),
  filled: z.array(z.string()),
  first_providers: z.array(z.string()),
  broken_parts: z.number(),
});

/**
 * The state of a store before a load: its latest load, the latest that has finished and the latest that has touched a day.
 * Beside them are the staging tables with rows, the providers of the first load of forecasts (D27), and the number of damaged parts.
 */
export type BeforeLoad = z.infer<typeof beforeRow>;

export const beforeLoad = (store: Store): Promise<BeforeLoad> =>
  store.queryOne(
    sql.rows(beforeRow)`SELECT
      max(load_id) AS latest, maxIf(load_id, event = 'finished') AS finished, ${FILLED} AS filled,
      (SELECT max(load_id) FROM touched_days) AS touched,
      argMinIf(forecast_providers, load_id, event = 'finished' AND notEmpty(forecast_providers)) AS first_providers,
      (SELECT count() FROM ${BROKEN_PARTS}) AS broken_parts
    FROM loads`,
  );

/** Whether a load that was killed has applied something and not reconciled it: the view `unsettled` has its days. */
export async function hasPending(store: Store, before?: BeforeLoad): Promise<boolean> {
  const { touched, finished } = before ?? (await beforeLoad(store));
  return touched > finished;
}

/** Empties the staging tables, but those of a cluster: that takes all of its servers, so there they forget by themselves. */
export async function clearStaging(store: Store, filled?: readonly string[]): Promise<void> {
  if (store.cluster !== undefined) return;
  for (const name of filled ?? (await beforeLoad(store)).filled)
    await store.command(sql`TRUNCATE TABLE ${raw(name)}`);
}
