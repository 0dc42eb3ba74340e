import { DAY_MS } from '../../statistics/time/calendar.js';
import type { Derived } from '../../variables/variables.js';
import { compile } from '../../variables/expression.js';
import { type Reference, wholeMean } from './references.js';

// Normals of the days of a year. A leap day without one has the mean of its neighbours.

/** The normals of a station by day of the year, MMDD as a number: 101 to 1231. */
type NormalsRow = Record<'month_days' | 'hundredths', readonly number[]>;

const LEAP_DAY = 229;

/** The normals of a station by day of the year, hundredths of a °F. */
type Normals = ReadonlyMap<number, number>;

export function normalsByDay(row: NormalsRow | undefined): Normals {
  const normals = new Map(row?.month_days.map((day, at) => [day, row.hundredths[at]!]));
  const [before, after] = [normals.get(LEAP_DAY - 1), normals.get(301)];
  if (!normals.has(LEAP_DAY) && before !== undefined && after !== undefined)
    normals.set(LEAP_DAY, wholeMean(before + after, 2));
  return normals;
}

/** The normals of a variable that follows from two others, of the days that both have. */
export function derivedNormals(highs: Normals, lows: Normals, { value }: Derived): Normals {
  const compute = compile(value);
  return new Map(
    [...highs].flatMap(([day, high]) => {
      const low = lows.get(day);
      return low === undefined ? [] : [[day, compute(high, low)] as const];
    }),
  );
}

/** A reference that is the station's normal of a day that has one, and else what it was. */
export function orNormal(reference: Reference, normals: Normals): Reference {
  if (normals.size === 0) return reference;
  return (reports, target, issued_ms) => {
    const date = new Date(target * DAY_MS);
    const hundredths = normals.get(100 * (date.getUTCMonth() + 1) + date.getUTCDate());
    return hundredths === undefined ? reference(reports, target, issued_ms) : { hundredths, isNormal: true };
  };
}
