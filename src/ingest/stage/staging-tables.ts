import { z } from 'zod';
import type { FactName } from '../../queries/facts.js';
import { type ValueFeed, valueColumns } from '../../feeds/feeds.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { BROKEN_PARTS } from '../../store/damage.js';
import type { Store } from '../../store/store.js';
import { METRIC_OF_HOURS_TYPE, METRIC_TYPE, quoteNames } from '../../variables/codes.js';

// Staging tables: the rows of one load on their way; in a cluster they have rows of other loads as well (D59). A row has the values of all
// variables of its feed in the order of the registry. So only the program that staged it may read them.

const ofLoad = (loadId: number): Statement => sql`load_id = ${bind({ load_id: loadId }, 'UInt32')}`;

/** The variables of a feed as an array, in the order of the values in its staged rows; a row may have the first of them alone. */
function metricsOf(feed: ValueFeed): Statement {
  const type = feed === 'hourly_forecasts' ? METRIC_OF_HOURS_TYPE : METRIC_TYPE;
  const names = quoteNames(valueColumns(feed).map(({ variable }) => variable));
  return raw(`CAST([${names}] AS Array(${type}))`);
}

const instant = (milliseconds: string): Statement => raw(`fromUnixTimestamp64Milli(${milliseconds}, 'UTC')`);

/**
 * The values of the staged rows of a feed, a row each.
 * @param columns of the key and the value, as their fact has them.
 * @param list the array of a row that has a `value` for each variable.
 * @param isSaid whether the row has it for a variable
 */
const valuesOf =
  (feed: ValueFeed, columns: Statement, list = raw('values'), isSaid = raw('value IS NOT NULL')) =>
  (ofThis: Statement): Statement => sql`(
    SELECT row_number, metric, ${columns}, withdrawn, load_id
    FROM ${raw(`staged_${feed}`)}
    ARRAY JOIN ${list} AS value, arraySlice(${metricsOf(feed)}, 1, length(values)) AS metric
    WHERE ${ofThis} AND (withdrawn OR ${isSaid})
  )`;

const FORECAST = sql`provider, station_id, target_date, ${instant('issued_ms')} AS issued_at`;

/** By fact: the rows of a load. */
const STAGED: Record<FactName | 'stations', (ofThis: Statement) => Statement> = {
  stations: (ofThis) => sql`(SELECT * FROM staged_stations WHERE ${ofThis})`,
  forecasts: valuesOf('forecasts', sql`${FORECAST}, ifNull(value, 0) AS forecast`),
  // A distribution is staged with its forecast, and withdrawn with it.
  distributions: valuesOf(
    'forecasts',
    sql`${FORECAST}, value AS distribution`,
    raw('arrayResize(distributions, length(values))'),
    raw('notEmpty(value)'),
  ),
  observations: valuesOf(
    'observations',
    sql`station_id, target_date, observation_status, ${instant('observed_ms')} AS observed_at, ifNull(value, 0) AS actual`,
  ),
  normals: valuesOf('normals', sql`station_id, month_day, ifNull(value, 0) AS normal`),
  hours: (ofThis) => sql`(
    SELECT row_number, station_id, ${instant('at_ms')} AS at, reading, withdrawn, load_id
    FROM staged_hours
    WHERE ${ofThis}
  )`,
  hourly_forecasts: valuesOf(
    'hourly_forecasts',
    sql`provider, station_id, ${instant('valid_ms')} AS valid_at, ${instant('issued_ms')} AS issued_at, ifNull(value, 0) AS forecast`,
  ),
};

/** The rows of a load as values, a row each, with the columns of their fact; of hours as reports. */
export const stagedBy = (loadId: number, name: FactName | 'stations'): Statement =>
  STAGED[name](ofLoad(loadId));

/** The station days of the forecasts and observations that a load has staged. */
export const stagedDays = (loadId: number): Statement => sql`
  SELECT station_id, target_date FROM ${stagedBy(loadId, 'forecasts')}
  UNION ALL
  SELECT station_id, target_date FROM ${stagedBy(loadId, 'observations')}`;

/** The station hours that a load has staged forecasts of, and the number of their values: not a row for each of these. */
export const stagedHours = (loadId: number): Statement => sql`(
    SELECT station_id, ${instant('valid_ms')} AS at, length(values) AS value_count
    FROM staged_hourly_forecasts
    WHERE ${ofLoad(loadId)}
  )`;

/** The station days that a load touches. */
export const touchedBy = (loadId: number): Statement =>
  sql`(SELECT * FROM touched_days WHERE ${ofLoad(loadId)})`;

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
