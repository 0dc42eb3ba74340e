import type { Station } from '../../clients/typescript/src/generated.js';
import { chooseDefault, published } from './published.js';

// The URL holds what the page shows, in the words of the API, so that a link shows the same to somebody else.

/** The words that a service begins with, where a copy may begin with others. */
const SERVICE_DEFAULTS = { metric: 'high', days: '90', units: '' };

/** Everything that the page may be asked, as at first. Blank is not given. */
export const DEFAULT_PARAMS = {
  metric: chooseDefault('metric', SERVICE_DEFAULTS.metric),
  days: chooseDefault('days', SERVICE_DEFAULTS.days),
  date_from: '',
  date_to: '',
  /** Its id, IATA code, city or alias; `city` is read as it. */
  station_id: '',
  /** Blank unless the address names both: the API tells whether they are one. */
  city: '',
  country: '',
  climate_zone: '',
  near: '',
  radius_km: '',
  bbox: '',
  /** Blank for the default one. */
  provider: '',
  /** One lead-time bucket or several, by commas; blank for the six of the contract. */
  lead_time_bucket: '',
  /** `us`, `metric`, `si`, or blank for that of the station; without a station for `us`. */
  units: chooseDefault('units', SERVICE_DEFAULTS.units),
  /** The day of the odds; blank for today at the station. */
  target_date: '',
  /** The forecast of the odds, in the unit of the page; blank for the latest one. */
  forecast: '',
  /** Its lead-time bucket; blank for the lead of a stored forecast, or 12-24h. */
  forecast_lead: '',
  /** The threshold of the odds, a whole degree; blank for the forecast itself. */
  threshold: '',
  /** The threshold of events, in the unit of the page; blank for a frost or a hot day. */
  event: '',
  /** The provider to compare with; blank for the one with the most days in common. */
  compare: '',
  /** Which map: blank for all stations, or `us`. */
  map: '',
  /** The tab that is shown; blank for the one that the other words are about. */
  view: '',
};

/** The tabs by their words in the address; the first is the page's own. */
export const TABS = {
  good: 'How good?',
  where: 'Where?',
  provider: 'Which provider?',
  likely: 'How likely?',
  happened: 'What happened?',
};

export type Tab = keyof typeof TABS;

/** The tabs of words that one of them alone has: links of before name no tab. */
const TAB_OF: Partial<Record<keyof PageParams, Tab>> = {
  ...{ target_date: 'likely', forecast: 'likely', forecast_lead: 'likely', threshold: 'likely' },
  ...{ event: 'likely', compare: 'provider', map: 'where' },
};

/** The tab that the words of an address are about, without the one that names it. */
const getImplied = (params: PageParams): Tab =>
  NAMES.flatMap((name) => (params[name] === '' ? [] : (TAB_OF[name] ?? [])))[0] ?? 'good';

export const getTab = (params: PageParams): Tab =>
  params.view in TABS ? (params.view as Tab) : getImplied(params);

/** The degrees of a request: another station clears them, another unit converts them. */
export const NO_DEGREES = { forecast: '', threshold: '', event: '' };

export type PageParams = typeof DEFAULT_PARAMS;

const NAMES = Object.keys(DEFAULT_PARAMS) as (keyof PageParams)[];

const SYSTEM_OF: Record<string, string> = { celsius: 'metric', fahrenheit: 'us' };

/** The request of a URL's search part. Values are taken as they are: the API tells what is wrong with them. */
export function readParams(search: string): PageParams {
  const given = new URLSearchParams(search);
  const params = { ...DEFAULT_PARAMS };
  for (const name of NAMES) params[name] = given.get(name) || DEFAULT_PARAMS[name];
  // Links of before had degrees alone.
  params.units = given.get('units') ?? SYSTEM_OF[given.get('temp_unit') ?? ''] ?? params.units;
  // A copy has files by ids, and without a name for the provider that requests without one have.
  if (published) {
    params.station_id = params.station_id.toUpperCase();
    if (params.provider === published.offers.provider[0]) params.provider = '';
  }
  return params.station_id === '' ? { ...params, station_id: params.city, city: '' } : params;
}

/** The lead times of the contract. */
export const BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'];

/** The one that is shown where a single one has to be, and none is requested. */
export const USUAL_LEAD = '12-24h';

/** The words of a URL's search part that the page does not know, and refuses, as the API does. */
export const unknownWords = (search: string): string[] =>
  [...new Set(new URLSearchParams(search))].flatMap(([name, value]) => {
    if (name === 'view') return value === '' || value in TABS ? [] : [`view=${value}`];
    return name in DEFAULT_PARAMS || name === 'temp_unit' ? [] : [name];
  });

/** The search part of a request, as short as can be: it leaves out what is as at first. */
export function formatSearch(params: PageParams): string {
  const search = new URLSearchParams();
  for (const name of NAMES) {
    // Both bounds are the window, and days has no part in it.
    const unused = name === 'days' && params.date_from !== '' && params.date_to !== '';
    const isImplied = name === 'view' && params.view === getImplied(params);
    if (!unused && !isImplied && params[name] !== DEFAULT_PARAMS[name]) search.set(name, params[name]);
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** A URL's search part with the same view at the service that a copy is of: it names what the two begin with differently. */
export function toServiceSearch(search: string): string {
  const given = new URLSearchParams(search);
  for (const [name, value] of Object.entries(SERVICE_DEFAULTS)) {
    const shown = DEFAULT_PARAMS[name as keyof PageParams];
    if (shown !== value && !given.has(name)) given.set(name, shown);
  }
  return given.size === 0 ? '' : `?${given}`;
}

export type Parameters = Record<string, string>;

/** The words that choose stations by where they are; blank for all. */
export const EVERYWHERE = { country: '', climate_zone: '', near: '', radius_km: '', bbox: '' };

export type Region = typeof EVERYWHERE;

export const getRegion = ({ country, climate_zone, near, radius_km, bbox }: PageParams): Region => ({
  ...{ country, climate_zone, near, radius_km, bbox },
});

/** The region of a request as a search part; blank for all stations. */
export const regionText = (region: Region): string =>
  new URLSearchParams(Object.entries(region).filter(([, value]) => value !== '')).toString();

/**
 * The words that a choice of the list of stations changes: a station, or the region of all shown ones. The list has every
 * station, and typing its name passes countries: a station outside of the region leaves it.
 */
export function toPlaceParams(value: string, region: Region, all: readonly Station[]): Partial<PageParams> {
  if (value === '' || value.includes('='))
    return { ...EVERYWHERE, ...Object.fromEntries(new URLSearchParams(value)), station_id: '' };
  const station = all.find(({ station_id }) => station_id === value);
  return { ...(station && !isWithin(region, station) && EVERYWHERE), station_id: value };
}

const EARTH_KM = 6371;

/** The great-circle distance of two points, km (haversine); d3-geo would come with the first screen for it, 25 kB. */
export function getDistanceKm(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): number {
  const [fromY = 0, toY = 0, byX = 0] = [y1, y2, x2 - x1].map((degrees) => (degrees * Math.PI) / 180);
  const half = Math.sin((toY - fromY) / 2) ** 2 + Math.cos(fromY) * Math.cos(toY) * Math.sin(byX / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, half)));
}

function isWithin({ country, climate_zone, near, radius_km, bbox }: Region, station: Station): boolean {
  const { longitude, latitude } = station;
  const [y = latitude, x = longitude] = near === '' ? [] : near.split(',').map(Number);
  const [west = -180, south = -90, east = 180, north = 90] = bbox === '' ? [] : bbox.split(',').map(Number);
  return (
    [station.country, ''].includes(country.toUpperCase()) &&
    [station.climate_zone.toLowerCase(), ''].includes(climate_zone.toLowerCase()) &&
    getDistanceKm([x, y], [longitude, latitude]) <= Number(radius_km || 50) &&
    latitude >= south &&
    latitude <= north &&
    // West of the date line to east of it.
    (west <= east ? west <= longitude && longitude <= east : west <= longitude || longitude <= east)
  );
}

/** The station of a request, which may lie anywhere; without one, its region. */
export const placeParameters = (params: PageParams): Parameters =>
  params.station_id === '' ? getRegion(params) : { station_id: params.station_id, city: params.city };

/** The parameters that choose the pairs of a request: which days, whose forecasts, how far ahead, and where. */
export const parameters = (params: PageParams): Parameters => {
  const { metric, days, date_from, date_to, provider, lead_time_bucket, units } = params;
  return {
    ...{ metric, days, date_from, date_to, provider, lead_time_bucket, units },
    ...placeParameters(params),
  };
};

const DAY_MS = 86_400_000;

/** Days from one date to another, with both. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Days of the window of a request. */
export const windowLength = ({ days, date_from, date_to }: PageParams): number =>
  date_from === '' || date_to === '' ? Number(days) : countDays(date_from, date_to);

/** A date, YYYY-MM-DD, so many days on. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
