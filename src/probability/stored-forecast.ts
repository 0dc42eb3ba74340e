import { z } from 'zod';
import { andOfStations, ofMetric, ofProviders, ofVersion } from '../queries/conditions.js';
import { currentFacts } from '../queries/facts.js';
import { bind, sql } from '../queries/sql.js';
import { isInRange, leadRange, type LeadRange } from './training/training.js';
import type { localDay } from '../statistics/time/local-midnight.js';
import type { Sources } from '../api/endpoint.js';
import { InvalidParamsError } from '../api/parameters.js';
import type { Lead } from './probability-params.js';
import { rangeWords } from './lead-of-forecast.js';
import type { TrainingQuery } from './training/archive.js';

/** The forecasts for a station's day that were issued by a moment, the latest first. */
function issuedFor(requested: TrainingQuery, target_date: string, latest_ms: number) {
  const ofDay = sql`${ofMetric(requested)} AND ${ofProviders(requested)} AND target_date = ${bind({ target_date }, 'Date')}
    AND ${ofVersion(requested.asOf?.version)} AND toUnixTimestamp64Milli(issued_at) <= ${bind({ latest_ms }, 'Int64')}${andOfStations(requested.station)}`;
  return sql.rows(storedRow)`
  SELECT provider, toUnixTimestamp64Milli(issued_at) AS issued_ms, toInt32(forecast_f * 100) AS forecast_hundredths
  FROM ${currentFacts('forecasts', ofDay)}
  ORDER BY issued_at DESC`;
}

/** A forecast of the store. */
const storedRow = z.object({ provider: z.string(), issued_ms: z.number(), forecast_hundredths: z.number() });

export type StoredForecast = z.infer<typeof storedRow>;

/** A target day at its station. */
export type TargetDay = ReturnType<typeof localDay>;

/** The one that counts of those with a lead in a range (D36): the nearest; of two equally near, the later. */
function counted(
  range: LeadRange,
  issued: readonly StoredForecast[],
  { begins_ms }: TargetDay,
): StoredForecast | undefined {
  const computeLead = ({ issued_ms }: StoredForecast): number => begins_ms - issued_ms;
  const distance = (each: StoredForecast): number => Math.abs(computeLead(each) - range.nearest_ms);
  return issued
    .filter((each) => isInRange(computeLead(each), range))
    .sort((a, b) => distance(a) - distance(b))[0];
}

/** Every forecast that was issued before its day. */
const BEFORE_THE_DAY = { from_ms: 0, to_ms: Infinity, nearest_ms: 0, horizon: Infinity };

/** From three days ahead on, providers differ in how far they reach, so their nearest forecast counts for an empty
 * range. */
const MAX_DISTANCE_MS = leadRange('72h+').from_ms;

/**
 * The latest forecast for a station's day, issued before the day began and by known_at. With a lead or a bucket,
 * it is the one that counts in its range. @throws InvalidParamsError without a forecast
 */
export async function storedForecast(
  requested: TrainingQuery,
  target_date: string,
  day: TargetDay | undefined,
  { bucket, lead_ms }: Partial<Lead>,
  { query }: Pick<Sources, 'query'>,
): Promise<StoredForecast> {
  const { station, knownAt = Infinity } = requested;
  if (station === undefined || day === undefined) {
    throw new InvalidParamsError([
      { parameter: 'forecast', message: 'is missing; give it, or name a station' },
    ]);
  }
  const issued = await query(issuedFor(requested, target_date, Math.min(knownAt, day.begins_ms)));
  const range = bucket === undefined ? BEFORE_THE_DAY : leadRange(bucket, lead_ms);
  const beyondBuckets = { ...range, from_ms: MAX_DISTANCE_MS, to_ms: Infinity };
  const found =
    counted(range, issued, day) ?? (bucket === '72h+' ? counted(beyondBuckets, issued, day) : undefined);
  if (found !== undefined) return found;
  const of =
    bucket === undefined
      ? ''
      : lead_ms === undefined
        ? ` of ${bucket}`
        : ` issued ${rangeWords({ bucket, lead_ms })} the day`;
  const message = `is missing, and the store has no forecast${of} for ${station.station_id} and ${target_date}; give one`;
  throw new InvalidParamsError([{ parameter: 'forecast', message }]);
}

/** The latest forecast for a station's day that was issued by a moment, of the day itself as well; undefined without one. */
export async function latestForecast(
  requested: TrainingQuery,
  target_date: string,
  moment_ms: number,
  { query }: Pick<Sources, 'query'>,
): Promise<StoredForecast | undefined> {
  const [latest] = await query(issuedFor(requested, target_date, moment_ms));
  return latest;
}

/** The forecasts of providers for a station's day that count at a lead (D36), of those issued by known_at; undefined without one. */
export async function storedForecasts(
  requested: TrainingQuery,
  names: readonly string[],
  target_date: string,
  day: TargetDay,
  range: LeadRange,
  { query }: Pick<Sources, 'query'>,
): Promise<(StoredForecast | undefined)[]> {
  const latest_ms = Math.min(requested.knownAt ?? Infinity, day.begins_ms);
  const issued = await query(issuedFor(requested, target_date, latest_ms));
  return names.map((name) => {
    const ofProvider = issued.filter(({ provider }) => provider === name);
    return counted(range, ofProvider, day);
  });
}
