import { sum } from '../../statistics/statistics.js';
import { type Errors, countErrors } from '../training/degree-counts.js';
import { BIAS_KAPPA, MIN_NETWORK_DAYS, TRAINING_WINDOW } from '../training/training.js';

// Several providers as one: the weighted mean of their forecasts, each less its usual error at the station. All is made
// of sums over whole hundredths of a °F, in the order of the stations and of the providers' names, and what comes of it is
// rounded to whole hundredths: equal data give equal bytes, in whichever order they were loaded.

/** The most providers that one forecast is made of: there are 2^K - 1 ways to leave some out. */
export const MAX_BLENDED = 5;

/** With fewer dates, weights follow a few days of weather. */
export const MIN_DATES = 30;

/** A pivot this small beside its row is what rounding leaves of 0. */
const SINGULAR = 1e-12;

/**
 * The shares w >= 0 with sum 1 that make w'Sw least (Bates and Granger 1969, Oper. Res. Q. 20:451), exactly: of the best shares over every choice of members those that
 * are not negative. A choice whose part of S is singular is skipped; of equally good ones the smaller counts, then the
 * earlier.
 * @param covariance S, symmetric, by member
 */
export function computeWeights(covariance: readonly (readonly number[])[]): number[] {
  let best = { weights: [] as number[], variance: Infinity };
  for (const support of listSupports(covariance.length)) {
    const part = support.map((row) => support.map((column) => covariance[row]![column]!));
    const solved = support.length === 1 ? [1] : solution(part);
    if (solved === undefined) continue;
    const total = solved.reduce((sum, each) => sum + each, 0);
    const shares = solved.map((each) => each / total);
    if (!shares.every((share) => share >= 0)) continue;
    const variance = support.length === 1 ? part[0]![0]! : 1 / total;
    // A variance that only rounding makes smaller is no gain.
    if (!(variance < best.variance * (1 - SINGULAR))) continue;
    const weights = covariance.map((_, member) => shares[support.indexOf(member)] ?? 0);
    best = { weights, variance };
  }
  return best.weights;
}

/** Every choice of some of so many members, the small ones first, and those of the first members before others. */
function listSupports(count: number): number[][] {
  const all = Array.from({ length: 2 ** count - 1 }, (_, bits) =>
    [...Array(count).keys()].filter((member) => (((bits + 1) >> member) & 1) === 1),
  );
  const firstDifference = (a: readonly number[], b: readonly number[]): number =>
    a.map((member, at) => member - b[at]!).find((difference) => difference !== 0) ?? 0;
  return all.sort((a, b) => a.length - b.length || firstDifference(a, b));
}

/** The u with Su = 1 in every row; undefined for a singular S. */
function solution(matrix: readonly (readonly number[])[]): number[] | undefined {
  const rows = matrix.map((row) => [...row, 1]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    // S is positive semidefinite, so its pivots are where they stand, and never negative.
    const row = rows[pivot]!;
    if (!(row[pivot]! > SINGULAR * matrix[pivot]![pivot]!)) return undefined;
    for (let below = pivot + 1; below < size; below += 1) {
      const factor = rows[below]![pivot]! / row[pivot]!;
      for (let column = pivot; column <= size; column += 1) rows[below]![column]! -= factor * row[column]!;
    }
  }
  const found = new Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at -= 1) {
    let rest = rows[at]![size]!;
    for (let column = at + 1; column < size; column += 1) rest -= rows[at]![column]! * found[column]!;
    found[at] = rest / rows[at]![at]!;
  }
  return found;
}

/** The training days that all members have at a station: how many, and sums over them. */
interface StationSums {
  days: number;
  /** By member. */
  errors: number[];
  /** The products of the errors of two members. */
  products: number[][];
}

/** The errors of each provider at a station, with sums that are kept up as days come and go: of whole numbers, so exact. */
export class StationErrors {
  #members: readonly number[] = [];
  #sums: StationSums = { days: 0, errors: [], products: [] };

  /** @param lists in the order of the providers' names, by training day; NaN without a forecast or what came of it */
  constructor(readonly lists: readonly Float64Array[]) {}

  /** Training days. */
  get length(): number {
    return this.lists[0]?.length ?? 0;
  }

  /** Drops the first days, and has those from a place on written anew. */
  roll(dropped: number, from: number, write: () => void): void {
    this.#count(0, dropped, -1);
    this.#count(dropped + from, this.length, -1);
    for (const list of this.lists) list.copyWithin(0, dropped);
    write();
    this.#count(from, this.length, 1);
  }

  /** Sums over the days that all members have; they change with the days. */
  sumScores(members: readonly number[]): Readonly<StationSums> {
    if (members !== this.#members) {
      this.#members = members;
      this.#sums = {
        days: 0,
        errors: members.map(() => 0),
        products: members.map(() => members.map(() => 0)),
      };
      this.#count(0, this.length, 1);
    }
    return this.#sums;
  }

  /** Whether all members have an error on a day. */
  has(members: readonly number[], day: number): boolean {
    for (const member of members) if (Number.isNaN(this.lists[member]![day]!)) return false;
    return true;
  }

  #count(from: number, end: number, sign: 1 | -1): void {
    const { errors, products } = this.#sums;
    const { length } = this.#members;
    for (let day = from; day < end; day += 1) {
      if (!this.has(this.#members, day)) continue;
      this.#sums.days += sign;
      for (let k = 0; k < length; k += 1) {
        const error = sign * this.lists[this.#members[k]!]![day]!;
        errors[k]! += error;
        for (let l = 0; l < length; l += 1) products[k]![l]! += error * this.lists[this.#members[l]!]![day]!;
      }
    }
  }
}

/** The days that all members have at a station. */
const getDays = (station: StationErrors, members: readonly number[]): number[] =>
  [...Array(station.length).keys()].filter((day) => station.has(members, day));

/** A provider that has too few days to be blended. */
export interface Dropped {
  /** Its place among the providers. */
  provider: number;
  /** Its own training days, and the days and dates that all then had in common. */
  days: number;
  common: { days: number; dates: number };
}

/** How the forecasts of some providers become one. */
export interface Blend {
  /** The places of the providers in it, ascending; one alone is not blended, and has all of the weight. */
  members: readonly number[];
  dropped: readonly Dropped[];
  /** By member, as the mean errors: hundredths of a °F, of the training days of all stations. */
  weights: readonly number[];
  meanErrors: readonly number[];
  /** The errors of the blend on these days. */
  network: Errors;
  /** The provider that errs least on these days, less its bias at each station. */
  best: number;
}

/**
 * The blend of providers by the training days that all of them have. While these are too few, the provider with the
 * fewest days is left out, of equal ones the last.
 * @param stations in the order of their ids
 * @param providers their places
 */
export function chooseBlend(stations: readonly StationErrors[], providers: readonly number[]): Blend {
  const dropped: Dropped[] = [];
  let members = providers;
  while (members.length > 1) {
    const common = computeExtent(stations, members);
    if (common.days >= MIN_NETWORK_DAYS && common.dates >= MIN_DATES) {
      return { members, dropped, ...fitted(stations, members, common.days) };
    }
    const own = members.map((provider) => ({
      provider,
      days: sum(stations.map((station) => getDays(station, [provider]).length)),
    }));
    const fewest = own.reduce((min, each) => (each.days <= min.days ? each : min));
    dropped.push({ ...fewest, common });
    members = members.filter((each) => each !== fewest.provider);
  }
  const network = countErrors([]);
  return { members, dropped, weights: members.map(() => 1), meanErrors: [], network, best: members[0] ?? -1 };
}

/** The days and dates that members have in common; of more dates than are needed, some. */
function computeExtent(stations: readonly StationErrors[], members: readonly number[]): Dropped['common'] {
  const days = sum(stations.map((station) => station.sumScores(members).days));
  const dates = new Set<number>();
  for (const station of stations) {
    if (days >= MIN_NETWORK_DAYS && dates.size >= MIN_DATES) break;
    for (const day of getDays(station, members)) dates.add(day);
  }
  return { days, dates: dates.size };
}

function fitted(
  stations: readonly StationErrors[],
  members: readonly number[],
  total: number,
): Omit<Blend, 'members' | 'dropped'> {
  const sums = stations.map((station) => station.sumScores(members));
  const meanErrors = members.map((_, k) => sums.reduce((all, { errors }) => all + errors[k]!, 0) / total);
  const biases = sums.map((each) => biasesBy(each, meanErrors));
  /** The covariance of errors less the bias of their station. */
  const covariance = members.map((_, k) =>
    members.map((__, l) => {
      let found = 0;
      for (const [at, { days, errors, products }] of sums.entries()) {
        const [a, b] = [biases[at]![k]!, biases[at]![l]!];
        found += products[k]![l]! - a * errors[l]! - b * errors[k]! + days * a * b;
      }
      return found / total;
    }),
  );
  const weights = computeWeights(covariance);
  const sizes = new Float64Array(members.length);
  const left = new Int32Array(total);
  let count = 0;
  for (const [at, { lists }] of stations.entries()) {
    const ofMembers = members.map((member) => lists[member]!);
    const errors = blended(weights, biases[at]!, ofMembers);
    for (const [k, list] of ofMembers.entries()) {
      const bias = biases[at]![k]!;
      for (let day = 0; day < errors.length; day += 1) {
        if (!Number.isNaN(errors[day]!)) sizes[k]! += Math.abs(list[day]! - bias);
      }
    }
    count = compact(errors, left, count);
  }
  return {
    weights,
    meanErrors,
    network: countErrors(left),
    best: members[sizes.indexOf(Math.min(...sizes))]!,
  };
}

/** Writes the errors of the days that have one to a list, from a place on. @returns the place behind them */
function compact(errors: Float64Array, into: Int32Array, from: number): number {
  let count = from;
  for (let day = 0; day < errors.length; day += 1) {
    if (Number.isNaN(errors[day]!)) continue;
    into[count] = errors[day]!;
    count += 1;
  }
  return count;
}

/** The usual errors of the members at a station, drawn towards those of all stations as a bias is (D36). */
const biasesBy = ({ days, errors }: StationSums, meanErrors: readonly number[]): number[] =>
  meanErrors.map((mean, k) => (errors[k]! + BIAS_KAPPA * mean) / (days + BIAS_KAPPA));

/** The rounding error of doubles at a half. A sum of hundredths that ends on a half goes up in any order. */
const TIE_MARGIN = 1e-7;

/** Whole hundredths, half up. */
const whole = (hundredths: number): number => Math.floor(hundredths + 0.5 + TIE_MARGIN) + 0;

/** Blends of the days of a station; the next station uses it again. */
const ofDays = new Float64Array(TRAINING_WINDOW.longest);

/**
 * The errors of the members as one, by day, whole hundredths; NaN without one of them. A point and an error
 * of one station lack the same bias. So they round alike, and their difference stays in whole hundredths.
 */
function blended(
  weights: readonly number[],
  biases: readonly number[],
  lists: readonly Float64Array[],
): Float64Array {
  const length = lists[0]!.length;
  const found = ofDays.subarray(0, length).fill(0);
  // By member first, each loop is over numbers alone: half of the time.
  for (let k = 0; k < weights.length; k += 1) {
    const [weight, bias, list] = [weights[k]!, biases[k]!, lists[k]!];
    for (let at = 0; at < length; at += 1) found[at]! += weight * (list[at]! - bias);
  }
  for (let at = 0; at < length; at += 1) found[at] = whole(found[at]!);
  return found;
}

/** The biases that a blend takes off its members' forecasts at one station, and the errors left there, in order. */
export interface OwnErrors {
  biases: readonly number[];
  errors: Int32Array;
}

/**
 * The errors of a blend at a station, by its training days as known when the forecast was issued.
 * @param into where the errors are written
 */
export function ownErrors(
  { members, weights, meanErrors }: Blend,
  station: StationErrors,
  into = new Int32Array(station.length),
): OwnErrors {
  const biases = biasesBy(station.sumScores(members), meanErrors);
  const lists = members.map((member) => station.lists[member]!);
  const count = compact(blended(weights, biases, lists), into, 0);
  return { biases, errors: into.subarray(0, count) };
}

/** The blend of its members' forecasts, whole hundredths of a °F. */
export const makePoint = (
  { weights }: Blend,
  { biases }: Pick<OwnErrors, 'biases'>,
  forecasts: readonly number[],
): number => whole(weights.reduce((total, weight, k) => total + weight * (forecasts[k]! - biases[k]!), 0));
