import { DateTime } from 'luxon';

/**
 * The instant, in milliseconds since 1970 UTC, at which a calendar day begins in an IANA zone (D5). Where clocks jump
 * over midnight the day begins with the jump; where midnight comes twice it begins at the first.
 */
export function localMidnight(date: string, timezone: string): number {
  const midnight = DateTime.fromISO(date, { zone: timezone });
  return Math.min(...midnight.getPossibleOffsets().map((possible) => possible.toMillis()));
}
