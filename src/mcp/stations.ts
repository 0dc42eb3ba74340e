import type { ApiAnswer } from '../answers/questions.js';
import { localTime } from '../statistics/time/calendar.js';

// The stations of the API, as tools name them.

export interface ListedStation {
  station_id: string;
  city_name: string;
  country: string;
  timezone: string;
  data_active: boolean;
  aliases: string[];
  external_ids: { iata: string };
}

export const folded = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** The kinds of names, in the order in which the API looks them up (D15). */
const KINDS: readonly ((station: ListedStation) => string[])[] = [
  ({ station_id }) => [station_id],
  ({ external_ids }) => [external_ids.iata].filter((code) => code !== ''),
  ({ city_name }) => [city_name],
  ({ aliases }) => aliases,
];

export const namesOfStation = (station: ListedStation): string[] => KINDS.flatMap((names) => names(station));

/** The one station of a question, and its present. */
export type StationOfCall = Pick<ListedStation, 'station_id' | 'city_name' | 'timezone'> & {
  /** Of its clocks, to the minute. */
  local_time: string;
};

/** The station that a name means; undefined where the API says that none or several have it, or for a list of them. */
export function stationOfCall({ data }: ApiAnswer, name: string, now: Date): StationOfCall | undefined {
  const wanted = folded(name);
  const matches = KINDS.map((names) =>
    (data as ListedStation[]).filter((station) => names(station).some((each) => folded(each) === wanted)),
  );
  const [found, another] = matches.find((stations) => stations.length > 0) ?? [];
  if (found === undefined || another !== undefined) return undefined;
  const { station_id, city_name, timezone } = found;
  return { station_id, city_name, timezone, local_time: localTime(now, timezone).slice(0, 16) };
}

export const todayAt = ({ local_time }: StationOfCall): string => local_time.slice(0, 10);

/** That a day is not ahead any more; undefined where it is, or where nobody knows. */
export const begun = (date: string, place: StationOfCall | undefined): string | undefined =>
  place === undefined || date > todayAt(place)
    ? undefined
    : `${date} has begun at the station, where it is ${place.local_time}`;
