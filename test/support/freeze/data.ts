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
  /** What the service takes for the present. */
  now: string;
  load: (store: Store) => Promise<void>;
}

/** The files of a load, by feed, each as its lines with the header first. */
type Feeds = Partial<Record<'stations' | 'forecasts' | 'observations' | 'normals', string[]>>;

/** @throws Error where a row is rejected */
async function loadFeeds(store: Store, feeds: Feeds): Promise<void> {
  const folder = temporaryFolder();
  const files = { stations: [], forecasts: [], observations: [], normals: [] };
  const written = Object.entries(feeds).map(([feed, lines]) => {
    writeFileSync(join(folder, `${feed}.csv`), `${lines.join('\n')}\n`);
    return [feed, [join(folder, `${feed}.csv`)]];
  });
  const { outcome } = await load(store, { ...files, ...(Object.fromEntries(written) as object) });
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

/** Some of the lines with a high, in a column, that is 1.5 degrees more, and others withdrawn. */
function corrections(lines: readonly string[], high: number, every: number): string[] {
  return lines.flatMap((line, at) => {
    if (at % every === 7) return `${line},true`;
    if (at % every !== 0 || cell(line, high) === '') return [];
    return `${line
      .split(',')
      .with(high, `${Number(cell(line, high)) + 1.5}`)
      .join(',')},false`;
  });
}

/** Clocks that change and clocks that do not, two cities of one name, one that stopped reporting. */
const STATIONS = /^(KORD|KDEN|KSEA|KMIA|KPHX|KPWM|KPDX|KIND|EGLL|LFPG|SAEZ|VNKT|NZAA),/;

const sample: DataSet = {
  name: 'sample',
  now: '2025-10-05T12:00:00Z',
  lastDay: '2025-10-03',
  providers: ['fine-grid', 'coarse-grid'],
  versions: ['v1', 'v2', 'v3'],
  /** Seven months: one provider of all stations but one; all the rest; corrections. */
  async load(store) {
    const files = await writeSample(temporaryFolder(), '2025-10-05');
    const [stationHeader, allStations] = read(files.stations);
    const [forecastHeader, allForecasts] = read(files.forecasts);
    const [observationHeader, allObservations] = read(files.observations);
    const stations = allStations.filter((line) => STATIONS.test(line));
    const forecasts = allForecasts.filter((line) => STATIONS.test(line) && cell(line, 2) >= '2025-03-01');
    const observations = allObservations.filter(
      (line) => STATIONS.test(line) && cell(line, 1) >= '2025-03-01',
    );
    const isEarly = (line: string, day: number): boolean =>
      cell(line, day) < '2025-09-20' && !line.startsWith('KSEA');
    const isFirst = (line: string): boolean => isEarly(line, 2) && line.endsWith(',fine-grid');
    const normals = Array.from({ length: 365 }, (_, day) => {
      const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(5, 10);
      const high = 30 + Math.min(day, 365 - day) / 4;
      return `KORD,${date},${high},${high - 15}`;
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations.filter((line) => !line.startsWith('KSEA'))],
      forecasts: [forecastHeader, ...forecasts.filter(isFirst)],
      observations: [observationHeader, ...observations.filter((line) => isEarly(line, 1))],
    });
    await loadFeeds(store, {
      stations: [stationHeader, ...stations],
      forecasts: [forecastHeader, ...forecasts.filter((line) => !isFirst(line))],
      observations: [observationHeader, ...observations.filter((line) => !isEarly(line, 1))],
      normals: ['station_id,month_day,high_f,low_f', ...normals],
    });
    const renamed = stations.filter((line) => line.startsWith('KMIA'));
    await loadFeeds(store, {
      stations: [stationHeader, ...renamed.map((line) => line.replace('Miami', 'Biscayne'))],
      forecasts: [`${forecastHeader},withdrawn`, ...corrections(forecasts, 3, 60)],
      observations: [`${observationHeader},withdrawn`, ...corrections(observations, 2, 40)],
    });
  },
};

/** Real forecasts of the folder that NWS_2021_DIR names; verified observations replace preliminary ones. */
const nws = (folder: string): DataSet => ({
  name: 'nws-2021',
  now: '2021-08-01T12:00:00Z',
  lastDay: '2021-07-30',
  providers: ['default'],
  versions: ['v1', 'v2'],
  async load(store) {
    const lines = (name: string): string[] => read(join(folder, name)).flat();
    const [header, observations] = read(join(folder, 'observations.csv.gz'));
    const isVerified = (line: string): boolean => line.includes(',verified,');
    await loadFeeds(store, {
      stations: lines('stations.csv'),
      forecasts: lines('forecasts.csv.gz'),
      observations: [header, ...observations.filter((line) => !isVerified(line))],
    });
    await loadFeeds(store, { observations: [header, ...observations.filter(isVerified)] });
  },
});

const { NWS_2021_DIR } = process.env;
export const DATA_SETS = [sample, ...(NWS_2021_DIR === undefined ? [] : [nws(NWS_2021_DIR)])];
