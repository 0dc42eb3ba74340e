import { DateTime } from 'luxon';

/** The first and last day that a ClickHouse `Date`, and so the service, can hold. */
export const FIRST_DATE = '1970-01-01';
export const LAST_DATE = '2149-06-06';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Days are numbers here, in UTC: five sums of dates by a library were a tenth of what a cold request costs beside its query.

/** The number of a date, counted from 1970-01-01 = 0; NaN for a text that is no date. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** True for a real calendar date, written YYYY-MM-DD, within FIRST_DATE..LAST_DATE. */
export function isCalendarDate(text: string): boolean {
  // 2026-02-30 parses as the 2nd of March.
  return (
    text.length === 10 &&
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    text >= FIRST_DATE &&
    text <= LAST_DATE &&
    addDays(text, 0) === text
  );
}

/** The date `days` after a date (before it, when negative), both YYYY-MM-DD; may lie outside the range of the API. */
export function addDays(date: string, days: number): string {
  const ms = Date.parse(date) + days * DAY_MS;
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10);
}

/** The date of a day that counts from 1970-01-01; of one before, that date. */
export const formatDate = (day: number): string =>
  new Date(Math.max(0, day) * DAY_MS).toISOString().slice(0, 10);

/** The UTC date of an instant. */
export const dateAt = (instant_ms: number): string => new Date(instant_ms).toISOString().slice(0, 10);

/** An instant, Unix ms, as feeds have it: 2026-01-10T06:00:00Z. */
export const isoInstant = (instant_ms: number): string =>
  `${new Date(instant_ms).toISOString().slice(0, 19)}Z`;

/** A date, or the nearest one that there is. */
export const nearestDate = (date: string): string =>
  date < FIRST_DATE ? FIRST_DATE : date > LAST_DATE ? LAST_DATE : date;

/** Days from one date to another, both included: 1 when they are the same. */
export function daysInWindow(first: string, last: string): number {
  return dayNumber(last) - dayNumber(first) + 1;
}

/** The ISO day of the week of a date: 1 is Monday, 7 is Sunday. */
export function weekday(date: string): number {
  const sinceMonday = (dayNumber(date) + 3) % 7; // 1970-01-01 is a Thursday; before 1970 it is negative
  return ((sinceMonday + 7) % 7) + 1;
}

export const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const offsets = new Map<string, { slot: number; text: string; offsetMs: number }>();

/**
 * A moment in the local time of an IANA zone, with its UTC offset: 2026-01-10T06:00:00.000-06:00. Offsets change at
 * quarter hours only, so one lookup serves a quarter of an hour; a lookup per call took a third of a cached response's time.
 */
export function localTime(moment: Date, zone: string): string {
  const slot = Math.floor(moment.getTime() / QUARTER_HOUR_MS);
  let known = offsets.get(zone);
  if (known?.slot !== slot) {
    const local = DateTime.fromMillis(slot * QUARTER_HOUR_MS, { zone });
    if (!local.isValid) throw new RangeError(`${zone} is not a time zone`);
    const text = local.toISO().slice('2026-01-10T06:00:00.000'.length);
    known = { slot, text, offsetMs: local.offset * 60_000 };
    offsets.set(zone, known);
  }
  return new Date(moment.getTime() + known.offsetMs).toISOString().slice(0, -1) + known.text;
}
