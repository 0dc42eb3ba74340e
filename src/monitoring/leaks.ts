import { METRICS } from '../variables/variables.js';
import { z } from 'zod';
import { OF_TEMPERATURES } from '../queries/conditions.js';
import { bind, raw, sql } from '../queries/sql.js';
import { addDays } from '../statistics/time/calendar.js';
import { ONE_SOURCE_HUNDREDTHS } from '../variables/units.js';
import type { Store } from '../store/store.js';
import type { Alarm } from './alarm.js';

// Forecasts that know the observation (a data leak): observations loaded as forecasts, or an `issued_at` that was made up.
// A blend gives such a provider nearly all of its weight.

/** The days that are looked at, up to the last with a pair. */
const LOOKED_AT_DAYS = 30;

/** Fewer days may all be right by chance where the weather hardly changes. */
const MIN_DAYS = 20;

/**
 * The share of right forecasts that no provider reaches. Real ones are right in 2 to 18% of cases; the best station of over 170
 * was right on 57% of 30 days (US National Weather Service, MOS and Open-Meteo).
 */
const MIN_SHARE = 0.98;

/** Where the observation stays the same on so many days, whoever repeats yesterday is right: on 60% of 30 days at one of 164 stations. */
const MAX_UNCHANGED = 0.5;

/** The latest forecasts before the day, of a provider and metric. */
export interface RightForecasts {
  /** Target dates. */
  days: number;
  cases: number;
  /** The cases in which the forecast is the observation, maybe in tenths of °C. */
  right: number;
  /** The cases with an earlier day of their station. */
  steps: number;
  /** The steps with the same observation as on the day before. */
  unchanged: number;
}

/** Whether forecasts are right too often to be forecasts. */
export const isLeak = ({ days, cases, right, steps, unchanged }: RightForecasts): boolean =>
  days >= MIN_DAYS && right >= MIN_SHARE * cases && unchanged < MAX_UNCHANGED * steps;

/**
 * How often the latest forecasts before the day are right, of each provider and metric. The ledger is netted by value: a row
 * that is withdrawn takes away what it added.
 * @param last_day the last day with a pair, YYYY-MM-DD
 */
const rightForecasts = (last_day: string) => sql.rows(row)`
  SELECT
    provider, metric, minArray(days.1) AS first_date, toUInt32(uniqExactArray(days.1)) AS days_count,
    toUInt32(sum(length(days))) AS cases, toUInt32(sum(arraySum(days.3))) AS right,
    toUInt32(sum(length(days) - 1)) AS steps,
    toUInt32(sum(countEqual(arrayPopFront(arrayDifference(days.2)), 0))) AS unchanged
  FROM (
    SELECT provider, metric, arraySort(groupArray((target_date, actual_hundredths, is_right))) AS days
    FROM (
      SELECT
        toString(station_days.provider) AS provider, metric, station_id, target_date, toInt32(actual * 100) AS actual_hundredths,
        abs(toInt32(arrayFirst((value, lead) -> lead >= 0, forecasts, lead_ms) * 100) - actual_hundredths)
          <= ${raw(`${ONE_SOURCE_HUNDREDTHS}`)} AS is_right
      FROM station_days
      WHERE target_date > ${bind({ day_before: addDays(last_day, -LOOKED_AT_DAYS) }, 'Date')}
        AND ${OF_TEMPERATURES} AND arrayExists(lead -> lead >= 0, lead_ms)
      GROUP BY provider, metric, station_id, target_date, actual_hundredths, is_right
      HAVING sum(toInt64(sign)) > 0
    )
    GROUP BY provider, metric, station_id
  )
  GROUP BY provider, metric
  ORDER BY provider, metric`;

const row = z
  .object({
    provider: z.string(),
    metric: z.enum(METRICS),
    first_date: z.iso.date(),
    days_count: z.number(),
    cases: z.number(),
    right: z.number(),
    steps: z.number(),
    unchanged: z.number(),
  })
  .transform(({ days_count: days, ...rest }) => ({ ...rest, days }));

/** An alarm of each provider and metric with forecasts that know the observation. @throws what the store throws */
export async function leakAlarms(store: Pick<Store, 'query'>, last_day: string): Promise<Alarm[]> {
  const rows = await store.query(rightForecasts(last_day));
  return rows.filter(isLeak).map(({ provider, metric, first_date, cases, right }): Alarm => ({
    kind: 'leak',
    provider,
    station_id: null,
    metric,
    since: first_date,
    message:
      `${provider}: ${right} of ${cases} forecasts made before the day equal the observed ${metric} in the last ` +
      `${LOOKED_AT_DAYS} days; they may be observations, so check where they and their issued_at come from`,
  }));
}
