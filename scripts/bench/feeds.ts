import { join } from 'node:path';
import type { Store } from '../../src/store/store.js';
import { raw } from '../../src/queries/sql.js';
import { getDigits, forecastRows, observationRows, type Shape, stationId } from './data.js';

// Feed files of the data set, written by the engine.

/** The feed files of a day: what arrives first, and the observations that verify it. */
interface DayFeeds {
  forecasts: string;
  preliminary: string;
  verified: string;
}

// CSV as feeds are: without quotes where none are needed.
const FEED_SETTINGS = `
  SETTINGS engine_file_truncate_on_insert = 1, format_custom_escaping_rule = 'Raw', format_custom_field_delimiter = ','`;

export async function writeFeeds(
  store: Store,
  { stations, days, grain }: Shape,
  first: string,
  folder: string,
): Promise<void> {
  const digits = getDigits(grain);
  const params = { stations, days, first };
  const into = (name: string): string =>
    `INSERT INTO FUNCTION file('${join(folder, name)}', CustomSeparatedWithNames)`;
  const settings = FEED_SETTINGS;
  await store.command(
    raw(`${into('stations.csv')}
    SELECT station_id, city_name, country, latitude, longitude, timezone, climate_zone, toString(data_active) AS data_active, '' AS aliases, iata
    FROM current_stations ${settings}`),
  );
  const utc = (instant: string): string => `formatDateTime(${instant}, '%Y-%m-%dT%H:%i:%SZ')`;
  await store.command(
    raw(
      `${into('forecasts.csv')}
    SELECT
      ${stationId('station')} AS station_id, ${utc('issued_at')} AS issued_at, day AS target_date,
      anyIf(forecast, metric = 'high') AS high_f, anyIf(forecast, metric = 'low') AS low_f
    FROM (${forecastRows(digits)})
    GROUP BY station, day, issued_at
    ORDER BY issued_at, station ${settings}`,
      params,
    ),
  );
  await writeObservations(store, join(folder, 'observations.csv'), digits, 'verified', params);
}

/** Writes a day's feeds: forecasts, preliminary observations, and verified ones, one in twenty with another value. */
export async function writeDay(store: Store, shape: Shape, day: string, folder: string): Promise<DayFeeds> {
  const digits = getDigits(shape.grain);
  const params = { stations: shape.stations, days: 1, first: day };
  await writeFeeds(store, { ...shape, days: 1 }, day, folder);
  const [preliminary, verified] = [join(folder, 'preliminary.csv'), join(folder, 'verified.csv')];
  await writeObservations(store, preliminary, digits, 'preliminary', params);
  const salt = 'if(cityHash64(station, day) % 20 = 0, 1, 0)';
  await writeObservations(store, verified, digits, 'verified', params, salt);
  return { forecasts: join(folder, 'forecasts.csv'), preliminary, verified };
}

async function writeObservations(
  store: Store,
  file: string,
  digits: number,
  status: 'preliminary' | 'verified',
  params: { stations: number; days: number; first: string },
  salt?: string,
): Promise<void> {
  const hours = status === 'verified' ? 48 : 36;
  await store.command(
    raw(
      `INSERT INTO FUNCTION file('${file}', CustomSeparatedWithNames)
    SELECT
      ${stationId('station')} AS station_id, day AS date,
      anyIf(actual, metric = 'high') AS high_f, anyIf(actual, metric = 'low') AS low_f,
      '${status}' AS status, formatDateTime(toDateTime(day, 'UTC') + INTERVAL ${hours} HOUR, '%Y-%m-%dT%H:%i:%SZ') AS observed_at
    FROM (${observationRows(digits, salt)})
    GROUP BY station, day
    ORDER BY day, station
    ${FEED_SETTINGS}`,
      params,
    ),
  );
}
