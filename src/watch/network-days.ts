import { z } from 'zod';
import { numbers } from '../relations/long-lists.js';
import { medianWithout } from '../relations/sums.js';
import { bind, sql } from '../sql.js';
import type { Store } from '../store/store.js';

/** Days that one statement works out: 60 of 2,000 stations and 3 providers take 300 MB. */
const MOST_DAYS = 60;

/** The days, YYYY-MM-DD, whose pairs have changed since their rows were worked out. @param first_date the first of interest */
const staleDays = (first_date: string) => sql.rows(z.object({ target_date: z.string() }))`
  SELECT target_date
  FROM (
    SELECT target_date, max(load_id) AS changed
    FROM station_days
    WHERE target_date >= ${bind({ first_date }, 'Date')}
    GROUP BY target_date
  ) AS days
  LEFT JOIN (
    SELECT target_date, max(load_id) AS known
    FROM network_days
    GROUP BY target_date
  ) AS known USING target_date
  WHERE known < changed
  ORDER BY target_date`;

/** The forecast of a station day is the latest one issued before it began. A row without a provider marks a day as worked out. */
const addDays = (dates: readonly string[], load_id: number) => sql`
  INSERT INTO network_days (metric, provider, target_date, station_days, error, compared_days, departure, load_id)
  SELECT
    metric, provider, target_date, count() AS cases, sum(error) / cases, countIf(length(sorted) > 1) AS compared,
    sumIf(2 * error - ${medianWithout(sql`error`)}, length(sorted) > 1) / greatest(compared, 1) / 2,
    ${bind({ load_id }, 'UInt32')}
  FROM (
    SELECT
      metric, target_date, groupArray(provider) AS providers, groupArray(provider_error) AS errors,
      arraySort(errors) AS sorted
    FROM (
      SELECT
        metric, provider, station_id, target_date, sum(sign) AS stands,
        sum(sign * toInt64((arrayFirst((each, place) -> place != 0, latest, places) - actual) * 100)) AS provider_error
      FROM (
        SELECT
          metric, provider, station_id, target_date, sign, actual,
          arrayPopFront(latest_places) AS places, arrayPopFront(latest_forecasts) AS latest
        FROM station_days
        WHERE target_date IN ${bind({ dates }, 'Array(Date)')}
      )
      WHERE arraySum(places) != 0
      GROUP BY metric, provider, station_id, target_date
      HAVING stands != 0
    )
    GROUP BY metric, station_id, target_date
  )
  ARRAY JOIN providers AS provider, errors AS error
  GROUP BY metric, provider, target_date
  UNION ALL
  SELECT 'high', '', arrayJoin(${bind({ dates }, 'Array(Date)')}), 0, 0, 0, 0, ${bind({ load_id }, 'UInt32')}`;

/** By metric and provider, the days since `first_date` in order, with their columns. */
const networkDays = (first_date: string) => sql.rows(row)`
  SELECT
    metric, provider, groupArray(target_date - ${bind({ first_date }, 'Date')}) AS days,
    groupArray(station_days) AS station_days, groupArray(error) AS errors,
    groupArray(compared_days) AS compared_days, groupArray(departure) AS departures
  FROM (
    SELECT *
    FROM network_days
    WHERE target_date >= ${bind({ first_date }, 'Date')} AND provider != ''
      AND (target_date, load_id) IN (SELECT target_date, max(load_id) FROM network_days GROUP BY target_date)
    ORDER BY target_date
  )
  GROUP BY metric, provider
  ORDER BY metric, provider`;

const row = z.object({
  metric: z.enum(['high', 'low']),
  provider: z.string(),
  days: numbers,
  station_days: numbers,
  errors: numbers,
  compared_days: numbers,
  departures: numbers,
});

export type NetworkDays = z.infer<typeof row>;

/**
 * The days of the network, those worked out anew whose pairs have changed.
 * @param first_date YYYY-MM-DD, day 0
 * @returns undefined when no pair has changed
 */
export async function freshNetworkDays(
  store: Store,
  first_date: string,
  loadId: number,
): Promise<NetworkDays[] | undefined> {
  const stale = (await store.query(staleDays(first_date))).map(({ target_date }) => target_date);
  if (stale.length === 0) return undefined;
  for (let at = 0; at < stale.length; at += MOST_DAYS)
    await store.command(addDays(stale.slice(at, at + MOST_DAYS), loadId));
  return store.query(networkDays(first_date));
}
