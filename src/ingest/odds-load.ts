import { z } from 'zod';
import { stationsOfVersion } from '../queries/facts.js';
import { sql } from '../queries/sql.js';
import { splitWords } from '../lib/text.js';
import { UserError } from '../lib/user-error.js';
import { addDays } from '../statistics/time/calendar.js';
import { dateIn, localMidnight } from '../statistics/time/local-midnight.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import type { Store } from '../store/store.js';
import { getMessage } from '../store/store-errors.js';
import { confirmWritten, publicReason, recover } from './load.js';
import { beginLoad, failLoad, finishLoad } from './load-events.js';

// Sealed odds (D82): what /probability says of days that have not begun, as facts of a load.

/** Sends a request for /api/v1/probability. @returns the status and the parsed body */
export type AskProbability = (query: Record<string, string>) => Promise<{ status: number; body: unknown }>;

export interface SealOptions {
  /** All active ones if not given. */
  stations?: readonly string[] | undefined;
  variables: readonly string[];
  /** Days of each station, from its next one on. */
  days: number;
  /** Further parameters of /probability, which choose providers, events and unit. */
  parameters: Readonly<Record<string, string>>;
  clock: () => Date;
  lock?: LoadLockOptions;
}

export interface SealReport {
  /** The number of the load. */
  version: number;
  /** Station days of a variable. */
  sealed: number;
  /** Why each of the others is left out. */
  left_out: string[];
}

/** A day of a station that has not begun. */
interface ComingDay {
  station_id: string;
  target_date: string;
  begins_ms: number;
}

const clockRow = z.object({
  station_id: z.string(),
  timezone: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
  data_active: z.boolean(),
});

/** The days by station. @throws UserError for a station that there is not */
async function listDays(store: Store, { stations, days, clock }: SealOptions): Promise<ComingDay[][]> {
  const known = await store.query(sql.rows(clockRow)`
    SELECT station_id, timezone, day_boundary, data_active FROM ${stationsOfVersion()} ORDER BY station_id`);
  const unknown = stations?.find((name) => !known.some(({ station_id }) => station_id === name));
  if (unknown !== undefined) throw new UserError(`--stations: there is no station ${unknown}`);
  const chosen = known.filter((each) => stations?.includes(each.station_id) ?? each.data_active);
  return chosen.map(({ station_id, timezone, day_boundary }) => {
    const today = dateIn(clock().getTime(), timezone, day_boundary);
    return Array.from({ length: days }, (_, at) => {
      const target_date = addDays(today, at + 1);
      return { station_id, target_date, begins_ms: localMidnight(target_date, timezone, day_boundary) };
    });
  });
}

const degrees = z.record(z.string(), z.unknown());
const response = z.object({
  data: z.object({
    issued_at: z.string().nullable(),
    lead_time_bucket: z.string().nullable(),
    reason: z.string().nullable(),
    thresholds: z.array(degrees.and(z.object({ at_or_above: z.number().nullable() }))).default([]),
    brackets: z.array(degrees.and(z.object({ probability: z.number().nullable() }))).default([]),
  }),
  metadata: z.object({
    data_version: z.number(),
    provider: z.string(),
    temp_unit: z.string().default('fahrenheit'),
  }),
});
const refusal = z.object({
  error: z.object({
    message: z.string(),
    details: z.array(z.object({ parameter: z.string() })).default([]),
  }),
});

/** The parameters that a request lacks where a station has no forecast of a day. */
const OF_ITS_FORECAST = ['forecast', 'providers', 'lead_hours', 'target_date'];

/** The columns of sealed_odds that a load writes. */
const COLUMNS = splitWords(
  'metric provider station_id target_date lead_time_bucket issued_at unit data_version odds',
);

/** The row of a day, or the reason why it has no odds. @throws UserError for a parameter that the API refuses */
async function askDay(
  ask: AskProbability,
  metric: string,
  { station_id, target_date }: ComingDay,
  parameters: SealOptions['parameters'],
): Promise<unknown[] | string> {
  const name = `${station_id} ${metric} ${target_date}`;
  const { status, body } = await ask({ station_id, metric, target_date, ...parameters });
  if (status !== 200) {
    const { message, details } = refusal.parse(body).error;
    if (status === 400 && details.every(({ parameter }) => OF_ITS_FORECAST.includes(parameter)))
      return `${name}: ${message}`;
    throw new UserError(message);
  }
  const { data, metadata } = response.parse(body);
  if (data.reason !== null) return `${name}: ${data.reason}`;
  const end = metadata.temp_unit === 'celsius' ? 'c' : 'f';
  const makeRange = (from: unknown, to: unknown, probability: number | null) => ({
    ...{ from, to },
    millionths: Math.round((probability ?? NaN) * 1e6),
  });
  const ranges = [
    ...data.brackets.map((each) => makeRange(each[`from_${end}`], each[`to_${end}`], each.probability)),
    ...data.thresholds.map((each) => makeRange(each[`threshold_${end}`], null, each.at_or_above)),
  ];
  const issued_at = data.issued_at?.replace('T', ' ').replace('Z', '');
  const { data_version, provider, temp_unit } = metadata;
  return [
    ...[metric, provider, station_id, target_date, data.lead_time_bucket, issued_at, temp_unit],
    ...[data_version, ranges],
  ];
}

/**
 * Seals the odds of coming days, as the API says them now by the latest version of the data. They are facts of a load of its own. The
 * lock of loads is held only while they are written, because thousands of requests take longer than a load waits.
 * @throws UserError without odds, and then no load begins; what the store and the lock throw
 */
export async function sealProbabilities(
  store: Store,
  ask: AskProbability,
  options: SealOptions,
): Promise<SealReport> {
  const { variables, clock, lock } = options;
  const { version } = await store.queryOne(LATEST);
  const parameters = { ...options.parameters, as_of: `v${version}` };
  const found: { day: ComingDay; row: unknown[] }[] = [];
  const left_out: string[] = [];
  for (const ofStation of await listDays(store, options)) {
    const requested = ofStation.flatMap((day) => variables.map((metric) => ({ day, metric })));
    const ofDay = async ({ day, metric }: (typeof requested)[number]): Promise<void> => {
      const row = await askDay(ask, metric, day, parameters);
      if (typeof row === 'string') left_out.push(row);
      else found.push({ day, row });
    };
    await Promise.all(requested.map(ofDay));
  }
  const insert = async (locked: Store): Promise<SealReport> => {
    const now_ms = clock().getTime();
    const rows: unknown[][] = [];
    for (const { day, row } of found)
      if (day.begins_ms > now_ms) rows.push(row);
      else left_out.push(`${day.station_id} ${day.target_date}: the day began meanwhile`);
    if (rows.length > 0)
      return { version: await insertProbabilities(locked, rows, clock), sealed: rows.length, left_out };
    const reason = left_out[0] ?? 'there are no active stations; name some with --stations';
    throw new UserError(`no odds to seal: ${reason}`);
  };
  return withLoadLock(store, insert, lock);
}

const LATEST = sql.rows(z.object({ version: z.number() }))`
  SELECT maxIf(load_id, event = 'finished') AS version FROM loads`;

/** @returns the number of the load */
async function insertProbabilities(
  store: Store,
  rows: unknown[][],
  clock: SealOptions['clock'],
): Promise<number> {
  await recover(store);
  const loadId = await beginLoad(store);
  try {
    await store.insert(
      'sealed_odds',
      [...COLUMNS, 'load_id'],
      rows.map((row) => [...row, loadId]),
    );
    await confirmWritten(store);
    const known = { feeds: ['sealed_odds'] as const, now: clock() };
    await finishLoad(store, loadId, { outcome: 'complete', odds: rows.length }, known);
    return loadId;
  } catch (error) {
    const reason = publicReason(error);
    await failLoad(store, loadId, { error: getMessage(error), reason }).catch(() => {});
    throw error;
  }
}
