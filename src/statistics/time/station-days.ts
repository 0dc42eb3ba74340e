import { z } from 'zod';
import { localDays, OF_VERSION, STATIONS_OF_VERSION, unbound } from '../../relations/facts.js';
import { DAYS } from '../../relations/station-days.js';
import { numbers } from '../../relations/long-lists.js';

// By which clocks the days of stations run, and when they begin.

/** The clock of each station's days, at a version of the data. Binds `version`. */
export const STATION_DAYS = `SELECT station_id, timezone, day_boundary FROM ${STATIONS_OF_VERSION}`;

export const stationDaysRow = z.object({
  station_id: z.string(),
  timezone: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
});

/** When each day of the window begins in each zone, ms since 1970; days count from the first of the window. */
export const daysBeginSql = `
  SELECT
    timezone, day_boundary, groupArray(toUInt16(target_date) - {first_day: UInt32}) AS days,
    groupArray(toUnixTimestamp64Milli(day_begins)) AS begins_ms
  FROM ${localDays(unbound(`${DAYS} AND ${OF_VERSION}`)).text}
  GROUP BY timezone, day_boundary`;

export const daysBeginRow = z.object({
  timezone: z.string(),
  day_boundary: z.string(),
  days: numbers,
  begins_ms: numbers,
});

/** When the days of the window begin in a zone, by day. */
export function dayBeginnings(rows: readonly z.infer<typeof daysBeginRow>[]) {
  type Zone = { timezone: string; day_boundary: string };
  const keyOf = ({ timezone, day_boundary }: Zone): string => `${timezone} ${day_boundary}`;
  const zones = new Map(
    rows.map((row) => {
      const begins_ms: number[] = [];
      for (const [at, day] of row.days.entries()) begins_ms[day] = row.begins_ms[at] ?? NaN;
      return [keyOf(row), begins_ms];
    }),
  );
  return (zone: Zone): readonly number[] => zones.get(keyOf(zone)) ?? [];
}
