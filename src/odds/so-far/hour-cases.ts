import { HOURS_KNOWN_AFTER_MS } from '../../statistics/time/hours.js';
import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../../sql.js';
import { numbers } from '../../relations/long-lists.js';
import { type DailyExtreme, GAPS, LAST_HOUR, signOf } from './line.js';
import { HOUR_MS } from '../../statistics/time/calendar.js';
import { SCALES, type Unit } from '../../statistics/units.js';
import { andOfStations, ofMetric, ofVersion, type RowsQuestion } from '../../relations/conditions.js';
import { factsThatStand, localDays, stationsOfVersion } from '../../relations/facts.js';
import { HOURS_MISSING, wholeDegrees } from '../../relations/hours.js';
import { ofTrainingDays, type TrainingQuestion } from '../learning/training-cases.js';

// The method of days that have begun (D57) reads the reports of its day, and earlier days at the same hour.

const instant = (ms: Readonly<Record<string, number>>): Statement =>
  sql`fromUnixTimestamp64Milli(${bind(ms, 'Int64')})`;

/** The reports of a station's day that were known by a moment, with their extremes of six hours, hundredths of a °F. */
export const reportsOfDay = (
  { metric, station, asOf }: Pick<RowsQuestion, 'metric' | 'station' | 'asOf'>,
  { begins_ms, ends_ms }: { begins_ms: number; ends_ms: number },
  moment_ms: number,
) => sql.rows(hourReport)`
  SELECT
    toUnixTimestamp64Milli(at) AS at_ms, toInt32(reading_f.temp_f * 100) AS temp,
    toInt32(${metric === 'high' ? sql`reading_f.max_6h_f` : sql`reading_f.min_6h_f`} * 100) AS of_6_hours
  FROM ${factsThatStand(
    'hours',
    sql`at >= ${instant({ begins_ms })} AND at < ${instant({ ends_ms })} AND at <= ${instant({ last_ms: moment_ms - HOURS_KNOWN_AFTER_MS })}
      AND ${ofVersion(asOf?.version)}${andOfStations(station)}`,
  )}`;

const hourReport = z.object({
  at_ms: z.number(),
  temp: z.number().nullable(),
  of_6_hours: z.number().nullable(),
});

/** Whether any value of a station's day had been reported by a moment: a row, or none. */
export const reportedValue = (
  asked: Pick<RowsQuestion, 'metric' | 'station' | 'asOf'>,
  target_date: string,
  moment_ms: number,
) =>
  sql.rows(z.object({}))`
  SELECT 1 AS reported
  FROM ${factsThatStand(
    'observations',
    sql`${ofMetric(asked)} AND target_date = ${bind({ target_date }, 'Date')} AND ${ofVersion(asked.asOf?.version)}
      AND observed_at <= ${instant({ moment_ms })}${andOfStations(asked.station)}`,
  )}
  LIMIT 1`;

/** An hour of the day, 1 to 24, beside what is learned from, and the unit of its whole degrees. */
interface HourQuestion extends TrainingQuestion {
  metric: DailyExtreme;
  hour: number;
  unit: Unit;
}

/** The station days that have not come to the hour by the moment: zones lie up to 26 hours apart, and values may come early. */
const aheadOfHour = ({ hour, days, station, asOf, moment_ms }: HourQuestion): Statement => sql`
        SELECT s.station_id, d.target_date
        FROM ${stationsOfVersion(asOf?.version)} AS s
        INNER JOIN ${localDays(sql`${ofTrainingDays(days)} AND ${ofVersion(asOf?.version)}`)} AS d
          ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary
        WHERE ${
          hour === LAST_HOUR
            ? sql`d.day_ends > ${instant({ ended_by: moment_ms - HOURS_KNOWN_AFTER_MS })}`
            : sql`d.day_begins > ${instant({ begun_by: moment_ms - hour * HOUR_MS })}`
        }${andOfStations(station)}`;

/** The extreme by the hour of each station day that has come to it by the moment, with enough reports, whole degrees. */
const measuredBy = (question: HourQuestion): Statement => sql`(
      SELECT
        station_id, target_date,
        argMax(${columnOf(question)}[${bind({ hour: question.hour }, 'UInt8')}], load_id) AS measured
      FROM station_day_hours
      WHERE ${ofTrainingDays(question.days)} AND ${ofVersion(question.asOf?.version)}${andOfStations(question.station)}
        AND (station_id, target_date) NOT IN (${aheadOfHour(question)}
        )
      GROUP BY station_id, target_date
      HAVING measured != ${raw(`${HOURS_MISSING}`)}
    )`;

const columnOf = ({ metric, unit }: HourQuestion): Statement =>
  raw(`${metric === 'high' ? 'highest' : 'lowest'}${unit === 'celsius' ? '_c' : ''}_by_hour`);

/** The cases `e` of such station days, with the extremes measured on these. */
export const besideMeasured = (question: HourQuestion): Statement =>
  sql`INNER JOIN ${measuredBy(question)} AS h ON h.station_id = e.station_id AND h.target_date = e.target_date`;

/** How many station days had which gap and which rise at the hour. @param errors of their forecasts by the hour */
export const casesAtHour = (errors: Statement, question: HourQuestion) => {
  const { metric, unit } = question;
  const sign = raw(`${signOf(metric)}`);
  const { least, most } = GAPS[SCALES[unit].letter];
  const ahead = wholeDegrees(sql`${sign} * forecast_hundredths`, signOf(metric), unit);
  const settled = wholeDegrees(sql`forecast_hundredths - error_hundredths`, 1, unit);
  return sql.rows(caseAtHourRow)`
  SELECT
    least(${raw(`${most}`)}, greatest(${raw(`${least}`)}, ${ahead} - ${sign} * measured)) AS gap,
    ${sign} * (${settled} - measured) AS rise, sum(case_count) AS station_days
  FROM (${errors}
  ) AS e
  ${besideMeasured(question)}
  GROUP BY gap, rise
  HAVING station_days != 0`;
};

const caseAtHourRow = z.object({ gap: z.number(), rise: z.number(), station_days: z.number() });

/** The extremes by the hour, by station, with their days. */
export const measuredArrays = (question: HourQuestion) => sql.rows(measuredArraysRow)`
  SELECT station_id, groupArray(toUInt16(target_date)) AS days, groupArray(measured) AS measured
  FROM ${measuredBy(question)}
  GROUP BY station_id`;

const measuredArraysRow = z.object({ station_id: z.string(), days: numbers, measured: numbers });
