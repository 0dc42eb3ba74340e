import { dayNumber } from '../../../src/statistics/time/calendar.js';
import type { StationPlace } from '../../../src/collect/source.js';

// A world that the stub server tells of, in the formats of the sources: the same numbers each time, from a hash of what
// they are of, so that a test knows every value that a pass must bring.

/** A number in 0..1 from a text, FNV-1a. */
export function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

export interface Extremes {
  high_f: number;
  low_f: number;
}

/** The report of a station about a day: whole °F, highs 40 to 99, lows 8 to 30 below. */
export function observed(station_id: string, date: string): Extremes {
  const season = Math.cos(((dayNumber(date) % 365.25) / 365.25 - 0.54) * 2 * Math.PI);
  const high_f = Math.round(68 + 22 * season + 18 * (hashed(`${station_id} ${date} high`) - 0.5));
  return { high_f, low_f: high_f - 8 - Math.floor(22 * hashed(`${station_id} ${date} low`)) };
}

/** The highest wind of a day, 5 to 24 of any unit. */
export const windOf = (station_id: string, date: string): number =>
  5 + Math.floor(20 * hashed(`${station_id} ${date} wind`));

/** The forecast of a provider at a moment for a day: whole °F, within 6 of what comes. Highs stay above lows. */
export function forecastOf(provider: string, station_id: string, issued_ms: number, date: string): Extremes {
  const { high_f, low_f } = observed(station_id, date);
  const slip = (what: string): number =>
    Math.round(12 * (hashed(`${provider} ${station_id} ${issued_ms} ${date} ${what}`) - 0.5));
  const high = high_f + slip('high');
  return { high_f: high, low_f: Math.min(high, low_f + slip('low')) };
}

/** A station of the world, with what archives call it and where they have it. */
export interface StubPlace extends StationPlace {
  /** The office in the list of stations, where it has another name in its bulletins. */
  office_at_iem?: string;
  /** The first letter of the office's identifier. */
  office_letter?: string;
  state?: string;
  /** How far north of the station its point of the official forecast is; null where the office has none. */
  point_north_degrees?: number | null;
}

/**
 * How much later than usual an archive has a run, an issuance or the reports of a day, ms; Infinity where it never has it.
 * @param unit the station, the office or the model
 * @param of_ms the run, the issuance or the day in UTC
 */
export type Lateness = (source: string, unit: string, of_ms: number) => number;

/** Whether Open-Meteo lacks a run for ever: about one of forty. */
export const isLostRun = (run_ms: number, provider = 'ecmwf'): boolean =>
  hashed(`${provider} run ${run_ms}`) < 1 / 40;

/** The world as it is unless a test says otherwise: nothing is late, and some runs are lost. */
export const USUAL: Lateness = (source, _unit, of_ms) =>
  source.startsWith('openmeteo-') && isLostRun(of_ms, source.replace('openmeteo-', '')) ? Infinity : 0;

export const place = (
  station_id: string,
  city_name: string,
  latitude: number,
  longitude: number,
  timezone: string,
  rest: Partial<StubPlace> = {},
): StubPlace => ({
  station_id,
  city_name,
  country: 'US',
  latitude,
  longitude,
  elevation_m: 20,
  timezone,
  day_boundary: 'standard',
  data_active: true,
  wfo: '',
  climate_report_id: rest.wfo === undefined ? '' : station_id,
  daily_network: '',
  ...rest,
});

export const abroad = (country: string, daily_network: string): Partial<StubPlace> => ({
  country,
  daily_network,
  day_boundary: 'civil',
});

export const KNYC = place('KNYC', 'New York City', 40.779, -73.9693, 'America/New_York', { wfo: 'OKX' });
export const KORD = place('KORD', "Chicago O'Hare", 41.978, -87.904, 'America/Chicago', { wfo: 'LOT' });
export const KDEN = place('KDEN', 'Denver', 39.856, -104.673, 'America/Denver', { wfo: 'BOU' });
export const EGLL = place('EGLL', 'London', 51.4775, -0.4614, 'Europe/London', abroad('GB', 'GB__ASOS'));
export const LFPG = place('LFPG', 'Paris', 48.9694, 2.4414, 'Europe/Paris', abroad('FR', 'FR__ASOS'));
export const RJTT = place('RJTT', 'Tokyo', 35.5533, 139.7811, 'Asia/Tokyo', abroad('JP', 'JP__ASOS'));

/** All stations of the world; a station that is not here does not exist. */
export const PLACES: readonly StubPlace[] = [KNYC, KORD, KDEN, EGLL, LFPG, RJTT];

/** The answer of the stub to a request. */
export interface StubAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/**
 * The answers of one source of the stub: undefined for a path that is not its own.
 * @param now_ms the clock of the world: what is issued later is not there yet
 */
export type StubSource = (
  url: URL,
  now_ms: number,
  places: readonly StubPlace[],
  lateness?: Lateness,
) => StubAnswer | undefined;
