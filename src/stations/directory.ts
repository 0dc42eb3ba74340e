import { z } from 'zod';
import type { Store } from '../store/store.js';

/** A station record (section 2.3 of the interface). */
export const station = z
  .object({
    station_id: z.string().meta({ description: 'ICAO station identifier', example: 'KORD' }),
    city_name: z.string().meta({ description: 'Display name of the station', example: 'Chicago' }),
    country: z.string().meta({ description: 'ISO 3166-1 country code', example: 'US' }),
    latitude: z.number().meta({ description: 'Degrees north' }),
    longitude: z.number().meta({ description: 'Degrees east' }),
    timezone: z.string().meta({ description: 'IANA time zone', example: 'America/Chicago' }),
    climate_zone: z.string().meta({ description: 'Köppen climate classification', example: 'Dfa' }),
    // Said, and never filtered by: an inactive station keeps its history (D7).
    data_active: z.boolean().meta({ description: 'Whether the station is actively collecting data' }),
    aliases: z.array(z.string()).meta({ description: 'Alternate names that a request may use' }),
    external_ids: z
      .object({
        icao: z.string().meta({ example: 'KORD' }),
        iata: z.string().meta({ description: 'Blank when the station has none', example: 'ORD' }),
      })
      .meta({ description: 'Identifiers on other platforms' }),
  })
  .meta({ id: 'Station' });

export type Station = z.infer<typeof station>;

/** No station answers to a name. */
export class UnknownStation extends Error {}

/** Two or more stations answer to a name. */
export class AmbiguousCity extends Error {}

/** The names by which a station is found, in the order in which they are tried (D15). */
type Names = (station: Station) => string[];
const BY_ICAO: Names = ({ station_id }) => [station_id];
const BY_IATA: Names = ({ external_ids }) => (external_ids.iata === '' ? [] : [external_ids.iata]);
const BY_CITY: Names = ({ city_name }) => [city_name];
const BY_ALIAS: Names = ({ aliases }) => aliases;
const CITY_NAMES = [BY_CITY, BY_ALIAS];
const STATION_NAMES = [BY_ICAO, BY_IATA, ...CITY_NAMES];

/** All stations as they were at one version of the data. */
export class Stations {
  /** Per way of naming: the stations that answer to a name, folded. */
  readonly #index = new Map(STATION_NAMES.map((way) => [way, new Map<string, Station[]>()]));

  /** @param all every station, ordered by station_id */
  constructor(readonly all: Station[]) {
    for (const each of all) {
      for (const [way, byName] of this.#index) {
        for (const name of new Set(way(each).map(folded)))
          byName.set(name, [...(byName.get(name) ?? []), each]);
      }
    }
  }

  /**
   * The station that answers to an ICAO id, IATA code, city name or alias, tried in that order, ignoring case (D15).
   * @throws UnknownStation, AmbiguousCity
   */
  byStation(name: string): Station {
    return this.#find(name, STATION_NAMES);
  }

  /** The station that answers to a city name or alias (D15). @throws UnknownStation, AmbiguousCity */
  byCity(name: string): Station {
    return this.#find(name, CITY_NAMES);
  }

  #find(name: string, ways: Names[]): Station {
    const wanted = folded(name);
    const found = ways
      .map((way) => this.#index.get(way)?.get(wanted))
      .find((stations) => stations !== undefined);
    const [station, ...others] = found ?? [];
    if (station === undefined) {
      throw new UnknownStation(
        `No station answers to ${shown(name)}; GET /api/v1/stations/metadata lists all with their names`,
      );
    }
    if (others.length > 0) {
      const names = [station, ...others].map(({ station_id, city_name }) => `${station_id} (${city_name})`);
      throw new AmbiguousCity(
        `${shown(name)} may be ${names.join(' or ')}; ask for one of them by station_id`,
      );
    }
    return station;
  }
}

/** The stations, read again when the data have changed: reading 2,000 takes 10 ms. */
export class Directory {
  #version: string | undefined;
  #stations: Promise<Stations> | undefined;

  constructor(private readonly store: Pick<Store, 'query'>) {}

  /** The stations at a version of the data (DataVersion), or later. @throws what the store throws */
  async at(version: string): Promise<Stations> {
    if (this.#stations === undefined || this.#version !== version) {
      const reading = read(this.store);
      this.#version = version;
      this.#stations = reading;
      reading.catch(() => {
        if (this.#stations === reading) this.#stations = undefined;
      });
    }
    return this.#stations;
  }
}

const stationRow = station.omit({ external_ids: true }).extend({ iata: z.string() });

async function read(store: Pick<Store, 'query'>): Promise<Stations> {
  const rows = await store.query('SELECT * FROM current_stations ORDER BY station_id', {}, stationRow);
  return new Stations(
    rows.map(({ iata, ...fields }) => ({ ...fields, external_ids: { icao: fields.station_id, iata } })),
  );
}

function folded(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** A name from a request, short enough to repeat. */
function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
