import {
  DERIVED_NAMES as VARIABLES,
  LEDGER_BUCKETS,
  OTHER_PROVIDER,
  plusDays,
  STATIONS,
  variableQuery,
} from '../plain/oracle.js';
import { HOURLY } from '../plain/variables.js';
import type { Random } from '../random.js';
import { FIRST, LAST } from './world.js';

// Random requests for every endpoint that has a script.

const DAY = 86_400_000;

type Query = Record<string, string>;

const often = (random: Random, share: number, query: Query): Query => (random.next() < share ? query : {});

const LEAD_TIMES = [
  '0-6h',
  '12-24h',
  '24-48h,48-72h',
  '72h+',
  'same-day',
  'same-day,0-6h',
  LEDGER_BUCKETS.join(),
];
const STATION = STATIONS.map(({ station_id }) => station_id).slice(0, 7);

/** The stations of a question. */
function where(random: Random): Query {
  return { ...chosen(random), ...often(random, 0.12, { min_coverage: random.of(['0.2', '0.5', '0.8']) }) };
}

function chosen(random: Random): Query {
  const kind = random.next();
  if (kind < 0.35) return { station_id: random.of(STATION) };
  if (kind < 0.5) return { stations: [random.of(STATION), random.of(STATION)].join(',') };
  if (kind < 0.6) return { country: random.of(['US', 'AU', 'np']) };
  if (kind < 0.65) return { near: '40,-73', radius_km: '100' };
  return {};
}

const lead = (random: Random): Query =>
  random.next() < 0.3
    ? { lead: random.of(['6', '12', '24', '48', '72']) }
    : often(random, 0.35, { lead_time_bucket: random.of(LEAD_TIMES) });
const buckets = (random: Random): Query => often(random, 0.4, { lead_time_bucket: random.of(LEAD_TIMES) });
const hours = (random: Random): Query =>
  often(random, 0.25, { issued_hour: random.of(['0', '6,18', '12', '0,1,2,3,4,5,6,7,8,9,10,11']) });
const level = (random: Random): Query =>
  often(random, 0.5, { ci: random.of(['0.8', '0.9', '0.95', '0.99']) });
const degrees = (random: Random): Query =>
  often(random, 0.7, { thresholds: random.of(['32', '50,55,60', '50.5', '0,10.55,20', '-4,31.99,58']) });

/** The own parameters of each endpoint. */
const ENDPOINTS: Record<string, (random: Random) => Query> = {
  'accuracy/summary': (random) => ({ ...where(random), ...buckets(random), ...level(random) }),
  'accuracy/by-date': (random) => ({
    ...where(random),
    ...buckets(random),
    ...often(random, 0.6, { group_by: random.of(['week', 'month', 'season', 'year']) }),
    ...often(random, 0.5, { include_preliminary: 'true' }),
  }),
  'accuracy/by-station/ID': (random) => ({
    ...buckets(random),
    ...level(random),
    ...often(random, 0.3, { include_raw: 'true' }),
  }),
  'accuracy/by-lead-time': (random) => ({
    ...where(random),
    ...buckets(random),
    ...level(random),
    ...often(random, 0.3, { include_same_day: 'true' }),
  }),
  'accuracy/by-hour': (random) => ({
    ...where(random),
    ...buckets(random),
    ...level(random),
    ...often(random, 0.7, { group_by: random.of(['lead_hour', 'valid_hour', 'local_hour']) }),
  }),
  'accuracy/by-city': (random) => ({
    ...where(random),
    ...buckets(random),
    ...level(random),
    ...often(random, 0.6, { sort_by: random.of(['mae', 'count', 'mean_error', 'city', 'rmse']) }),
    ...often(random, 0.3, { min_samples: random.of(['5', '100', '270']) }),
  }),
  'accuracy/hit-rate': (random) => ({
    ...where(random),
    ...lead(random),
    ...hours(random),
    ...level(random),
  }),
  'accuracy/by-bucket/ID': (random) => ({
    ...lead(random),
    ...hours(random),
    ...level(random),
    ...often(random, 0.5, { range_width: random.of(['1', '3', '5', '10']) }),
    ...often(random, 0.4, { range_offset: random.of(['1', '2', '7']) }),
  }),
  'accuracy/exceedance': (random) => ({
    ...where(random),
    ...buckets(random),
    ...level(random),
    ...often(random, 0.6, {
      thresholds: random.of(['3,10', '0,0.5,2.55', '1', '2.5,5,10', '1.8,3.6', '0.01,0.123']),
    }),
  }),
  'accuracy/exceedance-summary': (random) => ({
    ...where(random),
    ...buckets(random),
    ...often(random, 0.6, { thresholds: random.of(['3,10', '0,2.55', '1.8']) }),
  }),
  'accuracy/error-distribution': (random) => ({
    ...where(random),
    ...buckets(random),
    ...often(random, 0.6, { bin_width: random.of(['0.5', '2', '5']) }),
    ...often(random, 0.5, { signed: 'true' }),
  }),
  'accuracy/sample-size': (random) => ({
    ...where(random),
    ...buckets(random),
    ...often(random, 0.3, { min_samples: random.of(['1', '100', '270']) }),
  }),
  'accuracy/revision-stats': (random) => ({ ...where(random), ...hours(random), ...level(random) }),
  'accuracy/events': (random) => ({
    ...where(random),
    ...lead(random),
    ...hours(random),
    ...level(random),
    ...degrees(random),
    ...often(random, 0.4, { cost_loss: random.of(['0.1', '0.25,0.5,0.9', '0.333333']) }),
    ...often(random, 0.3, { direction: random.of(['at_or_above', 'at_or_below']) }),
    ...often(random, 0.6, { group_by: random.of(['month', 'station', 'lead_time_bucket']) }),
  }),
  'accuracy/compare': (random) => ({
    ...where(random),
    ...lead(random),
    ...hours(random),
    ...level(random),
    ...often(random, 0.3, { reference: OTHER_PROVIDER }),
    ...often(random, 0.7, {
      group_by: random.of([
        'month',
        'station',
        'lead_time_bucket,month',
        'season,country',
        'climate_zone',
        'month,station',
      ]),
    }),
  }),
  'data/forecast-actual': (random) => ({
    ...where(random),
    ...buckets(random),
    ...hours(random),
    ...often(random, 0.5, { sort_by: 'abs_error' }),
    limit: random.of(['1', '50', '300']),
  }),
};

/** The paths that have scripts. */
export const COVERED = Object.keys(ENDPOINTS);

/** A request of one of them, below /api/v1. @param version of which there is an earlier one, with its timeline */
export function drawRequest(
  random: Random,
  endpoint: string,
  { version, timeline }: { version: number; timeline: string },
): string {
  const length = random.of([1, 3, 7, 13, 14, 20, 30, 45, 90, 90, 200]);
  const days = (Date.parse(LAST) - Date.parse(FIRST)) / DAY + 10 - length;
  const date_from = plusDays(FIRST, random.below(Math.max(1, days)) - 5);
  const query = new URLSearchParams({
    ...(endpoint !== 'accuracy/by-hour' && {
      ...variableQuery(random.of(['high', 'low', ...VARIABLES, ...VARIABLES])),
    }),
    date_from,
    date_to: plusDays(date_from, length - 1),
    ...often(random, 0.45, random.of<Query>([{ temp_unit: 'celsius' }, { units: 'metric' }])),
    ...(endpoint !== 'accuracy/compare' && often(random, 0.3, { provider: OTHER_PROVIDER })),
    ...often(random, 0.4, {
      as_of: random.of([`v${version - 1}`, `v${version}`, `v${version}.${timeline}`]),
    }),
    ...ENDPOINTS[endpoint]!(random),
  });
  return `${endpoint.replace('/ID', `/${random.of(STATION)}`)}?${query.toString()}`;
}

/** The paths that have scripts for hours. */
export const COVERED_OF_HOURS = COVERED.filter((endpoint) => endpoint !== 'accuracy/revision-stats');

/** The days, stations and other providers of a world that requests are about. */
interface World {
  /** Days of which there are pairs, in order. */
  days: readonly string[];
  /** In place of the stations of other requests. */
  stations: readonly string[];
  providers: readonly string[];
}

/** A request about a variable of another world. */
function drawRequestIn(
  { days, stations, providers }: World,
  metric: string,
  random: Random,
  endpoint: string,
  version: Parameters<typeof drawRequest>[2],
): [path: string, query: URLSearchParams] {
  let path = drawRequest(random, endpoint, version).replaceAll(OTHER_PROVIDER, random.of(providers));
  for (const [at, name] of STATION.entries()) path = path.replaceAll(name, stations[at % stations.length]!);
  const [place = '', text] = path.split('?');
  const query = new URLSearchParams(text);
  const first = random.below(days.length);
  for (const name of ['base', 'cap', 'method', 'wet_at']) query.delete(name);
  query.set('metric', metric);
  query.set('date_from', days[first]!);
  query.set('date_to', days[first + random.below(days.length - first)]!);
  return [place, query];
}

const UNITS = ['us', 'metric', 'si', 'speed=kmh,length=cm', 'length=mm'];

/** Thresholds and sizes of errors of any quantity. */
const SIZES = ['10,20', '0,25.5,40', '2.5,5,10'];

/** A request of one of them about a variable of hours, or another of days than a temperature. */
export function drawVariableRequest(
  random: Random,
  endpoint: string,
  version: Parameters<typeof drawRequest>[2],
  world: World,
  metric: string,
): string {
  const isHourly = HOURLY.some((name) => name === metric);
  const known = isHourly || endpoint !== 'accuracy/by-hour' ? endpoint : 'accuracy/by-date';
  const [place, query] = drawRequestIn(world, metric, random, known, version);
  if (metric !== 'temperature') {
    for (const name of ['temp_unit', 'units']) query.delete(name);
    if (random.below(2) === 0) query.set('units', random.of(UNITS));
  }
  if (metric !== 'temperature' && query.has('thresholds')) query.set('thresholds', random.of(SIZES));
  if (isHourly && endpoint === 'accuracy/compare' && random.below(2) === 0)
    query.set('group_by', random.of(['lead_hour', 'lead_hour,month', 'station,lead_hour']));
  return `${place}?${query.toString()}`;
}

/** The paths that have scripts for chances. */
export const COVERED_OF_CHANCES = [
  ...COVERED_OF_HOURS.filter((endpoint) => endpoint !== 'accuracy/by-hour'),
  'accuracy/by-bucket',
];

const CHANCES: Record<string, readonly string[]> = {
  'accuracy/events': ['10', '30,70', '0,50,100', '12.5,99.99'],
  'accuracy/exceedance': ['10,20', '0,25.5,50', '2.5,5,10', '1.8,3.6', '99.99'],
  'accuracy/exceedance-summary': ['10,20', '0,33', '1.8'],
};

/** A request of one of them about chances, in °F. */
export function drawChanceRequest(
  random: Random,
  endpoint: string,
  version: Parameters<typeof drawRequest>[2],
  world: World,
  metric = 'wet_day',
): string {
  // The parameters of the reliability table are those of the hit rate.
  const like = endpoint === 'accuracy/by-bucket' ? 'accuracy/hit-rate' : endpoint;
  const [place, query] = drawRequestIn(world, metric, random, like, version);
  for (const name of ['temp_unit', 'units']) query.delete(name);
  if (query.has('near')) query.set('near', '40.5,-112');
  if (query.has('country')) query.set('country', random.of(['US', 'JP']));
  if (query.has('thresholds')) query.set('thresholds', random.of(CHANCES[endpoint]!));
  return `${like === endpoint ? place : endpoint}?${query.toString()}`;
}
