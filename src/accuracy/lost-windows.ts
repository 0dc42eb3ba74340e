import { z } from 'zod';
import { ofDates, ofProvider, ofVersion, type PairQuery } from '../queries/conditions.js';
import { currentFacts, localDays, stationsOfVersion } from '../queries/facts.js';
import { nearDates } from '../queries/hourly-temperatures.js';
import { raw, sql } from '../queries/sql.js';
import { conditionsOfHours, spanOf } from '../queries/station-days.js';
import { outcomesOfHours, ROUTINE } from '../queries/station-hours.js';
import { HOUR_MS } from '../statistics/time/calendar.js';

const lostRow = z.object({
  station_id: z.string(),
  windows_forecast: z.number(),
  windows_without_report: z.number(),
  windows_without_amount: z.number(),
});

/**
 * How many windows of each station have a forecast, and how many of these have no observation, and why (D76). A window without
 * an amount has a report in each of its hours.
 * @param hours the length of the windows
 */
export const lostWindows = (params: PairQuery, hours: number) => {
  const { metric, window, asOf } = params;
  const [span, HOURS, HOUR] = [spanOf(window), raw(`${hours}`), raw(`${HOUR_MS}`)];
  const { forecasts, reports } = conditionsOfHours(params, ofProvider(params));
  const everywhere = conditionsOfHours({ ...params, station: undefined }, ofProvider(params)).reports;
  const ofWindows = sql`${nearDates(span, 'hourly_forecasts')} AND metric = '${raw(metric)}' AND issued_at <= valid_at`;
  return sql.rows(lostRow)`
  SELECT
    station_id, count() AS windows_forecast,
    countIf(is_lost AND hours_reported < ${HOURS}) AS windows_without_report,
    countIf(is_lost AND hours_reported = ${HOURS}) AS windows_without_amount
  FROM (
    SELECT f.station_id AS station_id, o.station_id = '' AS is_lost, r.hours_reported AS hours_reported
    FROM (
      SELECT h.station_id AS station_id, h.valid_at AS valid_at
      FROM (
        SELECT DISTINCT f.station_id AS station_id, f.valid_at AS valid_at, s.timezone AS timezone, s.day_boundary AS day_boundary
        FROM ${currentFacts('hourly_forecasts', sql`${ofWindows} AND ${forecasts}`)} AS f
        INNER JOIN ${stationsOfVersion(asOf?.version)} AS s ON s.station_id = f.station_id
      ) AS h
      ASOF INNER JOIN ${localDays(sql`${ofDates(span)} AND ${ofVersion(asOf?.version)}`)} AS d
        ON d.timezone = h.timezone AND d.day_boundary = h.day_boundary AND h.valid_at >= d.day_begins
      WHERE h.valid_at < d.day_ends AND h.valid_at <= (SELECT max(at) FROM hours WHERE ${nearDates(span)} AND ${everywhere})
    ) AS f
    LEFT JOIN ${outcomesOfHours({ span, metrics: [metric], reports })} AS o
      ON o.station_id = f.station_id AND o.local_midnight = f.valid_at
    LEFT JOIN (
      SELECT station_id, hour + arrayJoin(range(${HOURS})) AS end_hour, count() AS hours_reported
      FROM (
        SELECT DISTINCT station_id, ${ROUTINE.hour} AS hour
        FROM ${currentFacts('hours', sql`${nearDates(span)} AND ${reports}`)}
        WHERE ${ROUTINE.counts}
      )
      GROUP BY station_id, end_hour
    ) AS r ON r.station_id = f.station_id AND r.end_hour = intDiv(toUnixTimestamp64Milli(f.valid_at), ${HOUR})
  )
  GROUP BY station_id`;
};
