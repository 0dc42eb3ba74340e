import { HOURS_KNOWN_AFTER_MS } from '../../statistics/time/hour-of-day.js';
import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { numbers } from '../../queries/long-lists.js';
import type { DailyExtreme } from './remaining-rise.js';
import type { Unit } from '../../variables/units.js';
import { andOfStations, ofMetric, ofVersion, type PairQuery } from '../../queries/conditions.js';
import { currentFacts } from '../../queries/facts.js';
import { HOURS_MISSING } from '../../queries/hourly-temperatures.js';
import { ofTrainingDays } from '../training/training-cases.js';

// The method of days that have begun (D57) reads the reports of its day, and earlier days at the same hour.

const instant = (ms: Readonly<Record<string, number>>): Statement =>
  sql`fromUnixTimestamp64Milli(${bind(ms, 'Int64')})`;

/**
 * The reports of a station's day that were known by a moment, with their extremes of six hours, hundredths of a °F. The report at
 * its end has no temperature here: only its extreme of six hours is of the day that it closes.
 */
export const reportsOfDay = (
  { metric, station, asOf }: Pick<PairQuery, 'metric' | 'station' | 'asOf'>,
  { begins_ms, ends_ms }: { begins_ms: number; ends_ms: number },
  moment_ms: number,
) => {
  const isAtEnd = sql`at = ${instant({ ends_ms })}`;
  return sql.rows(hourReport)`
  SELECT
    toUnixTimestamp64Milli(at) AS at_ms, if(${isAtEnd}, NULL, toInt32(reading_f.temp_f * 100)) AS temp,
    toInt32(${metric === 'high' ? sql`reading_f.max_6h_f` : sql`reading_f.min_6h_f`} * 100) AS of_6_hours
  FROM ${currentFacts(
    'hours',
    sql`at >= ${instant({ begins_ms })} AND at <= ${instant({ ends_ms })} AND at <= ${instant({ last_ms: moment_ms - HOURS_KNOWN_AFTER_MS })}
      AND ${ofVersion(asOf?.version)}${andOfStations(station)}`,
  )}
  WHERE NOT (${isAtEnd}) OR of_6_hours IS NOT NULL`;
};

const hourReport = z.object({
  at_ms: z.number(),
  temp: z.number().nullable(),
  of_6_hours: z.number().nullable(),
});

/** Whether any value of a station's day had been reported by a moment: a row, or none. */
export const reportedValue = (
  requested: Pick<PairQuery, 'metric' | 'station' | 'asOf'>,
  target_date: string,
  moment_ms: number,
) =>
  sql.rows(z.object({}))`
  SELECT 1 AS reported
  FROM ${currentFacts(
    'observations',
    sql`${ofMetric(requested)} AND target_date = ${bind({ target_date }, 'Date')} AND ${ofVersion(requested.asOf?.version)}
      AND observed_at <= ${instant({ moment_ms })}${andOfStations(requested.station)}`,
  )}
  LIMIT 1`;

/** An hour of the day, 1 to 24, and the unit of its whole degrees. */
interface HourQuery extends Pick<PairQuery, 'asOf'> {
  metric: DailyExtreme;
  hour: number;
  unit: Unit;
}

/** The extremes by the hour, by station, with their days: those with enough reports. */
export function measuredArrays(
  { metric, unit, hour, asOf }: HourQuery,
  days: { first: number; last: number },
) {
  const column = raw(`${metric === 'high' ? 'highest' : 'lowest'}${unit === 'celsius' ? '_c' : ''}_by_hour`);
  return sql.rows(measuredArraysRow)`
  SELECT station_id, groupArray(toUInt16(target_date)) AS days, groupArray(by_hour) AS measured
  FROM (
    SELECT station_id, target_date, argMax(${column}[${bind({ hour }, 'UInt8')}], load_id) AS by_hour
    FROM station_day_hours
    WHERE ${ofTrainingDays(days)} AND ${ofVersion(asOf?.version)}
    GROUP BY station_id, target_date
    HAVING by_hour != ${raw(`${HOURS_MISSING}`)}
  )
  GROUP BY station_id`;
}

const measuredArraysRow = z.object({ station_id: z.string(), days: numbers, measured: numbers });
