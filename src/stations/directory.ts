import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { stationsOfVersion } from '../queries/facts.js';
import { nearest } from '../lib/nearest.js';
import { sql } from '../queries/sql.js';
import { REPORTED_IN } from '../variables/units.js';
import type { DayBoundary } from '../statistics/time/local-midnight.js';
import type { Version } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { clip, foldedName } from '../lib/text.js';
import { type Providers, readProviders } from './provider-choice.js';
import { type AsOf, readAsOf, type VersionName } from './versions.js';

/** A station record (section 2.3 of the interface). */
export const stationRecord = z.object({
  station_id: z
    .string()
    .meta({ description: 'ICAO identifier, or another of 3 to 24 of A-Z, 0-9 and -', example: 'KORD' }),
  city_name: z.string().meta({ description: 'Display name of the station', example: 'Chicago' }),
  country: z.string().meta({ description: 'ISO 3166-1 country code', example: 'US' }),
  latitude: z.number().meta({ description: 'Degrees north' }),
  longitude: z.number().meta({ description: 'Degrees east' }),
  timezone: z.string().meta({ description: 'IANA time zone', example: 'America/Chicago' }),
  climate_zone: z.string().meta({ description: 'Köppen climate classification', example: 'Dfa' }),
  // For information: responses include the history of inactive stations.
  data_active: z.boolean().meta({ description: 'Whether the station is actively collecting data' }),
  aliases: z.array(z.string()).meta({ description: 'Alternate names that a request may use' }),
  external_ids: z
    .object({
      icao: z
        .string()
        .meta({ description: 'station_id, blank if it has not four characters', example: 'KORD' }),
      iata: z.string().meta({ description: 'Blank if the station has none', example: 'ORD' }),
    })
    .meta({ description: 'Identifiers on other platforms' }),
  reported_in: z.enum(REPORTED_IN).meta({
    description:
      'The degrees in which highs and lows are observed; blank if they are finer, or nobody has said',
    example: 'whole_fahrenheit',
  }),
});

/** A station, and where its day begins (D28), which its record does not show. */
export type Station = z.infer<typeof stationRecord> & { day_boundary: DayBoundary };

/** No station answers to a name. */
export class UnknownStation extends Error {
  readonly apiCode = 'STATION_NOT_FOUND';
}

/** Two or more stations answer to a name. */
export class AmbiguousCity extends Error {
  readonly apiCode = 'AMBIGUOUS_CITY';
}

/** One kind of name that a station has. */
type Names = (station: Station) => string[];
const BY_ID: Names = ({ station_id }) => [station_id];
const BY_IATA: Names = ({ external_ids }) => (external_ids.iata === '' ? [] : [external_ids.iata]);
const BY_CITY: Names = ({ city_name }) => [city_name];
const BY_ALIAS: Names = ({ aliases }) => aliases;
// In the order of the search.
const IDENTIFIERS = [BY_ID, BY_IATA];
const CITY_NAMES = [BY_CITY, BY_ALIAS];
const STATION_NAMES = [...IDENTIFIERS, ...CITY_NAMES];

const MAX_SUGGESTIONS = 3;

// Longer names are clipped in messages.
const MAX_SHOWN_LENGTH = 60;

/** All stations as they were at one version of the data. */
export class StationIndex {
  /** Per kind of name: the stations that have a name, folded. */
  readonly #index = new Map(STATION_NAMES.map((way) => [way, new Map<string, Station[]>()]));

  /**
   * @param all every station, ordered by station_id
   * @param later the stations of a later version: an identifier that no station had yet is looked up there
   */
  constructor(
    readonly all: readonly Station[],
    private readonly later?: StationIndex,
  ) {
    for (const each of all) {
      for (const [way, byName] of this.#index) {
        for (const name of new Set(way(each).map(foldedName)))
          byName.set(name, [...(byName.get(name) ?? []), each]);
      }
    }
  }

  /**
   * The station with this id, IATA code, city name or alias: the first kind that has a match wins, in any case of
   * letters.
   * @throws UnknownStation, AmbiguousCity
   */
  byStation(name: string): Station {
    return one(name, this.#find(name, STATION_NAMES));
  }

  /** The station with this city name or alias. @throws UnknownStation, AmbiguousCity */
  byCity(name: string): Station {
    return one(name, this.allOfCity(name));
  }

  /** The stations with this city name or else with this alias; at least one. @throws UnknownStation */
  allOfCity(name: string): Station[] {
    return this.#find(name, CITY_NAMES);
  }

  /** The station that a request is about, where it is about one. */
  only(found: Pick<Station, 'station_id'> | readonly Pick<Station, 'station_id'>[] | undefined) {
    const [one, ...others] = [found ?? []].flat();
    return one === undefined || others.length > 0 ? undefined : this.byStation(one.station_id);
  }

  /** The city name of a station; the id of a station that the directory does not have. */
  cityName(station_id: string): string {
    return this.#index.get(BY_ID)?.get(foldedName(station_id))?.[0]?.city_name ?? station_id;
  }

  #find(name: string, ways: Names[]): Station[] {
    const wanted = foldedName(name);
    for (const way of ways) {
      const found = this.#index.get(way)?.get(wanted);
      if (found !== undefined) return found;
    }
    // An identifier is of one station for ever; what else it is called may be another by tomorrow.
    const identifiers = ways.filter((way) => IDENTIFIERS.includes(way));
    if (this.later !== undefined && identifiers.length > 0) {
      return this.later.#find(name, identifiers).map((each) => ({ ...each, city_name: each.station_id }));
    }
    const list = this.#listSeveral(name, ways);
    const suggested = list === undefined ? this.#suggest(wanted, ways) : [];
    const meant = list ? `stations=${list}, where several are taken` : suggested.join(' or ');
    const hint = meant === '' ? '' : `; did you mean ${meant}?`;
    throw new UnknownStation(
      `Unknown station ${quotedName(name)}${hint === '' ? ';' : hint} GET /api/v1/stations/metadata lists all with their names`,
    );
  }

  /** The list that a text is, if it names several stations. */
  #listSeveral(name: string, ways: Names[]): string | undefined {
    if (name.length > MAX_SHOWN_LENGTH) return undefined;
    const parts = name.split(',').map((part) => part.trim());
    const isKnown = (part: string): boolean =>
      ways.some((way) => this.#index.get(way)?.has(foldedName(part)));
    return parts.length > 1 && parts.every(isKnown) ? parts.join(',') : undefined;
  }

  /** Names of stations, as feeds write them, that are near to an unknown one. */
  #suggest(wanted: string, ways: Names[]): string[] {
    if (wanted.length > MAX_SHOWN_LENGTH) return [];
    const owners = new Map<string, { station: Station; written: string }>();
    for (const way of ways) {
      for (const [name, [first]] of this.#index.get(way) ?? []) {
        if (first === undefined || owners.has(name)) continue;
        const written = way(first).find((each) => foldedName(each) === name) ?? name;
        owners.set(name, { station: first, written });
      }
    }
    // A station once, by the nearest of its names.
    const found = new Map<Station, string>();
    for (const name of nearest(wanted, owners.keys(), Infinity)) {
      const { station, written } = owners.get(name)!;
      if (!found.has(station)) found.set(station, clip(written, MAX_SHOWN_LENGTH));
    }
    return [...found.values()].slice(0, MAX_SUGGESTIONS);
  }
}

/** The only one of these stations. @throws AmbiguousCity, which names them, when there are several */
function one(name: string, stations: Station[]): Station {
  const [station, ...others] = stations;
  if (station === undefined || others.length > 0) {
    const names = stations.map(({ station_id, city_name }) => `${station_id} (${city_name})`);
    throw new AmbiguousCity(
      `${quotedName(name)} is the name of ${names.join(' and ')}; use the station_id of one`,
    );
  }
  return station;
}

/** The things that requests name, at one version of the data. */
export interface Directory {
  stations: StationIndex;
  providers: Providers;
  /** The version that the request names, where it names one: the others are of it (D31). */
  asOf: AsOf | undefined;
  /** The timeline of the data (D49): that of every version that the request may name. */
  timeline: string;
}

/** A station index of 2,000 stations has 2 MB. */
const MAX_KEPT_PAST = 8;

/** Reads the directory once per version of the data: reading 2,000 stations takes 10 ms. */
export class DirectoryReader {
  #version: string | undefined;
  #directory: Promise<Directory> | undefined;
  readonly #past = new LRUCache<string, Promise<Directory>>({ max: MAX_KEPT_PAST });

  /** @param defaultProvider the one of the operator's settings, if any (D27) */
  constructor(
    private readonly store: Pick<Store, 'query'>,
    private readonly defaultProvider?: string,
  ) {}

  /**
   * The directory at a version of the data, or later.
   * @param named the version that the request names, if any
   * @throws UnknownVersion, and what the store throws
   */
  async at(version: Pick<Version, 'key' | 'timeline'>, named?: VersionName): Promise<Directory> {
    const latest = this.#latest(version);
    if (named === undefined) return latest;
    const key = `${version.key} ${named.requested}`;
    const known = this.#past.get(key);
    if (known !== undefined) return known;
    const reading = latest.then((directory) => readPast(this.store, directory, named, this.defaultProvider));
    this.#past.set(key, reading);
    reading.catch(() => this.#past.delete(key));
    return reading;
  }

  #latest({ key, timeline }: Pick<Version, 'key' | 'timeline'>): Promise<Directory> {
    if (this.#directory === undefined || this.#version !== key) {
      const reading = read(this.store, timeline, this.defaultProvider);
      this.#version = key;
      this.#directory = reading;
      reading.catch(() => {
        if (this.#directory === reading) this.#directory = undefined;
      });
    }
    return this.#directory;
  }
}

const stationRow = stationRecord
  .omit({ external_ids: true })
  .extend({ iata: z.string(), day_boundary: z.enum(['civil', 'standard']) });

const toStation = ({ iata, reported_in, ...fields }: z.infer<typeof stationRow>): Station => ({
  ...fields,
  external_ids: { icao: fields.station_id.length === 4 ? fields.station_id : '', iata },
  reported_in,
});

async function read(
  store: Pick<Store, 'query'>,
  timeline: string,
  defaultProvider?: string,
): Promise<Directory> {
  const [rows, providers] = await Promise.all([
    store.query(sql.rows(stationRow)`SELECT * FROM current_stations ORDER BY station_id`),
    readProviders(store, defaultProvider),
  ]);
  return { stations: new StationIndex(rows.map(toStation)), providers, asOf: undefined, timeline };
}

/** The directory of a version that a request names. Names that it lacks count as they do today. */
async function readPast(
  store: Pick<Store, 'query'>,
  latest: Directory,
  named: VersionName,
  defaultProvider?: string,
): Promise<Directory> {
  const { timeline } = latest;
  const asOf = await readAsOf(store, named, timeline);
  const { version } = asOf;
  const [rows, providers] = await Promise.all([
    store.query(sql.rows(stationRow)`SELECT * FROM ${stationsOfVersion(version)} ORDER BY station_id`),
    readProviders(store, defaultProvider, version, latest.providers.all),
  ]);
  return {
    stations: new StationIndex(rows.map(toStation), latest.stations),
    providers,
    asOf,
    timeline,
  };
}

function quotedName(name: string): string {
  return JSON.stringify(clip(name, MAX_SHOWN_LENGTH));
}
