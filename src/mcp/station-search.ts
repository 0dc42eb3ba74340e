import { localTime } from '../statistics/time/calendar.js';
import { dateIn, type DayBoundary } from '../statistics/time/local-midnight.js';

/** The one station of a request, and its present. */
export interface StationOfCall {
  station_id: string;
  city_name: string;
  timezone: string;
  /** The time of its clocks, to the minute. */
  local_time: string;
  /** Its day (D28), which may run by standard time. */
  today: string;
}

export const stationOfCall = (
  {
    station_id,
    city_name,
    timezone,
    day_boundary,
  }: Omit<StationOfCall, 'local_time' | 'today'> & { day_boundary: DayBoundary },
  now: Date,
): StationOfCall => ({
  station_id,
  city_name,
  timezone,
  local_time: localTime(now, timezone).slice(0, 16),
  today: dateIn(now.getTime(), timezone, day_boundary),
});

/** A sentence for a day that is not ahead any more; undefined where it is, or without a station. */
export const started = (date: string, place: StationOfCall | undefined): string | undefined =>
  place === undefined || date > place.today
    ? undefined
    : `${date} has ${date < place.today ? 'ended' : 'begun'} at the station, where it is ${place.local_time}`;
