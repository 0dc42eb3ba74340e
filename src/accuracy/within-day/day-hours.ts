import type { Metric } from '../../variables/variables.js';
import { z } from 'zod';
import { HOURS_KNOWN_AFTER_MS } from '../../statistics/time/hour-of-day.js';
import { fromWhere } from '../../queries/relation.js';
import { NOTHING, bind, raw, sql, type Statement } from '../../queries/sql.js';
import { andOfStations, ofVersion, ofWindow, type PairQuery } from '../../queries/conditions.js';
import { errors } from '../../queries/error-counts.js';
import { localDays, stationsOfVersion } from '../../queries/facts.js';
import { HOURS_MISSING, reportsByDay } from '../../queries/hourly-temperatures.js';
import { byDayRow, statisticsByDay } from '../../queries/sums.js';
import { HOUR_MS } from '../../statistics/time/calendar.js';

// The courses of station days by their reports (D56), as requests read them.

const [SIX_HOURS, MISSING] = [raw(`${6 * HOUR_MS}`), raw(`${HOURS_MISSING}`)];

type DaysQuery = Pick<PairQuery, 'window' | 'station' | 'asOf' | 'knownAt'>;

/** The station days of which every report was known at an instant, as a further condition. */
function andKnown({ window, station, asOf, knownAt }: DaysQuery): Statement {
  if (knownAt === undefined) return NOTHING;
  const ended_by = knownAt - HOURS_KNOWN_AFTER_MS;
  return sql` AND (station_id, target_date) IN (
      SELECT s.station_id, d.target_date
      FROM ${stationsOfVersion(asOf?.version)} AS s
      INNER JOIN ${localDays(sql`${ofWindow(window)} AND ${ofVersion(asOf?.version)}`)} AS d
        ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary
      WHERE toUnixTimestamp64Milli(d.day_ends) <= ${bind({ ended_by }, 'Int64')}${andOfStations(station)}
    )`;
}

/** A column of station_day_hours of the station days of a request, as `said`; none of a day that may have more reports. */
const saidOfDays = (
  params: DaysQuery,
  column: 'weather' | 'highest_by_hour' | 'lowest_by_hour',
): Statement => sql`(
    SELECT station_id, target_date, ${raw(column)} AS said
    FROM station_day_hours
    WHERE ${ofWindow(params.window)} AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}${andKnown(params)}
    ORDER BY target_date, station_id, load_id DESC
    LIMIT 1 BY target_date, station_id
  )`;

/**
 * A station day as one number, by a hash of the station: of 10,000 stations two have the same in 3 of 10^12 cases. Joined on
 * two columns, all stations take twice as long, and by the 24 characters of an id half as long again.
 */
const STATION_DAY_KEY = sql`toUInt128(cityHash64(station_id)) * 65536 + toUInt16(target_date)`;

/**
 * The errors of the days of each weather. The errors of all stations as one have no weather, so each station's are read: of
 * 2,000 stations and 90 days 4.3 million rows, in twice the time that they take without the weather.
 */
export const errorsByWeather = (params: PairQuery, level: number | undefined) => sql.rows(byWeatherRow)`
  SELECT said AS weather, ${statisticsByDay(params, level)}
  FROM (
    SELECT ${STATION_DAY_KEY} AS station_day, target_date, error_hundredths, pair_count, preliminary_pair_count
    ${fromWhere(errors(params, 'each_station'))}
  ) AS pairs
  LEFT ANY JOIN (
    SELECT ${STATION_DAY_KEY} AS station_day, said
    FROM ${saidOfDays(params, 'weather')}
  ) AS days USING (station_day)
  GROUP BY weather
  HAVING verification_pairs != 0`;

/** In the order of responses. */
export const WEATHERS = ['precipitation', 'cloudy', 'clear', 'unknown'] as const;

const byWeatherRow = byDayRow.extend({ weather: z.enum(WEATHERS) });

/** A request about the days of one station. */
interface StationDayQuery extends DaysQuery {
  metric: Metric;
  station: { station_id: string; timezone: string };
}

/**
 * The days of a station with enough reports of the whole day: what was known at the end of each hour, and when the highest
 * (lowest) temperature was reported first. Where the highest of six hours is above all reports, that is the highest
 * report of these hours; of those, some always have a temperature, as at most two hours of such a day lack one.
 */
export function peaksOfDays(params: StationDayQuery) {
  const { window, station, asOf, metric } = params;
  const isHigh = metric === 'high';
  const of6Hours = raw(isHigh ? 'max_6h_f' : 'min_6h_f');
  const reports = reportsByDay({
    span: { first_date: window.period_start, last_date: window.period_end },
    reports: sql`${ofVersion(asOf?.version)}${andOfStations(station)}`,
    stations: stationsOfVersion(asOf?.version),
    zones: sql`timezone = ${bind({ timezone: station.timezone }, 'String')}`,
    version: asOf?.version,
  });
  /** Such temperatures with their instants: the highest (lowest) first, and of equal ones the first. */
  const sorted = (value: Statement, isCounted: Statement): Statement =>
    sql`arraySort(groupArrayIf((${isHigh ? raw('-') : NOTHING}toInt32(assumeNotNull(${value}) * 100), toUnixTimestamp64Milli(at)), ${isCounted}))`;
  return sql.rows(peakRow)`
  SELECT
    target_date, any(arrayMap(each -> nullIf(each, ${MISSING}), said)) AS by_hour,
    ${sorted(raw('degrees_f'), sql`degrees_f IS NOT NULL`)} AS measured,
    ${sorted(of6Hours, sql`${of6Hours} IS NOT NULL AND after_ms >= ${SIX_HOURS}`)} AS of_6_hours,
    arrayFirst(
      each -> empty(of_6_hours) OR of_6_hours[1].1 >= measured[1].1
        OR (each.2 > of_6_hours[1].2 - ${SIX_HOURS} AND each.2 <= of_6_hours[1].2),
      measured
    ).2 AS peak_ms
  FROM ${reports} AS reports
  INNER JOIN ${saidOfDays(params, isHigh ? 'highest_by_hour' : 'lowest_by_hour')} AS days USING (target_date)
  WHERE said[24] != ${MISSING}
  GROUP BY target_date
  ORDER BY target_date`;
}

/**
 * A day with enough reports: the highest (lowest) °F known at the end of each of its hours, and when it was
 * reported first. Both are null where too few were reported by then.
 */
const peakRow = z.object({
  target_date: z.string(),
  by_hour: z.array(z.number().nullable()),
  peak_ms: z.number(),
});
