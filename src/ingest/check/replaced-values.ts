import { OF_TEMPERATURES } from '../../queries/conditions.js';
import { z } from 'zod';
import { currentFacts, FACTS } from '../../queries/facts.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import {
  HIGH,
  LOW,
  READING_NUMBERS,
  READING_TEMPERATURES,
  valueColumns,
  type ValueFeed,
} from '../../feeds/feeds.js';
import { getCelsiusName } from '../../feeds/file-columns.js';
import { stagedBy } from '../stage/staging-tables.js';
import { quoteNames } from '../../variables/codes.js';
import { TEMPERATURES_AT_HOURS } from './quality-control.js';

// A suspect row goes in and may replace right values: its warning names them.

const replacedRow = z.object({
  row_number: z.number(),
  column: z.string(),
  value_f: z.number(),
});

/** A value of the store that a staged row replaces by another, °F. */
export type ReplacedValue = z.infer<typeof replacedRow>;

/**
 * The values of the store that these staged rows of a feed replace by others. A report replaces the best observation of its day
 * unless that is verified and it is not, or that was reported later.
 */
export async function findReplaced(
  store: Store,
  loadId: number,
  feed: ValueFeed,
  rowNumbers: readonly number[],
): Promise<ReplacedValue[]> {
  if (rowNumbers.length === 0) return [];
  const rows = sql`(SELECT * FROM ${stagedBy(loadId, feed)} WHERE NOT withdrawn AND row_number IN ${bind({ row_numbers: [...rowNumbers] }, 'Array(Int64)')})`;
  return store.query(
    sql.rows(
      replacedRow,
    )`SELECT * FROM (${REPLACED[feed](rows)}) ORDER BY row_number, indexOf([${raw(quoteNames([HIGH, LOW, ...READING_NUMBERS]))}], column)`,
  );
}

/** Facts of the stations of some rows. */
const ofStations = (rows: Statement): Statement => sql`station_id IN (SELECT station_id FROM ${rows})`;

const ofDays = (rows: Statement): Statement =>
  sql`${ofStations(rows)} AND target_date IN (SELECT target_date FROM ${rows})`;

/** The column of a feed that has the values of each row's variable. */
function columnOfMetric(feed: ValueFeed): Statement {
  const columns = valueColumns(feed);
  const names = quoteNames(columns.map(({ variable }) => variable));
  return raw(`transform(toString(metric), [${names}], [${quoteNames(columns.map(({ column }) => column))}])`);
}

const REPLACED: Record<ValueFeed, (rows: Statement) => Statement> = {
  forecasts: (rows) => sql`
    SELECT row_number, ${columnOfMetric('forecasts')} AS column, toFloat64(forecast_f) AS value_f
    FROM ${rows} AS said
    INNER JOIN ${currentFacts('forecasts', ofDays(rows))} AS known USING (${FACTS.forecasts.key})
    WHERE ${OF_TEMPERATURES} AND forecast != forecast_f`,
  observations: (rows) => sql`
    SELECT row_number, ${columnOfMetric('observations')} AS column, toFloat64(best_f) AS value_f
    FROM ${rows} AS said
    INNER JOIN (
        SELECT
            metric, station_id, target_date, argMax(actual_f, (observation_status, observed_at)) AS best_f,
            max((observation_status, observed_at)) AS best
        FROM ${currentFacts('observations', ofDays(rows))}
        GROUP BY metric, station_id, target_date
    ) AS known USING (metric, station_id, target_date)
    WHERE ${OF_TEMPERATURES} AND actual != best_f AND (observation_status, observed_at) >= best`,
  normals: (rows) => sql`
    SELECT row_number, ${columnOfMetric('normals')} AS column, toFloat64(normal_f) AS value_f
    FROM ${rows} AS said
    INNER JOIN ${currentFacts('normals', ofStations(rows))} AS known USING (${FACTS.normals.key})
    WHERE normal != normal_f`,
  hourly_forecasts: (rows) => sql`
    SELECT row_number, ${columnOfMetric('hourly_forecasts')} AS column, toFloat64(forecast_f) AS value_f
    FROM ${rows} AS said
    INNER JOIN ${currentFacts('hourly_forecasts', sql`${ofStations(rows)} AND valid_at IN (SELECT valid_at FROM ${rows})`)} AS known
      USING (${FACTS.hourly_forecasts.key})
    WHERE metric IN (${raw(quoteNames(TEMPERATURES_AT_HOURS))}) AND forecast != forecast_f`,
  hours: (rows) => sql`
    SELECT row_number, value.1 AS column, toFloat64(value.3) AS value_f
    FROM ${rows} AS said
    INNER JOIN ${currentFacts('hours', sql`${ofStations(rows)} AND at IN (SELECT at FROM ${rows})`)} AS known USING (station_id, at)
    ARRAY JOIN [${raw(READING_TEMPERATURES.map((name) => `('${name}', reading.${name}, reading_f.${name})`).join(', '))}] AS value
    WHERE value.2 != value.3`,
};

/** The values that a row replaces, in the unit of its file; blank if it replaces nothing. @param cells of its row, by the names of the file */
export function formatReplaced(
  values: readonly ReplacedValue[],
  cells: Readonly<Record<string, string>>,
): string {
  if (values.length === 0) return '';
  const shown = values.map(({ column, value_f }) => {
    const inCelsius = getCelsiusName(column) ?? '';
    if (cells[inCelsius] === undefined) return `${column}=${value_f}`;
    return `${inCelsius}=${Math.round((value_f - 32) / 0.018) / 100}`;
  });
  return `; in place of ${shown.join(', ')}`;
}
