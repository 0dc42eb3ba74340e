import { OF_TEMPERATURES } from '../queries/conditions.js';
import { z } from 'zod';
import { numbers } from '../queries/long-lists.js';
import { bind, NOTHING, sql } from '../queries/sql.js';

/** Which issuances: of some providers or of all others, after an instant; at some stations, or at all. */
export interface RepeatsQuery {
  providers: readonly string[];
  others?: boolean;
  after_ms: number;
  stations?: readonly string[];
}

/**
 * Whether each issuance of a station repeats the one before: for every target date and metric that has a forecast of both,
 * the same value. One that shares no target date with another is left out. In order of time.
 */
export const issuanceRepeats = ({ providers, others = false, after_ms, stations }: RepeatsQuery) => sql.rows(
  row,
)`
  SELECT provider, station_id, groupArray(issued_ms) AS issued, groupArray(repeats) AS repeated
  FROM (
    SELECT provider, station_id, step.1 AS issued_ms, min(step.2) AS repeats
    FROM (
      SELECT
        provider, station_id,
        arraySort(groupArray((toUnixTimestamp64Milli(issued_at), load_id, withdrawn, forecast))) AS versions,
        arrayFilter(
          (each, next) -> each.1 != next.1 AND NOT each.3, versions, arrayShiftLeft(versions, 1)
        ) AS facts,
        arrayMap((each, before) -> (each.1, each.4 = before.4), arrayPopFront(facts), arrayPopBack(facts)) AS steps
      FROM forecasts
      WHERE ${OF_TEMPERATURES} AND issued_at > fromUnixTimestamp64Milli(${bind({ after_ms }, 'Int64')})
        AND target_date >= toDate(fromUnixTimestamp64Milli(${bind({ after_ms }, 'Int64')}), 'UTC') - 1
        AND has(${bind({ providers }, 'Array(String)')}, provider) != ${bind({ others: Number(others) }, 'UInt8')}
        ${stations === undefined ? NOTHING : sql`AND station_id IN ${bind({ stations }, 'Array(String)')}`}
      GROUP BY provider, station_id, metric, target_date
      HAVING notEmpty(steps)
    )
    ARRAY JOIN steps AS step
    GROUP BY provider, station_id, issued_ms
    ORDER BY issued_ms
  )
  GROUP BY provider, station_id
  ORDER BY provider, station_id`;

const row = z.object({ provider: z.string(), station_id: z.string(), issued: numbers, repeated: numbers });

export type IssuanceRepeats = z.infer<typeof row>;
