import { z } from 'zod';
import { OF_VERSION } from '../../accuracy/facts.js';
import { LATEST_VERSION } from '../../accuracy/histograms.js';
import type { Bucket } from '../../accuracy/probability/training.js';
import { leadTimeBucketOf } from '../../accuracy/time/lead-time.js';
import type { localDay } from '../../accuracy/time/local-midnight.js';
import type { Sources } from '../../api/endpoint.js';
import { InvalidParameters } from '../../api/parameters.js';
import type { Learner } from './training.js';

const issuedSql = `
  SELECT toUnixTimestamp64Milli(issued_at) AS issued_ms, toInt32(argMax(forecast, load_id) * 100) AS forecast_hundredths
  FROM forecasts
  WHERE metric = {metric: String} AND provider = {provider: String} AND station_id = {station_id: String}
    AND target_date = {target_date: Date} AND ${OF_VERSION} AND toUnixTimestamp64Milli(issued_at) <= {latest_ms: Int64}
  GROUP BY issued_at
  HAVING NOT argMax(withdrawn, load_id)
  ORDER BY issued_at DESC`;

const issuedRow = z.object({ issued_ms: z.number(), forecast_hundredths: z.number() });

/** A forecast of the store, hundredths of a °F. */
export interface StoredForecast {
  forecast: number;
  issued_ms: number;
  lead_ms: number;
  bucket: Bucket;
}

/**
 * The latest forecast for a station's day that was issued before the day began, and by known_at; of one bucket if it is
 * named. @throws InvalidParameters when there is none
 */
export async function storedForecast(
  asked: Learner,
  target_date: string,
  day: ReturnType<typeof localDay> | undefined,
  bucket: Bucket | undefined,
  { query }: Pick<Sources, 'query'>,
): Promise<StoredForecast> {
  const { metric, provider, station, asOf, knownAt = Infinity } = asked;
  if (station === undefined || day === undefined) {
    throw new InvalidParameters([
      { parameter: 'forecast', message: 'is not given; give it in °F, or name a station' },
    ]);
  }
  const issued = await query(
    issuedSql,
    {
      metric,
      provider: provider.name,
      station_id: station.station_id,
      target_date,
      version: asOf?.version ?? LATEST_VERSION,
      latest_ms: Math.min(knownAt, day.begins_ms),
    },
    issuedRow,
  );
  for (const { issued_ms, forecast_hundredths } of issued) {
    const found = leadTimeBucketOf(issued_ms, day);
    if (found === null || found === 'same-day' || (bucket !== undefined && found !== bucket)) continue;
    return { forecast: forecast_hundredths, issued_ms, lead_ms: day.begins_ms - issued_ms, bucket: found };
  }
  const of = bucket === undefined ? '' : ` of ${bucket}`;
  const message = `is not given, and there is none${of} for ${station.station_id} and ${target_date} in the store; give one in °F`;
  throw new InvalidParameters([{ parameter: 'forecast', message }]);
}
