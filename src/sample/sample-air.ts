import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import { normal } from './weather.js';

// Wind and dew point of the sample at hours, and forecasts of both.

/** The stations with forecasts of hours, and with wind and dew points: few, so that the demo starts in hardly more time. */
export const HOURLY_STATIONS: readonly string[] = ['KORD', 'KDEN', 'KJFK', 'EGLL', 'VIDP', 'NZAA'];

/** A standard normal number that passes from day to day, and turns a little in each hour. */
function drift(id: string, purpose: string, ms: number): number {
  const [day, hour] = [Math.floor(ms / DAY_MS), Math.round(ms / HOUR_MS)];
  const share = ms / DAY_MS - day;
  const slow = (1 - share) * normal(id, purpose, day) + share * normal(id, purpose, day + 1);
  return slow + 0.3 * normal(id, `${purpose} of hour`, hour);
}

/** Whole knots, most of them below 10 and a few above 25; less than 3 is calm. */
const toKnots = (wind: number): number => (wind < 3 ? 0 : Math.round(wind));

/**
 * The dew point and the wind at an instant, as feeds have them: °F and kt.
 * @param off standard deviations by which a forecast of the dew point and of the wind is wrong; 0 is what was observed
 */
export function writeAir(
  id: string,
  ms: number,
  degrees: number,
  off: readonly [dew: number, wind: number],
): string {
  const depression = Math.exp(2 + 0.6 * drift(id, 'dew point', ms)) + 2 * off[0];
  const dew = Math.round(10 * (degrees - Math.max(0, depression))) / 10;
  // Rounded up, it would be above its temperature.
  const written = Math.min(dew, Math.round(10 * degrees) / 10) + 0;
  return `${written.toFixed(1)},${toKnots(8 * Math.exp(0.5 * drift(id, 'wind', ms) + 0.15 * off[1]))}`;
}
