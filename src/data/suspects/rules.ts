import { distanceKm } from '../../stations/choice.js';
import type { Place, StationDays } from '../../monitoring/judged-days.js';

// Checks that flag an observation as suspect, by the days around it, those before it and the neighbours: flat line, spike, buddy
// check. They are finer than those of a load (ingest/check/quality-control.ts), as the days around have pairs. Windows of the
// engine take 3.3 times the processor. Pure arithmetic; values are hundredths of a °F, and days are places in a span.

/** The days before and after a day that show what is usual, and how many of them there must be, the day itself among them. */
export const AROUND = 15;
const ENOUGH = 11;

/** A median distance from the median times this is the standard deviation of a normal distribution. */
const SIGMA = 1.4826;

/** No run of fewer days is listed. */
export const MIN_RUN = 5;

/**
 * How often a value stays depends on the season: it is taken from so many days before the run, and on either side of the day a
 * year before; the largest of the three counts, because seasons begin and end within days.
 */
const SEASON_DAYS = 60;
const MIN_SEASON_DAYS = 20;
const YEAR_DAYS = 365;
export const PAST_DAYS = YEAR_DAYS + SEASON_DAYS;

/** A run is unlikely if a year has so many of its length by chance. */
const RUNS_A_YEAR = 0.05;

/** The nearest stations within so many km are neighbours. */
const NEAR_KM = 100;
const MAX_NEIGHBOURS = 8;

/**
 * How far a value must be from what is usual, hundredths of a °F, and in standard deviations: by itself, and from the neighbours.
 * In nws-2021 (one neighbour, mostly) these find 88% of errors of 10 °F; for 95% they would list four times as many good days.
 */
const JUMP = 600;
const JUMP_SDS = 2;
const BUDDY_CHECK_HUNDREDTHS = 700;
const BUDDY_CHECK_SDS = 1.5;
const OUTLIER_SDS = 4;

interface Neighbour {
  station_id: string;
  km: number;
}

/** The nearest neighbours of each station, by distance. */
export function findNeighbours(places: readonly Place[]): Map<string, Neighbour[]> {
  const found = new Map<string, Neighbour[]>(places.map(({ station_id }) => [station_id, []]));
  const northward = [...places].sort((a, b) => a.latitude - b.latitude);
  for (const [at, one] of northward.entries()) {
    for (let next = at + 1; next < northward.length; next += 1) {
      const other = northward[next]!;
      // A degree of latitude has 111 km.
      if (other.latitude - one.latitude > NEAR_KM / 111) break;
      const km = distanceKm(one, other);
      if (km > NEAR_KM) continue;
      found.get(one.station_id)!.push({ station_id: other.station_id, km });
      found.get(other.station_id)!.push({ station_id: one.station_id, km });
    }
  }
  for (const [station_id, each] of found) {
    each.sort((a, b) => a.km - b.km || (a.station_id < b.station_id ? -1 : 1));
    found.set(station_id, each.slice(0, MAX_NEIGHBOURS));
  }
  return found;
}

/** The median of sorted values; NaN without any. */
const computeMedian = (sorted: readonly number[]): number =>
  (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;

const median = (values: readonly number[]): number => computeMedian([...values].sort((a, b) => a - b));

const isThere = (value: number): boolean => !Number.isNaN(value);

/** Each value less the median of those around it; NaN where too few are there. */
function unusual(values: Float64Array): Float64Array {
  const found = new Float64Array(values.length).fill(NaN);
  const sorted: number[] = [];
  const getPlace = (value: number): number => {
    let place = sorted.length;
    while (place > 0 && sorted[place - 1]! >= value) place -= 1;
    return place;
  };
  for (let end = 0; end < values.length + AROUND; end += 1) {
    const [next, past, at] = [values[end] ?? NaN, values[end - 2 * AROUND - 1] ?? NaN, end - AROUND];
    if (isThere(next)) sorted.splice(getPlace(next), 0, next);
    if (isThere(past)) sorted.splice(getPlace(past), 1);
    if (at >= 0 && sorted.length >= ENOUGH) found[at] = values[at]! - computeMedian(sorted);
  }
  return found;
}

/** A robust standard deviation of the values around a day, which are distances from what is usual. */
function spreadAround(day: number, computeValue: (day: number) => number): number {
  const sizes: number[] = [];
  for (let each = day - AROUND; each <= day + AROUND; each += 1) {
    const value = computeValue(each);
    if (isThere(value)) sizes.push(Math.abs(value));
  }
  return SIGMA * median(sizes);
}

interface JudgedNeighbour {
  judged: JudgedStation;
  km: number;
}

/** A run of one value, and the longest likely run of the year before it. */
interface Run {
  days: number;
  longest_before: number;
}

interface PastRun {
  last: number;
  days: number;
}

/** Whether a year has a run of a length less often than RUNS_A_YEAR, by the largest share of days that stay; undefined ones do not count. */
function isUnlikely(days: number, shares: readonly (number | undefined)[]): boolean {
  const known = shares.filter((share) => share !== undefined);
  const stay = known.length > 0 ? Math.max(...known) : 0.5;
  return YEAR_DAYS * (1 - stay) * stay ** (days - 1) < RUNS_A_YEAR;
}

/** A station and the checks of its days. */
export class JudgedStation {
  readonly station_id: string;
  readonly actuals: Float64Array;
  /** The errors of the forecasts' median, observed less forecast, from what they usually are. */
  readonly jumps: Float64Array;
  readonly outliers: ReadonlyMap<number, number>;
  readonly excluded: ReadonlyMap<number, number>;

  /** @param first the first day of the span @param days its length */
  constructor({ station_id, ...lists }: StationDays, first: number, days: number) {
    this.station_id = station_id;
    const byDay = (values: readonly number[], scale: number): Float64Array => {
      const found = new Float64Array(days).fill(NaN);
      for (const [at, value] of values.entries()) found[lists.days[at]! - first] = value * scale;
      return found;
    };
    this.actuals = byDay(lists.actuals, 1);
    this.jumps = unusual(byDay(lists.errors, -1 / 2));
    this.outliers = new Map(lists.far_off.map(([day, error]) => [day - first, -error]));
    this.excluded = new Map(lists.excluded.map(([day, extreme]) => [day - first, extreme]));
  }

  /** The standard deviation of the errors around a day, without their usual part. */
  spread(day: number): number {
    return spreadAround(day, (each) => this.jumps[each] ?? NaN);
  }

  /** How many days up to a day have its value. */
  runUpTo(day: number): number {
    let days = 1;
    while (this.actuals[day - days] === this.actuals[day]) days += 1;
    return days;
  }

  /**
   * A run up to a day that is longer than any of the year before. It is also unlikely by how often a value stays in
   * its season.
   * Runs that are unlikely themselves are left out of both: a thermometer may stick twice. One is judged by its own season, too, and
   * stays where nothing of that is known: a quiet season has long runs, which the livelier months before it make unlikely.
   */
  unlikelyRun(day: number): Run | undefined {
    const days = this.runUpTo(day);
    if (days < MIN_RUN) return undefined;
    const [begin, yearAgo] = [day - days, day - YEAR_DAYS];
    const left: PastRun[] = [];
    const stays = (after: number, end: number) => this.#stays(after, end, left);
    const shares = () => [
      stays(begin - SEASON_DAYS, begin),
      stays(yearAgo - SEASON_DAYS, yearAgo),
      stays(yearAgo, yearAgo + SEASON_DAYS),
    ];
    const isUnlikelyInSeason = ({ last, days }: PastRun): boolean => {
      const after = stays(last, Math.min(last + SEASON_DAYS, begin));
      // A year ago is the season of a run that has just passed.
      const [, , afterYearAgo] = shares();
      const isKnown = after !== undefined || (begin - last < SEASON_DAYS && afterYearAgo !== undefined);
      return isKnown && isUnlikely(days, [...shares(), stays(last - days - SEASON_DAYS, last - days), after]);
    };
    const longestFirst = this.#runs(yearAgo, begin).sort((a, b) => b.days - a.days);
    for (const run of longestFirst) {
      left.push(run);
      if (run.days >= MIN_RUN && isUnlikelyInSeason(run)) continue;
      left.pop();
      break;
    }
    const longest_before = longestFirst[left.length]?.days ?? 1;
    return days > longest_before && isUnlikely(days, shares()) ? { days, longest_before } : undefined;
  }

  /** The runs of two days or more that end after one day, up to another. */
  #runs(after: number, end: number): PastRun[] {
    const found: PastRun[] = [];
    for (let last = end; last > after && last > 0; last -= 1) {
      const days = this.runUpTo(last);
      if (days > 1) found.push({ last, days });
      last -= days - 1;
    }
    return found;
  }

  /**
   * The share of the days after one day, up to another, that have the value of the day before; undefined of a few days.
   * @param without runs to leave out
   */
  #stays(after: number, end: number, without: readonly PastRun[]): number | undefined {
    let [pairs, stays] = [0, 0];
    for (let day = Math.max(1, after + 1); day <= end; day += 1) {
      const [value, before] = [this.actuals[day]!, this.actuals[day - 1]!];
      if (!isThere(value) || !isThere(before)) continue;
      if (without.some(({ last, days }) => day <= last && day > last - days)) continue;
      pairs += 1;
      if (value === before) stays += 1;
    }
    return pairs < MIN_SEASON_DAYS ? undefined : (stays + 1) / (pairs + 2);
  }

  /** By how much all providers are off on a day, observed less the nearest forecast, if its errors are seldom so large. */
  findOutlier(day: number): { off: number; spread: number } | undefined {
    const off = this.outliers.get(day);
    if (off === undefined) return undefined;
    const spread = this.spread(day);
    return Math.abs(off) > OUTLIER_SDS * spread ? { off, spread } : undefined;
  }

  /** A jump that the neighbours do not have; `of` are those with a value on that day. */
  jumpOn(day: number, neighbours: readonly JudgedNeighbour[]) {
    const own = this.jumps[day]!;
    if (!(Math.abs(own) >= JUMP)) return undefined;
    const theirs = (each: number): number[] =>
      neighbours.map(({ judged }) => judged.jumps[each] ?? NaN).filter(isThere);
    const distanceOn = (each: number): number => (this.jumps[each] ?? NaN) - median(theirs(each));
    const distance = distanceOn(day);
    if (!(distance * Math.sign(own) >= BUDDY_CHECK_HUNDREDTHS)) return undefined;
    const spread = spreadAround(day, distanceOn);
    const isJump =
      Math.abs(distance) >= BUDDY_CHECK_SDS * spread && Math.abs(own) >= JUMP_SDS * this.spread(day);
    return isJump
      ? { apart: distance, spread, of: neighbours.filter(({ judged }) => isThere(judged.jumps[day]!)) }
      : undefined;
  }
}
