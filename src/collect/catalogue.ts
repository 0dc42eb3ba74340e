import { z } from 'zod';
import { isZone } from '../statistics/time/zone-name.js';
import { UserError } from '../lib/user-error.js';
import { toAirport, officeInBulletins } from './airports.js';
import { plainText } from './plain-text.js';
import { type FeedLine, type StationPlace, GapError, readJson } from './source.js';

// Which stations there are, from the Iowa Environmental Mesonet (IEM): the network NWSCLI has all stations with NWS
// climate reports in one response; other stations are asked for one by one, or by country.

/** Which stations an operator names. */
export interface Wanted {
  /** ICAO identifiers. */
  stations: readonly string[];
  /** States of the United States, two letters: all their stations with climate reports. */
  states: readonly string[];
  /** ISO 3166, two letters: for US all stations with climate reports, else the network of the country's airports. */
  countries: readonly string[];
  /** Places that are known already, and not looked up. */
  places?: readonly StationPlace[];
}

/** Something to ask of the host `iem`. */
export interface CatalogueRequest {
  /** Path and query below the base URL. */
  path: string;
  kind: 'climate reports' | 'station' | 'country';
  /** The names to find in the response. */
  wanted: Wanted;
}

export interface CatalogueReading {
  /** A station may come from two requests, such as one of its country and one of its own: both say the same. */
  places: StationPlace[];
  /** One line for each name that is not found, with the way out. */
  missing: string[];
  /** The next requests, because stations without climate reports may be in another network. */
  next: CatalogueRequest[];
}

const NONE: Wanted = { stations: [], states: [], countries: [] };
/** The word for its responses in errors. */
const LIST = 'a list of stations';
const CLIMATE_REPORTS = '/geojson/network.py?network=NWSCLI';
const LOOK_UP = 'https://mesonet.agron.iastate.edu/sites/locate.php lists all';

/**
 * Pure. The first requests.
 * @throws UserError for a text that cannot be an identifier, a state or a country
 */
export function catalogueRequests(wanted: Wanted): CatalogueRequest[] {
  const stations = upper(
    wanted.stations,
    /^[A-Z0-9]{4}$/,
    'not an ICAO identifier: four letters or digits, such as KNYC',
  );
  const states = upper(wanted.states, /^[A-Z]{2}$/, 'not a state: two letters, such as NY');
  const countries = upper(
    wanted.countries,
    /^[A-Z]{2}$/,
    'not a country: two letters of ISO 3166, such as GB',
  );
  const reported: Wanted = { stations, states, countries: countries.filter((country) => country === 'US') };
  return [
    ...([reported.stations, reported.states, reported.countries].some((list) => list.length > 0)
      ? [{ path: CLIMATE_REPORTS, kind: 'climate reports' as const, wanted: reported }]
      : []),
    ...countries
      .filter((country) => country !== 'US')
      .map((country) => ({
        path: `/geojson/network.py?network=${country}__ASOS`,
        kind: 'country' as const,
        wanted: { ...NONE, countries: [country] },
      })),
  ];
}

/** IEM has the airports of the contiguous United States under three letters. */
export const nameAtIem = (id: string): string => (/^K[A-Z0-9]{3}$/.test(id) ? id.slice(1) : id);

const stationRequest = (id: string): CatalogueRequest => ({
  path: `/api/1/station/${nameAtIem(id)}.json`,
  kind: 'station',
  wanted: { ...NONE, stations: [id] },
});

/**
 * Pure. The stations that a response has of those that its request wants.
 * @param body of a status 200, or of the 404 that says that there is no such station
 * @throws GapError
 */
export function readCatalogue(body: string, { kind, wanted }: CatalogueRequest): CatalogueReading {
  if (kind === 'station') return readStation(body, wanted.stations[0] ?? '');
  const features = readJson(body, NETWORK, LIST).features.flatMap((one) => FEATURE.safeParse(one).data ?? []);
  if (kind === 'climate reports' && features.length === 0)
    throw new GapError('no station with climate reports');
  const isIn = ({ properties: { state, country, network } }: Feature): boolean =>
    kind === 'country'
      ? wanted.countries.some((one) => network === `${one}__ASOS`)
      : wanted.states.includes(state ?? '') || wanted.countries.includes(country);
  // A state or a country brings stations that still report; a station that is named may have closed.
  const getNames = ({ properties: { sid, attributes } }: Feature): [sid: string, station_id: string] => [
    sid,
    kind === 'climate reports' ? toAirport(sid, attributes.MAPS_TO) : sid,
  ];
  const chosen = features.filter(
    (one) =>
      getNames(one).some((name) => wanted.stations.includes(name)) || (one.properties.online && isIn(one)),
  );
  const reading = findPlaces(
    chosen.map((one) => ({
      ...one.properties,
      station_id: getNames(one)[1],
      name: one.properties.sname,
      longitude: one.geometry.coordinates[0],
      latitude: one.geometry.coordinates[1],
      climate_report_id: kind === 'climate reports' ? one.properties.sid : '',
    })),
  );
  const found = new Set(chosen.flatMap(getNames));
  const without = (areas: readonly string[], of: (one: Feature) => string | null, reason: string): string[] =>
    areas.filter((area) => !chosen.some((one) => of(one) === area)).map((area) => `${area}: ${reason}`);
  return {
    places: reading.places,
    missing: [
      ...reading.missing,
      ...without(wanted.states, (one) => one.properties.state, NO_STATE),
      ...without(
        wanted.countries,
        ({ properties: { country, network } }) => (kind === 'country' ? network.slice(0, 2) : country),
        NO_COUNTRY,
      ),
    ],
    next: wanted.stations.filter((id) => !found.has(id)).map(stationRequest),
  };
}

const NO_STATE = 'no station of this state has climate reports; a state of the US is two letters, such as NY';
const NO_COUNTRY = `no network covers this whole country; name its stations: ${LOOK_UP}`;

/** One station, in all the networks that have its identifier. */
function readStation(body: string, station_id: string): CatalogueReading {
  const response = readJson(body, z.union([NO_STATION, STATION]), LIST);
  const rows = 'detail' in response ? [] : response.data.flatMap((one) => ROW.safeParse(one).data ?? []);
  // Three letters may be an airport here and a gauge elsewhere: only networks of airports have daily summaries.
  const row = rows.find((one) => one.id === nameAtIem(station_id) && one.network.endsWith('_ASOS'));
  if (row === undefined)
    return { places: [], missing: [`${station_id}: unknown airport station; ${LOOK_UP}`], next: [] };
  return { ...findPlaces([{ ...row, station_id, climate_report_id: '' }]), next: [] };
}

interface Facts extends z.infer<typeof FACTS> {
  station_id: string;
  name: string;
  longitude: number;
  latitude: number;
  climate_report_id: string;
}

function findPlaces(rows: readonly Facts[]): { places: StationPlace[]; missing: string[] } {
  const places: StationPlace[] = [];
  const missing: string[] = [];
  for (const row of rows) {
    const timezone = row.tzname ?? '';
    if (!isZone(timezone)) {
      missing.push(`${row.station_id}: unknown time zone: ${plainText(timezone) || 'none'}`);
      continue;
    }
    places.push({
      station_id: row.station_id,
      city_name: cityName(row.name, row.state) || row.station_id,
      country: row.country,
      latitude: row.latitude,
      longitude: row.longitude,
      elevation_m: row.elevation ?? undefined,
      timezone,
      // IEM overwrites the summaries of US airports with those of the NWS, whose days are of standard time.
      day_boundary: row.country === 'US' || row.climate_report_id !== '' ? 'standard' : 'civil',
      data_active: row.online,
      wfo: /^[A-Z]{3}$/.test(row.wfo ?? '') ? officeInBulletins(row.wfo ?? '') : '',
      climate_report_id: row.climate_report_id,
      daily_network: row.climate_report_id === '' ? row.network : '',
    });
  }
  return { places, missing };
}

/**
 * Climate reports are in whole °F, and airports of other countries report whole °C (METAR). In the United States some of the
 * airports without a climate report measure whole °F, and some tenths of °C.
 */
const reportedIn = ({ climate_report_id, country }: StationPlace): string => {
  if (climate_report_id !== '') return 'whole_fahrenheit';
  return country === 'US' ? '' : 'whole_celsius';
};

/** A row of the feed of stations. */
export function stationLine(place: StationPlace): FeedLine {
  return {
    station_id: place.station_id,
    city_name: place.city_name,
    country: place.country,
    latitude: coordinate(place.latitude),
    longitude: coordinate(place.longitude),
    timezone: place.timezone,
    climate_zone: '',
    data_active: `${place.data_active}`,
    aliases: '',
    iata: /^K[A-Z]{3}$/.test(place.station_id) ? place.station_id.slice(1) : '',
    day_boundary: place.day_boundary,
    reported_in: reportedIn(place),
  };
}

/** Plain decimals to a metre: a feed takes no exponents. */
const coordinate = (degrees: number): string => `${Number(degrees.toFixed(5))}`;

const CAPITALS = /^(AFB|DC|II|III|JFK|NAS|NWS|RAF|WFO|WSO)$/;
const SMALL = /^(and|at|de|du|la|of|on|the)$/;
/** Abbreviations of the FAA for one word alone. */
const SHORT: Readonly<Record<string, string>> = {
  AIRPT: 'Airport',
  ARPT: 'Airport',
  APRT: 'Airport',
  INTL: 'International',
  INTNL: 'International',
  FLD: 'Field',
  MUNI: 'Municipal',
  NATL: 'National',
  RGNL: 'Regional',
  REGL: 'Regional',
};

/** NEW YORK CITY is New York City, BOISE ID in Idaho is Boise; a name in small letters is as its writer wants it. */
export function cityName(sname: string, state: string | null = null): string {
  const words = plainText(sname).split(' ');
  const name = (words.length > 1 && words.at(-1) === state ? words.slice(0, -1) : words).join(' ');
  const isWritten = /\p{Ll}/u.test(name);
  return name.replace(/[\p{L}\p{N}'’]+/gu, (word, at: number) => {
    const long = SHORT[word.toUpperCase()];
    if (long !== undefined || isWritten || CAPITALS.test(word)) return long ?? word;
    const small = word.toLowerCase();
    if (at > 0 && SMALL.test(small)) return small;
    // O'Hare and McAllen, but Land's End.
    return small
      .replace(/^\p{L}/u, (letter) => letter.toUpperCase())
      .replace(/(?<=^(Mc|\p{L}['’]))\p{L}/u, (letter) => letter.toUpperCase());
  });
}

const FACTS = z.object({
  country: z.string().regex(/^[A-Z]{2}$/),
  elevation: z.number().nullish(),
  network: z.string().regex(/^[A-Z0-9_]{1,20}$/),
  online: z.boolean(),
  state: z.string().nullable().default(null),
  tzname: z.string().nullable(),
  wfo: z.string().nullish(),
});
export const LATITUDE = z.number().min(-90).max(90);
export const LONGITUDE = z.number().min(-180).max(180);
const NETWORK = z.object({ features: z.array(z.unknown()) });
const FEATURE = z.object({
  properties: FACTS.extend({
    sid: z.string().regex(/^[A-Z0-9]{4}$/),
    sname: z.string(),
    attributes: z.object({ MAPS_TO: z.string().optional() }).catch({}),
  }),
  geometry: z.object({ coordinates: z.tuple([LONGITUDE, LATITUDE]) }),
});
type Feature = z.infer<typeof FEATURE>;
const STATION = z.object({ data: z.array(z.unknown()) });
const ROW = FACTS.extend({ id: z.string(), name: z.string(), latitude: LATITUDE, longitude: LONGITUDE });
const NO_STATION = z.object({ detail: z.string() });

function upper(words: readonly string[], form: RegExp, wanted: string): string[] {
  const list = [...new Set(words.map((word) => word.trim().toUpperCase()))];
  const wrong = list.find((word) => !form.test(word));
  if (wrong !== undefined) throw new UserError(`"${plainText(wrong, 40)}" is ${wanted}`);
  return list;
}
