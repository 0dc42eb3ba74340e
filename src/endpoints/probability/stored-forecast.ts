import { z } from 'zod';
import { andStation, ofMetric, ofProvider, ofVersion } from '../../relations/question.js';
import { bind, sql, type Statement } from '../../sql.js';
import { bucketOfLead } from '../../statistics/time/lead-time.js';
import type { localDay } from '../../statistics/time/local-midnight.js';
import type { Sources } from '../../api/endpoint.js';
import { InvalidParameters } from '../../api/parameters.js';
import type { Lead } from '../../api/questions/probability.js';
import type { Learner } from './training.js';

/** The forecasts for a station's day that were issued by a moment, the latest first. */
const issuedFor = (asked: Learner, target_date: string, latest_ms: number): Statement => sql`
  SELECT toUnixTimestamp64Milli(issued_at) AS issued_ms, toInt32(argMax(forecast, load_id) * 100) AS forecast_hundredths
  FROM forecasts
  WHERE ${ofMetric(asked)} AND ${ofProvider(asked)} AND target_date = ${bind({ target_date }, 'Date')}
    AND ${ofVersion(asked.asOf)} AND toUnixTimestamp64Milli(issued_at) <= ${bind({ latest_ms }, 'Int64')}${andStation(asked.station)}
  GROUP BY issued_at
  HAVING NOT argMax(withdrawn, load_id)
  ORDER BY issued_at DESC`;

/** A forecast of the store. */
const storedRow = z.object({ issued_ms: z.number(), forecast_hundredths: z.number() });

export type StoredForecast = z.infer<typeof storedRow>;

/**
 * The latest forecast for a station's day that was issued before the day began, and by known_at; of one bucket if it is
 * named, and there the nearest to a lead. @throws InvalidParameters when there is none
 */
export async function storedForecast(
  asked: Learner,
  target_date: string,
  day: ReturnType<typeof localDay> | undefined,
  { bucket, lead_ms }: Partial<Lead>,
  { query }: Pick<Sources, 'query'>,
): Promise<StoredForecast> {
  const { station, knownAt = Infinity } = asked;
  if (station === undefined || day === undefined) {
    throw new InvalidParameters([
      { parameter: 'forecast', message: 'is not given; give it in °F, or name a station' },
    ]);
  }
  const issued = await query(issuedFor(asked, target_date, Math.min(knownAt, day.begins_ms)), storedRow);
  const leadOf = ({ issued_ms }: StoredForecast): number => day.begins_ms - issued_ms;
  const distance = (each: StoredForecast): number => Math.abs(leadOf(each) - (lead_ms ?? 0));
  const [found] = issued
    .filter((each) => bucket === undefined || bucketOfLead(leadOf(each)) === bucket)
    .sort((a, b) => distance(a) - distance(b));
  if (found !== undefined) return found;
  const of = bucket === undefined ? '' : ` of ${bucket}`;
  const message = `is not given, and there is none${of} for ${station.station_id} and ${target_date} in the store; give one in °F`;
  throw new InvalidParameters([{ parameter: 'forecast', message }]);
}
