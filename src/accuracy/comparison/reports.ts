import { z } from 'zod';
import { OF_VERSION } from '../facts.js';
import { OF_STATIONS, type Scope } from '../histograms.js';
import { numbers } from '../long-lists.js';

// What stations had reported of their days, and when.

/**
 * The observations of each station, each version with the moment of its report, for the days that `days` lets through.
 * Those of a later load, or withdrawn (D42), are not among them.
 */
export const reportsSql = (scope: Scope, days: string): string => `
  SELECT
    station_id, groupArray(toInt64(toUInt16(target_date))) AS days,
    groupArray(toUnixTimestamp64Milli(observed_at)) AS observed_ms,
    groupArray(toUInt8(observation_status = 'verified')) AS verified, groupArray(toInt64(latest_f * 100)) AS hundredths
  FROM (
    SELECT station_id, target_date, observation_status, observed_at, argMax(actual, load_id) AS latest_f
    FROM observations
    WHERE metric = {metric: String} AND ${days} AND ${OF_VERSION}${OF_STATIONS[scope]}
    GROUP BY station_id, target_date, observation_status, observed_at
    HAVING NOT argMax(withdrawn, load_id)
  )
  GROUP BY station_id`;

export const reportsRow = z.object({
  station_id: z.string(),
  days: numbers,
  observed_ms: numbers,
  verified: numbers,
  hundredths: numbers,
});

type ReportsRow = Omit<z.infer<typeof reportsRow>, 'station_id'>;

/** The reports of one station. Days count from 1970-01-01, moments in ms since then, values are hundredths of a °F. */
export class Reports {
  /** The first of its days; Infinity without any. */
  readonly firstDay: number;
  /** By day from the first: where its reports begin in #order, which ends with the end of the last. */
  readonly #begins: Int32Array;
  readonly #order: Int32Array;
  /** By day: its last report, and the value since then; NaN without any. Most questions are about days that are settled. */
  readonly #settled_ms: Float64Array;
  readonly #values: Float64Array;
  readonly #row: ReportsRow;

  constructor(row: ReportsRow = { days: [], observed_ms: [], verified: [], hundredths: [] }) {
    const { days } = row;
    this.#row = row;
    let [firstDay, lastDay] = [Infinity, -Infinity];
    for (const day of days) {
      if (day < firstDay) firstDay = day;
      if (day > lastDay) lastDay = day;
    }
    this.firstDay = firstDay;
    const length = days.length === 0 ? 0 : lastDay - firstDay + 1;
    this.#begins = new Int32Array(length + 1);
    this.#settled_ms = new Float64Array(length).fill(-Infinity);
    this.#values = new Float64Array(length).fill(NaN);
    this.#order = new Int32Array(days.length);
    // By counting, and without callbacks: a station has hundreds of reports, and each is read some times.
    for (let index = 0; index < days.length; index += 1) {
      const at = days[index]! - firstDay;
      this.#begins[at + 1]! += 1;
      const observed_ms = row.observed_ms[index]!;
      if (observed_ms > this.#settled_ms[at]!) this.#settled_ms[at] = observed_ms;
    }
    for (let at = 1; at <= length; at += 1) this.#begins[at]! += this.#begins[at - 1]!;
    const next = this.#begins.slice();
    for (let index = 0; index < days.length; index += 1) {
      const at = days[index]! - firstDay;
      this.#order[next[at]!] = index;
      next[at]! += 1;
    }
    for (let at = 0; at < length; at += 1) {
      if (this.#begins[at] !== this.#begins[at + 1]) this.#values[at] = this.#best(at, Infinity);
    }
  }

  /** The value of a day as it was known at a moment: the best report by then, by status, then by time (D4). */
  known(day: number, moment_ms: number): number | undefined {
    const at = day - this.firstDay;
    if (!(at >= 0 && at < this.#values.length)) return undefined;
    const value = this.#settled_ms[at]! <= moment_ms ? this.#values[at]! : this.#best(at, moment_ms);
    return Number.isNaN(value) ? undefined : value;
  }

  /** The moment from which on the value of a day stays the same; -Infinity for a day without reports. */
  settled(day: number): number {
    return this.#settled_ms[day - this.firstDay] ?? -Infinity;
  }

  #best(at: number, moment_ms: number): number {
    const { observed_ms, verified, hundredths } = this.#row;
    let best = -1;
    for (let place = this.#begins[at]!; place < this.#begins[at + 1]!; place += 1) {
      const index = this.#order[place]!;
      if (!(observed_ms[index]! <= moment_ms)) continue;
      if (
        best === -1 ||
        verified[index]! > verified[best]! ||
        (verified[index] === verified[best] && observed_ms[index]! > observed_ms[best]!)
      ) {
        best = index;
      }
    }
    return best === -1 ? NaN : hundredths[best]!;
  }
}
