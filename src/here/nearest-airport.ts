import { z } from 'zod';
import { UserError } from '../lib/user-error.js';
import { isZone } from '../statistics/time/zone-name.js';
import { distanceKm, type Point } from '../stations/choice.js';
import { cityName, LATITUDE, LONGITUDE } from '../collect/catalogue.js';
import { plainText } from '../collect/plain-text.js';
import { GapError, readJson } from '../collect/source.js';

// The airports that report now, anywhere, in one list of the Iowa Environmental Mesonet (IEM): which one is nearest to a place.

export const AIRPORTS_PATH = '/geojson/network.py?network=AZOS';

/** Further away an airport says little about a place. */
const MAX_KM = 100;
const MAX_NAMED = 6;

export interface Airport extends Point {
  /** ICAO identifier. */
  station_id: string;
  name: string;
  /** ISO 3166, two letters. */
  country: string;
  /** IANA zone. */
  timezone: string;
}

const LIST = z.object({ features: z.array(z.unknown()) });
const AIRPORT = z.object({
  properties: z.object({
    sid: z.string().regex(/^[A-Z0-9]{3,4}$/),
    sname: z.string(),
    state: z.string().nullable().default(null),
    country: z.string().regex(/^[A-Z]{2}$/),
    network: z.string().regex(/_ASOS$/),
    tzname: z.string().refine(isZone),
  }),
  geometry: z.object({ coordinates: z.tuple([LONGITUDE, LATITUDE]) }),
});

/** Pure. @throws GapError for a response that is no list of airports */
export function readAirports(body: string): Airport[] {
  const airports = readJson(body, LIST, 'a list of airports').features.flatMap((one) => {
    const { data } = AIRPORT.safeParse(one);
    if (data === undefined) return [];
    const { sid, sname, state, country, tzname } = data.properties;
    const [longitude, latitude] = data.geometry.coordinates;
    // The list has airports of the contiguous United States under three letters.
    const station_id = sid.length === 3 ? `K${sid}` : sid;
    return { station_id, name: cityName(sname, state), country, latitude, longitude, timezone: tzname };
  });
  if (airports.length === 0) throw new GapError('a list without airports');
  return airports;
}

/** @throws UserError if no airport is near */
export function findNearest(airports: readonly Airport[], point: Point, max_km = MAX_KM): Airport {
  const [nearest] = airports.toSorted((a, b) => distanceKm(point, a) - distanceKm(point, b));
  if (nearest !== undefined && distanceKm(point, nearest) <= max_km) return nearest;
  throw new UserError(
    `--at: no airport within ${max_km} km reports the weather; give observations of your own (docs/sources.md)`,
  );
}

/**
 * The airport of a city, by the beginning of its name, or by its ICAO identifier.
 * @throws UserError where no airport has this name, or several have it
 */
export function findByName(airports: readonly Airport[], city: string): Airport {
  const words = plainText(city).toLowerCase();
  const named = airports.filter(
    ({ station_id, name }) =>
      station_id.toLowerCase() === words ||
      (name.toLowerCase().startsWith(words) && !/^[\p{L}\p{N}]/u.test(name.slice(words.length))),
  );
  const [airport] = named;
  if (airport !== undefined && named.length === 1) return airport;
  const others = named.slice(0, MAX_NAMED).map(({ station_id, name }) => `${station_id} (${name})`);
  const reason =
    others.length === 0
      ? 'no airport has this name'
      : `several airports have this name: ${others.join(', ')}`;
  const way = others.length === 0 ? '' : 'name one of them, or ';
  throw new UserError(`"${plainText(city, 40)}": ${reason}; ${way}give --at latitude,longitude`);
}
