import { z } from 'zod';
import {
  type Box,
  type ChosenStation,
  chosenStations,
  type Conditions,
  type Point,
} from '../../stations/choice.js';
import type { Station, StationIndex } from '../../stations/directory.js';
import { count } from '../fields.js';
import { defineGroup } from '../groups.js';
import { listedNames, InvalidParamsError, listText, type ParamIssue, parseBy } from '../parameters.js';
import { TODAY_BASIS } from './present.js';

// The groups by which a request names stations, or chooses them by what they are.

const name = (description: string) => z.string().optional().meta({ description });

const STATION_ID = name('Restrict to one station: identifier, IATA code, city name or alias');
const CITY = name('Restrict to the station of a city: city name or alias');

/** One station, named by the path, `station_id` or `city`; without any of them, all stations. */
export const station = defineGroup({
  parameters: { station_id: STATION_ID, city: CITY },
  read:
    (given, { pathStation }) =>
    ({ directory: { stations } }) =>
      common(namedOne(given, pathStation, stations))?.[0],
  cacheKey: (found: Station | undefined) => found?.station_id,
});

/** The most stations that one request may name. */
const MAX_STATIONS = 200;

const STATIONS = z
  .string()
  .refine(
    (text) => listedNames(text).every((each) => each !== ''),
    'must be names of stations, with commas between them',
  )
  .optional()
  .meta({
    description:
      `Restrict to these stations, at most ${MAX_STATIONS}, separated by commas: identifiers, IATA codes, city ` +
      'names or aliases without a comma; one named twice counts once',
  });

/** Numbers of degrees with commas between them, each within its bounds; undefined for any other text. */
function degreesIn(text: string, ...max: readonly number[]): number[] | undefined {
  const parts = text.split(',');
  const numbers = parts.map(Number);
  const isGood =
    numbers.length === max.length &&
    parts.every((part) => /^-?\d{1,3}(\.\d+)?$/.test(part)) &&
    numbers.every((each, at) => Math.abs(each) <= max[at]!);
  return isGood ? numbers : undefined;
}

const POINT = 'must be latitude,longitude in degrees, such as 41.88,-87.63';
const BOX = 'must be west,south,east,north in degrees, such as -90,40,-80,45, with south not above north';
const MAX_KM = 500;
const USUAL_KM = 50;
const RADIUS = `must be a number of km from 1 to ${MAX_KM}`;

function readPoint(text: string): Point | undefined {
  const [latitude = 0, longitude] = degreesIn(text, 90, 180) ?? [];
  return longitude === undefined ? undefined : { latitude, longitude };
}

function readBox(text: string): Box | undefined {
  const [west = 0, south = 1, east = 0, north = 0] = degreesIn(text, 180, 90, 180, 90) ?? [];
  return south <= north ? { west, south, east, north } : undefined;
}

/** The conditions that choose stations, beside their names. */
const CONDITIONS = {
  country: name('Restrict to the stations of a country: its code of two letters'),
  climate_zone: name('Restrict to the stations of a climate zone (Köppen), such as Dfa'),
  near: listText().transform(parseBy(readPoint, POINT)).optional().meta({
    type: 'string',
    description:
      'Restrict to the stations within radius_km of this point: latitude,longitude in degrees, such as 41.88,-87.63',
  }),
  radius_km: z
    .string()
    .regex(/^\d{1,3}(\.\d+)?$/, RADIUS)
    .transform(Number)
    .refine((km) => km >= 1 && km <= MAX_KM, RADIUS)
    .optional()
    .meta({
      type: 'number',
      description: `With near: how far away stations may be, 1 to ${MAX_KM} km; default: ${USUAL_KM}`,
    }),
  bbox: listText()
    .transform(parseBy(readBox, BOX))
    .optional()
    .meta({
      type: 'string',
      description:
        'Restrict to the stations in this box: west,south,east,north in degrees, such as -90,40,-80,45; a west above east ' +
        'crosses the antimeridian',
    }),
};

type GivenConditions = z.output<z.ZodObject<typeof CONDITIONS>>;

/** The conditions of a request; undefined without any. */
function readConditions(given: GivenConditions): Conditions | undefined | ParamIssue[] {
  const { near, radius_km, country, climate_zone, bbox } = given;
  // A bad point is missing from `given`, and is told by itself.
  if (radius_km !== undefined && near === undefined && 'near' in given)
    return [{ parameter: 'radius_km', message: 'needs near=latitude,longitude' }];
  if ([near, country, climate_zone, bbox].every((each) => each === undefined)) return undefined;
  return { country, climate_zone, bbox, near: near && { ...near, radius_km: radius_km ?? USUAL_KM } };
}

/** The stations named, or all, for which the conditions hold; undefined where the request has neither. */
function chosen(
  found: readonly Station[] | undefined,
  conditions: Conditions | undefined,
  { all }: StationIndex,
): ChosenStation[] | undefined {
  if (found === undefined && conditions === undefined) return undefined;
  return chosenStations(found ?? all, conditions ?? {});
}

/** Some stations, or all, for a response about them together: one that is named, or those chosen, by station_id. */
export const stationsTogether = defineGroup({
  parameters: { ...station.parameters, stations: STATIONS, ...CONDITIONS },
  read(given, { pathStation }) {
    const conditions = readConditions(given);
    if (Array.isArray(conditions)) return conditions;
    return ({ directory: { stations } }): Station | ChosenStation[] | undefined => {
      const one = namedOne(given, pathStation, stations);
      const named = common([
        ...one,
        ...namedBy('stations', given.stations, (text) => listed(text, stations)),
      ]);
      const found = chosen(named, conditions, stations);
      return one.length > 0 ? named?.[0] : found;
    };
  },
  cacheKey: (found: Station | ChosenStation[] | undefined) =>
    Array.isArray(found) ? found.map(({ station_id }) => station_id) : found?.station_id,
});

/** The stations of a request with a record for each, by station_id: also all of a city that several answer to. */
export const separateStations = defineGroup({
  parameters: {
    ...stationsTogether.parameters,
    city: name('Restrict to the stations of a city: city name or alias'),
  },
  read(given) {
    const conditions = readConditions(given);
    if (Array.isArray(conditions)) return conditions;
    return ({ directory: { stations } }) => {
      const named = common([
        ...namedBy('station_id', given.station_id, (text) => [stations.byStation(text)]),
        ...namedBy('stations', given.stations, (text) => listed(text, stations)),
        ...namedBy('city', given.city, (text) => stations.allOfCity(text)),
      ]);
      return chosen(named, conditions, stations);
    };
  },
  cacheKey: (found: ChosenStation[] | undefined) =>
    found?.map(({ station_id, distance_km }) => [station_id, distance_km]),
});

/** Whether stations are chosen by their distance from a point. */
export const isByDistance = (found: readonly ChosenStation[] | undefined): boolean =>
  found?.[0]?.distance_km !== undefined;

export const distanceField = z.number().min(0).optional().meta({
  description: 'With near: the distance from its point, km, to 0.1',
});

/** Stations that conditions alone choose; undefined for all. */
export const stationsByConditions = defineGroup({
  parameters: CONDITIONS,
  read(given) {
    const conditions = readConditions(given);
    if (Array.isArray(conditions)) return conditions;
    return ({ directory: { stations } }) => chosen(undefined, conditions, stations);
  },
  cacheKey: (found) => separateStations.cacheKey(found),
});

/** The station of a path that always names one. */
export const stationInPath = defineGroup({
  parameters: {},
  read:
    (_given, { pathStation = '' }) =>
    ({ directory: { stations } }) =>
      stations.byStation(pathStation),
  cacheKey: ({ station_id }: Station) => station_id,
});

/** The stations that one parameter names. */
interface Named {
  parameter: string;
  stations: Station[];
}

function namedBy(parameter: string, text: string | undefined, find: (text: string) => Station[]): Named[] {
  return text === undefined ? [] : [{ parameter, stations: find(text) }];
}

/** The parameters that name a single station. */
const namedOne = (
  { station_id, city }: { station_id?: string | undefined; city?: string | undefined },
  pathStation: string | undefined,
  stations: StationIndex,
): Named[] => [
  ...namedBy('station_id', pathStation, (text) => [stations.byStation(text)]),
  ...namedBy('station_id', station_id, (text) => [stations.byStation(text)]),
  ...namedBy('city', city, (text) => [stations.byCity(text)]),
];

/** The stations of a list, each once, by station_id. @throws UnknownStation, AmbiguousCity, InvalidParamsError */
function listed(text: string, stations: StationIndex): Station[] {
  const wanted = new Map(
    listedNames(text)
      .map((each) => stations.byStation(each))
      .map((each) => [each.station_id, each]),
  );
  if (wanted.size > MAX_STATIONS) {
    const message = `names ${wanted.size} stations; at most ${MAX_STATIONS} are allowed, so ask for them in parts`;
    throw new InvalidParamsError([{ parameter: 'stations', message }]);
  }
  return [...wanted.values()].sort((a, b) => (a.station_id < b.station_id ? -1 : 1));
}

/** The stations that every parameter names; undefined without parameters. @throws InvalidParamsError if they share none */
function common([first, ...others]: Named[]): Station[] | undefined {
  let found = first?.stations;
  for (const { parameter, stations } of others) {
    const shared = stations.filter(({ station_id }) => found?.some((each) => each.station_id === station_id));
    if (shared.length === 0) {
      const message = `means ${listIds(stations)}, but the request also names ${listIds(found)}; give one of them`;
      throw new InvalidParamsError([{ parameter, message }]);
    }
    found = shared;
  }
  return found;
}

/** The stations of a request: one, some, or all without. */
type RequestedStations = Station | readonly ChosenStation[] | undefined;

/** In the place of one station, what a record about several together is of. */
export function stationOrAll(stations: RequestedStations): { station_id: string; city_name: string } {
  if (stations === undefined) return { station_id: 'ALL', city_name: 'All stations' };
  if ('station_id' in stations) return stations;
  const { length } = stations;
  return { station_id: SELECTED, city_name: length === 1 ? '1 station' : `${length} stations` };
}

const SELECTED = 'SELECTED';

/** The ids of stations as metadata and messages show them; ALL, or SELECTED for more than a request may name. */
export function listIds(stations: RequestedStations): string {
  if (stations === undefined) return 'ALL';
  const all = [stations].flat();
  return all.length === 0 || all.length > MAX_STATIONS
    ? SELECTED
    : all.map(({ station_id }) => station_id).join(',');
}

/** The metadata of the stations of a request. */
export const STATIONS_METADATA = {
  station_id: z.string().meta({
    description:
      'The station asked about, several separated by commas, ALL, or SELECTED for none, or more than 200, that conditions choose',
    example: 'KORD',
  }),
  stations: count('How many stations the request chooses, if it may choose several').optional(),
  today_basis: TODAY_BASIS,
};

export const stationsInMetadata = (stations: RequestedStations) => ({
  station_id: listIds(stations),
  ...(Array.isArray(stations) && { stations: (stations as readonly ChosenStation[]).length }),
  ...([stations ?? []].flat().length !== 1 && { today_basis: 'utc' as const }),
});

/** A file name has the ids of at most so many stations, or their number. */
const MAX_IDS_IN_NAME = 8;

/** The words of a file name for the stations of a request. */
export function stationsInName(stations: RequestedStations): string[] {
  if (stations === undefined) return [];
  const ids = [stations].flat().map(({ station_id }) => station_id);
  return ids.length > MAX_IDS_IN_NAME ? [`${ids.length}-stations`] : ids;
}
