import { addDays, dateAt, HOUR_MS } from '../statistics/time/calendar.js';
import { localDay } from '../statistics/time/local-midnight.js';

/** The date of an instant in the standard time of a zone, and the hours since its midnight (D28). */
export function standardTime(instant_ms: number, timezone: string): { date: string; hour: number } {
  const utc = dateAt(instant_ms);
  for (const days of [-1, 0, 1]) {
    const date = addDays(utc, days);
    const { begins_ms, ends_ms } = localDay(date, timezone, 'standard');
    if (begins_ms <= instant_ms && instant_ms < ends_ms)
      return { date, hour: (instant_ms - begins_ms) / HOUR_MS };
  }
  // Where the date line moved over a place, a date is in no calendar of its own.
  return { date: utc, hour: NaN };
}
