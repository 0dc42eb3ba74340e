import { IANAZone } from 'luxon';

const HOUR_MS = 3_600_000;

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
