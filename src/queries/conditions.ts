import type { Choices } from '../variables/declarations.js';
import { getSources, METRICS, type VariableName } from '../variables/variables.js';
import { CODED_VARIABLES, namesOfPeriod, quoteNames } from '../variables/codes.js';
import { bind, NOTHING, raw, sql, type Statement } from './sql.js';

// Conditions over the columns that all tables of data have.

/** A run of target dates, YYYY-MM-DD, both included. */
export interface DateSpan {
  first_date: string;
  last_date: string;
}

/** The rows of these dates. */
export const ofDates = ({ first_date, last_date }: DateSpan): Statement =>
  sql`target_date BETWEEN ${bind({ first_date }, 'Date')} AND ${bind({ last_date }, 'Date')}`;

/** Station days of a span: all, or those of a relation. */
export interface DayScope {
  span: DateSpan;
  days?: Statement | undefined;
}

/** The rows of these station days. */
export const ofDayScope = ({ span, days }: DayScope): Statement =>
  days === undefined
    ? ofDates(span)
    : sql`${ofDates(span)} AND (station_id, target_date) IN (SELECT station_id, target_date FROM ${days} WHERE ${ofDates(span)})`;

/** The rows of the ledger that are station hours; the others are station days. */
export const OF_HOURS = raw(`metric IN (${quoteNames(namesOfPeriod(CODED_VARIABLES, 'hour'))})`);
export const OF_DAYS = raw(`metric IN (${quoteNames(namesOfPeriod(CODED_VARIABLES, 'day'))})`);

/** The rows of highs and lows, also among facts. */
export const OF_TEMPERATURES = raw(`metric IN (${quoteNames(METRICS)})`);

/** The last version that there can be. */
export const LATEST_VERSION = 2 ** 32 - 1;

/** The rows of a version of the data: those of the loads up to it (D31). */
export const ofVersion = (version: number = LATEST_VERSION): Statement =>
  sql`load_id <= ${bind({ version }, 'UInt32')}`;

/** One station, or some; all without. */
export type Stations = { station_id: string } | readonly { station_id: string }[] | undefined;

/** The rows of these stations: one condition, or none. */
export function ofStations(stations: Stations): readonly Statement[] {
  if (stations === undefined) return [];
  if ('station_id' in stations)
    return [sql`station_id = ${bind({ station_id: stations.station_id }, 'String')}`];
  const station_ids = stations.map(({ station_id }) => station_id);
  return [sql`station_id IN ${bind({ station_ids }, 'Array(String)')}`];
}

/** The rows of these stations, as a further condition. */
export function andOfStations(stations: Stations): Statement {
  const [condition] = ofStations(stations);
  return condition === undefined ? NOTHING : sql` AND ${condition}`;
}

/** Hours of the day, 0 to 23; all without. */
export type IssuedHours = readonly number[] | undefined;

/** The rows issued in these hours. @param issued_ms Unix ms, as an expression */
export const issuedIn = (issued_hours: readonly number[], issued_ms: Statement): Statement =>
  sql`has(${bind({ issued_hours }, 'Array(Int8)')}, intDiv(${issued_ms}, 3600000) % 24)`;

/** The forecasts that were issued in these hours, as a further condition on a table that has `issued_at`. */
export const andIssuedIn = (hours: IssuedHours): Statement =>
  hours === undefined ? NOTHING : sql` AND ${issuedIn(hours, sql`toUnixTimestamp64Milli(issued_at)`)}`;

/** The part of a request that relations read; the resolved requests of all endpoints about errors are such. */
export interface PairQuery {
  metric: VariableName;
  /** The choices of its variable that are not the default. */
  choices?: Choices | undefined;
  /** One or, where a request compares several, `names`. */
  provider: { name: string; names?: readonly string[] };
  /** Both days included. */
  window: { period_start: string; period_end: string };
  /** All six buckets (D5), or those named, of which same-day may be one (D40). */
  leadTimes: { leads: 'all' | 'some'; buckets: readonly string[] };
  /** One, some, or all without. */
  station?: Stations;
  /** The hours, UTC, in which forecasts that count were issued; all without. */
  issuedHours?: IssuedHours;
  /** The version of the data (D31); the latest without. */
  asOf?: { version: number } | undefined;
  /** The instant by which all that counts could be known, Unix ms; without, everything that the version was told counts. */
  knownAt?: number | undefined;
}

export const ofMetric = ({ metric }: Pick<PairQuery, 'metric'>): Statement => sql`metric = '${raw(metric)}'`;

/** The facts that a variable follows from. */
export const ofSources = ({ metric }: Pick<PairQuery, 'metric'>): Statement =>
  sql`metric IN (${raw(quoteNames(getSources(metric)))})`;

export const ofProvider = ({ provider }: Pick<PairQuery, 'provider'>): Statement =>
  sql`provider = ${bind({ provider: provider.name }, 'String')}`;

/** All that a request compares. */
export const ofProviders = ({ provider }: Pick<PairQuery, 'provider'>): Statement =>
  sql`provider IN ${getProviders({ provider })}`;

export const getProviders = ({ provider }: Pick<PairQuery, 'provider'>): Statement =>
  bind({ providers: provider.names ?? [provider.name] }, 'Array(String)');

export const ofWindow = ({ period_start, period_end }: PairQuery['window']): Statement =>
  ofDates({ first_date: period_start, last_date: period_end });

export const leadTimeBucketFilter = ({ leadTimes }: Pick<PairQuery, 'leadTimes'>): Statement =>
  bind({ lead_time_buckets: leadTimes.buckets }, 'Array(String)');
