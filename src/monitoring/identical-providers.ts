import { z } from 'zod';
import { OF_TEMPERATURES } from '../queries/conditions.js';
import { bind, NOTHING, raw, sql, type Statement } from '../queries/sql.js';
import { addDays } from '../statistics/time/calendar.js';
import { ONE_SOURCE_HUNDREDTHS } from '../variables/units.js';
import type { Store } from '../store/store.js';
import type { Alarm } from './alarm.js';

// Two providers that are one: a source that is loaded under two names counts twice wherever providers are compared. Under one
// of them it may be in tenths of °C, which are up to 0.1 °F off.

/** The days that are compared, up to the last with a pair. */
const COMPARED_DAYS = 30;

/** Two providers that share fewer of these days may agree by chance: on whole degrees, one day in three. */
const MIN_SHARED_DAYS = 20;

/** Nearly all providers differ at any station: so many of each are looked at first, which takes a tenth of the time. */
const SAMPLED_STATIONS = 10;

const sampleOf = (days: Statement): Statement => sql`
        AND station_id IN (
          SELECT station_id
          FROM (SELECT DISTINCT provider, station_id FROM station_days WHERE ${days} ORDER BY provider, station_id LIMIT ${raw(`${SAMPLED_STATIONS}`)} BY provider)
        )`;

/**
 * Providers with the same latest forecasts before the day as another, or the same numbers in another unit. They are the same
 * on every station day that both have, highs and lows. `distance` is the largest difference, hundredths of a °F. The ledger is
 * netted by value: a row that is withdrawn takes away what it added.
 * @param last_day the last day with a pair, YYYY-MM-DD
 */
function identicalProviders(last_day: string, stations: 'sample' | 'all') {
  const days = sql`${OF_TEMPERATURES} AND target_date > ${bind({ day_before: addDays(last_day, -COMPARED_DAYS) }, 'Date')}`;
  return sql.rows(row)`
  SELECT
    pair.1.1 AS provider, pair.2.1 AS other, toUInt32(count()) AS forecasts,
    min(target_date) AS first_date, max(abs(toInt32((pair.1.2 - pair.2.2) * 100))) AS distance
  FROM (
    SELECT target_date, groupArray((provider, forecast)) AS latest
    FROM (
      SELECT
        metric, toString(station_days.provider) AS provider, station_id, target_date,
        arrayFirst((value, lead) -> lead >= 0, station_days.forecasts, lead_ms) AS forecast
      FROM station_days
      WHERE ${days} AND arrayExists(lead -> lead >= 0, lead_ms)${stations === 'all' ? NOTHING : sampleOf(days)}
      GROUP BY metric, provider, station_id, target_date, forecast
      HAVING sum(toInt64(sign)) > 0
    )
    GROUP BY metric, station_id, target_date
  )
  ARRAY JOIN arrayFlatten(
    arrayMap(each -> arrayMap(one -> (each, one), arrayFilter(one -> one.1 != each.1, latest)), latest)
  ) AS pair
  GROUP BY provider, other
  HAVING distance <= ${raw(`${ONE_SOURCE_HUNDREDTHS}`)} AND uniqExact(target_date) >= ${raw(`${MIN_SHARED_DAYS}`)}
  ORDER BY provider, distance, other
  LIMIT 1 BY provider`;
}

const row = z.object({
  provider: z.string(),
  other: z.string(),
  forecasts: z.number(),
  first_date: z.iso.date(),
  distance: z.number(),
});

const makeIdenticalAlarm = ({
  provider,
  other,
  forecasts,
  first_date,
  distance,
}: z.infer<typeof row>): Alarm => ({
  kind: 'identical',
  provider,
  station_id: null,
  metric: null,
  since: first_date,
  message:
    `${provider}: the same values as ${other}${distance === 0 ? '' : `, to ${distance / 100} °F,`} in all ${forecasts} common forecasts of the last ` +
    `${COMPARED_DAYS} days; it may be one source under two names${distance === 0 ? '' : ', one of them in other degrees'}`,
});

/** An alarm of each provider that equals another. */
export async function identicalAlarms(store: Pick<Store, 'query'>, last_day: string): Promise<Alarm[]> {
  const sampled = await store.query(identicalProviders(last_day, 'sample'));
  if (sampled.length === 0) return [];
  return (await store.query(identicalProviders(last_day, 'all'))).map(makeIdenticalAlarm);
}
