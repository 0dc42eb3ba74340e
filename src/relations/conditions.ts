import { bind, NOTHING, sql, type Statement } from '../sql.js';
import { ofVersion, stationsOfVersion } from './facts.js';

/** A run of target dates, YYYY-MM-DD, both included. */
export interface DateSpan {
  first_date: string;
  last_date: string;
}

/** The rows of these dates. */
export const ofDates = ({ first_date, last_date }: DateSpan): Statement =>
  sql`target_date BETWEEN ${bind({ first_date }, 'Date')} AND ${bind({ last_date }, 'Date')}`;

/** The facts of a version of the data (D31), of the stations that it has. */
export const factsOfVersion = (version: number): Statement =>
  sql`${ofVersion(version)} AND station_id IN (SELECT station_id FROM ${stationsOfVersion(version)})`;

/** A further condition: the rows of these stations; of all if none are given. */
export const ofStations = (station_ids: readonly string[] | undefined): Statement =>
  station_ids === undefined ? NOTHING : sql` AND station_id IN ${bind({ station_ids }, 'Array(String)')}`;

/** The same for one station. */
export const ofStation = (station: { station_id: string } | undefined): Statement =>
  station === undefined
    ? NOTHING
    : sql` AND station_id = ${bind({ station_id: station.station_id }, 'String')}`;
