import { z } from 'zod';
import { andOfStations, ofVersion, ofWindow, getProviders, type PairQuery } from '../queries/conditions.js';
import { currentFacts, stationsOfVersion } from '../queries/facts.js';
import { HOURS_MISSING } from '../queries/hourly-temperatures.js';
import { forecastsOfProviders } from '../queries/latest-forecasts.js';
import { numbers } from '../queries/long-lists.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import { addDays } from '../statistics/time/calendar.js';
import { LEAD_TIME_BUCKETS } from '../statistics/time/lead-time.js';

// The observations of the ledger, with the errors of all forecasts of their days and the extremes of their hours. Values are
// hundredths of a °F.

/** The days before the latest ones stand still: a load looks at so many. */
export const LATEST_DAYS = 7;

/** How far the day's hours may go beyond a value: it is no extreme of them. */
const HOURS_BEYOND = 200;

/** How far they may fall short of it: between two reports an hour apart the temperature goes on. */
const HOURS_SHORT = 500;

/** How far off all providers are. */
const OUTLIERS = 1500;

export type JudgedDaysQuery = Pick<PairQuery, 'metric' | 'station' | 'window'> & {
  /** All of them. */
  providers: readonly string[];
  version: number;
};

const toPairQuery = ({ version, providers, ...params }: JudgedDaysQuery): PairQuery => ({
  ...params,
  provider: { name: '', names: providers },
  leadTimes: { leads: 'all', buckets: LEAD_TIME_BUCKETS },
  asOf: { version },
});

/**
 * The station days of the ledger. `error` is twice the median of the forecasts' errors, `least_error` the one nearest to 0, or 0 if
 * they have different signs. `extreme` is of the hours that exclude the observation, and NULL if they do not. Hours of a
 * whole day may go beyond a preliminary value, because it may be of a part of the day.
 */
function judgedDays(requested: JudgedDaysQuery): Statement {
  const params = toPairQuery(requested);
  const [sign, list] =
    requested.metric === 'high' ? [raw('1'), raw('highest_by_hour')] : [raw('-1'), raw('lowest_by_hour')];
  const providers = getProviders(params);
  const perProvider = (values: Statement): Statement =>
    sql`sumResample(1, toUInt32(length(${providers})) + 1, 1)(${values}, toUInt32(indexOf(${providers}, provider)))`;
  return sql`(
    SELECT
      d.station_id AS station_id, toUInt16(d.target_date) AS day, actual,
      errors[intDiv(length(errors) + 1, 2)] + errors[intDiv(length(errors), 2) + 1] AS error,
      greatest(errors[1], 0) + least(errors[-1], 0) AS least_error,
      ${sign} * (100 * h.extreme - actual) AS beyond,
      if(h.station_id != '' AND (beyond < -${raw(`${HOURS_SHORT}`)} OR beyond > ${raw(`${HOURS_BEYOND}`)} AND NOT preliminary), 100 * h.extreme, NULL) AS extreme
    FROM (
      SELECT
        station_id, target_date, sum(preliminary_case_count) != 0 AS preliminary,
        intDiv(sum(case_count * actual_hundredths), sum(case_count)) AS actual,
        arraySort(arrayFilter((error, count) -> count != 0, ${perProvider(sql`errors`)}, ${perProvider(sql`counts`)})) AS errors
      FROM ${forecastsOfProviders(params, 'once')}
      GROUP BY station_id, target_date
      HAVING sum(case_count) != 0
    ) AS d
    LEFT JOIN (
      SELECT station_id, target_date, argMax(toInt64(${list}[24]), load_id) AS extreme
      FROM station_day_hours
      WHERE ${ofWindow(requested.window)} AND ${ofVersion(requested.version)}${andOfStations(requested.station)}
      GROUP BY station_id, target_date
      HAVING extreme != ${raw(`${HOURS_MISSING}`)}
    ) AS h ON h.station_id = d.station_id AND h.target_date = d.target_date
  )`;
}

/** The days of each station as lists that go together, days as numbers since 1970-01-01; and those that are far off, or excluded. */
export const daysOfStations = (params: JudgedDaysQuery) => sql.rows(daysRow)`
  SELECT
    station_id, groupArray(day) AS days, groupArray(actual) AS actuals, groupArray(error) AS errors,
    groupArrayIf((day, least_error), abs(least_error) > ${raw(`${OUTLIERS}`)}) AS far_off,
    groupArrayIf((day, assumeNotNull(extreme)), extreme IS NOT NULL) AS excluded
  FROM ${judgedDays(params)}
  GROUP BY station_id
  ORDER BY station_id`;

const dayValues = z.array(z.tuple([z.number(), z.number()]));

const daysRow = z.object({
  station_id: z.string(),
  days: numbers,
  actuals: numbers,
  errors: numbers,
  far_off: dayValues,
  excluded: dayValues,
});

export type StationDays = z.infer<typeof daysRow>;

/**
 * Stations whose observations the latest days put in doubt, by reasons that need no other days: their hours exclude them, or all
 * providers are 15 °F off in one direction. The most first.
 * @param last the last target date
 */
export const suspectsSince = (last: string, params: Omit<JudgedDaysQuery, 'window'>) => sql.rows(sinceRow)`
  SELECT station_id, count() AS station_days, countIf(extreme IS NOT NULL) AS by_hours, toDate(min(day)) AS first_date
  FROM ${judgedDays({ ...params, window: { period_start: addDays(last, 1 - LATEST_DAYS), period_end: last } })}
  WHERE extreme IS NOT NULL OR abs(least_error) > ${raw(`${OUTLIERS}`)}
  GROUP BY station_id
  ORDER BY station_days DESC, station_id`;

const sinceRow = z.object({
  station_id: z.string(),
  station_days: z.number(),
  by_hours: z.number(),
  first_date: z.iso.date(),
});

/** Where the stations are. */
export const stationPlaces = (version: number) => sql.rows(placeRow)`
  SELECT station_id, latitude, longitude FROM ${stationsOfVersion(version)} ORDER BY station_id`;

const placeRow = z.object({ station_id: z.string(), latitude: z.number(), longitude: z.number() });

export type Place = z.infer<typeof placeRow>;

/** How the observations of some station days were reported. @param days the station and the date of each */
export const reportRows = (
  metric: string,
  days: readonly { station_id: string; date: string }[],
  version: number,
) => sql.rows(reportRow)`
  SELECT station_id, target_date, latest.1 AS status, toUnixTimestamp64Milli(latest.2) AS observed_ms
  FROM (
    SELECT station_id, target_date, max((observation_status, observed_at)) AS latest
    FROM ${currentFacts(
      'observations',
      sql`metric = ${bind({ metric }, 'String')} AND ${ofVersion(version)} AND (station_id, target_date) IN arrayZip(
        ${bind({ listed_stations: days.map(({ station_id }) => station_id) }, 'Array(String)')},
        ${bind({ listed_dates: days.map(({ date }) => date) }, 'Array(Date)')}
      )`,
    )}
    GROUP BY station_id, target_date
  )`;

const reportRow = z.object({
  station_id: z.string(),
  target_date: z.string(),
  status: z.enum(['preliminary', 'verified']),
  observed_ms: z.number(),
});
