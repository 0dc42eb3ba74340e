import { IANAZone } from 'luxon';
import { formatDate } from '../statistics/time/calendar.js';
import { localDay } from '../statistics/time/local-midnight.js';

// The weather of the sample: what each day at a station was like, and numbers that depend on their keys alone.

type NeededColumn = 'station_id' | 'latitude' | 'longitude' | 'timezone' | 'climate_zone' | 'data_active';
/** The columns of stations.csv on which the numbers depend, as text; degrees, north and east positive. */
export type SampleStation = Record<NeededColumn, string>;

/**
 * One local calendar day at a station: day number since 1970-01-01, its first instant, its weather (F). Its weather
 * also made every forecast of it too warm by so much (standard deviation 1).
 */
export type SampleDay = {
  number: number;
  date: string;
  startMs: number;
  high: number;
  low: number;
  surprise: number;
};

type Climate = [mean: number, amplitude: number, range: number, spread: number, latitude: number];
// Typical for each Koeppen class, in F: annual mean, half the distance between the warmest and the coldest time
// of the year, high minus low, standard deviation of the weather; and the latitude for which that holds.
// prettier-ignore
const CLIMATES: Record<string, Climate> = {
  Af: [80, 5, 12, 1.8, 5], Am: [77, 8, 12, 4, 26], Aw: [77, 6, 13, 3, 22],
  BSh: [78, 4.5, 12, 2.5, 21], BSk: [53, 22, 24, 7, 41], BWh: [76, 19, 22, 4.5, 31],
  Cfa: [63, 17, 17, 6, 37], Cfb: [53, 12, 13, 5, 49], Cfc: [42, 9, 8, 5, 64],
  Csa: [64, 13, 14, 5, 38], Csb: [57, 9, 15, 4, 40], Cwa: [72, 15, 16, 4, 27], Cwb: [65, 3, 19, 3, 10],
  Dfa: [50, 24, 18, 8, 42], Dfb: [44, 22, 15, 7, 50], Dfc: [37, 22, 14, 7, 61], Dwa: [54, 26, 16, 6, 39],
};

/**
 * A number in (0, 1) which depends on its keys alone: FNV-1a of the place and the purpose. Then, for each further
 * key, a step by a multiple of the golden ratio (as in splitmix) and the 32-bit finalizer of MurmurHash3.
 */
export function uniform(place: string, purpose: string, day: number, detail = 0): number {
  let hash = 0x811c9dc5;
  const name = `${place} ${purpose}`;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  for (const key of [day, detail]) {
    hash = (hash + Math.imul(key + 1, 0x9e3779b9)) | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return ((hash >>> 0) + 0.5) / 2 ** 32;
}

/** A standard normal number which depends on its keys alone (Box-Muller). */
export function normal(place: string, purpose: string, day: number, detail = 0): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(place, purpose, day, 2 * detail)));
  return radius * Math.cos(2 * Math.PI * uniform(place, purpose, day, 2 * detail + 1));
}

/**
 * An autoregressive series of unit variance. It is cut off after the steps which still matter. So the weather of a
 * day does not depend on the first day of the sample.
 */
function lasting(place: string, purpose: string, day: number, persistence: number): number {
  const ages = Math.ceil(Math.log(0.01) / Math.log(persistence));
  let sum = 0;
  for (let age = 0; age < ages; age += 1) sum += persistence ** age * normal(place, purpose, day - age);
  return sum * Math.sqrt(1 - persistence ** 2);
}

/**
 * How the weather of a day deceives the forecasts of it: as a day before it did, by 0.4, and half of it as at the stations
 * around, in a field of 10 by 15 degrees.
 */
function surprise({ station_id, latitude, longitude }: SampleStation, day: number): number {
  const field = `${Math.round(Number(latitude) / 10)} ${Math.round(Number(longitude) / 15)}`;
  return Math.SQRT1_2 * (lasting(field, 'surprise', day, 0.4) + lasting(station_id, 'surprise', day, 0.4));
}

export function sampleDays(station: SampleStation, first: number, last: number): SampleDay[] {
  const typical = CLIMATES[station.climate_zone];
  if (!IANAZone.isValidZone(station.timezone))
    throw new RangeError(`no time zone ${station.timezone} for ${station.station_id}`);
  if (!typical) throw new RangeError(`no climate for class ${station.climate_zone} of ${station.station_id}`);
  const [typicalMean, typicalAmplitude, typicalRange, spread, typicalLatitude] = typical;
  const poleward = Math.abs(Number(station.latitude));
  const mean = typicalMean - 0.6 * (poleward - typicalLatitude);
  const amplitude = (typicalAmplitude * poleward) / typicalLatitude;
  const midsummer = Number(station.latitude) >= 0 ? 200 : 18; // days since 1970-01-01: 20 July or 19 January
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    const season = amplitude * Math.cos((2 * Math.PI * (number - midsummer)) / 365.2425);
    const middle = mean + season + spread * lasting(station.station_id, 'weather', number, 0.75);
    const halfRange = typicalRange * (0.3 + 0.4 * uniform(station.station_id, 'daily range', number));
    const date = formatDate(number);
    return {
      number,
      date,
      startMs: localDay(date, station.timezone, 'civil').begins_ms,
      high: middle + halfRange,
      low: middle - halfRange,
      surprise: surprise(station, number),
    };
  });
}
