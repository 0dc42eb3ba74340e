import type { PairQuery } from '../queries/conditions.js';
import { beginningsByZone, dayBeginnings, stationClocks } from '../queries/local-days.js';
import { formatDate } from '../statistics/time/calendar.js';
import type { Sources } from './endpoint.js';

/** When local days begin at a station, Unix ms. */
export type DayBegins = (station_id: string, day: number) => number;

/** Reads when some days begin at each station; both are included, from 1970-01-01. */
export async function readDayBegins(
  { asOf }: { asOf: PairQuery['asOf'] },
  days: { first: number; last: number },
  { query }: Pick<Sources, 'query'>,
): Promise<DayBegins> {
  const [first, last] = [Math.max(0, days.first - 1), days.last + 1];
  const window = { period_start: formatDate(first), period_end: formatDate(last) };
  const [stations, zones] = await Promise.all([
    query(stationClocks(asOf)),
    query(dayBeginnings({ window, asOf })),
  ]);
  const beginsOf = beginningsByZone(zones);
  const ofStation = new Map(stations.map((each) => [each.station_id, beginsOf(each)]));
  return (station_id, day) => ofStation.get(station_id)?.[day - first] ?? NaN;
}
