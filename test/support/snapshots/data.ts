import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { load } from '../../../src/ingest/load.js';
import { forecastRows, observationRows, readStations } from '../../../src/sample/generate.js';
import { hourRows, SAMPLE_HOURS_DAYS } from '../../../src/sample/sample-hours.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../store.js';
import type { Subject } from './requests.js';

/** Data to ask about, in several loads, so that its versions differ. */
export interface DataSet extends Subject {
  name: string;
  /** The instant that the service takes for the present. */
  now: string;
  load: (store: Store) => Promise<void>;
}

/** The lines of a load, by feed, the header first; those of `celsius` are forecasts. */
type Feeds = Partial<
  Record<'stations' | 'forecasts' | 'celsius' | 'observations' | 'normals' | 'hours', string[]>
>;

/** @throws Error where a row is rejected */
async function loadFeeds(store: Store, feeds: Feeds): Promise<void> {
  const folder = temporaryFolder();
  const files: Record<string, string[]> = {};
  for (const [feed, lines] of Object.entries(feeds)) {
    const file = join(folder, `${feed}.csv`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    (files[feed === 'celsius' ? 'forecasts' : feed] ??= []).push(file);
  }
  const { outcome } = await load(store, files);
  if (outcome !== 'complete') throw new Error(`a load of ${Object.keys(feeds).join(', ')}: ${outcome}`);
}

/** The header of a feed file, and its lines. */
function read(file: string): [string, string[]] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const [header = '', ...lines] = text.trimEnd().split('\n');
  return [header, lines];
}

const cell = (line: string, column: number): string => line.split(',')[column] ?? '';
const warmer = (line: string, high: number): string =>
  line
    .split(',')
    .with(high, `${Number(cell(line, high)) + 1.5}`)
    .join(',');

/** Some of the lines with another high, which is in this column, and others withdrawn. */
const corrections = (lines: readonly string[], high: number, every: number): string[] =>
  lines.flatMap((line, at) => {
    if (at % every === 7) return `${line},true`;
    return at % every === 0 && cell(line, high) !== '' ? `${warmer(line, high)},false` : [];
  });

/** Clocks that change and clocks that do not, two cities of one name, one station that stopped reporting. */
const STATIONS = /^(KORD|KDEN|KSEA|KMIA|KPHX|KPWM|KPDX|KIND|EGLL|LFPG|SAEZ|VNKT|NZAA)\b/;

const NOW = '2025-10-05T20:00:00Z';
const TODAY = '2025-10-05';
/** Days before the present that have data. */
const DAYS = 150;
const QUANTILES = { p10: -2, p25: -1, p50: 0, p75: 1, p90: 2 };

/** The lines of the sample without their last column: answers about temperatures were frozen before it had rain. */
const withoutRain = (lines: Iterable<string>): string[] =>
  [...lines].map((line) => line.slice(0, line.lastIndexOf(',')));

/** A provider in °C that says quantiles: each line of a coarser one, in tenths, blank where that has no value. */
function withQuantiles(lines: readonly string[]): string[] {
  const names = ['high', 'low'].flatMap((metric) =>
    Object.keys(QUANTILES).map((level) => `${metric}_${level}_c`),
  );
  const rows = lines.map((line) => {
    const values = [3, 4].map((column) =>
      cell(line, column) === '' ? undefined : (Number(cell(line, column)) - 32) / 1.8,
    );
    const written = values.map((value) => value?.toFixed(1) ?? '');
    const quantiles = values.flatMap((value) =>
      Object.values(QUANTILES).map((off) => (value === undefined ? '' : (value + off).toFixed(1))),
    );
    return [...line.split(',').slice(0, 3), ...written, 'made-up-celsius', ...quantiles].join();
  });
  return [`station_id,issued_at,target_date,high_c,low_c,provider,${names.join()}`, ...rows];
}

const sample: DataSet = {
  name: 'sample',
  now: NOW,
  lastDay: '2025-10-03',
  providers: ['made-up-fine', 'made-up-coarse', 'made-up-celsius'],
  versions: ['v1', 'v2', 'v3'],
  /** First one provider without Seattle and the last days; then the rest, and a third provider; then corrections. */
  async load(store) {
    const isFirst = (day: number) => (line: string) =>
      cell(line, day) < '2025-09-20' && !line.startsWith('KSEA') && !line.endsWith(',made-up-coarse');
    const isLater = (day: number) => (line: string) => !isFirst(day)(line);
    const places = readStations().filter(({ station_id }) => STATIONS.test(station_id));
    const ms = Date.parse(NOW);
    const [stationHeader, everyStation] = read(
      createRequire(import.meta.url).resolve('#sample/stations.csv'),
    );
    const stations = everyStation.filter((line) => STATIONS.test(line));
    const [forecastHeader = '', ...forecasts] = withoutRain(forecastRows(places, TODAY, DAYS));
    const [observationHeader = '', ...observations] = withoutRain(observationRows(places, TODAY, DAYS, ms));
    const [hourHeader = '', ...hours] = hourRows(places, ms, SAMPLE_HOURS_DAYS);
    const normals = Array.from({ length: 365 }, (_, day) => {
      const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(5, 10);
      const high = 30 + Math.min(day, 365 - day) / 4;
      return `KORD,${date},${high},${high - 15}`;
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations.filter((line) => !line.startsWith('KSEA'))],
      forecasts: [forecastHeader, ...forecasts.filter(isFirst(2))],
      observations: [observationHeader, ...observations.filter(isFirst(1))],
      hours: [hourHeader, ...hours.filter(isFirst(1))],
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations],
      forecasts: [forecastHeader, ...forecasts.filter(isLater(2))],
      observations: [observationHeader, ...observations.filter(isLater(1))],
      celsius: withQuantiles(forecasts.filter((line) => line.endsWith(',made-up-coarse'))),
      normals: ['station_id,month_day,high_f,low_f', ...normals],
      hours: [hourHeader, ...hours.filter(isLater(1))],
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations.map((line) => line.replace(',Miami', ',Biscayne'))],
      forecasts: [`${forecastHeader},withdrawn`, ...corrections(forecasts, 3, 60)],
      observations: [`${observationHeader},withdrawn`, ...corrections(observations, 2, 40)],
      hours: [`${hourHeader},withdrawn`, ...corrections(hours, 2, 400)],
    });
  },
};

/** Real forecasts, of the folder that NWS_2021_DIR names. */
const nws = (folder: string): DataSet => ({
  name: 'nws-2021',
  now: '2021-08-01T12:00:00Z',
  lastDay: '2021-07-30',
  providers: ['default', 'warmer'],
  versions: ['v1', 'v2'],
  /** First with preliminary observations; then come verified ones, and a second provider of some stations. */
  async load(store) {
    const [forecastHeader, forecasts] = read(join(folder, 'forecasts.csv.gz'));
    const [header, observations] = read(join(folder, 'observations.csv.gz'));
    const isVerified = (line: string): boolean => line.includes(',verified,');
    const second = forecasts.filter(
      (line, at) => /^K[DO]/.test(line) && at % 3 !== 0 && cell(line, 3) !== '',
    );
    await loadFeeds(store, {
      stations: read(join(folder, 'stations.csv')).flat(),
      forecasts: [forecastHeader, ...forecasts],
      observations: [header, ...observations.filter((line) => !isVerified(line))],
    });
    await loadFeeds(store, {
      forecasts: [`${forecastHeader},provider`, ...second.map((line) => `${warmer(line, 3)},warmer`)],
      observations: [header, ...observations.filter(isVerified)],
    });
  },
});

const { NWS_2021_DIR } = process.env;
export const DATA_SETS = [sample, ...(NWS_2021_DIR === undefined ? [] : [nws(NWS_2021_DIR)])];
