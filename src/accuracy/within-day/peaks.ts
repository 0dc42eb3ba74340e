import type { RowOf } from '../../queries/sql.js';
import { sum } from '../../statistics/statistics.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import type { peaksOfDays } from './day-hours.js';

// At what time of the day the high (low) comes.

/** The timing of some days of a station, °F at full precision; nulls without days. */
export function peakTiming(days: readonly RowOf<typeof peaksOfDays>[], timezone: string) {
  const times = days
    .map(({ target_date, peak_ms }) => peak_ms - localDay(target_date, timezone, 'standard').begins_ms)
    // Before it shows the time of a clock: a civil day of the summer begins at 23:00 of standard time.
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms).toISOString().slice(11, 16));
  const median = times[Math.floor((times.length - 1) / 2)];
  const hours = times.map((time) => `${time.slice(0, 2)}:00`).sort();
  const computePercentage = (hour: string) =>
    (100 * hours.filter((each) => each === hour).length) / hours.length;
  return {
    sample_count: days.length,
    median_peak_hour: median === undefined ? null : Number.parseInt(median),
    median_peak_time_local: median ?? null,
    peak_time_distribution: Object.fromEntries(
      [...new Set(hours)].map((hour) => [hour, computePercentage(hour)]),
    ),
    share_by_hour: Array.from({ length: 24 }, (_, at) => {
      const known = days.filter(({ by_hour }) => by_hour[at] !== null);
      const rises = known.map(({ by_hour }) => by_hour.at(-1)! - by_hour[at]!);
      return {
        hour: at + 1,
        days: rises.length,
        share_reached: rises.filter((rise) => rise === 0).length / rises.length,
        mean_rise_f: rises.length === 0 ? null : sum(rises) / rises.length,
      };
    }),
  };
}
