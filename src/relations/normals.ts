import { z } from 'zod';
import { raw, sql, type Statement } from '../sql.js';
import { OF_VERSION } from './facts.js';
import type { Bindings } from './histograms.js';
import { OF_STATIONS, type Scope } from './station-days.js';
import { numbers } from './long-lists.js';
import { DAY_MS } from '../statistics/time/calendar.js';
import { type Reference, wholeMean } from '../statistics/comparison/references.js';

// Climatological normals as they were loaded (D34): the mean of decades, known before any forecast is issued.

/** The normals of each station by day of the year, MMDD as a number: 101 to 1231. */
export const normalsOf = (scope: Scope, bound: Bindings): Statement => sql`
  SELECT
    station_id, groupArray(toUInt16(replaceOne(month_day, '-', ''))) AS month_days,
    groupArray(toInt64(latest_f * 100)) AS hundredths
  FROM (
    SELECT station_id, month_day, argMax(normal, load_id) AS latest_f
    FROM normals
    WHERE ${raw(`metric = {metric: String} AND ${OF_VERSION}${OF_STATIONS[scope]}`, bound)}
    GROUP BY station_id, month_day
    HAVING NOT argMax(withdrawn, load_id)
  )
  GROUP BY station_id`;

export const normalsRow = z.object({ station_id: z.string(), month_days: numbers, hundredths: numbers });

type NormalsRow = Omit<z.infer<typeof normalsRow>, 'station_id'>;

const LEAP_DAY = 229;

/** A reference that is the station's normal of a day that has one, and else what it was. */
export function orNormal(reference: Reference, row: NormalsRow | undefined): Reference {
  if (row === undefined) return reference;
  const normals = new Map(row.month_days.map((day, at) => [day, row.hundredths[at]!]));
  const [before, after] = [normals.get(LEAP_DAY - 1), normals.get(301)];
  if (!normals.has(LEAP_DAY) && before !== undefined && after !== undefined)
    normals.set(LEAP_DAY, wholeMean(before + after, 2));
  return (reports, target, issued_ms) => {
    const date = new Date(target * DAY_MS);
    const hundredths = normals.get(100 * (date.getUTCMonth() + 1) + date.getUTCDate());
    return hundredths === undefined ? reference(reports, target, issued_ms) : { hundredths, isNormal: true };
  };
}
