import { DAY_MS } from '../statistics/time/calendar.js';
import type { Derived } from '../variables/variables.js';
import { compile } from '../variables/expression.js';

// The reports of stations about their days, with their times, show which values could be known at a moment.

type ReportsRow = Record<'days' | 'reported_after' | 'hundredths' | 'flags' | 'loads', readonly number[]>;

const NONE: ReportsRow = { days: [], reported_after: [], hundredths: [], flags: [], loads: [] };

/**
 * The reports of one station that said better what a day was, in the order in which they came: a verified value is not
 * replaced by another status. Days count from 1970-01-01, moments in ms since then, values are hundredths of a °F.
 */
export class Reports {
  /** The first of its days; Infinity without any. */
  readonly firstDay: number;
  /** By day from the first: the place of its first report in the next two; then the end of the last day. */
  readonly #from: Int32Array;
  /** When it came, ascending within a day. */
  readonly #at: Float64Array;
  /** The value known from then until the next one. */
  readonly #hundredths: Int32Array;

  constructor(row: ReportsRow = NONE, { verifiedOnly = false } = {}) {
    const rows = inOrder(row);
    const [firstDay = Infinity, lastDay = 0] = [row.days[rows[0] ?? -1], row.days[rows.at(-1) ?? -1]];
    this.firstDay = firstDay;
    this.#from = new Int32Array(rows.length === 0 ? 1 : lastDay - firstDay + 2);
    this.#at = new Float64Array(rows.length);
    this.#hundredths = new Int32Array(rows.length);
    let [count, next, isVerified] = [0, 0, false];
    for (let nth = 0; nth < rows.length; nth += 1) {
      const index = rows[nth]!;
      const day = row.days[index]!;
      for (; next <= day - firstDay; next += 1) {
        this.#from[next] = count;
        isVerified = false;
      }
      const flag = row.flags[index]!;
      // The load that said it last has the last row of a report.
      const isLast = nth + 1 === rows.length || !isSameReport(row, index, rows[nth + 1]!);
      if (!isLast || flag % 2 === 1 || (flag === 0 && (verifiedOnly || isVerified))) continue;
      isVerified ||= flag === 2;
      this.#at[count] = day * DAY_MS + row.reported_after[index]!;
      this.#hundredths[count] = row.hundredths[index]!;
      count += 1;
    }
    this.#from.fill(count, next);
  }

  /** The value of a day as it was known at a moment: the best report by then, by status, then by time. */
  known(day: number, moment_ms: number): number | undefined {
    const first = this.begin(day);
    for (let place = this.end(day) - 1; place >= first; place -= 1) {
      if (this.#at[place]! <= moment_ms) return this.#hundredths[place];
    }
    return undefined;
  }

  /** The moment from which on the value of a day stays the same; -Infinity for a day without reports. */
  knownFrom(day: number): number {
    const end = this.end(day);
    return end > this.begin(day) ? this.#at[end - 1]! : -Infinity;
  }

  /** The place of the first report of a day, for reportedAt() and reported(). */
  begin(day: number): number {
    return this.#from[day - this.firstDay] ?? 0;
  }

  /** The place behind its last report. */
  end(day: number): number {
    return day < this.firstDay ? 0 : (this.#from[day - this.firstDay + 1] ?? 0);
  }

  reportedAt(place: number): number {
    return this.#at[place]!;
  }

  reported(place: number): number {
    return this.#hundredths[place]!;
  }
}

/** The part of reports that references read. */
export type KnownReports = Pick<Reports, 'firstDay' | 'known' | 'knownFrom'>;

/** The reports of a variable that follows from two others. */
export function derivedReports(highs: KnownReports, lows: KnownReports, { value }: Derived): KnownReports {
  const compute = compile(value);
  return {
    firstDay: Math.max(highs.firstDay, lows.firstDay),
    known(day, moment_ms) {
      const [high, low] = [highs.known(day, moment_ms), lows.known(day, moment_ms)];
      return high === undefined || low === undefined ? undefined : compute(high, low);
    },
    knownFrom: (day) => Math.max(highs.knownFrom(day), lows.knownFrom(day)),
  };
}

/** The rows by day, moment, status and load: in the order in which they became known. */
function inOrder({ days, reported_after, flags, loads }: ReportsRow): number[] {
  const order = (a: number, b: number): number =>
    days[a]! - days[b]! ||
    reported_after[a]! - reported_after[b]! ||
    (flags[a]! >> 1) - (flags[b]! >> 1) ||
    loads[a]! - loads[b]!;
  const rows = [...days.keys()];
  return rows.every((row) => row === 0 || order(row - 1, row) <= 0) ? rows : rows.sort(order);
}

function isSameReport({ days, reported_after, flags }: ReportsRow, row: number, other: number): boolean {
  return (
    days[row] === days[other] &&
    reported_after[row] === reported_after[other] &&
    flags[row]! >> 1 === flags[other]! >> 1
  );
}
