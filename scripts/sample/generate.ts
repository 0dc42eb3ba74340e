import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';

/** Target days in the forecast feed which are not in the future: `today` and the days before it. */
export const SAMPLE_DAYS = 400;
/** How many local days past its own each issuance forecasts. */
export const SAMPLE_LEAD_DAYS = 5;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ISSUANCE_MS = 6 * HOUR_MS;
const UNVERIFIED_DAYS = 3;
const INACTIVE_DAYS = 60;
const CHUNK_CHARACTERS = 65_536;

/** The columns of stations.csv which the numbers depend on; latitude in degrees north. */
export interface SampleStation {
  id: string;
  latitude: number;
  timezone: string;
  climateZone: string;
  active: boolean;
}

/** Absolute paths of the written feeds. */
export interface SampleFeeds {
  stations: string;
  forecasts: string;
  observations: string;
}

/** One local calendar day at a station: day number since 1970-01-01, its first instant, what it was like (F). */
interface StationDay {
  number: number;
  date: string;
  startMs: number;
  high: number;
  low: number;
}

interface Climate {
  mean: number;
  amplitude: number;
  dailyRange: number;
  weatherSpread: number;
  latitude: number;
}

const climate = (
  mean: number,
  amplitude: number,
  dailyRange: number,
  weatherSpread: number,
  latitude: number,
): Climate => ({ mean, amplitude, dailyRange, weatherSpread, latitude });

// Typical values (F) of each Koeppen class at its typical latitude: annual mean, half the distance between
// the warmest and the coldest time of the year, high minus low, standard deviation of the daily weather.
const CLIMATES: Record<string, Climate> = {
  Af: climate(82, 1.5, 12, 1.8, 1),
  Am: climate(77, 8, 12, 4, 26),
  Aw: climate(77, 6, 13, 3, 22),
  BSh: climate(78, 4.5, 12, 2.5, 21),
  BSk: climate(53, 22, 24, 7, 41),
  BWh: climate(76, 19, 22, 4.5, 31),
  Cfa: climate(63, 17, 17, 6, 37),
  Cfb: climate(53, 12, 13, 5, 49),
  Cfc: climate(42, 9, 8, 5, 64),
  Csa: climate(64, 13, 14, 5, 38),
  Csb: climate(57, 9, 15, 4, 40),
  Cwa: climate(72, 15, 16, 4, 27),
  Cwb: climate(65, 5, 19, 3, 19),
  Dfa: climate(50, 24, 18, 8, 42),
  Dfb: climate(44, 22, 15, 7, 50),
  Dfc: climate(37, 22, 14, 7, 61),
  Dwa: climate(54, 26, 16, 6, 39),
};

// Every kind of random number has a stream of its own, so that drawing one more of one kind changes no other.
const STREAM = {
  weather: 1,
  dailyRange: 2,
  bias: 3,
  sharedError: 4,
  ownError: 5,
  blank: 6,
  missing: 7,
  preliminary: 8,
  reportDelay: 9,
  wholeDegrees: 10,
} as const;

/** FNV-1a of the station id, the seed of all its numbers. */
function seedOf(stationId: string): number {
  let hash = 0x811c9dc5;
  for (const character of stationId) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash;
}

/**
 * A number in (0, 1) which depends on its keys alone: each key advances the state by a multiple of the golden
 * ratio (as splitmix does), then the 32-bit finalizer of MurmurHash3 mixes it.
 */
function uniform(seed: number, stream: number, day: number, detail = 0): number {
  let hash = seed;
  for (const key of [stream, day, detail]) {
    hash = (hash + Math.imul(key + 1, 0x9e3779b9)) | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return ((hash >>> 0) + 0.5) / 2 ** 32;
}

/** A standard normal number which depends on its keys alone (Box-Muller). */
function normal(seed: number, stream: number, day: number, detail = 0): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(seed, stream, day, 2 * detail)));
  return radius * Math.cos(2 * Math.PI * uniform(seed, stream, day, 2 * detail + 1));
}

/**
 * An autoregressive series of unit variance. It is cut off after the steps which still matter, so that the
 * weather of a day needs no starting day and is the same whichever day the sample starts on.
 */
function weather(seed: number, day: number): number {
  const persistence = 0.75;
  let sum = 0;
  for (let age = 0; age < 16; age += 1) sum += persistence ** age * normal(seed, STREAM.weather, day - age);
  return sum * Math.sqrt(1 - persistence ** 2);
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const isoDate = (dayNumber: number) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
const isoInstant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function dayNumberOf(date: string): number {
  const number = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  if (!Number.isInteger(number) || isoDate(number) !== date) throw new RangeError(`not a YYYY-MM-DD date: ${date}`);
  return number;
}

/** First instant of a local day. Clocks set back just after midnight make 00:00 happen twice: the first counts. */
function startOfDay(date: string, timezone: string): number {
  const midnight = DateTime.fromISO(date, { zone: timezone });
  if (!midnight.isValid) throw new RangeError(`no such local day: ${date} in ${timezone}`);
  return Math.min(...midnight.getPossibleOffsets().map((instant) => instant.toMillis()));
}

function stationDays(station: SampleStation, first: number, last: number): StationDay[] {
  const typical = CLIMATES[station.climateZone];
  if (!typical) throw new RangeError(`no climate for class ${station.climateZone} of ${station.id}`);
  const seed = seedOf(station.id);
  const poleward = Math.abs(station.latitude);
  const mean = typical.mean - clamp(0.6 * (poleward - typical.latitude), -6, 6);
  const amplitude = typical.amplitude * clamp(poleward / typical.latitude, 0.3, 1.3);
  const midsummer = station.latitude >= 0 ? 200 : 18; // days since 1970-01-01: 20 July or 19 January
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    const date = isoDate(number);
    const season = amplitude * Math.cos((2 * Math.PI * (number - midsummer)) / 365.2425);
    const middle = mean + season + typical.weatherSpread * weather(seed, number);
    const halfRange = (typical.dailyRange * (0.6 + 0.8 * uniform(seed, STREAM.dailyRange, number))) / 2;
    const startMs = startOfDay(date, station.timezone);
    return { number, date, startMs, high: middle + halfRange, low: middle - halfRange };
  });
}

/** Writes `high,low` as the station reports them, the low always below the high, now and then one left blank. */
function temperatureWriter(seed: number, blankShare: number) {
  const wholeDegrees = uniform(seed, STREAM.wholeDegrees, 0) < 0.25;
  // Rounded before printing, as toFixed would print a small negative number as -0.0.
  const text = (value: number) =>
    wholeDegrees ? String(Math.round(value) + 0) : (Math.round(value * 10) / 10 + 0).toFixed(1);
  return (high: number, low: number, day: number, detail: number): string => {
    const blank = uniform(seed, STREAM.blank, day, detail) / blankShare;
    const highText = blank < 0.5 ? '' : text(high);
    // A forecast error can bring the two together; two degrees apart they differ even in whole degrees.
    const lowText = blank >= 0.5 && blank < 1 ? '' : text(Math.min(low, high - 2));
    return `${highText},${lowText}`;
  };
}

/**
 * The forecast feed as CSV lines without line ends, the header first: `station_id,issued_at,target_date,high_f,low_f`
 * (degrees F; `issued_at` in UTC; `target_date` a local day of the station; blank = missing). Ordered by station,
 * target date and issuance. Target dates are the last SAMPLE_DAYS up to `today`, plus the future days which
 * issuances up to `today` 00:00 UTC reach. Throws RangeError, on iteration, for a `today` which is no date, an
 * unknown zone or an unknown climate class.
 */
export function* forecastRows(stations: Iterable<SampleStation>, today: string): Generator<string, void> {
  const todayNumber = dayNumberOf(today);
  const lastIssuance = todayNumber * DAY_MS;
  yield 'station_id,issued_at,target_date,high_f,low_f';
  for (const station of stations) {
    const seed = seedOf(station.id);
    const write = temperatureWriter(seed, 0.003);
    const bias = { high: 3 * uniform(seed, STREAM.bias, 0) - 1.5, low: 3 * uniform(seed, STREAM.bias, 1) - 1.5 };
    // Far from the sea (classes D, and the cold dry ones which end in k) weather is harder to forecast.
    const difficulty = /^D|k$/.test(station.climateZone) ? 1.15 : 1;
    const firstTarget = todayNumber - SAMPLE_DAYS + 1;
    const lastTarget = todayNumber + SAMPLE_LEAD_DAYS;
    const days = stationDays(station, firstTarget - SAMPLE_LEAD_DAYS, lastTarget + 1);
    for (const [index, target] of days.entries()) {
      const earliest = days[index - SAMPLE_LEAD_DAYS];
      const next = days[index + 1];
      if (!earliest || !next) continue; // only there for the bounds of other days
      let issued = Math.ceil(earliest.startMs / ISSUANCE_MS) * ISSUANCE_MS;
      for (; issued < next.startMs && issued <= lastIssuance; issued += ISSUANCE_MS) {
        const leadHours = Math.max(0, (target.startMs - issued) / HOUR_MS);
        const spread = difficulty * (1.5 + (3.5 * leadHours) / 120);
        const issuance = issued / ISSUANCE_MS;
        // High and low miss mostly together, as they would with the wrong air mass.
        const shared = 0.8 * normal(seed, STREAM.sharedError, target.number, issuance);
        const highError = shared + 0.6 * normal(seed, STREAM.ownError, target.number, 2 * issuance);
        const lowError = shared + 0.6 * normal(seed, STREAM.ownError, target.number, 2 * issuance + 1);
        const high = target.high + bias.high + spread * highError;
        const low = target.low + bias.low + spread * lowError;
        const temperatures = write(high, low, target.number, issuance);
        yield `${station.id},${isoInstant(issued)},${target.date},${temperatures}`;
      }
    }
  }
}

/**
 * The observation feed as CSV lines without line ends, the header first:
 * `station_id,date,high_f,low_f,status,observed_at` (degrees F; `date` a local day; `observed_at` in UTC). Days
 * before `today` have a `preliminary` row and, up to four days before `today`, most have a later `verified` one.
 * Inactive stations stop 60 days before `today`. Throws like {@link forecastRows}.
 */
export function* observationRows(stations: Iterable<SampleStation>, today: string): Generator<string, void> {
  const todayNumber = dayNumberOf(today);
  yield 'station_id,date,high_f,low_f,status,observed_at';
  for (const station of stations) {
    const seed = seedOf(station.id);
    const write = temperatureWriter(seed, 0.005);
    const lastReport = todayNumber - (station.active ? 1 : INACTIVE_DAYS);
    const days = stationDays(station, todayNumber - SAMPLE_DAYS + 1, lastReport + 1);
    for (const [index, day] of days.entries()) {
      const next = days[index + 1];
      const missing = uniform(seed, STREAM.missing, day.number);
      if (!next || missing < 0.005) continue; // no report at all
      const row = (high: number, low: number, status: 'preliminary' | 'verified', delayMinutes: number) => {
        const temperatures = write(high, low, day.number, status === 'verified' ? 1 : 0);
        const observedAt = isoInstant(next.startMs + delayMinutes * 60_000);
        return `${station.id},${day.date},${temperatures},${status},${observedAt}`;
      };
      const delay = (detail: number) => uniform(seed, STREAM.reportDelay, day.number, detail);
      const corrected = uniform(seed, STREAM.preliminary, day.number) < 0.15 ? 1 : 0;
      const off = (detail: number) => corrected * 1.5 * normal(seed, STREAM.preliminary, day.number, detail);
      yield row(day.high + off(1), day.low + off(2), 'preliminary', 15 + Math.floor(60 * delay(0)));
      const neverVerified = missing < 0.015;
      if (neverVerified || day.number >= todayNumber - UNVERIFIED_DAYS) continue;
      yield row(day.high, day.low, 'verified', 7 * 60 + Math.floor(240 * delay(1)));
    }
  }
}

const stationsPath = () => fileURLToPath(import.meta.resolve('#sample/stations.csv'));

/** The stations of stations.csv. Throws when the file cannot be read. */
export function readStations(): SampleStation[] {
  const rows = parse<Record<string, string>>(readFileSync(stationsPath()), { columns: true });
  return rows.map((row) => ({
    id: row.station_id ?? '',
    latitude: Number(row.latitude),
    timezone: row.timezone ?? '',
    climateZone: row.climate_zone ?? '',
    active: row.data_active === 'true',
  }));
}

/** Joins lines to larger pieces, as a stream write for each line would take most of the time. */
function* inChunks(lines: Iterable<string>): Generator<string, void> {
  let chunk = '';
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Gives `write` a temporary name and moves the file to `path` once complete: nobody ever reads half a feed. */
async function writeWhole(path: string, write: (temporary: string) => Promise<void>): Promise<string> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  return path;
}

/**
 * Writes `stations.csv`, `forecasts.csv.gz` and `observations.csv.gz` for all stations into `directory`, which is
 * created if missing; files of an earlier run are replaced. `today` is a UTC date, `YYYY-MM-DD`. Throws RangeError
 * for any other `today`, and the file system's errors.
 */
export async function writeSample(directory: string, today: string): Promise<SampleFeeds> {
  const stations = readStations();
  const file = (name: string) => resolve(join(directory, name));
  const writeGzip = (path: string, lines: Iterable<string>) =>
    writeWhole(path, (temporary) => pipeline(inChunks(lines), createGzip(), createWriteStream(temporary)));
  await mkdir(directory, { recursive: true });
  return {
    stations: await writeWhole(file('stations.csv'), (temporary) => copyFile(stationsPath(), temporary)),
    forecasts: await writeGzip(file('forecasts.csv.gz'), forecastRows(stations, today)),
    observations: await writeGzip(file('observations.csv.gz'), observationRows(stations, today)),
  };
}
