import { z } from 'zod';
import type { Store } from '../store/store.js';
import type { DateSpan } from './settle.js';

const unmatchedRow = z.object({
  station_id: z.string(),
  provider: z.string(),
  target_date: z.string(),
  issued_at: z.string(),
  metric: z.string(),
});

/** A forecast value without an observation; `issued_at` is ISO 8601 in UTC. */
export type UnmatchedForecast = z.infer<typeof unmatchedRow>;

export const UNMATCHED_COLUMNS = ['station_id', 'provider', 'target_date', 'issued_at', 'metric'] as const;

/** The unmatched forecasts on the unsettled station days of a span, a day at a time, which bounds the memory. */
export async function* unmatchedForecasts(store: Store, span: DateSpan): AsyncGenerator<UnmatchedForecast[]> {
  const days = await store.query(
    `SELECT DISTINCT target_date
    FROM unsettled
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
    ORDER BY target_date`,
    { ...span },
    z.object({ target_date: z.string() }),
  );
  for (const { target_date } of days) {
    const rows = await store.query(
      `SELECT
          station_id, provider, toString(target_date) AS target_date,
          concat(replaceOne(toString(issued_at), ' ', 'T'), 'Z') AS issued_at, toString(metric) AS metric
      FROM (
          SELECT metric, provider, station_id, target_date, issued_at
          FROM forecasts
          WHERE target_date = {target_date: Date}
              AND station_id IN (SELECT station_id FROM unsettled WHERE target_date = {target_date: Date})
              AND station_id IN (SELECT station_id FROM current_stations)
          GROUP BY metric, provider, station_id, target_date, issued_at
          HAVING NOT argMax(withdrawn, load_id)
      )
      WHERE (metric, station_id) NOT IN (
          SELECT metric, station_id
          FROM observations
          WHERE target_date = {target_date: Date}
          GROUP BY metric, station_id, observation_status, observed_at
          HAVING NOT argMax(withdrawn, load_id)
      )
      ORDER BY station_id, provider, issued_at, metric`,
      { target_date },
      unmatchedRow,
    );
    if (rows.length > 0) yield rows;
  }
}
