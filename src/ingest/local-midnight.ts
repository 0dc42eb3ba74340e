import { IANAZone } from 'luxon';
import { addDays } from '../accuracy/calendar.js';

const HOUR_MS = 3_600_000;

/** Where a station's calendar day begins: at local midnight, or at midnight of standard time all year (D28). */
export type DayBoundary = 'civil' | 'standard';

/** The instants, in milliseconds since 1970 UTC, at which a calendar day begins and ends in an IANA zone. */
export function localDay(
  date: string,
  timezone: string,
  boundary: DayBoundary,
): { begins_ms: number; ends_ms: number } {
  const begins = boundary === 'civil' ? localMidnight : standardMidnight;
  return { begins_ms: begins(date, timezone), ends_ms: begins(addDays(date, 1), timezone) };
}

/**
 * The instant, in milliseconds since 1970 UTC, at which a calendar day begins in an IANA zone (D5). Where clocks jump
 * over midnight the day begins with the jump; where midnight comes twice it begins at the first. Worked out from the
 * offsets on both sides of the day: DateTime.fromISO guesses from today's offset, and errs by an hour on days like
 * 2011-09-25 in Pacific/Apia.
 */
export function localMidnight(date: string, timezone: string): number {
  const zone = IANAZone.create(timezone);
  const offsetMs = (instant: number): number => zone.offset(instant) * 60_000;
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  // No zone is more than 16 hours from UTC, and none changes its clocks twice within these 32.
  let before = utcMidnight - 16 * HOUR_MS;
  let after = utcMidnight + 16 * HOUR_MS;
  const offsets = [offsetMs(before), offsetMs(after)];
  const midnights = offsets
    .map((offset) => utcMidnight - offset)
    .filter((instant, i) => offsetMs(instant) === offsets[i]);
  if (midnights.length > 0) return Math.min(...midnights);
  // Neither offset holds at its own midnight: the clocks jump over it, at the instant where the offset changes.
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (offsetMs(middle) === offsets[0]) before = middle;
    else after = middle;
  }
  return after;
}

/** Midnight of the standard time of a zone, by the offset that it has at some time of the half year around a date. */
export function standardMidnight(date: string, timezone: string): number {
  const zone = IANAZone.create(timezone);
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  const offsets = [-182, 0, 182].map((days) => zone.offset(utcMidnight + days * 24 * HOUR_MS));
  return utcMidnight - Math.min(...offsets) * 60_000;
}
