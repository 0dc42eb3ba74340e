import { bind, NOTHING, sql, type Statement } from '../sql.js';

// What decides which rows a question reads, as conditions over the columns that all tables of data have.

/** The last version that there can be. */
export const LATEST_VERSION = 2 ** 32 - 1;

type StationId = { station_id: string };

/** The part of a question that relations read; the resolved questions of all endpoints about errors are such. */
export interface RowsQuestion {
  metric: string;
  /** One or, where a question compares several, `names`. */
  provider: { name: string; names?: readonly string[] };
  /** Both days included. */
  window: { period_start: string; period_end: string };
  /** All six buckets (D5), or those named, of which same-day may be one (D40, D41). */
  leadTimes: { leads: 'all' | 'some'; buckets: readonly string[] };
  /** One, some, or all without. */
  station?: StationId | readonly StationId[] | undefined;
  /** The version of the data (D31); the latest without. */
  asOf?: { version: number; source: 'ledger' | 'rewound' } | undefined;
  /** The instant by which all that counts could be known, Unix ms; without, everything that the version was told counts. */
  knownAt?: number | undefined;
}

export const ofMetric = ({ metric }: Pick<RowsQuestion, 'metric'>): Statement =>
  sql`metric = ${bind({ metric }, 'String')}`;

export const ofProvider = ({ provider }: Pick<RowsQuestion, 'provider'>): Statement =>
  sql`provider = ${bind({ provider: provider.name }, 'String')}`;

/** All that a question compares. */
export const ofProviders = ({ provider }: Pick<RowsQuestion, 'provider'>): Statement =>
  sql`provider IN ${providersOf({ provider })}`;

export const providersOf = ({ provider }: Pick<RowsQuestion, 'provider'>): Statement =>
  bind({ providers: provider.names ?? [provider.name] }, 'Array(String)');

export const ofDays = ({ period_start, period_end }: RowsQuestion['window']): Statement =>
  sql`target_date BETWEEN ${bind({ period_start }, 'Date')} AND ${bind({ period_end }, 'Date')}`;

/** The rows of the loads up to a version (D31). */
export const ofVersion = (asOf: { version: number } | undefined): Statement =>
  sql`load_id <= ${bind({ version: asOf?.version ?? LATEST_VERSION }, 'UInt32')}`;

/** A further condition, if the question is about one station or some. */
export function andStation(station: RowsQuestion['station']): Statement {
  if (station === undefined) return NOTHING;
  if ('station_id' in station)
    return sql` AND station_id = ${bind({ station_id: station.station_id }, 'String')}`;
  const station_ids = station.map(({ station_id }) => station_id);
  return sql` AND station_id IN ${bind({ station_ids }, 'Array(String)')}`;
}

export const leadTimeBucketsOf = ({ leadTimes }: Pick<RowsQuestion, 'leadTimes'>): Statement =>
  bind({ lead_time_buckets: leadTimes.buckets }, 'Array(String)');
