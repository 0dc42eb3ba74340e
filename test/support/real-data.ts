import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { temporaryFolder } from './store.js';

// Real feeds, in folders that are no part of this repository.

export const STATION_COLUMNS =
  'station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata,day_boundary';
export const OBSERVATION_COLUMNS = 'station_id,date,high_f,low_f,status,observed_at';

/** The folder that a variable names: six months of the National Weather Service, forecasts of several providers, or temperatures within the day. */
export function folderOf(name: 'NWS_2021_DIR' | 'PROVIDERS_DIR' | 'HOURS_DIR'): string {
  const folder = process.env[name];
  if (folder === undefined) throw new Error(`${name}: name the folder of the real data`);
  return folder;
}

/** The lines of a packed file, the header first. */
export const linesOf = (file: string | URL): string[] =>
  gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');

/** The cells of each row of a packed file, without its header. */
export const rowsOf = (file: string | URL): string[][] =>
  linesOf(file)
    .slice(1)
    .map((line) => line.split(','));

/** Writes a feed into a folder of its own. */
export function feedFile(name: string, lines: readonly string[]): [string] {
  const path = join(temporaryFolder(), `${name}.csv`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return [path];
}
