import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import { bind, raw, sql, type Statement } from './sql.js';
import { type DateSpan, ofDates } from './conditions.js';
import { currentFacts, FACTS, localDays } from './facts.js';
import { nearDates } from './hourly-temperatures.js';

// Station hours as rows of the ledger, of the metric temperature (D67): all forecasts of the temperature at an hour, and what a report says
// of it. The degrees of `reported_in` are those of daily values: the temperature of a METAR has tenths of °C.

const [HOUR, HALF_HOUR, DAY] = [HOUR_MS, HOUR_MS / 2, DAY_MS].map((ms) => raw(`${ms}`)) as [
  Statement,
  Statement,
  Statement,
];

/** The types of columns of the ledger. */
const METRIC_TYPE = raw("'Enum8(\\'high\\' = 1, \\'low\\' = 2, \\'temperature\\' = 3)'");
const STATUS_TYPE = raw("'Enum8(\\'preliminary\\' = 1, \\'verified\\' = 2)'");

/** Which facts make the station hours: the conditions of those that count, and a relation of the stations. */
interface StationHourFacts {
  span: DateSpan;
  forecasts: Statement;
  reports: Statement;
  localDays: Statement;
  stations: Statement;
  /** As of currentFacts(). */
  forecastsHaveOneVersion?: boolean | undefined;
}

/** The number of the hour that an instant is nearest to, from 1970-01-01; halfway, it is the later one. */
export const nearestHour = (instant: Statement): Statement =>
  sql`intDiv(toUnixTimestamp64Milli(${instant}) + ${HALF_HOUR}, ${HOUR})`;

/**
 * The temperature of each full hour: that of the nearest report, of two equally near the earlier one. A report without a status is
 * verified if it came a day or more after it was measured. So it is once its station has reported a day later.
 */
const observedHours = ({ span, reports }: Pick<StationHourFacts, 'span' | 'reports'>): Statement => sql`(
      SELECT station_id, hour, nearest.1 AS actual, nearest.2 AS is_verified
      FROM (
        SELECT
          h.station_id AS station_id, hour,
          argMin(
            (
              temp_f,
              status = 'verified' OR status = '' AND greatest(came.came_at, latest.latest_at) >= addMilliseconds(at, ${DAY})
            ),
            (abs(toUnixTimestamp64Milli(at) - hour * ${HOUR}), at)
          ) AS nearest
        FROM (
          SELECT
            station_id, at, ${nearestHour(sql`at`)} AS hour, max(load_id) AS said_by, argMax(reading, load_id) AS said,
            assumeNotNull(said.temp_f) AS temp_f, said.status AS status
          FROM hours
          WHERE ${nearDates(span)} AND ${reports}
          GROUP BY ${FACTS.hours.key}
          HAVING NOT argMax(withdrawn, load_id) AND said.temp_f IS NOT NULL
        ) AS h
        INNER JOIN (
          SELECT station_id, max(at) AS latest_at
          FROM hours
          WHERE at >= toDateTime64(${bind({ first_date: span.first_date }, 'Date')}, 3, 'UTC') - INTERVAL 1 DAY AND ${reports}
          GROUP BY station_id
        ) AS latest ON latest.station_id = h.station_id
        INNER JOIN (SELECT load_id, min(recorded_at) AS came_at FROM loads GROUP BY load_id) AS came ON came.load_id = h.said_by
        GROUP BY station_id, hour
      )
    )`;

/**
 * The station hours that have a report and a forecast issued no later, with the columns of station_days. Their local_midnight is the
 * hour itself, and target_date the day of the station in which it lies.
 */
export const stationHoursOfFacts = (facts: StationHourFacts): Statement => sql`(
    SELECT
      CAST('temperature', ${METRIC_TYPE}) AS metric, provider, station_id, d.target_date AS target_date, h.valid_at AS local_midnight, actual,
      CAST(if(is_verified, 'verified', 'preliminary'), ${STATUS_TYPE}) AS observation_status,
      arrayMap(each -> each.1, of_hour) AS lead_ms, arrayMap(each -> each.2, of_hour) AS forecasts
    FROM (
      SELECT
        f.provider AS provider, f.station_id AS station_id, f.valid_at AS valid_at, f.of_hour AS of_hour, o.actual AS actual,
        o.is_verified AS is_verified, s.timezone AS timezone, s.day_boundary AS day_boundary
      FROM (
        SELECT
          provider, station_id, valid_at,
          arraySort(groupArray((toUnixTimestamp64Milli(valid_at) - toUnixTimestamp64Milli(issued_at), forecast_f))) AS of_hour
        FROM ${currentFacts('hourly_forecasts', sql`${nearDates(facts.span, 'hourly_forecasts')} AND issued_at <= valid_at AND ${facts.forecasts}`, facts.forecastsHaveOneVersion)}
        GROUP BY provider, station_id, valid_at
      ) AS f
      INNER JOIN ${observedHours(facts)} AS o
        ON o.station_id = f.station_id AND o.hour = intDiv(toUnixTimestamp64Milli(f.valid_at), ${HOUR})
      INNER JOIN ${facts.stations} AS s ON s.station_id = f.station_id
    ) AS h
    ASOF INNER JOIN ${localDays(sql`${ofDates(facts.span)} AND ${facts.localDays}`)} AS d
      ON d.timezone = h.timezone AND d.day_boundary = h.day_boundary AND h.valid_at >= d.day_begins
    WHERE h.valid_at < d.day_ends
  )`;
