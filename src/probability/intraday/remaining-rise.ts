import type { Scale } from '../../variables/declarations.js';
import type { Metric } from '../../variables/variables.js';
import { HOURS_KNOWN_AFTER_MS } from '../../statistics/time/hour-of-day.js';
import { sum } from '../../statistics/statistics.js';
import { HOUR_MS, MINUTE_MS } from '../../statistics/time/calendar.js';
import type { Predictive, Range } from '../training/predictive.js';
import { between, type DegreeCounts } from '../training/degree-counts.js';
import { degreesFrom, SCALES, wholeDegree } from '../../variables/units.js';

// The possible rises of a day that has begun (D57). They follow from a line through earlier days at the same hour, a
// floor, and days as far from their forecast. Counts are whole numbers, so the order of the cases changes nothing.

/** Highs rise from what has been measured; lows are mirrored. */
export type DailyExtreme = Metric;

/** With fewer cases nothing is said. */
export const MIN_CASES = 120;

/** Forecasts farther from what has been measured count as these; and how much less each degree away from a gap weighs, eighths. */
const OF_FAHRENHEIT = { min: -12, max: 40, less: 1 } as const;
const OF_CELSIUS = { min: -7, max: 22, less: 2 } as const;
const getGaps = (scale: Scale) => (scale === SCALES.celsius ? OF_CELSIUS : OF_FAHRENHEIT);
const MIN_GAP = OF_FAHRENHEIT.min;
const REACH = OF_FAHRENHEIT.max - MIN_GAP;

/** A case weighs 8 eighths, and less as its gap differs. */
const NEAR = 8;

/** The weight of all cases beside the near ones, and of the network's beside the station's own, eighths. */
const ALL_WEIGHT = 3 * NEAR;
const NETWORK_WEIGHT = 20 * NEAR;

/** Which way a day goes on from what has been measured. */
const getSign = (metric: DailyExtreme): 1 | -1 => (metric === 'high' ? 1 : -1);

/** How far a forecast, hundredths of a °F, is beyond what has been measured, whole degrees; half up, for lows half down. */
export function toGap(metric: DailyExtreme, forecast: number, measured: number, scale: Scale): number {
  const { min, max } = getGaps(scale);
  return Math.min(max, Math.max(min, extremeBound(metric, forecast, scale) - getSign(metric) * measured));
}

/** A temperature as whole degrees, half up; for lows it is mirrored. */
const extremeBound = (metric: DailyExtreme, hundredths: number, { size, zero }: Scale): number =>
  degreesFrom(getSign(metric) * (hundredths - zero), size);

/** How far a settled value is beyond it; climate reports may say less than hours did. */
export const computeRise = (metric: DailyExtreme, actual: number, measured: number, scale: Scale): number =>
  getSign(metric) * wholeDegree(actual, scale) - getSign(metric) * measured;

/** The rises that end a day in a range of whole degrees. */
export function risesTo(metric: DailyExtreme, { from, to }: Range, measured: number): Range {
  const rise = (degree: number | null): number | null =>
    degree === null ? null : getSign(metric) * degree - getSign(metric) * measured;
  return metric === 'high' ? { from: rise(from), to: rise(to) } : { from: rise(to), to: rise(from) };
}

/** A report of a day, hundredths of a °F, with the extreme of the six hours before; null without one. */
interface HourReport {
  at_ms: number;
  temp: number | null;
  of_6_hours: number | null;
}

/** A temperature older than this does not tell how far the day has come. */
const NEWEST_MS = 70 * MINUTE_MS;

/** The hour at which a day has ended, however long it was. */
export const LAST_HOUR = 24;

/** The whole hours that a day has had by a moment: at most 23 while it goes on, also a day of 25, and 24 once it has ended. */
export const toHour = (moment_ms: number, { begins_ms, ends_ms }: { begins_ms: number; ends_ms: number }) =>
  moment_ms >= ends_ms ? LAST_HOUR : Math.min(LAST_HOUR - 1, Math.floor((moment_ms - begins_ms) / HOUR_MS));

/**
 * The measurements of a day, by the reports that are known by a moment (D56). If the newest report is old, `hour` is the
 * first by whose end it is known. Earlier days are compared there, because nothing has been measured since.
 */
export function loadMeasured(
  metric: DailyExtreme,
  reports: readonly HourReport[],
  day: { begins_ms: number; ends_ms: number },
  moment_ms: number,
  scale: Scale,
) {
  const { begins_ms } = day;
  const temps = reports.filter(({ temp }) => temp !== null);
  const of6Hours = reports.filter(
    (each) => each.of_6_hours !== null && each.at_ms - 6 * HOUR_MS >= begins_ms,
  );
  const values = [...temps.map(({ temp }) => temp!), ...of6Hours.map(({ of_6_hours }) => of_6_hours!)];
  const farthest = Math.max(...values.map((value) => extremeBound(metric, value, scale)));
  const hours = new Set(temps.map(({ at_ms }) => Math.floor((at_ms - begins_ms) / HOUR_MS))).size;
  const newest_ms = temps.reduce((newest, { at_ms }) => Math.max(newest, at_ms), begins_ms);
  const until_ms = Math.min(moment_ms, day.ends_ms);
  const isRecent = until_ms - newest_ms <= NEWEST_MS;
  const known_ms = newest_ms + HOURS_KNOWN_AFTER_MS - begins_ms;
  const hour = isRecent ? toHour(moment_ms, day) : Math.min(LAST_HOUR - 1, Math.ceil(known_ms / HOUR_MS));
  const passed = isRecent ? Math.floor((until_ms - begins_ms) / HOUR_MS) : hour;
  return {
    /** The extreme, whole degrees; undefined without any. */
    degree: values.length === 0 ? undefined : getSign(metric) * farthest + 0,
    hours,
    groups: of6Hours.length,
    hour,
    /** The hours of the day up to there, which may be one more of a day of 25. */
    passed,
    isRecent,
    newest_ms,
    isEnough: temps.length > 0 && hours >= passed - 2,
  };
}

/** Station days at their hour, as lists: how many had which gap and which rise, by encodeCase(). */
export interface Cases {
  keys: number[];
  times: number[];
}

/** No temperature is half as many degrees from another. */
const RISE_SPAN = 4096;

export const encodeCase = (gap: number, rise: number): number =>
  (gap - MIN_GAP) * RISE_SPAN + rise + RISE_SPAN / 2;

const gapIn = (key: number): number => Math.floor(key / RISE_SPAN) + MIN_GAP;
const riseIn = (key: number): number => (key % RISE_SPAN) - RISE_SPAN / 2;

/** Cases as if each forecast were what had been measured: the rise by hour alone. */
export const withoutGaps = ({ keys, times }: Cases): Cases => ({
  keys: keys.map((key) => encodeCase(0, riseIn(key))),
  times,
});

/** The slope of the line by least squares, cut to 0 and 1; 0 where gaps do not vary. */
function computeSlope({ keys, times }: Cases): readonly [numerator: bigint, denominator: bigint] {
  let [n, gaps, rises, squares, products] = [0, 0, 0, 0, 0];
  for (const [at, key] of keys.entries()) {
    const [gap, rise, count] = [gapIn(key), riseIn(key), times[at]!];
    n += count;
    gaps += count * gap;
    rises += count * rise;
    squares += count * gap * gap;
    products += count * gap * rise;
  }
  const product = (a: number, b: number): bigint => BigInt(a) * BigInt(b);
  const numerator = product(n, products) - product(gaps, rises);
  const denominator = product(n, squares) - product(gaps, gaps);
  if (numerator <= 0n || denominator === 0n) return [0n, 1n];
  return [numerator < denominator ? numerator : denominator, denominator];
}

/** How many cases end at which rise: all alike, and the near ones by their weights, eighths. */
interface Ends {
  all: DegreeCounts;
  near: DegreeCounts;
}

/** The ends of all stations' cases, and among these the ends of the station's own. */
export interface RemainingRises {
  network: Ends;
  own: Ends;
}

/** The line through the cases of all stations. */
export class Line {
  readonly cases: number;
  readonly slope: number;
  /** The degrees it adds to a case whose gap is so much smaller than today's, half up, from -REACH. */
  readonly #shifts: readonly number[];
  /** By gap: the requests of an hour share them. */
  readonly #ofNetwork = new Map<number, Ends>();

  constructor(
    private readonly network: Cases,
    private readonly scale: Scale,
  ) {
    this.cases = sum(network.times);
    const [numerator, denominator] = computeSlope(network);
    this.slope = Number(numerator) / Number(denominator);
    this.#shifts = Array.from({ length: 2 * REACH + 1 }, (_, at) => {
      // BigInt divides towards 0, so what is divided is made positive first.
      const raised = 2n * numerator * BigInt(at - REACH) + (1n + 2n * BigInt(REACH)) * denominator;
      return Number(raised / (2n * denominator)) - REACH;
    });
  }

  /** The possible rises of a day with a gap. @param own the cases of its station, which are among the network's */
  rises(gap: number, own: Cases): RemainingRises {
    const network = this.#ofNetwork.get(gap) ?? this.#ends(this.network, gap);
    this.#ofNetwork.set(gap, network);
    return { network, own: this.#ends(own, gap) };
  }

  /** Cases by the rise that they would have had from this gap: not below the floor that each kept itself. */
  #ends({ keys, times }: Cases, gap: number): Ends {
    const { less } = getGaps(this.scale);
    let [lowest, highest] = [RISE_SPAN / 2, -RISE_SPAN / 2];
    for (let at = 0; at < keys.length; at += 1) {
      const difference = gap - gapIn(keys[at]!);
      const rise = riseIn(keys[at]!);
      const end = Math.max(Math.min(rise, 0), rise + this.#shifts[difference + REACH]!);
      if (end < lowest) lowest = end;
      if (end > highest) highest = end;
      counts[end + RISE_SPAN / 2]! += times[at]!;
      weights[end + RISE_SPAN / 2]! += times[at]! * Math.max(0, NEAR - less * Math.abs(difference));
    }
    return { all: taken(counts, lowest, highest), near: taken(weights, lowest, highest) };
  }
}

/** By rise, from half of RISE_SPAN below 0; 0 when nobody counts, as new ones take longer than to count. */
const [counts, weights] = [new Float64Array(RISE_SPAN), new Float64Array(RISE_SPAN)];

/** The counts from one rise to another; those that were counted return to 0. */
function taken(counted: Float64Array, lowest: number, highest: number): DegreeCounts {
  const ends = [lowest + RISE_SPAN / 2, highest + RISE_SPAN / 2 + 1] as const;
  const upTo = counted.slice(...ends);
  counted.fill(0, ...ends);
  let days = 0;
  for (let at = 0; at < upTo.length; at += 1) upTo[at] = days += upTo[at]!;
  return { lowest, highest, upTo, days };
}

/**
 * The probability that a rise is in a range, by all cases, the near ones beside them, and the station's own beside these.
 * Division alone rounds, as long as numbers are below 2^53: with 120,000 cases, in a partition of 100.
 * @param members of the partition that the range is a part of: half a case more in either of two outcomes, or one in all
 * of them; 0 for the cases as they are
 */
export function computeChance(
  { network: { all, near }, own }: RemainingRises,
  { from, to }: Range,
  members = 2,
): number {
  const [parts, more] = members === 0 ? [1, 0] : [members, 1];
  const ofAll = parts * between(all, from, to) + more;
  const allOfThem = parts * (all.days + more);
  const ofNear = between(near, from, to) * allOfThem + ALL_WEIGHT * ofAll;
  const allOfNear = (near.days + ALL_WEIGHT) * allOfThem;
  const ofOwn = between(own.near, from, to) * allOfNear + NETWORK_WEIGHT * ofNear;
  return ofOwn / ((own.near.days + NETWORK_WEIGHT) * allOfNear);
}

/** The share of the station's own cases in it, once all are mixed. */
export const ownWeight = ({ own }: RemainingRises): number =>
  own.near.days / (own.near.days + NETWORK_WEIGHT);

/** The settled values of a day that rises follow from. */
export function makePredictive(rises: RemainingRises, metric: DailyExtreme, measured: number): Predictive {
  const { all } = rises.network;
  const ends = [all.lowest, all.highest].map((rise) => measured + getSign(metric) * rise);
  return {
    lowest: Math.min(...ends),
    highest: Math.max(...ends),
    upTo: (degree) => computeChance(rises, risesTo(metric, { from: null, to: degree }, measured), 0),
    of: (range, members) => computeChance(rises, risesTo(metric, range, measured), members),
  };
}
