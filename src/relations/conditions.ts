import { bind, NOTHING, raw, sql, type Statement } from '../sql.js';
import { OF_VERSION, STATIONS_OF_VERSION } from './facts.js';

/** The facts of a version of the data (D31), of the stations that it has. */
export const factsOfVersion = (version: number): Statement =>
  raw(`${OF_VERSION} AND station_id IN (SELECT station_id FROM ${STATIONS_OF_VERSION})`, { version });

/** A further condition: the rows of these stations; of all if none are given. */
export const ofStations = (station_ids: readonly string[] | undefined): Statement =>
  station_ids === undefined ? NOTHING : sql` AND station_id IN ${bind({ station_ids }, 'Array(String)')}`;

/** The same for one station. */
export const ofStation = (station: { station_id: string } | undefined): Statement =>
  station === undefined
    ? NOTHING
    : sql` AND station_id = ${bind({ station_id: station.station_id }, 'String')}`;
