import { OF_TEMPERATURES } from '../queries/conditions.js';
import { z } from 'zod';
import { numbers } from '../queries/long-lists.js';
import { bind, NOTHING, raw, sql } from '../queries/sql.js';

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

/** Target dates from that of the latest issuance on that say whether it moved. All dates of 10 leads would take twice as long. */
const DATES_LOOKED_AT = 4;

const movesRow = z.object({ moved_ms: z.number(), others: z.array(z.tuple([z.string(), z.number()])) });

/** The first instant of the latest issuances of a provider, the one of the longest past, and the latest. */
export interface MovesQuery {
  provider: string;
  after_ms: number;
  longest_ms: number;
  latest_ms: number;
}

/**
 * The latest issuance that moved at a station of a provider, 0 if none did; and the other stations with their latest ones. To
 * move is to bring another value than the issuance before, on a date that is looked at. A station with a newer issuance of
 * any other date is among the others, also if that was withdrawn.
 */
export const latestMoves = ({ provider, after_ms, longest_ms, latest_ms }: MovesQuery) => sql.rows(movesRow)`
  SELECT
    toUnixTimestamp64Milli(maxIf(latest, has_moved)) AS moved_ms,
    groupArrayIf((station_id, toUnixTimestamp64Milli(latest)), NOT has_moved) AS others
  FROM (
    SELECT
      station_id, max(issued_at) AS latest, toDate(fromUnixTimestamp64Milli(${bind({ latest_ms }, 'Int64')}), 'UTC') AS first_date,
      arraySort(groupArrayIf(
        (metric, target_date, issued_at, load_id, withdrawn, forecast),
        target_date >= first_date AND target_date < first_date + ${raw(`${DATES_LOOKED_AT}`)}
      )) AS versions,
      arrayFilter(
        (each, next) -> (each.1, each.2, each.3) != (next.1, next.2, next.3) AND NOT each.5, versions, arrayShiftLeft(versions, 1)
      ) AS facts,
      arrayExists(
        (each, before) -> each.3 = latest AND (each.1, each.2) = (before.1, before.2) AND each.6 != before.6,
        facts, arrayShiftRight(facts, 1)
      ) AS has_moved
    FROM forecasts
    WHERE ${OF_TEMPERATURES} AND provider = ${bind({ provider }, 'String')}
      AND issued_at > fromUnixTimestamp64Milli(${bind({ after_ms }, 'Int64')})
      AND target_date >= toDate(fromUnixTimestamp64Milli(${bind({ longest_ms }, 'Int64')}), 'UTC') - 1
    GROUP BY station_id
  )`;
