import { addDays, HOUR_MS, MINUTE_MS } from '../../statistics/time/calendar.js';
import { localMidnight } from '../../statistics/time/local-midnight.js';
import type { StationFact } from '../../feeds/stations.js';
import { Rejection } from '../../feeds/values.js';

/** How far ahead of the load's clock a forecast may be issued, a temperature measured or a day reported: clocks differ, by minutes. */
const AHEAD_MS = HOUR_MS;

/** No zone is farther from UTC. */
const FARTHEST_ZONE_MS = 16 * HOUR_MS;

/**
 * Checks rows against the time of a load: a forecast is not issued, a temperature not measured, nor a day reported or verified,
 * in advance.
 */
export class LoadClock {
  readonly #nowMs: number;

  /** The latest instant that is not ahead of the clock, in UTC, `YYYY-MM-DD hh:mm:ss.sss`. */
  readonly #latest: string;
  /** A day before this date is over in every zone. */
  readonly #overBefore: string;

  constructor(now: Date) {
    this.#nowMs = now.getTime();
    this.#latest = new Date(this.#nowMs + AHEAD_MS).toISOString().slice(0, -1).replace('T', ' ');
    this.#overBefore = minute(this.#nowMs - FARTHEST_ZONE_MS).slice(0, 10);
  }

  /**
   * @param what has happened, in words.
   * @param written the instant as the feed has it.
   * @param instant the same in UTC, `YYYY-MM-DD hh:mm:ss.sss`.
   * @throws Rejection when it is more than an hour ahead of the clock
   */
  checkPast(what: string, written: string, instant: string): void {
    if (instant > this.#latest) {
      throw new Rejection(
        `${what} in the future`,
        `${written} is more than an hour ahead of ${minute(this.#nowMs)}Z`,
      );
    }
  }

  /** @throws Rejection when the day of a verified observation is not over */
  checkVerified(station: StationFact, date: string): void {
    if (date < this.#overBefore) return;
    const end = this.dayEnd(station, date);
    if (end > minute(this.#nowMs)) {
      throw new Rejection(
        'verified before its day is over',
        `${date} ends at ${end}Z in ${station.timezone}; it is ${minute(this.#nowMs)}Z`,
      );
    }
  }

  /**
   * @param written the time of the report as the feed has it.
   * @param instant the same in UTC, `YYYY-MM-DD hh:mm:ss.sss`.
   * @throws Rejection when it is ahead of the clock, or before the day of the observation
   */
  checkReported(station: StationFact, date: string, written: string, instant: string): void {
    this.checkPast('observation reported', written, instant);
    if (instant.slice(0, 10) > date) return; // days begin within 16 hours of UTC's
    const begin = this.dayBegin(station, date);
    if (instant.replace(' ', 'T') < begin) {
      throw new Rejection(
        'observation reported before its day',
        `${date} begins at ${begin}Z in ${station.timezone}; observed_at is ${written}`,
      );
    }
  }

  /** The minute at which a day of a station begins, in UTC: `YYYY-MM-DDThh:mm`. */
  dayBegin({ timezone, day_boundary }: StationFact, date: string): string {
    return minute(localMidnight(date, timezone, day_boundary));
  }

  /** The minute at which it ends. */
  dayEnd({ timezone, day_boundary }: StationFact, date: string): string {
    return minute(localMidnight(addDays(date, 1), timezone, day_boundary));
  }
}

/** The minute in which an instant lies. */
function minute(ms: number): string {
  return new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16);
}
