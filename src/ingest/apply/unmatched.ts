import { z } from 'zod';
import { type DateSpan, ofDates } from '../../queries/conditions.js';
import { currentFacts } from '../../queries/facts.js';
import { bind, sql } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { touchedBy } from '../stage/staging-tables.js';

const unmatchedRow = z.object({
  station_id: z.string(),
  provider: z.string(),
  target_date: z.string(),
  issued_at: z.string(),
  metric: z.string(),
});

/** A forecast value without an observation; `issued_at` is ISO 8601 in UTC. */
export type UnmatchedForecast = z.infer<typeof unmatchedRow>;

export const UNMATCHED_COLUMNS = unmatchedRow.keyof().options;

/** The unmatched forecasts on the station days of a span that a load touches, a day at a time, which bounds the memory. */
export async function* unmatchedForecasts(
  store: Store,
  span: DateSpan,
  loadId: number,
): AsyncGenerator<UnmatchedForecast[]> {
  const days = await store.query(
    sql.rows(
      z.object({ target_date: z.string() }),
    )`SELECT DISTINCT target_date FROM ${touchedBy(loadId)} WHERE ${ofDates(span)} ORDER BY target_date`,
  );
  for (const { target_date } of days) {
    const ofDay = sql`target_date = ${bind({ target_date }, 'Date')}`;
    const ofStations = sql`station_id IN (SELECT station_id FROM ${touchedBy(loadId)} WHERE ${ofDay})
              AND station_id IN (SELECT station_id FROM current_stations)`;
    const rows = await store.query(
      sql.rows(unmatchedRow)`SELECT
          station_id, provider, toString(target_date) AS target_date,
          concat(replaceOne(toString(issued_at), ' ', 'T'), 'Z') AS issued_at, toString(metric) AS metric
      FROM ${currentFacts('forecasts', sql`${ofDay} AND ${ofStations}`)}
      WHERE (metric, station_id) NOT IN (SELECT metric, station_id FROM ${currentFacts('observations', ofDay)})
      ORDER BY station_id, provider, issued_at, metric`,
    );
    if (rows.length > 0) yield rows;
  }
}
