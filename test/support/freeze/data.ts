import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { load } from '../../../src/ingest/load.js';
import { writeSample } from '../../../src/sample/generate.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../store.js';
import type { Subject } from './questions.js';

/** Data to ask about, in several loads, so that its versions differ. */
export interface DataSet extends Subject {
  name: string;
  /** The instant that the service takes for the present. */
  now: string;
  load: (store: Store) => Promise<void>;
}

/** The lines of a load, by feed, the header first. */
type Feeds = Partial<Record<'stations' | 'forecasts' | 'observations' | 'normals', string[]>>;

/** @throws Error where a row is rejected */
async function loadFeeds(store: Store, feeds: Feeds): Promise<void> {
  const folder = temporaryFolder();
  const files = { stations: [], forecasts: [], observations: [], normals: [] };
  const written = Object.entries(feeds).map(([feed, lines]) => {
    const file = join(folder, `${feed}.csv`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return [feed, [file]];
  });
  const { outcome } = await load(store, { ...files, ...(Object.fromEntries(written) as object) });
  if (outcome !== 'complete') throw new Error(`a load of ${Object.keys(feeds).join(', ')}: ${outcome}`);
}

/** The header of a feed file, and its lines that are kept. */
function read(file: string, isKept: (line: string) => boolean = () => true): [string, string[]] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const [header = '', ...lines] = text.trimEnd().split('\n');
  return [header, lines.filter(isKept)];
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
const STATIONS = /^(KORD|KDEN|KSEA|KMIA|KPHX|KPWM|KPDX|KIND|EGLL|LFPG|SAEZ|VNKT|NZAA),/;

const sample: DataSet = {
  name: 'sample',
  now: '2025-10-05T12:00:00Z',
  lastDay: '2025-10-03',
  providers: ['made-up-fine', 'made-up-coarse'],
  versions: ['v1', 'v2', 'v3'],
  /** Seven months: first of one provider without Seattle and the last days, then the rest, then corrections. */
  async load(store) {
    const isKept = (day: number) => (line: string) => STATIONS.test(line) && cell(line, day) >= '2025-03-01';
    const isFirst = (day: number) => (line: string) =>
      cell(line, day) < '2025-09-20' && !line.startsWith('KSEA') && !line.endsWith(',made-up-coarse');
    const isLater = (day: number) => (line: string) => !isFirst(day)(line);
    const files = await writeSample(temporaryFolder(), '2025-10-05');
    const [stationHeader, stations] = read(files.stations, (line) => STATIONS.test(line));
    const [forecastHeader, forecasts] = read(files.forecasts, isKept(2));
    const [observationHeader, observations] = read(files.observations, isKept(1));
    const normals = Array.from({ length: 365 }, (_, day) => {
      const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(5, 10);
      const high = 30 + Math.min(day, 365 - day) / 4;
      return `KORD,${date},${high},${high - 15}`;
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations.filter((line) => !line.startsWith('KSEA'))],
      forecasts: [forecastHeader, ...forecasts.filter(isFirst(2))],
      observations: [observationHeader, ...observations.filter(isFirst(1))],
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations],
      forecasts: [forecastHeader, ...forecasts.filter(isLater(2))],
      observations: [observationHeader, ...observations.filter(isLater(1))],
      normals: ['station_id,month_day,high_f,low_f', ...normals],
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations.map((line) => line.replace(',Miami', ',Biscayne'))],
      forecasts: [`${forecastHeader},withdrawn`, ...corrections(forecasts, 3, 60)],
      observations: [`${observationHeader},withdrawn`, ...corrections(observations, 2, 40)],
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
