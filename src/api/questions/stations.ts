import { z } from 'zod';
import type { Station, StationIndex } from '../../stations/directory.js';
import { defineGroup } from '../groups.js';
import { InvalidParameters } from '../parameters.js';

// The groups by which a request names stations (D15).

const name = (description: string) => z.string().optional().meta({ description });

const STATION_ID = name('Restrict to one station: ICAO identifier, IATA code, city name or alias');

/** One station, named by the path, `station_id` or `city`; without any of them, all stations. */
export const station = defineGroup({
  parameters: {
    station_id: STATION_ID,
    city: name('Restrict to the station of a city: city name or alias'),
  },
  read:
    ({ station_id, city }, { pathStation }) =>
    ({ stations }) =>
      common([
        ...named('station_id', pathStation, (text) => [stations.byStation(text)]),
        ...named('station_id', station_id, (text) => [stations.byStation(text)]),
        ...named('city', city, (text) => [stations.byCity(text)]),
      ])?.[0],
  identity: (found: Station | undefined) => found?.station_id,
});

/** The most stations that one request may name. */
const MAX_STATIONS = 200;

const namesIn = (text: string): string[] => text.split(',').map((each) => each.trim());

const STATIONS = z
  .string()
  .refine(
    (text) => namesIn(text).every((each) => each !== ''),
    'must be names of stations, with commas between them',
  )
  .optional()
  .meta({
    description:
      `Restrict to these stations, at most ${MAX_STATIONS}, separated by commas: ICAO identifiers, IATA codes, city ` +
      'names or aliases without a comma; one named twice counts once',
  });

/** One station, several (D44), or the stations of a city; without any of them, all stations. By station_id. */
export const stationsOfCity = defineGroup({
  parameters: {
    station_id: STATION_ID,
    stations: STATIONS,
    city: name('Restrict to the stations of a city: city name or alias'),
  },
  read:
    (given) =>
    ({ stations }) =>
      common([
        ...named('station_id', given.station_id, (text) => [stations.byStation(text)]),
        ...named('stations', given.stations, (text) => listed(text, stations)),
        ...named('city', given.city, (text) => stations.allOfCity(text)),
      ]),
  identity: (found: Station[] | undefined) => found?.map(({ station_id }) => station_id),
});

/** The station of a path that always names one. */
export const stationInPath = defineGroup({
  parameters: {},
  read:
    (_given, { pathStation = '' }) =>
    ({ stations }) =>
      stations.byStation(pathStation),
  identity: ({ station_id }: Station) => station_id,
});

/** The stations that one parameter names. */
interface Named {
  parameter: string;
  stations: Station[];
}

function named(parameter: string, text: string | undefined, find: (text: string) => Station[]): Named[] {
  return text === undefined ? [] : [{ parameter, stations: find(text) }];
}

/** The stations of a list, each once, by station_id. @throws UnknownStation, AmbiguousCity, InvalidParameters */
function listed(text: string, stations: StationIndex): Station[] {
  const wanted = new Map(
    namesIn(text)
      .map((each) => stations.byStation(each))
      .map((each) => [each.station_id, each]),
  );
  if (wanted.size > MAX_STATIONS) {
    const message = `names ${wanted.size} stations; at most ${MAX_STATIONS} are allowed, so ask for them in parts`;
    throw new InvalidParameters([{ parameter: 'stations', message }]);
  }
  return [...wanted.values()].sort((a, b) => (a.station_id < b.station_id ? -1 : 1));
}

/** The stations that every parameter names; undefined without parameters. @throws InvalidParameters when there are none */
function common([first, ...others]: Named[]): Station[] | undefined {
  let found = first?.stations;
  for (const { parameter, stations } of others) {
    const shared = stations.filter(({ station_id }) => found?.some((each) => each.station_id === station_id));
    if (shared.length === 0) {
      const message = `means ${idsOf(stations)}, but the request also names ${idsOf(found)}; give one of them`;
      throw new InvalidParameters([{ parameter, message }]);
    }
    found = shared;
  }
  return found;
}

/** Where a record is of all stations, the place of one (D11). */
export const ALL_STATIONS = { station_id: 'ALL', city_name: 'All stations' };

/** The ids of stations, or ALL, as metadata and messages show them. */
export function idsOf(stations: Station | readonly Station[] | undefined): string {
  if (stations === undefined) return 'ALL';
  return [stations]
    .flat()
    .map(({ station_id }) => station_id)
    .join(',');
}
