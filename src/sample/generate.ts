import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { DAY_MS, dayNumber, HOUR_MS, isCalendarDate, isoInstant } from '../statistics/time/calendar.js';
import { hourlyForecastRows, hourRows, SAMPLE_HOURLY_DAYS, SAMPLE_HOURS_DAYS } from './sample-hours.js';
import { saysChance, writeAmount, writeChance } from './sample-rain.js';
import { normal, sampleDays, type SampleStation, uniform } from './weather.js';

/** Target days in the forecast feed which are not in the future: `today` and the days before it. */
export const SAMPLE_DAYS = 400;
/** How many local days past its own each issuance forecasts. */
export const SAMPLE_LEAD_DAYS = 5;
const ISSUANCE_MS = 6 * HOUR_MS;

/** The providers of the sample: the default one issues four times a day, the other once, with a coarser model. */
const PROVIDERS = [
  { name: 'made-up-fine', seed: '', everyMs: ISSUANCE_MS, spread: 1, saysDeviations: true, stepHours: 1 },
  {
    name: 'made-up-coarse',
    seed: 'coarse-grid',
    everyMs: 4 * ISSUANCE_MS,
    spread: 1.25,
    saysDeviations: false,
    stepHours: 3,
  },
] as const;

/** Absolute paths of the written feeds. */
type SampleFeeds = Record<'stations' | 'forecasts' | 'observations' | 'hours' | 'hourly_forecasts', string>;

function parseDay(today: string): number {
  if (!isCalendarDate(today)) throw new RangeError(`not a YYYY-MM-DD date: ${today}`);
  return dayNumber(today);
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

/** The standard deviations of `high,low` in whole degrees; blank beside a blank. */
const writeDeviations = (temperatures: string, deviation: number): string =>
  temperatures
    .split(',')
    .map((text) => (text === '' ? '' : String(Math.max(1, Math.round(deviation)))))
    .join();

/**
 * The forecast feed as CSV lines without line ends, the header first:
 * `station_id,issued_at,target_date,high_f,low_f,high_sd_f,low_sd_f,provider,precip_chance` (degrees F, percent; `issued_at` in UTC; `target_date` a local
 * day of the station; blank = missing; the finer provider says standard deviations). Target dates
 * are the last `daysBack` up to `today`, plus the future days which issuances up to `today` 00:00 UTC reach.
 * Throws RangeError, on iteration, for a `today` which is no date, an unknown zone or an unknown climate class.
 */
export function* forecastRows(
  stations: Iterable<SampleStation>,
  today: string,
  daysBack = SAMPLE_DAYS,
): Generator<string, void> {
  const todayNumber = parseDay(today);
  yield 'station_id,issued_at,target_date,high_f,low_f,high_sd_f,low_sd_f,provider,precip_chance';
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
          const deviation = spread * (0.5 + 0.6 * Math.abs(0.8 * target.surprise + 0.6 * own('said spread')));
          const deviations = provider.saysDeviations ? writeDeviations(temperatures, deviation) : ',';
          const isSaid = saysChance(issued, target.number);
          const chance = isSaid ? writeChance(id, provider, target.number, leadHours) : '';
          yield `${id},${isoInstant(issued)},${target.date},${temperatures},${deviations},${provider.name},${chance}`;
        }
      }
    }
  }
}

/**
 * The observation feed as CSV lines without line ends, the header first:
 * `station_id,date,high_f,low_f,status,observed_at,precip_in` (degrees F, inches; `date` a local day; `observed_at` in UTC). Days
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
  const todayNumber = parseDay(today);
  yield 'station_id,date,high_f,low_f,status,observed_at,precip_in';
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
        return `${id},${day.date},${temperatures},${status},${observedAt},${writeAmount(id, day.number)}`;
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
 * Writes `stations.csv`, `forecasts.csv.gz`, `observations.csv.gz`, `hours.csv.gz` and `hourly_forecasts.csv.gz` into `directory`, which
 * is created if missing: so many days, but of hours SAMPLE_HOURS_DAYS at most, and SAMPLE_HOURLY_DAYS of forecasts of them. `now` is an instant or a date, ISO 8601, in UTC: hours are up to it, observations too if it is an instant, all else up to its date. Throws
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
  const [stations, forecasts, observations, hours, hourly_forecasts] = [
    resolve(directory, 'stations.csv'),
    resolve(directory, 'forecasts.csv.gz'),
    resolve(directory, 'observations.csv.gz'),
    resolve(directory, 'hours.csv.gz'),
    resolve(directory, 'hourly_forecasts.csv.gz'),
  ];
  const writeGzip = (file: string, lines: Iterable<string>): Promise<void> =>
    pipeline(inChunks(lines), createGzip(), createWriteStream(file));
  await mkdir(directory, { recursive: true });
  await writeGzip(forecasts, forecastRows(all, today, daysBack));
  await writeGzip(observations, observationRows(all, today, daysBack, until_ms));
  await writeGzip(hours, hourRows(all, Date.parse(now), Math.min(daysBack, SAMPLE_HOURS_DAYS)));
  const hourlyDays = Math.min(daysBack, SAMPLE_HOURLY_DAYS);
  await writeGzip(hourly_forecasts, hourlyForecastRows(all, Date.parse(now), PROVIDERS, hourlyDays));
  await copyFile(stationsPath(), stations);
  return { stations, forecasts, observations, hours, hourly_forecasts };
}
