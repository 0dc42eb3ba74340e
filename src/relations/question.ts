import { bind, sql, type Statement } from '../sql.js';
import { ofDates, type Stations } from './conditions.js';

// What decides which rows a question reads.

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
  station?: Stations;
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

export const ofWindow = ({ period_start, period_end }: RowsQuestion['window']): Statement =>
  ofDates({ first_date: period_start, last_date: period_end });

export const leadTimeBucketsOf = ({ leadTimes }: Pick<RowsQuestion, 'leadTimes'>): Statement =>
  bind({ lead_time_buckets: leadTimes.buckets }, 'Array(String)');
