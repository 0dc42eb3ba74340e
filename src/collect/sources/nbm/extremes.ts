import { DAY_MS } from '../../../statistics/time/calendar.js';
import type { StationPlace } from '../../source.js';
import { standardTime } from '../../standard-time.js';

// The extremes of the National Blend of Models in its texts. Each is of 18 hours, and stands at one hour of them.

const NOON = '2025-01-01T12:00:00Z';

/** Whether the blend has extremes of a station: one of the NWS, where 00Z and 12Z are hours of extremes. */
export const isInBlend = (place: StationPlace): boolean =>
  place.wfo !== '' && extremeAt(Date.parse(NOON), place) !== undefined;

/**
 * Which extreme of which date a time of the text stands for: the maximum at 00Z, the minimum at 12Z, of the date that it is
 * then in standard time. Both only where that is afternoon or early morning. On Guam it is 10 AM and 10 PM then. The
 * minimum stands at 00Z and the maximum at 12Z (the blend's own card of its text).
 */
export function extremeAt(
  valid_ms: number,
  { timezone }: StationPlace,
): { kind: 'high' | 'low'; date: string } | undefined {
  if (valid_ms % (DAY_MS / 2) !== 0) return undefined;
  const is00Z = valid_ms % DAY_MS === 0;
  const { date, hour } = standardTime(valid_ms, timezone);
  if (is00Z ? hour >= 13 && hour <= 20 : hour === 22) return { kind: 'high', date };
  if (is00Z ? hour === 10 : hour >= 1 && hour <= 9) return { kind: 'low', date };
  return undefined;
}
