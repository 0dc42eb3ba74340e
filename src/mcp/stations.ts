import { localTime } from '../statistics/time/calendar.js';

/** The one station of a question, and its present. */
export interface StationOfCall {
  station_id: string;
  city_name: string;
  timezone: string;
  /** Of its clocks, to the minute. */
  local_time: string;
}

export const stationOfCall = (
  { station_id, city_name, timezone }: Omit<StationOfCall, 'local_time'>,
  now: Date,
): StationOfCall => ({
  station_id,
  city_name,
  timezone,
  local_time: localTime(now, timezone).slice(0, 16),
});

export const todayAt = ({ local_time }: StationOfCall): string => local_time.slice(0, 10);

/** That a day is not ahead any more; undefined where it is, or where nobody knows. */
export const begun = (date: string, place: StationOfCall | undefined): string | undefined =>
  place === undefined || date > todayAt(place)
    ? undefined
    : `${date} has begun at the station, where it is ${place.local_time}`;
