import { z } from 'zod';
import { raw, sql, type Statement } from './sql.js';
import { numbers } from './long-lists.js';
import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import { andOfStations, type DateSpan, ofMetric, ofVersion, type PairQuery } from './conditions.js';
import { VARIABLES } from '../variables/variables.js';
import { outcomesOfHours } from './station-hours.js';
import { asReported, currentFacts, isReportedIn, stationsOfVersion } from './facts.js';

type ReportQuery = Pick<PairQuery, 'metric' | 'station' | 'asOf'>;
type WindowQuery = ReportQuery & Pick<PairQuery, 'choices'>;

/**
 * Every version of the observations of each station, as it reports them: flags are 2 for a verified one, and 1 for one
 * that was taken back (D42).
 * @param days which target dates, as a condition
 */
export const reports = (params: ReportQuery, days: Statement) => sql.rows(reportsRow)`
  SELECT
    station_id, groupArray(toUInt16(target_date)) AS days,
    groupArray(toUnixTimestamp64Milli(observed_at) - toInt64(toUInt16(target_date)) * ${raw(`${DAY_MS}`)}) AS reported_after,
    groupArray(toInt32(${
      VARIABLES[params.metric].quantity === 'temperature'
        ? asReported(sql`actual`, isReportedIn(stationsOfVersion(params.asOf?.version)))
        : sql`actual`
    } * 100)) AS hundredths,
    groupArray((observation_status = 'verified') * 2 + withdrawn) AS flags, groupArray(load_id) AS loads
  FROM observations
  WHERE ${ofMetric(params)} AND ${days} AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}
  GROUP BY station_id`;

const reportsRow = z.object({
  station_id: z.string(),
  days: numbers,
  reported_after: numbers,
  hundredths: numbers,
  flags: numbers,
  loads: numbers,
});

/**
 * The windows that each station has observed: when they end, in hours from 1970-01-01, and 1 for a wet one.
 * @param days which UTC dates of reports, as a condition
 */
export const outcomes = (params: WindowQuery, span: DateSpan, days: Statement) => sql.rows(outcomesRow)`
  SELECT
    station_id, groupArray(toUInt32(intDiv(toUnixTimestamp64Milli(local_midnight), ${raw(`${HOUR_MS}`)}))) AS hours,
    groupArray(toUInt8(actual > 0)) AS wet
  FROM ${outcomesOfHours({
    span,
    metrics: [params.metric],
    reports: sql`${days} AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}`,
    wetAt: params.choices?.wet_at,
  })}
  GROUP BY station_id`;

const outcomesRow = z.object({ station_id: z.string(), hours: numbers, wet: numbers });

/** The climatological normals of each station, known before any forecast is issued, by day of the year, MMDD as a number: 101 to 1231. */
export const normals = (params: ReportQuery) => sql.rows(normalsRow)`
  SELECT
    station_id, groupArray(toUInt16(replaceOne(month_day, '-', ''))) AS month_days,
    groupArray(toInt64(normal_f * 100)) AS hundredths
  FROM ${currentFacts(
    'normals',
    sql`${ofMetric(params)} AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}`,
  )}
  GROUP BY station_id`;

const normalsRow = z.object({ station_id: z.string(), month_days: numbers, hundredths: numbers });
