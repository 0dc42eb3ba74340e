import { z } from 'zod';
import { sql } from './sql.js';
import { numbers } from './long-lists.js';
import { ofStations, ofVersion, ofWindow, type PairQuery, type Stations } from './conditions.js';
import { localDays, stationsOfVersion } from './facts.js';
import { fromWhere } from './relation.js';
import { dayOfWindow } from './sums.js';

// By which clocks the days of stations run, and when they begin.

type Version = PairQuery['asOf'];

/** The clock of each station's days, or of one, at a version of the data. */
export const stationClocks = (asOf: Pick<NonNullable<Version>, 'version'> | undefined, station?: Stations) =>
  sql.rows(
    stationClockRow,
  )`SELECT station_id, timezone, day_boundary ${fromWhere({ from: stationsOfVersion(asOf?.version), where: ofStations(station) })}`;

const stationClockRow = z.object({
  station_id: z.string(),
  timezone: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
});

/** When each day of the window begins in each zone, ms since 1970; days count from the first of the window. */
export const dayBeginnings = ({ window, asOf }: Pick<PairQuery, 'window' | 'asOf'>) => sql.rows(
  dayBeginningsRow,
)`
  SELECT
    timezone, day_boundary, groupArray(${dayOfWindow(window)}) AS days,
    groupArray(toUnixTimestamp64Milli(day_begins)) AS begins_ms
  FROM ${localDays(sql`${ofWindow(window)} AND ${ofVersion(asOf?.version)}`)}
  GROUP BY timezone, day_boundary`;

const dayBeginningsRow = z.object({
  timezone: z.string(),
  day_boundary: z.string(),
  days: numbers,
  begins_ms: numbers,
});

/** When the days of the window begin in a zone, by day. */
export function beginningsByZone(rows: readonly z.infer<typeof dayBeginningsRow>[]) {
  type Zone = { timezone: string; day_boundary: string };
  const getKey = ({ timezone, day_boundary }: Zone): string => `${timezone} ${day_boundary}`;
  const zones = new Map(
    rows.map((row) => {
      const begins_ms: number[] = [];
      for (const [at, day] of row.days.entries()) begins_ms[day] = row.begins_ms[at] ?? NaN;
      return [getKey(row), begins_ms];
    }),
  );
  return (zone: Zone): readonly number[] => zones.get(getKey(zone)) ?? [];
}
