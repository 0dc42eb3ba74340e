import { addDays, dateAt, DAY_MS, HOUR_MS } from './calendar.js';
import { changeWithin, civilOffset, listOffsets, type Offset } from './zone-offsets.js';

// Time zones and daylight saving: the instant at which a day begins at a station.

/** Where a station's calendar day begins: at local midnight, or at midnight of standard time all year (D28). */
export type DayBoundary = 'civil' | 'standard';

/** The instants, in milliseconds since 1970 UTC, at which a calendar day begins and ends in an IANA zone (D5). */
export function localDay(
  date: string,
  timezone: string,
  boundary: DayBoundary,
): { begins_ms: number; ends_ms: number } {
  return {
    begins_ms: localMidnight(date, timezone, boundary),
    ends_ms: localMidnight(addDays(date, 1), timezone, boundary),
  };
}

/** The calendar day that holds an instant, Unix ms, in an IANA zone, YYYY-MM-DD. */
export function dateIn(instant_ms: number, timezone: string, boundary: DayBoundary): string {
  const date = dateAt(instant_ms + civilOffset(timezone)(instant_ms));
  // The clocks may show a day that has not begun by standard time, or has ended where midnight comes twice.
  const { begins_ms, ends_ms } = localDay(date, timezone, boundary);
  return addDays(date, instant_ms < begins_ms ? -1 : instant_ms < ends_ms ? 0 : 1);
}

const MAX_MIDNIGHTS = 50_000;
const midnights = new Map<string, number>();

/**
 * The instant at which a calendar day begins in an IANA zone, in milliseconds since 1970 UTC (D5). Remembers midnights: the runtime
 * takes some 5 µs for each offset, and one day ends when the next begins.
 */
export function localMidnight(date: string, timezone: string, boundary: DayBoundary): number {
  const key = `${date} ${timezone} ${boundary}`;
  let instant = midnights.get(key);
  if (instant === undefined) {
    instant = midnight(date, (boundary === 'civil' ? civilOffset : standardOffset)(timezone));
    if (midnights.size >= MAX_MIDNIGHTS) midnights.clear();
    midnights.set(key, instant);
  }
  return instant;
}

/**
 * Where clocks jump over midnight the day begins with the jump; where midnight comes twice it begins at the first.
 * Computed from the offsets on both sides of the day: DateTime.fromISO guesses from the current offset, and errs by an
 * hour on days like 2011-09-25 in Pacific/Apia.
 */
function midnight(date: string, offset: Offset): number {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  // No zone is more than 16 hours from UTC, and none changes its clocks twice within these 32.
  const [before, after] = [utcMidnight - 16 * HOUR_MS, utcMidnight + 16 * HOUR_MS];
  const offsets = [offset(before), offset(after)] as const;
  if (offsets[0] === offsets[1]) return utcMidnight - offsets[0];
  const instants = offsets
    .map((ahead) => utcMidnight - ahead)
    .filter((instant, i) => offset(instant) === offsets[i]);
  // Where neither offset holds at its own midnight, the clocks jump over it at the instant where the offset changes.
  return instants.length > 0 ? Math.min(...instants) : changeWithin(before, after, offset);
}

/** A time without a change of clocks, and how far they are advanced for the summer in it. */
interface ClockPeriod {
  from: number;
  summerMs: number;
}

/** By zone and year: all years of a zone at once take 0.2 s. */
const clockPeriods = new Map<string, readonly ClockPeriod[]>();

/**
 * Standard time in Morocco is UTC+1 since then. In Ramadan its clocks go back for five weeks. The clocks alone look
 * like another standard time for three weeks, as in Argentina in 2004.
 */
const MOROCCO = { zones: /^africa\/(casablanca|el_aaiun)$/i, since: Date.UTC(2018, 9, 28, 2) };

/** The offset of a zone without its summer time. */
function standardOffset(timezone: string): Offset {
  const civil = civilOffset(timezone);
  const isMoroccan = MOROCCO.zones.test(timezone);
  return (instant) => {
    if (isMoroccan && instant >= MOROCCO.since) return HOUR_MS;
    const year = new Date(instant).getUTCFullYear();
    const key = `${timezone} ${year}`;
    let periods = clockPeriods.get(key);
    if (periods === undefined) clockPeriods.set(key, (periods = clockPeriodsAround(year, civil)));
    return civil(instant) - (periods.findLast(({ from }) => from <= instant) ?? { summerMs: 0 }).summerMs;
  };
}

/** The longest time that counts as a summer: clocks of the United States were advanced for 294 days in 1974. */
const LONGEST_SUMMER_MS = 300 * DAY_MS;

/**
 * JavaScript does not tell summer time from standard time, but the clocks show it: an advance that is taken back within 300
 * days is summer time; one that stays is another standard time, as in Moscow in 2011. So Dublin has standard time in
 * winter, whatever its law calls it, and so had Namibia until 2017. A jump by 24 hours over the date line changes no
 * clock. So the days of a year depend on the changes within the longest summer of them.
 */
function clockPeriodsAround(year: number, civil: Offset): ClockPeriod[] {
  const face: Offset = (instant) => ((civil(instant) % DAY_MS) + DAY_MS) % DAY_MS;
  const week = 7 * DAY_MS;
  const first = Math.floor((Date.UTC(year) - LONGEST_SUMMER_MS) / week) * week - week;
  const changes = listOffsets(face, first, Date.UTC(year + 1) + LONGEST_SUMMER_MS);
  return changes.map(({ from_ms: from, offset_ms: shows }, i) => {
    const [before, after] = [changes[i - 1], changes[i + 1]];
    const isShort = after !== undefined && after.from_ms - from < LONGEST_SUMMER_MS;
    if (before === undefined || !isShort) return { from, summerMs: 0 };
    const advances = [before, after].map((beside) => shortWay(shows - beside.offset_ms));
    return { from, summerMs: advances.every((advance) => advance > 0) ? (advances[1] ?? 0) : 0 };
  });
}

/** How far a clock moved, forward or back by less than half a day, to show so much more. */
function shortWay(difference: number): number {
  return ((difference + 1.5 * DAY_MS) % DAY_MS) - 0.5 * DAY_MS;
}
