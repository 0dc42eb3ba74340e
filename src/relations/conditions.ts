import { bind, NOTHING, sql, type Statement } from '../sql.js';

// Conditions over the columns that all tables of data have.

/** A run of target dates, YYYY-MM-DD, both included. */
export interface DateSpan {
  first_date: string;
  last_date: string;
}

/** The rows of these dates. */
export const ofDates = ({ first_date, last_date }: DateSpan): Statement =>
  sql`target_date BETWEEN ${bind({ first_date }, 'Date')} AND ${bind({ last_date }, 'Date')}`;

/** The last version that there can be. */
export const LATEST_VERSION = 2 ** 32 - 1;

/** The rows of a version of the data: those of the loads up to it (D31). */
export const ofVersion = (version: number = LATEST_VERSION): Statement =>
  sql`load_id <= ${bind({ version }, 'UInt32')}`;

/** One station, or some; all without. */
export type Stations = { station_id: string } | readonly { station_id: string }[] | undefined;

/** The rows of these stations, as a further condition. */
export function andOfStations(stations: Stations): Statement {
  if (stations === undefined) return NOTHING;
  if ('station_id' in stations)
    return sql` AND station_id = ${bind({ station_id: stations.station_id }, 'String')}`;
  const station_ids = stations.map(({ station_id }) => station_id);
  return sql` AND station_id IN ${bind({ station_ids }, 'Array(String)')}`;
}
