import { z } from 'zod';
import { andOfStations, ofSources, ofVersion, ofWindow, type PairQuery } from '../queries/conditions.js';
import { sql } from '../queries/sql.js';
import { VARIABLES } from '../variables/variables.js';
import type { Window } from '../statistics/time/window.js';
import type { Sources } from './endpoint.js';
import type { ParamIssue } from './parameters.js';

// The limits and the metadata of a request with known_at.

type KnownParams = Pick<PairQuery, 'metric' | 'station' | 'asOf' | 'knownAt'> & { window: Window };

/** The longest window of all stations by their facts, in days: as much work as reconciling a month. */
const MAX_KNOWN_DAYS = 31;

/** The most station days of a window of some stations: those of 2,000 in the longest window of all. */
const MAX_KNOWN_STATION_DAYS = 2000 * MAX_KNOWN_DAYS;

const lateReports = (params: KnownParams) =>
  sql.rows(z.object({ late_reports: z.number() }))`
  SELECT count() AS late_reports
  FROM observations
  WHERE ${ofSources(params)} AND ${ofWindow(params.window)} AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}
    AND observed_at > toDateTime64(target_date, 3, 'UTC') + INTERVAL 7 DAY`;

/** The error of a request with known_at that needs too much. */
export function tooMuchKnown({ knownAt, station, window }: KnownParams): ParamIssue | undefined {
  if (knownAt === undefined) return undefined;
  const stations = [station ?? []].flat().length;
  const days = stations === 0 ? MAX_KNOWN_DAYS : Math.floor(MAX_KNOWN_STATION_DAYS / stations);
  if (window.days_analyzed <= days) return undefined;
  const fewer = stations === 0 ? 'name a station' : 'name fewer stations';
  const message = `reads every forecast and observation; ${fewer}, or ask for at most ${days} days instead of ${window.days_analyzed}`;
  return { parameter: 'known_at', message };
}

/** The metadata of a request with known_at. */
export async function readKnown(params: KnownParams, { query }: Pick<Sources, 'query'>) {
  if (params.knownAt === undefined) return undefined;
  // A report within the day is known from its instant on.
  if (VARIABLES[params.metric].period === 'hour') return { late_reports: 0 };
  const [found] = await query(lateReports(params), 'long');
  return { late_reports: found?.late_reports ?? 0 };
}
