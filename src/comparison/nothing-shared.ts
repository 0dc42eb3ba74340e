import { z } from 'zod';
import { ofProviders, type PairQuery } from '../queries/conditions.js';
import { stationDays } from '../queries/station-days.js';
import { fromWhere } from '../queries/relation.js';
import { sql } from '../queries/sql.js';
import { addDays } from '../statistics/time/calendar.js';

// Why nothing is compared, with the way out.

/** A provider that has stopped is looked for in so many days before the window: a request reads no more than that for a hint. */
const DAYS_BEFORE = 366;

const row = z.object({ provider: z.string(), last_day: z.iso.date() });

/** The last observed day of each provider that has a forecast of it, in the window or in a year before it. */
export function lastDays(params: PairQuery) {
  const { period_start, period_end } = params.window;
  const window = { period_start: addDays(period_start, -DAYS_BEFORE), period_end };
  return sql.rows(row)`
  SELECT provider, max(target_date) AS last_day
  FROM (
    SELECT provider, station_id, target_date
    ${fromWhere(stationDays({ ...params, window }, ofProviders(params)), sql`notEmpty(lead_ms)`)}
    GROUP BY provider, station_id, target_date
    HAVING sum(sign) != 0
  )
  GROUP BY provider`;
}

/**
 * Why no station day has forecasts of two providers: the providers without any in the window are named, with their last day.
 * Other lead times are only advised where two providers have forecasts, and the request leaves lead times out.
 * @param found the rows of lastDays()
 */
export function explainNothingShared(
  { provider, window, leadTimes, issuedHours }: PairQuery,
  groups: readonly string[],
  found: readonly z.infer<typeof row>[],
): string {
  const { names = [provider.name] } = provider;
  const issued = issuedHours === undefined ? '' : ' issued in these hours';
  const silent = names.flatMap((name) => {
    const last = found.find((each) => each.provider === name)?.last_day;
    if (last !== undefined && last >= window.period_start) return [];
    const before = last === undefined ? `none in the ${DAYS_BEFORE} days before` : `its last is for ${last}`;
    return [`${name} has no forecast${issued} of an observed day in the window, and ${before}`];
  });
  const nothing = 'No station day of the window has forecasts of two providers';
  if (names.length < 2) return `${nothing}: ${names.join()} is the only provider`;
  if (names.length - silent.length < 2) return `${nothing}: ${silent.join('; ')}`;
  const all = [`${nothing} in ${leadTimes.buckets.join(', ')}`, ...silent].join('; ');
  if (leadTimes.leads === 'all') return all;
  const shown = groups.includes('lead_time_bucket')
    ? ''
    : 'group_by=lead_time_bucket shows which lead times have them, and ';
  return `${all}: ${shown}lead=0 without lead_time_bucket takes all`;
}
