import type { KnownReports } from '../../queries/report-rows.js';
import { CERTAIN } from '../../statistics/brier.js';
import { DAY_MS, HOUR_MS } from '../../statistics/time/calendar.js';
import { HOURS_KNOWN_AFTER_MS } from '../../statistics/time/hour-of-day.js';

/** Windows of a station by the hours at which they end, from 1970-01-01, and 1 for a wet one. */
interface WindowOutcomes {
  hours: readonly number[];
  wet: readonly number[];
}

/** The outcomes of the windows that end at an hour of the day, UTC, as reports about UTC dates. */
export function outcomesByHour({ hours, wet }: WindowOutcomes): (hour: number) => KnownReports {
  const first = hours.reduce((min, hour) => Math.min(min, hour), Infinity);
  const last = hours.reduce((max, hour) => Math.max(max, hour), -Infinity);
  // One more than the outcome; 0 without one.
  const found = new Uint8Array(hours.length === 0 ? 0 : last - first + 1);
  for (const [at, hour] of hours.entries()) found[hour - first] = wet[at]! + 1;
  const known = new Map<number, KnownReports>();
  return (hour) => {
    const knownFrom = (day: number): number => day * DAY_MS + hour * HOUR_MS + HOURS_KNOWN_AFTER_MS;
    const reports = known.get(hour) ?? {
      firstDay: Math.floor(first / 24),
      knownFrom,
      known(day, moment_ms) {
        const outcome = found[24 * day + hour - first] ?? 0;
        return outcome === 0 || knownFrom(day) > moment_ms ? undefined : (outcome - 1) * CERTAIN;
      },
    };
    known.set(hour, reports);
    return reports;
  };
}
