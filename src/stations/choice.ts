import { nearest } from '../lib/nearest.js';
import { clip, foldedName } from '../lib/text.js';
import { type Station, UnknownStation } from './directory.js';

// Stations chosen by what they are, in place of their names.

/** Degrees north and east. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** A box of degrees, its edges included; one whose west lies east of its east crosses the antimeridian. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Conditions on stations; each that is given holds for a chosen one. */
export interface Conditions {
  country?: string | undefined;
  climate_zone?: string | undefined;
  near?: (Point & { radius_km: number }) | undefined;
  bbox?: Box | undefined;
}

/** A station of a choice; it holds no more, as hundreds of requests with thousands of stations are kept. */
export type ChosenStation = Pick<Station, 'station_id' | 'city_name'> & {
  /** From the point that the choice is near to, to 0.1 km. */
  distance_km?: number;
};

/** The mean radius of the Earth (IUGG). */
const EARTH_RADIUS_KM = 6371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The great-circle distance of two points, on a sphere: within 0.6% of that on the ellipsoid. */
export function distanceKm(one: Point, other: Point): number {
  const haversine = (angle: number): number => Math.sin(radians(angle) / 2) ** 2;
  const across = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude));
  const chord =
    haversine(other.latitude - one.latitude) + across * haversine(other.longitude - one.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function liesIn({ west, south, east, north }: Box, { latitude, longitude }: Point): boolean {
  const isBetween = (degrees: number): boolean =>
    west <= east ? west <= degrees && degrees <= east : west <= degrees || degrees <= east;
  // 180 and -180 are one meridian.
  const isWithin = isBetween(longitude) || (Math.abs(longitude) === 180 && isBetween(-longitude));
  return south <= latitude && latitude <= north && isWithin;
}

/**
 * The stations of a list for which all conditions hold, in its order.
 * @throws UnknownStation when no station is left; it names the first condition that leaves no station
 */
export function chosenStations(stations: readonly Station[], conditions: Conditions): ChosenStation[] {
  const { country, climate_zone, near, bbox } = conditions;
  let found = stations;
  const keep = (
    condition: string,
    holds: (station: Station) => boolean,
    hint: (before: readonly Station[]) => string,
  ): void => {
    const before = found;
    found = before.filter(holds);
    if (found.length > 0) return;
    throw new UnknownStation(`No station matches ${condition}${before.length > 0 ? hint(before) : ''}`);
  };
  const keepEqual = (name: 'country' | 'climate_zone', wanted: string | undefined): void => {
    if (wanted === undefined) return;
    const folded = foldedName(wanted);
    const hint = (before: readonly Station[]): string => {
      const [close] = nearest(folded, new Set(before.map((station) => station[name])), 1);
      return `${close ? `; did you mean ${close}?` : '.'} Available: ${namedValues(before, name)}`;
    };
    keep(
      `${name}=${clip(wanted, 20)}`,
      (station) => folded !== '' && foldedName(station[name]) === folded,
      hint,
    );
  };
  keepEqual('country', country);
  keepEqual('climate_zone', climate_zone);
  if (bbox !== undefined) {
    const { west, south, east, north } = bbox;
    const hint = (): string => '; it is west,south,east,north in degrees';
    keep(`bbox=${west},${south},${east},${north}`, (station) => liesIn(bbox, station), hint);
  }
  if (near !== undefined) {
    const { latitude, longitude, radius_km } = near;
    const hint = (before: readonly Station[]): string => {
      const [closest] = before.toSorted((a, b) => distanceKm(near, a) - distanceKm(near, b));
      if (closest === undefined) return '';
      const exchanged = { latitude: longitude, longitude: latitude };
      if (Math.abs(longitude) <= 90 && before.some((station) => distanceKm(exchanged, station) <= radius_km))
        return `; did you mean near=${longitude},${latitude}, the latitude first?`;
      return `; the nearest is ${closest.station_id}, ${Math.ceil(distanceKm(near, closest))} km away`;
    };
    const within = (station: Station): boolean => distanceKm(near, station) <= radius_km;
    keep(`near=${latitude},${longitude} with radius_km=${radius_km}`, within, hint);
  }
  return found.map((station) => ({
    station_id: station.station_id,
    city_name: station.city_name,
    ...(near && { distance_km: Math.round(distanceKm(near, station) * 10) / 10 }),
  }));
}

/** A message lists so many values. */
const MAX_VALUES = 30;

function namedValues(stations: readonly Station[], name: 'country' | 'climate_zone'): string {
  const values = [...new Set(stations.map((station) => station[name]))].filter((each) => each !== '').sort();
  if (values.length === 0) return 'none';
  return `${values.slice(0, MAX_VALUES).join(', ')}${values.length > MAX_VALUES ? ', ...' : ''}`;
}
