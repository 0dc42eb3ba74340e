import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { IANAZone } from 'luxon';
import { DAY_MS, dateOf, dayNumber, HOUR_MS, isCalendarDate } from '../statistics/time/calendar.js';
import { localDay } from '../statistics/time/local-midnight.js';
import { hourRows, SAMPLE_HOURS_DAYS } from './hours.js';

/** Target days in the forecast feed which are not in the future: `today` and the days before it. */
export const SAMPLE_DAYS = 400;
/** How many local days past its own each issuance forecasts. */
export const SAMPLE_LEAD_DAYS = 5;
const ISSUANCE_MS = 6 * HOUR_MS;

/** Who issues the sample's forecasts: one four times a day, which is the default, and one with a coarser model once a day. */
const PROVIDERS = [
  { name: 'made-up-fine', seed: '', everyMs: ISSUANCE_MS, spread: 1, saysSpreads: true },
  { name: 'made-up-coarse', seed: 'coarse-grid', everyMs: 4 * ISSUANCE_MS, spread: 1.25, saysSpreads: false },
] as const;

type NeededColumn = 'station_id' | 'latitude' | 'longitude' | 'timezone' | 'climate_zone' | 'data_active';
/** The columns of stations.csv on which the numbers depend, as text; degrees, north and east positive. */
export type SampleStation = Record<NeededColumn, string>;

/** Absolute paths of the written feeds. */
type SampleFeeds = Record<'stations' | 'forecasts' | 'observations' | 'hours', string>;

/**
 * One local calendar day at a station: day number since 1970-01-01, its first instant, what it was like (F), and how much
 * warmer than it was its weather made every forecast of it (standard deviation 1).
 */
export type StationDay = {
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
 * A number in (0, 1) which depends on its keys alone: FNV-1a of the place and the purpose, then for each
 * further key a step by a multiple of the golden ratio (as in splitmix) and the 32-bit finalizer of MurmurHash3.
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
 * An autoregressive series of unit variance. It is cut off after the steps which still matter, so that the
 * weather of a day needs no starting day and is the same whichever day the sample starts on.
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

export const isoInstant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function dayOf(today: string): number {
  if (!isCalendarDate(today)) throw new RangeError(`not a YYYY-MM-DD date: ${today}`);
  return dayNumber(today);
}

export function sampleDays(station: SampleStation, first: number, last: number): StationDay[] {
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
    const date = dateOf(number);
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

/** Writes `high,low` as the station reports them, the low always below the high, now and then one left blank. */
function temperatureWriter(stationId: string, blankShare: number) {
  const wholeDegrees = uniform(stationId, 'whole degrees', 0) < 0.25;
  // Rounded before printing, as toFixed would print a small negative number as -0.0.
  const text = (value: number) =>
    wholeDegrees ? String(Math.round(value) + 0) : (Math.round(value * 10) / 10 + 0).toFixed(1);
  return (high: number, low: number, day: number, detail: number): string => {
    const blank = uniform(stationId, 'blank', day, detail) / blankShare;
    const highText = blank < 0.5 ? '' : text(high);
    // A forecast error can bring the two together; two degrees apart they differ even in whole degrees.
    const lowText = blank >= 0.5 && blank < 1 ? '' : text(Math.min(low, high - 2));
    return `${highText},${lowText}`;
  };
}

/** The spreads of `high,low` in whole degrees; blank beside a blank. */
const saidBeside = (temperatures: string, spread: number): string =>
  temperatures
    .split(',')
    .map((text) => (text === '' ? '' : String(Math.max(1, Math.round(spread)))))
    .join();

/**
 * The forecast feed as CSV lines without line ends, the header first:
 * `station_id,issued_at,target_date,high_f,low_f,high_sd_f,low_sd_f,provider` (degrees F; `issued_at` in UTC; `target_date` a local
 * day of the station; blank = missing; the finer provider says spreads). Target dates
 * are the last `daysBack` up to `today`, plus the future days which issuances up to `today` 00:00 UTC reach.
 * Throws RangeError, on iteration, for a `today` which is no date, an unknown zone or an unknown climate class.
 */
export function* forecastRows(
  stations: Iterable<SampleStation>,
  today: string,
  daysBack = SAMPLE_DAYS,
): Generator<string, void> {
  const todayNumber = dayOf(today);
  yield 'station_id,issued_at,target_date,high_f,low_f,high_sd_f,low_sd_f,provider';
  for (const station of stations) {
    const id = station.station_id;
    const write = temperatureWriter(id, 0.003);
    const highBias = 3 * uniform(id, 'high bias', 0) - 1.5;
    const lowBias = 3 * uniform(id, 'low bias', 0) - 1.5;
    // Far from the sea (classes D, and the cold dry ones which end in k) weather is harder to forecast.
    const difficulty = /^D|k$/.test(station.climate_zone) ? 1.15 : 1;
    // A few more days at both ends, for the bounds of the issuances of the others.
    const first = todayNumber - daysBack + 1 - SAMPLE_LEAD_DAYS;
    const days = sampleDays(station, first, todayNumber + SAMPLE_LEAD_DAYS + 1);
    for (const [index, target] of days.entries()) {
      const earliest = days[index - SAMPLE_LEAD_DAYS];
      const next = days[index + 1];
      if (!earliest || !next) continue;
      for (const provider of PROVIDERS) {
        let issued = Math.ceil(earliest.startMs / provider.everyMs) * provider.everyMs;
        for (; issued < next.startMs && issued <= todayNumber * DAY_MS; issued += provider.everyMs) {
          const leadHours = Math.max(0, (target.startMs - issued) / HOUR_MS);
          const spread = difficulty * provider.spread * (1.5 + (3.5 * leadHours) / 120);
          const issuance = issued / ISSUANCE_MS;
          const own = (part: string) => normal(id, `${provider.seed}${part}`, target.number, issuance);
          // Forecasts of a day miss together, and its high and low with them, as they would with the wrong air mass.
          const shared = 0.8 * target.surprise + 0.3 * own('shared error');
          const high = target.high + highBias + spread * (shared + 0.5 * own('high error'));
          const low = target.low + lowBias + spread * (shared + 0.5 * own('low error'));
          const temperatures = write(high, low, target.number, issuance);
          // A provider that runs its model many times sees, in part, which days deceive it.
          const said = spread * (0.5 + 0.6 * Math.abs(0.8 * target.surprise + 0.6 * own('said spread')));
          const spreads = provider.saysSpreads ? saidBeside(temperatures, said) : ',';
          yield `${id},${isoInstant(issued)},${target.date},${temperatures},${spreads},${provider.name}`;
        }
      }
    }
  }
}

/**
 * The observation feed as CSV lines without line ends, the header first:
 * `station_id,date,high_f,low_f,status,observed_at` (degrees F; `date` a local day; `observed_at` in UTC). Days
 * before `today` have a `preliminary` row and, up to four days before `today`, most have a later `verified` one; one in
 * a hundred of those is corrected a week later.
 * Inactive stations stop 60 days before `today`. Days first reported after `until_ms` are left out. Throws like {@link forecastRows}.
 */
export function* observationRows(
  stations: Iterable<SampleStation>,
  today: string,
  daysBack = SAMPLE_DAYS,
  until_ms = Infinity,
): Generator<string, void> {
  const todayNumber = dayOf(today);
  yield 'station_id,date,high_f,low_f,status,observed_at';
  for (const station of stations) {
    const id = station.station_id;
    const write = temperatureWriter(id, 0.005);
    const lastReport = todayNumber - (station.data_active === 'true' ? 1 : 60);
    const days = sampleDays(station, todayNumber - daysBack + 1, lastReport + 1);
    for (const [index, day] of days.entries()) {
      const next = days[index + 1];
      const missing = uniform(id, 'missing', day.number);
      if (!next || missing < 0.005) continue; // no report at all
      const random = (purpose: string) => uniform(id, purpose, day.number);
      const row = (high: number, low: number, status: 'preliminary' | 'verified', delayMinutes: number) => {
        const temperatures = write(high, low, day.number, status === 'verified' ? 1 : 0);
        const observedAt = isoInstant(next.startMs + Math.floor(delayMinutes) * 60_000);
        return `${id},${day.date},${temperatures},${status},${observedAt}`;
      };
      const wrongBy = random('correction') < 0.15 ? 1.5 : 0;
      const high = day.high + wrongBy * normal(id, 'high correction', day.number);
      const low = day.low + wrongBy * normal(id, 'low correction', day.number);
      const firstDelay = 15 + 60 * random('preliminary delay');
      if (next.startMs + firstDelay * 60_000 > until_ms) continue; // reported later
      yield row(high, low, 'preliminary', firstDelay);
      if (missing < 0.015 || day.number >= todayNumber - 3) continue; // not, or not yet, verified
      const delay = 7 * 60 + 240 * random('verified delay');
      const isMistaken = random('mistake') < 0.01;
      yield row(day.high + (isMistaken ? 9 : 0), day.low, 'verified', delay);
      if (isMistaken && day.number < todayNumber - 10)
        yield row(day.high, day.low, 'verified', delay + 7 * 24 * 60);
    }
  }
}

// Found through package.json, as csv files are not compiled; import.meta.resolve is missing under some loaders.
const stationsPath = () => createRequire(import.meta.url).resolve('#sample/stations.csv');

/** The stations of stations.csv. Throws when the file cannot be read. */
export function readStations(): SampleStation[] {
  return parse<SampleStation>(readFileSync(stationsPath()), { columns: true });
}

/** Joins lines to larger pieces, as a stream write for each line would take most of the time. */
function* inChunks(lines: Iterable<string>): Generator<string, void> {
  let chunk = '';
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/**
 * Writes `stations.csv`, `forecasts.csv.gz`, `observations.csv.gz` and `hours.csv.gz` for all stations into `directory`, which
 * is created if missing: so many days, but of hours SAMPLE_HOURS_DAYS at most. `now` is an instant or a date, ISO 8601, in UTC: hours are up to it, observations too if it is an instant, all else up to its date. Throws
 * RangeError for any other `now`, and the file system's errors.
 */
export async function writeSample(
  directory: string,
  now: string,
  daysBack = SAMPLE_DAYS,
): Promise<SampleFeeds> {
  const all = readStations();
  const today = now.slice(0, 10);
  const until_ms = isCalendarDate(now) ? Infinity : Date.parse(now);
  const [stations, forecasts, observations, hours] = [
    resolve(directory, 'stations.csv'),
    resolve(directory, 'forecasts.csv.gz'),
    resolve(directory, 'observations.csv.gz'),
    resolve(directory, 'hours.csv.gz'),
  ];
  const writeGzip = (file: string, lines: Iterable<string>): Promise<void> =>
    pipeline(inChunks(lines), createGzip(), createWriteStream(file));
  await mkdir(directory, { recursive: true });
  await writeGzip(forecasts, forecastRows(all, today, daysBack));
  await writeGzip(observations, observationRows(all, today, daysBack, until_ms));
  await writeGzip(hours, hourRows(all, Date.parse(now), Math.min(daysBack, SAMPLE_HOURS_DAYS)));
  await copyFile(stationsPath(), stations);
  return { stations, forecasts, observations, hours };
}
