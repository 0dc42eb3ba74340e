import { bind, NOTHING, raw, sql, type Statement } from '../../queries/sql.js';
import { addDays, dayNumber, FIRST_DATE, LAST_DATE, nearestDate } from '../../statistics/time/calendar.js';
import type { Window } from '../../statistics/time/window.js';
import type { KnownReports } from '../../queries/report-rows.js';

// Forecasts without skill, each made of what had been reported when the forecast that it stands beside was issued.
// A reference is a temperature, so it is kept to 0.01 °F like all of them: sums of its errors are whole numbers.

export const REFERENCES = ['persistence', 'climatology'] as const;
export type ReferenceName = (typeof REFERENCES)[number];

/** The forecast of a reference. */
export interface ReferenceForecast {
  hundredths: number;
  /** How far before the target date its days are, on average; undefined for other years. */
  lagDays?: number;
  /** Set for a normal that was loaded. */
  isNormal?: true;
}

/**
 * The forecast of a day that a station's reports allow at a moment.
 * @param target the day, counted from 1970-01-01
 * @returns undefined where too little had been reported
 */
export type Reference = (
  reports: KnownReports,
  target: number,
  issued_ms: number,
) => ReferenceForecast | undefined;

/** How far back persistence looks, days. */
const LOOK_BACK_DAYS = 60;

/** The latest day before the target date that had been reported, of the last 60. */
const persistence: Reference = (reports, target, issued_ms) => {
  for (let lagDays = 1; lagDays <= LOOK_BACK_DAYS; lagDays += 1) {
    const hundredths = reports.known(target - lagDays, issued_ms);
    if (hundredths !== undefined) return { hundredths, lagDays };
  }
  return undefined;
};

/** How far from a day of the year climatology reaches, days. */
const SEASON_DAYS = 7;

/** As climatological normals. */
const MAX_YEARS = 30;
const MIN_YEARS = 3;
const MIN_VALUES = 30;

/**
 * The mean of the station's own values of the days around the same day of the 30 years before: at least 30 of at least
 * three years. Days of the year are those of a year of 365; 29 February lies between its neighbours.
 */
function climatology(): Reference {
  const known = new Map<number, Int32Array[]>();
  // The forecasts of a case follow each other, and its other years are known before all of them.
  let last:
    { reports: KnownReports; target: number; known_ms: number; found?: ReferenceForecast } | undefined;
  return (reports, target, issued_ms) => {
    if (last?.reports === reports && last.target === target && last.known_ms <= issued_ms) return last.found;
    let seasons = known.get(target);
    if (seasons === undefined) known.set(target, (seasons = seasonsBefore(target)));
    let [years, count, total, known_ms] = [0, 0, 0, -Infinity];
    for (const days of seasons) {
      if (days[days.length - 1]! < reports.firstDay) break;
      const before = count;
      for (const day of days) {
        known_ms = Math.max(known_ms, reports.knownFrom(day));
        const hundredths = reports.known(day, issued_ms);
        if (hundredths === undefined) continue;
        count += 1;
        total += hundredths;
      }
      if (count > before) years += 1;
    }
    const isEnough = years >= MIN_YEARS && count >= MIN_VALUES;
    const found = isEnough ? { hundredths: wholeMean(total, count) } : undefined;
    last = known_ms <= issued_ms ? { reports, target, known_ms, ...(found && { found }) } : undefined;
    return found;
  };
}

/** By year, from the last: the days that are at most SEASON_DAYS from the same day of the year. */
export function seasonsBefore(target: number): Int32Array[] {
  const seasons: Int32Array[] = [];
  places ??= placesOfDays();
  const getPlace = (day: number): number => places![day]!;
  const place = getPlace(target);
  for (let years = 1; years <= MAX_YEARS; years += 1) {
    const near = target - Math.round(years * 365.2425);
    if (near < 0) break;
    const days = Array.from({ length: 2 * SEASON_DAYS + 5 }, (_, at) => near - SEASON_DAYS - 2 + at);
    seasons.push(
      Int32Array.from(
        days.filter((day) => day >= 0 && Math.abs(getPlace(day) + 365 * years - place) <= SEASON_DAYS),
      ),
    );
  }
  return seasons;
}

/**
 * By day: days since the year 0 in years of 365 days; 29 February is half a day behind the 28th. Made once for the process:
 * a request asks 200,000 times, and read out of the text of a date each takes a microsecond.
 */
let places: Float64Array | undefined;

function placesOfDays(): Float64Array {
  const found = new Float64Array(dayNumber(LAST_DATE) + 1);
  let day = 0;
  for (let year = Number(FIRST_DATE.slice(0, 4)); day < found.length; year += 1) {
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    for (let ofYear = 1; ofYear <= (isLeap ? 366 : 365) && day < found.length; ofYear += 1) {
      const inCommonYear = !isLeap || ofYear < 60 ? ofYear : ofYear === 60 ? 59.5 : ofYear - 1;
      found[day] = 365 * year + inCommonYear;
      day += 1;
    }
  }
  return found;
}

/** A mean of hundredths, half away from zero. */
export function wholeMean(total: number, count: number): number {
  return (total < 0 ? -1 : 1) * Math.floor((2 * Math.abs(total) + count) / (2 * count));
}

/** A reference, for one response: it keeps what it works out of the calendar. */
export function getReference(name: ReferenceName): Reference {
  return name === 'persistence' ? persistence : climatology();
}

/**
 * The days whose reports a reference needs for those of a window; with a margin, only those that are at most so many days
 * from the days of the window in another year.
 */
export function computeReach(name: ReferenceName, { period_start, period_end }: Days): Reach {
  if (name !== 'climatology') {
    return between(addDays(period_start, -LOOK_BACK_DAYS), addDays(period_end, -1));
  }
  // The seasons of earlier years, and some days more on both sides for leap years.
  return {
    ...between(addDays(period_start, -366 * MAX_YEARS), addDays(period_end, -350)),
    season_margin: SEASON_DAYS + 3,
  };
}

type Days = Pick<Window, 'period_start' | 'period_end'>;
interface Reach {
  reports_from: string;
  reports_to: string;
  season_margin?: number;
}

const between = (from: string, to: string): Reach => ({
  reports_from: nearestDate(from),
  reports_to: nearestDate(to),
});

/** The days that a reference needs, as a condition. @param day a date, as an expression */
export function daysOfReference(name: ReferenceName, window: Days, day = sql`target_date`): Statement {
  const { reports_from, reports_to, season_margin } = computeReach(name, window);
  const inSeason = (margin: number): Statement => {
    const first_day = dayNumber(window.period_start);
    const reach = dayNumber(window.period_end) + 1 - first_day + 2 * margin;
    return sql` AND positiveModulo(toInt32(toUInt16(${day})) - ${bind({ first_day }, 'Int32')} + ${raw(`${margin}`)}, 365.2425)
      <= ${bind({ reach }, 'Int32')}`;
  };
  return sql`${day} BETWEEN ${bind({ reports_from }, 'Date')} AND ${bind({ reports_to }, 'Date')}${
    season_margin === undefined ? NOTHING : inSeason(season_margin)
  }`;
}
