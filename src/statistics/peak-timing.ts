import { z } from 'zod';
import { percentage, share, sum } from './statistics.js';
import { DAY_MS, HOUR_MS } from './time/calendar.js';
import { localDay } from './time/local-midnight.js';

// At what time of the day the high (low) comes (D58).

/**
 * A day with enough reports: the highest (lowest) °F known at the end of each of its hours, null where too few were reported
 * by then, and when it was reported first.
 */
export const peakRow = z.object({
  target_date: z.string(),
  by_hour: z.array(z.number().nullable()),
  peak_ms: z.number(),
});

export type PeakDay = z.infer<typeof peakRow>;

const DAY_MINUTES = DAY_MS / 60_000;

/** A minute of the day as 14:51. */
const clockText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((each) => `${each}`.padStart(2, '0')).join(':');

/** The timing of some days of a station, °F at full precision; of none, nulls (D10). */
export function peakTiming(days: readonly PeakDay[], timezone: string) {
  // A civil day of the summer begins at 23:00 of standard time: such a minute is before all others of its day.
  const minutes = days
    .map(({ target_date, peak_ms }) =>
      Math.floor((peak_ms - localDay(target_date, timezone, 'standard').begins_ms) / 60_000),
    )
    .sort((a, b) => a - b);
  const ofClock = minutes.map((each) => (each + DAY_MINUTES) % DAY_MINUTES);
  const median = ofClock[Math.floor((minutes.length - 1) / 2)];
  const hours = ofClock.map((each) => Math.floor(each / 60));
  return {
    sample_count: days.length,
    median_peak_hour: median === undefined ? null : Math.floor(median / 60),
    median_peak_time_local: median === undefined ? null : clockText(median),
    peak_time_distribution: Object.fromEntries(
      [...new Set(hours)]
        .sort((a, b) => a - b)
        .map((hour) => [
          clockText(60 * hour),
          percentage(hours.filter((each) => each === hour).length, days.length)!,
        ]),
    ),
    share_by_hour: Array.from({ length: DAY_MS / HOUR_MS }, (_, at) => {
      const known = days.filter(({ by_hour }) => by_hour[at] !== null);
      const rises = known.map(({ by_hour }) => by_hour.at(-1)! - by_hour[at]!);
      return {
        hour: at + 1,
        days: rises.length,
        share_reached: share(rises.filter((rise) => rise === 0).length, rises.length),
        mean_rise_f: rises.length === 0 ? null : sum(rises) / rises.length,
      };
    }),
  };
}
