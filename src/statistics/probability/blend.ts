import type { Errors } from './tally.js';
import { BIAS_KAPPA, MIN_NETWORK_DAYS } from './training.js';

// Several providers as one (D54): the weighted mean of their forecasts, each less its usual error at the station. All is made
// of sums over whole hundredths of a °F, in the order of the stations and of the providers' names, and what comes of it is
// rounded to whole hundredths: equal data give equal bytes, in whichever order they were loaded.

/** The most providers that one forecast is made of: there are 2^K - 1 ways to leave some out. */
export const MOST_BLENDED = 5;

/** With fewer dates, weights follow a few days of weather. */
export const MIN_DATES = 30;

/** A pivot this small beside its row is what rounding leaves of 0. */
const SINGULAR = 1e-12;

/**
 * The shares w >= 0 with sum 1 that make w'Sw least, exactly: of the best shares over every choice of members those that
 * are not negative. A choice whose part of S is singular is skipped; of equally good ones the smaller counts, then the
 * earlier.
 * @param covariance S, symmetric, by member
 */
export function weightsOf(covariance: readonly (readonly number[])[]): number[] {
  let best = { weights: [] as number[], variance: Infinity };
  for (const support of supportsOf(covariance.length)) {
    const part = support.map((row) => support.map((column) => covariance[row]![column]!));
    const solved = support.length === 1 ? [1] : solution(part);
    if (solved === undefined) continue;
    const total = solved.reduce((sum, each) => sum + each, 0);
    const shares = solved.map((each) => each / total);
    if (!shares.every((share) => share >= 0)) continue;
    const variance = support.length === 1 ? part[0]![0]! : 1 / total;
    // What rounding takes off the variance is no gain.
    if (!(variance < best.variance * (1 - SINGULAR))) continue;
    const weights = covariance.map((_, member) => shares[support.indexOf(member)] ?? 0);
    best = { weights, variance };
  }
  return best.weights;
}

/** Every choice of some of so many members, the small ones first, and those of the first members before others. */
function supportsOf(count: number): number[][] {
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

/** The errors of each provider, in the order of their names, by training day; NaN without a forecast or what came of it. */
export type ErrorsByProvider = readonly Float64Array[];

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
export function blendOf(stations: readonly ErrorsByProvider[], providers: readonly number[]): Blend {
  const dropped: Dropped[] = [];
  let members = providers;
  while (members.length > 1) {
    const common = commonErrors(stations, members);
    const extent = { days: common.count, dates: new Set(common.days.subarray(0, common.count)).size };
    if (extent.days >= MIN_NETWORK_DAYS && extent.dates >= MIN_DATES) {
      return { members, dropped, ...fitted(common, members) };
    }
    const own = members.map((provider) => ({
      provider,
      days: commonErrors(stations, [provider]).count,
    }));
    const fewest = own.reduce((least, each) => (each.days <= least.days ? each : least));
    dropped.push({ ...fewest, common: extent });
    members = members.filter((each) => each !== fewest.provider);
  }
  const network = { lowest: 0, counts: new Int32Array(0), days: 0, sum: 0 };
  return { members, dropped, weights: members.map(() => 1), meanErrors: [], network, best: members[0] ?? -1 };
}

/** The errors of the training days that all members have, one station after the other. */
interface CommonErrors {
  count: number;
  /** Which days these are; there may be more places, as in the next list. */
  days: Int32Array;
  /** The errors of the first day by member, then those of the next. */
  errors: Int32Array;
  /** How many of them each station and those before it have. */
  ends: number[];
}

const roomFor = (days: number, members: number): CommonErrors => ({
  count: 0,
  days: new Int32Array(days),
  errors: new Int32Array(days * members),
  ends: [],
});

function commonErrors(
  stations: readonly ErrorsByProvider[],
  members: readonly number[],
  into = roomFor(stations.length * (stations[0]?.[0]?.length ?? 0), members.length),
): CommonErrors {
  const size = members.length;
  const { days, errors, ends } = into;
  let count = 0;
  for (let station = 0; station < stations.length; station += 1) {
    const lists = stations[station]!;
    const length = lists[members[0]!]?.length ?? 0;
    for (let day = 0; day < length; day += 1) {
      let k = 0;
      for (; k < size; k += 1) {
        const error = lists[members[k]!]![day]!;
        if (Number.isNaN(error)) break;
        errors[count * size + k] = error;
      }
      if (k < size) continue;
      days[count] = day;
      count += 1;
    }
    ends[station] = count;
  }
  into.count = count;
  return into;
}

/** Sums over the days of one station: of the errors of each member, and of the products of two. */
interface StationSums {
  days: number;
  errors: readonly number[];
  products: readonly number[];
}

function sumsOf({ errors }: CommonErrors, size: number, from: number, to: number): StationSums {
  const sums = new Array<number>(size).fill(0);
  const products = new Array<number>(size * size).fill(0);
  for (let row = from * size; row < to * size; row += size) {
    for (let k = 0; k < size; k += 1) {
      const error = errors[row + k]!;
      sums[k]! += error;
      for (let l = 0; l < size; l += 1) products[k * size + l]! += error * errors[row + l]!;
    }
  }
  return { days: to - from, errors: sums, products };
}

/** The usual errors of the members at a station, drawn towards those of all stations as a bias is (D36). */
const biasesBy = ({ days, errors }: StationSums, meanErrors: readonly number[]): number[] =>
  meanErrors.map((mean, k) => (errors[k]! + BIAS_KAPPA * mean) / (days + BIAS_KAPPA));

function fitted(common: CommonErrors, members: readonly number[]): Omit<Blend, 'members' | 'dropped'> {
  const size = members.length;
  const { count, ends } = common;
  const sums = ends.map((end, station) => sumsOf(common, size, ends[station - 1] ?? 0, end));
  const meanErrors = members.map((_, k) => sums.reduce((all, { errors }) => all + errors[k]!, 0) / count);
  const biases = sums.map((each) => biasesBy(each, meanErrors));
  /** Of the errors less the bias of their station. */
  const covariance = members.map((_, k) =>
    members.map((__, l) => {
      let total = 0;
      for (const [station, { days, errors, products }] of sums.entries()) {
        const [a, b] = [biases[station]![k]!, biases[station]![l]!];
        total += products[k * size + l]! - a * errors[l]! - b * errors[k]! + days * a * b;
      }
      return total / count;
    }),
  );
  const weights = weightsOf(covariance);
  const blended = new Int32Array(count);
  const sizes = members.map(() => 0);
  for (const [station, bias] of biases.entries()) {
    const [from, to] = [ends[station - 1] ?? 0, ends[station]!];
    blend(common, bias, weights, from, to, blended);
    for (let at = from; at < to; at += 1) {
      for (let k = 0; k < size; k += 1) sizes[k]! += Math.abs(common.errors[at * size + k]! - bias[k]!);
    }
  }
  const least = sizes.indexOf(Math.min(...sizes));
  return { weights, meanErrors, network: errorsOf(blended), best: members[least]! };
}

/** The errors of a blend on some days of a station, written to the same places of a list. */
function blend(
  { errors }: CommonErrors,
  biases: readonly number[],
  weights: readonly number[],
  from: number,
  to: number,
  into: Int32Array,
): void {
  const size = weights.length;
  for (let at = from; at < to; at += 1) {
    let blended = 0;
    for (let k = 0; k < size; k += 1) blended += weights[k]! * (errors[at * size + k]! - biases[k]!);
    into[at] = wholeHundredths(blended);
  }
}

/** What doubles leave of a half: a sum of hundredths that ends on one goes up, whatever their order. */
const TIE_MARGIN = 1e-7;

/**
 * Half up. A point and an error of one station lack the same bias, so they round alike, and their difference stays the
 * whole hundredths that it was.
 */
const wholeHundredths = (value: number): number => Math.floor(value + 0.5 + TIE_MARGIN) + 0;

/** The list as counts. */
function errorsOf(list: Int32Array): Errors {
  let [lowest, highest, sum] = [Infinity, -Infinity, 0];
  for (const error of list) {
    lowest = Math.min(lowest, error);
    highest = Math.max(highest, error);
    sum += error;
  }
  const counts = new Int32Array(highest - lowest + 1);
  for (const error of list) counts[error - lowest]! += 1;
  return { lowest, counts, days: list.length, sum };
}

/** What a blend takes off the forecasts of its members at one station, and the errors that it has left there. */
export interface OwnErrors {
  biases: readonly number[];
  /** In the order of the training days; there may be more places. */
  errors: Int32Array;
  count: number;
}

/** Finds the errors of blends at one station after the other, in the same lists: new ones took as long as the rest. */
export class OwnErrorsFinder {
  readonly #rooms: CommonErrors[] = [];
  readonly #errors: Int32Array;

  /** @param window the number of training days */
  constructor(private readonly window: number) {
    this.#errors = new Int32Array(window);
  }

  /** @param station its errors as known when the forecast was issued; the next call uses the result again */
  find({ members, weights, meanErrors }: Blend, station: ErrorsByProvider): OwnErrors {
    const size = members.length;
    const room = (this.#rooms[size] ??= roomFor(this.window, size));
    const common = commonErrors([station], members, room);
    const { count } = common;
    const biases = biasesBy(sumsOf(common, size, 0, count), meanErrors);
    blend(common, biases, weights, 0, count, this.#errors);
    return { biases, errors: this.#errors, count };
  }
}

/** The blend of its members' forecasts, whole hundredths of a °F. */
export const pointOf = ({ weights }: Blend, { biases }: OwnErrors, forecasts: readonly number[]): number =>
  wholeHundredths(forecasts.reduce((all, forecast, k) => all + weights[k]! * (forecast - biases[k]!), 0));
