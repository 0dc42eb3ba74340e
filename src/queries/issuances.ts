import { z } from 'zod';
import { bind, sql } from './sql.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { andIssuedIn, andOfStations, type IssuedHours, LATEST_VERSION, type Stations } from './conditions.js';
import { factsOfVersion } from './facts.js';
import { rounded } from '../statistics/statistics.js';

// How often forecasts are issued: by station, the different instants at which any of them was, whatever its target
// date. The table is ordered by that, and its index of issuances bounds what is read.

/** Which issuances are asked about. */
export interface IssuanceQuery {
  metrics: readonly string[];
  provider: string;
  stations?: Stations;
  /** From one instant to another, both included, ms since 1970. */
  first_ms: number;
  last_ms: number;
  version?: number | undefined;
  issuedHours?: IssuedHours;
}

/**
 * The issuances of each station that has any, by station_id. Withdrawn forecasts and stations do not count (D42). With
 * currentFacts(), which has the provider in its key, the statement would take a ninth longer.
 */
export function issuancesSql({
  metrics,
  provider,
  stations,
  first_ms,
  last_ms,
  version = LATEST_VERSION,
  issuedHours,
}: IssuanceQuery) {
  return sql.rows(issuancesRow)`
  SELECT
    station_id, length(issued) AS issuances, issued[1] AS first_issued_ms, issued[-1] AS last_issued_ms,
    arrayMax(gaps) AS max_gap_ms, arrayReduce('quantileExactInclusive(0.5)', gaps) AS median_gap_ms
  FROM (
    SELECT
      station_id, arraySort(groupUniqArray(toUnixTimestamp64Milli(issued_at))) AS issued,
      arrayPopFront(arrayDifference(issued)) AS gaps
    FROM (
      SELECT station_id, issued_at
      FROM forecasts
      WHERE metric IN ${bind({ metrics }, 'Array(String)')} AND provider = ${bind({ provider }, 'String')}
        AND ${factsOfVersion(version)}
        AND toUnixTimestamp64Milli(issued_at) BETWEEN ${bind({ first_ms }, 'Int64')} AND ${bind({ last_ms }, 'Int64')}${andOfStations(stations)}${andIssuedIn(issuedHours)}
      GROUP BY metric, target_date, station_id, issued_at
      HAVING NOT argMax(withdrawn, load_id)
    )
    GROUP BY station_id
  )
  ORDER BY station_id`;
}

const issuancesRow = z.object({
  station_id: z.string(),
  issuances: z.number(),
  first_issued_ms: z.number(),
  last_issued_ms: z.number(),
  max_gap_ms: z.number(),
  median_gap_ms: z.number().nullable(),
});

type IssuancesRow = z.infer<typeof issuancesRow>;

/** The times between issuances that follow each other, hours to 0.01; null with a single issuance. */
export interface Gaps {
  median: number | null;
  max: number | null;
  avg: number | null;
}

export function findGaps({ issuances, ...row }: IssuancesRow): Gaps {
  if (issuances < 2) return { median: null, max: null, avg: null };
  const hours = (ms: number | null): number | null => rounded(ms === null ? null : ms / HOUR_MS);
  return {
    median: hours(row.median_gap_ms),
    max: hours(row.max_gap_ms),
    avg: hours((row.last_issued_ms - row.first_issued_ms) / (issuances - 1)),
  };
}

/** An instant of a row as responses have it: UTC, without a fraction that says nothing. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The schema of a time between issuances. */
export const gapHours = (description: string) =>
  z
    .number()
    .min(0)
    .nullable()
    .meta({ description: `${description}, hours; null with a single issuance` });
