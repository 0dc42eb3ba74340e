import { localDay } from '../../accuracy/local-midnight.js';
import type { StationFact } from './columns.js';
import { Rejection } from './values.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How far ahead of the load's clock a forecast may be issued: clocks differ, by minutes. */
const FORECAST_AHEAD_MS = HOUR_MS;

/** No zone is farther from UTC. */
const FARTHEST_ZONE_MS = 16 * HOUR_MS;

const MOST_DAY_ENDS = 50_000;

/** What the time of a load says of the rows that it reads: nobody issues a forecast or verifies a day in advance. */
export class LoadClock {
  readonly #nowMs: number;
  readonly #dayEnds = new Map<string, Map<string, string>>();
  #dayEndCount = 0;

  /** A forecast issued before this minute (UTC, `YYYY-MM-DDThh:mm`) is not ahead of the clock. */
  readonly issuedBefore: string;
  /** A day before this date is over in every zone. */
  readonly overBefore: string;

  constructor(now: Date) {
    this.#nowMs = now.getTime();
    this.issuedBefore = minute(this.#nowMs + FORECAST_AHEAD_MS);
    this.overBefore = minute(this.#nowMs - FARTHEST_ZONE_MS).slice(0, 10);
  }

  /**
   * @param written the instant as the feed has it
   * @param issuedAt the same in UTC, `YYYY-MM-DD hh:mm:ss.sss`
   * @throws Rejection when a forecast is issued more than an hour ahead of the clock
   */
  checkForecast(written: string, issuedAt: string): void {
    if (Date.parse(`${issuedAt.replace(' ', 'T')}Z`) > this.#nowMs + FORECAST_AHEAD_MS) {
      throw new Rejection(
        'forecast issued in the future',
        `${written} is more than an hour ahead of ${minute(this.#nowMs)}Z`,
      );
    }
  }

  /** @throws Rejection when the day of a verified observation is not over */
  checkVerified(station: StationFact, date: string): void {
    if (date < this.overBefore) return;
    const end = this.dayEnd(station, date);
    if (end > minute(this.#nowMs)) {
      throw new Rejection(
        'verified before its day is over',
        `${date} ends at ${end}Z in ${station.timezone}; it is ${minute(this.#nowMs)}Z`,
      );
    }
  }

  /** The minute at which a day of a station ends, in UTC: `YYYY-MM-DDThh:mm`. */
  dayEnd({ timezone, day_boundary }: StationFact, date: string): string {
    const zone = day_boundary === 'civil' ? timezone : `${timezone} ${day_boundary}`;
    let ends = this.#dayEnds.get(zone);
    if (ends === undefined) this.#dayEnds.set(zone, (ends = new Map<string, string>()));
    let end = ends.get(date);
    if (end === undefined) {
      end = minute(localDay(date, timezone, day_boundary).ends_ms);
      if ((this.#dayEndCount += 1) > MOST_DAY_ENDS) {
        this.#dayEnds.clear();
        this.#dayEndCount = 0;
        this.#dayEnds.set(zone, (ends = new Map<string, string>()));
      }
      ends.set(date, end);
    }
    return end;
  }
}

/** The minute in which an instant lies, or with which it begins. */
function minute(ms: number): string {
  return new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16);
}
