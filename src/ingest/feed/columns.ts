import { calendarDate, degrees, instant, matching, Rejection, temperature, timeZone } from './values.js';

// The feeds of D24: their columns, and what a row of each says.

export const FEED_NAMES = ['stations', 'forecasts', 'observations'] as const;
export type FeedName = (typeof FEED_NAMES)[number];

export const FEED_COLUMNS = {
  stations: [
    'station_id',
    'city_name',
    'country',
    'latitude',
    'longitude',
    'timezone',
    'climate_zone',
    'data_active',
    'aliases',
    'iata',
  ],
  forecasts: ['station_id', 'issued_at', 'target_date', 'high_f', 'low_f'],
  observations: ['station_id', 'date', 'high_f', 'low_f', 'status', 'observed_at'],
} as const satisfies Record<FeedName, readonly string[]>;

export type FeedColumn = (typeof FEED_COLUMNS)[FeedName][number];

/** One row of a feed: the text of each of its columns, trimmed. */
export type FeedRow<Name extends FeedName> = Record<(typeof FEED_COLUMNS)[Name][number], string>;

/** A station as the store keeps it, in the order of its columns. */
export interface StationFact {
  station_id: string;
  city_name: string;
  country: string;
  latitude: number;
  longitude: number;
  timezone: string;
  climate_zone: string;
  data_active: boolean;
  aliases: string[];
  iata: string;
}

export type Metric = 'high' | 'low';

/** One forecast value: metric, station_id, target_date, issued_at (UTC), forecast (°F). */
export type ForecastFact = [Metric, string, string, string, number];

/** One observed value: metric, station_id, target_date, observation_status, observed_at (UTC), actual (°F). */
export type ObservationFact = [Metric, string, string, string, string, number];

/** @throws Rejection */
export function stationFact(row: FeedRow<'stations'>): StationFact {
  return {
    station_id: stationId(row.station_id),
    city_name: matching(row.city_name, 'city_name', /^[^\p{Cc}]{1,100}$/u, 'a name of 1 to 100 characters'),
    country: matching(row.country.toUpperCase(), 'country', /^[A-Z]{2}$/, 'an ISO 3166 code of two letters'),
    latitude: degrees(row.latitude, 'latitude', 90),
    longitude: degrees(row.longitude, 'longitude', 180),
    timezone: timeZone(row.timezone),
    climate_zone: matching(row.climate_zone, 'climate_zone', /^[^\p{Cc}]{0,40}$/u, 'at most 40 characters'),
    data_active:
      matching(row.data_active.toLowerCase(), 'data_active', /^(true|false)$/, 'true or false') === 'true',
    aliases: row.aliases
      .split('|')
      .map((alias) => alias.trim())
      .filter((alias) => alias !== '')
      .map((alias) => matching(alias, 'aliases', /^[^\p{Cc}]{1,100}$/u, 'a name of 1 to 100 characters')),
    iata: matching(row.iata.toUpperCase(), 'iata', /^([A-Z]{3})?$/, 'three letters or blank'),
  };
}

/** @throws Rejection */
export function forecastFacts(
  row: FeedRow<'forecasts'>,
  isKnown: (stationId: string) => boolean,
): ForecastFact[] {
  const station = knownStation(row.station_id, isKnown);
  const issuedAt = instant(row.issued_at);
  const targetDate = calendarDate(row.target_date);
  return temperatures(row).map(([metric, forecast]) => [metric, station, targetDate, issuedAt, forecast]);
}

/** @throws Rejection */
export function observationFacts(
  row: FeedRow<'observations'>,
  isKnown: (stationId: string) => boolean,
): ObservationFact[] {
  const station = knownStation(row.station_id, isKnown);
  const targetDate = calendarDate(row.date);
  const status = matching(row.status, 'status', /^(preliminary|verified)$/, 'preliminary or verified');
  const observedAt = instant(row.observed_at);
  return temperatures(row).map(([metric, actual]) => [
    metric,
    station,
    targetDate,
    status,
    observedAt,
    actual,
  ]);
}

function temperatures(row: { high_f: string; low_f: string }): [Metric, number][] {
  const high = temperature(row.high_f, 'high_f');
  const low = temperature(row.low_f, 'low_f');
  const values: [Metric, number][] = [];
  if (high !== undefined) values.push(['high', high]);
  if (low !== undefined) values.push(['low', low]);
  return values;
}

function knownStation(text: string, isKnown: (stationId: string) => boolean): string {
  const id = text.toUpperCase();
  if (!isKnown(id)) throw new Rejection('unknown station', stationId(text));
  return id;
}

function stationId(text: string): string {
  return matching(text.toUpperCase(), 'station_id', /^[A-Z0-9]{3,8}$/, 'an ICAO identifier');
}
