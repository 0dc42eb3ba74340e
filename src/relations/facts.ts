// What the facts say that the ledger should be, as SQL over the tables of clickhouse/schema/001_facts.sql.

/** Which facts make the station days. */
interface Facts {
  /** The forecasts that count, as a condition. */
  forecasts: string;
  /** The observations that count, as a condition. */
  observations: string;
  /** The stations, for use after JOIN. */
  stations: string;
  /** When local days begin and end, for use after JOIN. */
  localDays: string;
  /** No forecast can have been corrected: all are of one load, which adds a key once. */
  forecastsHaveOneVersion?: boolean;
}

/** When each local day begins and ends, by zone and day boundary; the latest row wins. For use after JOIN. */
export const localDays = (condition: string): string => `(
        SELECT
            timezone, day_boundary, target_date,
            argMax(local_midnight, load_id) AS day_begins, argMax(next_local_midnight, load_id) AS day_ends
        FROM local_midnights
        WHERE ${condition}
        GROUP BY timezone, day_boundary, target_date
    )`;

/** The rows of a version of the data: those of the loads up to it (D31). */
export const OF_VERSION = 'load_id <= {version: UInt32}';

/** The stations that were there at a version of the data (D31), for use after FROM. Binds `version`. */
export const STATIONS_OF_VERSION = `(
        SELECT *
        FROM (
            SELECT *
            FROM stations
            WHERE ${OF_VERSION}
            ORDER BY station_id, load_id DESC
            LIMIT 1 BY station_id
        )
        WHERE NOT withdrawn
    )`;

/**
 * The station days that have an observation and a forecast (D4, D48), as a SELECT of columns of `station_days`: all
 * forecasts that are not withdrawn and were issued before the day ended (D40), the latest first.
 */
export function stationDaysOfFacts({
  forecasts,
  observations,
  stations,
  localDays,
  forecastsHaveOneVersion = false,
}: Facts): string {
  const latestForecasts = forecastsHaveOneVersion
    ? `SELECT metric, provider, station_id, target_date, issued_at, forecast AS forecast_f
                FROM forecasts
                WHERE ${forecasts} AND NOT withdrawn`
    : `SELECT metric, provider, station_id, target_date, issued_at, argMax(forecast, load_id) AS forecast_f
                FROM forecasts
                WHERE ${forecasts}
                GROUP BY metric, provider, station_id, target_date, issued_at
                HAVING NOT argMax(withdrawn, load_id)`;
  return `
    SELECT
        metric, provider, station_id, target_date, day_begins AS local_midnight, actual_f AS actual,
        chosen_status AS observation_status,
        arrayMap(each -> begins_ms - each.1, of_day) AS lead_ms, of_day.2 AS forecasts
    FROM (
        SELECT
            f.metric AS metric, f.provider AS provider, f.station_id AS station_id, f.target_date AS target_date,
            d.day_begins AS day_begins, toUnixTimestamp64Milli(d.day_begins) AS begins_ms,
            toUnixTimestamp64Milli(d.day_ends) AS ends_ms, o.actual_f AS actual_f, o.chosen_status AS chosen_status,
            arrayFilter(each -> each.1 < ends_ms OR each.1 <= begins_ms, f.issued) AS of_day
        FROM (
            SELECT
                metric, provider, station_id, target_date,
                arrayReverseSort(groupArray((toUnixTimestamp64Milli(issued_at), forecast_f))) AS issued
            FROM (
                ${latestForecasts}
            )
            GROUP BY metric, provider, station_id, target_date
        ) AS f
        INNER JOIN (
            SELECT
                metric, station_id, target_date,
                argMax(latest_f, (observation_status, observed_at)) AS actual_f,
                max(observation_status) AS chosen_status
            FROM (
                SELECT
                    metric, station_id, target_date, observation_status, observed_at, argMax(actual, load_id) AS latest_f
                FROM observations
                WHERE ${observations}
                GROUP BY metric, station_id, target_date, observation_status, observed_at
                HAVING NOT argMax(withdrawn, load_id)
            )
            GROUP BY metric, station_id, target_date
        ) AS o ON o.metric = f.metric AND o.station_id = f.station_id AND o.target_date = f.target_date
        INNER JOIN ${stations} AS s ON s.station_id = f.station_id
        INNER JOIN ${localDays} AS d
            ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary AND d.target_date = f.target_date
    )
    WHERE notEmpty(of_day)`;
}
