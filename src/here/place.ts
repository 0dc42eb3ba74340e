import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Host } from '../collect/host/host.js';
import { findSourceFiles } from '../collect/files/find-files.js';
import { dayFeedOf, type SourceFile } from '../collect/files/source-file.js';
import { askForPlaces } from '../collect/pass/places.js';
import { parsed, plainText } from '../collect/plain-text.js';
import { GapError, makeOwnPlace, STATION_PLACE } from '../collect/source.js';
import { replaceFile } from '../lib/replace-file.js';
import { UserError } from '../lib/user-error.js';
import { distanceKm, type Point } from '../stations/choice.js';
import { type Airport, AIRPORTS_PATH, findByName, findNearest, readAirports } from './nearest-airport.js';

// The place of the command `here`, kept in $DATA_DIR/here.json from its first start on (D87).

const TARGET = z.object({
  at: z.string().optional(),
  city: z.string().optional(),
  name: z.string().optional(),
  /** Whether it has observations of its owner. Without them the place is an airport. */
  is_own: z.boolean(),
});

const HERE = z.object({
  target: TARGET,
  contact: z.string(),
  is_non_commercial: z.boolean(),
  /** The time of its first start, Unix ms. */
  since_ms: z.number(),
  /** One line for its owner. */
  note: z.string(),
  place: STATION_PLACE,
});
export type Here = z.infer<typeof HERE>;
type Found = Pick<Here, 'note' | 'place'>;

/** The options of an operator; undefined where they are not given. */
export interface HereOptions {
  city?: string | undefined;
  at?: string | undefined;
  name?: string | undefined;
  contact?: string | undefined;
  nonCommercial?: boolean | undefined;
}

interface Surroundings {
  dataDir: string;
  now_ms: number;
  /** The host that has the lists of stations, for an operator with this contact. */
  makeHost: (contact: string) => Host;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** The source files, and the names of those of the operator. */
export function findHereFiles(dataDir: string): { files: SourceFile[]; own: ReadonlySet<string> } {
  const folder = join(dataDir, 'sources');
  const { files, named } = findSourceFiles(dataDir, existsSync(folder) ? [folder] : []);
  return { files, own: new Set(named) };
}

/**
 * The place that is meant: the one of the last start, unless another is named.
 * @throws UserError where no place is known or named, or it cannot be found
 */
export async function findHere(options: HereOptions, around: Surroundings): Promise<Here> {
  const { dataDir, now_ms } = around;
  const path = join(dataDir, 'here.json');
  const known = HERE.safeParse(parsed(await readFile(path, 'utf8').catch(() => ''))).data;
  const contact = options.contact ?? known?.contact;
  if (contact === undefined) throw new UserError('--contact: is required at first, and is sent to the hosts');
  const isNamed = options.at !== undefined || options.city !== undefined;
  const { at, city, ...rest } = isNamed
    ? options
    : { ...known?.target, ...(options.name !== undefined && { name: options.name }) };
  if ((at === undefined) === (city === undefined))
    throw new UserError('the place: give --at latitude,longitude, or a city, such as here Chicago');
  const name = rest.name === undefined ? undefined : plainText(rest.name, 60);
  const target = { at, city, name, is_own: hasObservations(dataDir, stationIdOf(name)) };
  const isKnown = JSON.stringify(known?.target) === JSON.stringify(target);
  const here: Here = {
    ...(isKnown && known ? known : { since_ms: now_ms, ...(await findPlace(target, contact, around)) }),
    target,
    contact,
    is_non_commercial: options.nonCommercial === true || known?.is_non_commercial === true,
  };
  if (JSON.stringify(here) !== JSON.stringify(known)) await writeHere(dataDir, path, here);
  return here;
}

/** Writes for its owner alone: it says where they live. @throws UserError */
async function writeHere(dataDir: string, path: string, here: Here): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await replaceFile(path, JSON.stringify(here), 0o600);
  } catch (error) {
    throw new UserError(`DATA_DIR: cannot write ${path} (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

/** A name as the id of a station, so that My garden is MY-GARDEN; undefined for a name without three letters or digits. */
export function stationIdOf(name = ''): string | undefined {
  const letters = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const id = letters.replaceAll(/[^A-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  return /^[A-Z0-9][A-Z0-9-]{2,23}$/.test(id) ? id : undefined;
}

/** Whether a file of the operator has observations of a station. */
function hasObservations(dataDir: string, station_id: string | undefined): boolean {
  const { files, own } = findHereFiles(dataDir);
  return files.some(
    ({ name, kind, stations }) =>
      station_id !== undefined &&
      own.has(name) &&
      dayFeedOf(kind) === 'observations' &&
      (stations === undefined || Object.hasOwn(stations, station_id)),
  );
}

/** The point of an option `--at`. @throws UserError */
export function parsePoint(at: string): Point {
  const [, latitude = NaN, longitude = NaN] =
    /^\s*([+-]?[\d.]+)\s*,\s*([+-]?[\d.]+)\s*$/.exec(at)?.map(Number) ?? [];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    throw new UserError('--at: must be latitude and longitude, such as 41.98,-87.9');
  return { latitude, longitude };
}

/** @throws UserError */
async function findPlace(
  { at, city = '', name, is_own }: Here['target'],
  contact: string,
  { makeHost, log, signal }: Surroundings,
): Promise<Found> {
  const point = at === undefined ? undefined : parsePoint(at);
  const iem = makeHost(contact);
  try {
    log('iem-stations: requesting the airports');
    const response = await iem.get(AIRPORTS_PATH, signal, (line) => log(`iem: ${line}`));
    if (response.outcome !== 'ok') throw new GapError(response.reason);
    const airports = readAirports(response.body);
    const airport =
      point === undefined
        ? findByName(airports, city)
        : findNearest(airports, point, is_own ? Infinity : undefined);
    const away = `${distanceKm(point ?? airport, airport).toFixed(1)} km away`;
    if (is_own) return describeOwnPlace(name ?? '', point ?? airport, airport, away);
    const wanted = { stations: [airport.station_id], states: [], countries: [] };
    const { places, missing } = await askForPlaces({ wanted, hosts: { iem }, log }, signal);
    const [place] = places;
    if (place === undefined) throw new UserError(`the airport: ${missing.join('; ')}`);
    const city_name = name === undefined ? place.city_name : `${name} (${place.city_name})`;
    const note = `${place.station_id}: ${place.city_name}, ${away}; forecasts and observations are of this airport`;
    return { place: { ...place, city_name }, note };
  } catch (error) {
    if (!(error instanceof GapError)) throw error;
    throw new UserError(`the airports cannot be requested: ${error.message}; run it again later`, {
      cause: error,
    });
  }
}

/** A station of its owner's sensor; country and zone are those of the nearest airport. */
function describeOwnPlace(
  city_name: string,
  { latitude, longitude }: Point,
  { country, timezone, name }: Airport,
  away: string,
): Found {
  const station_id = stationIdOf(city_name) ?? '';
  return {
    place: makeOwnPlace({ station_id, city_name, country, latitude, longitude, timezone }),
    note: `${station_id}: your own observations; the zone ${timezone} is that of ${name}, ${away}`,
  };
}
