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

interface Snapshot {
  stations: Station[];
  /** Per way of naming: the stations that answer to a name, folded. */
  index: Map<Names, Map<string, Station[]>>;
}

// Reading a few thousand stations takes 10 ms, and they change with a load at most: a second is soon enough.
const FRESH_MS = 1000;

/** All stations, and the one that a request means. */
export class Directory {
  #snapshot: Promise<Snapshot> | undefined;
  #readAt = 0;

  constructor(private readonly store: Store) {}

  /** Every station, ordered by station_id. */
  async all(): Promise<Station[]> {
    return (await this.#current()).stations;
  }

  /**
   * The station that answers to an ICAO id, IATA code, city name or alias, tried in that order, ignoring case (D15).
   * @throws UnknownStation, AmbiguousCity
   */
  async byStation(name: string): Promise<Station> {
    return this.#find(name, STATION_NAMES);
  }

  /** The station that answers to a city name or alias (D15). @throws UnknownStation, AmbiguousCity */
  async byCity(name: string): Promise<Station> {
    return this.#find(name, CITY_NAMES);
  }

  async #find(name: string, ways: Names[]): Promise<Station> {
    const { index } = await this.#current();
    const wanted = folded(name);
    const found = ways.map((way) => index.get(way)?.get(wanted)).find((stations) => stations !== undefined);
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

  async #current(): Promise<Snapshot> {
    if (this.#snapshot === undefined || performance.now() - this.#readAt > FRESH_MS) {
      this.#readAt = performance.now();
      const reading = read(this.store);
      this.#snapshot = reading;
      reading.catch(() => {
        if (this.#snapshot === reading) this.#snapshot = undefined;
      });
    }
    return this.#snapshot;
  }
}

const stationRow = station.omit({ external_ids: true }).extend({ iata: z.string() });

async function read(store: Store): Promise<Snapshot> {
  const rows = await store.query('SELECT * FROM current_stations ORDER BY station_id', {}, stationRow);
  const stations = rows.map(({ iata, ...fields }) => ({
    ...fields,
    external_ids: { icao: fields.station_id, iata },
  }));
  const index = new Map(STATION_NAMES.map((way) => [way, new Map<string, Station[]>()]));
  for (const each of stations) {
    for (const [way, byName] of index) {
      for (const name of new Set(way(each).map(folded)))
        byName.set(name, [...(byName.get(name) ?? []), each]);
    }
  }
  return { stations, index };
}

function folded(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** A name from a request, short enough to repeat. */
function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
