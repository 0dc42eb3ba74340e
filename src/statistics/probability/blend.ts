import { type Errors, errorsOf } from './tally.js';
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
    const sums = stations.map((errors) => sumsOf(errors, members));
    const common = extentOf(sums);
    if (common.days >= MIN_NETWORK_DAYS && common.dates >= MIN_DATES) {
      return { members, dropped, ...fitted(stations, sums, members, common.days) };
    }
    const own = members.map((provider) => {
      const { days } = extentOf(stations.map((errors) => sumsOf(errors, [provider])));
      return { provider, days };
    });
    const fewest = own.reduce((least, each) => (each.days <= least.days ? each : least));
    dropped.push({ ...fewest, common });
    members = members.filter((each) => each !== fewest.provider);
  }
  const network = errorsOf([]);
  return { members, dropped, weights: members.map(() => 1), meanErrors: [], network, best: members[0] ?? -1 };
}

/** The training days that all members have at a station: which, and sums over them. */
interface StationSums {
  days: readonly number[];
  /** Of the errors of each member. */
  errors: readonly number[];
  /** Of the products of the errors of two. */
  products: readonly (readonly number[])[];
}

function sumsOf(station: ErrorsByProvider, members: readonly number[]): StationSums {
  const lists = members.map((member) => station[member] ?? NO_DAYS);
  const size = members.length;
  const days: number[] = [];
  const errors = lists.map(() => 0);
  const products = lists.map(() => lists.map(() => 0));
  const length = lists[0]?.length ?? 0;
  for (let day = 0; day < length; day += 1) {
    let has = 0;
    while (has < size && !Number.isNaN(lists[has]![day])) has += 1;
    if (has < size) continue;
    days.push(day);
    for (let k = 0; k < size; k += 1) {
      const error = lists[k]![day]!;
      errors[k]! += error;
      for (let l = 0; l < size; l += 1) products[k]![l]! += error * lists[l]![day]!;
    }
  }
  return { days, errors, products };
}

const NO_DAYS = new Float64Array(0);

function extentOf(sums: readonly StationSums[]): Dropped['common'] {
  const dates = new Set<number>();
  let total = 0;
  for (const { days } of sums) {
    total += days.length;
    for (const day of days) dates.add(day);
  }
  return { days: total, dates: dates.size };
}

function fitted(
  stations: readonly ErrorsByProvider[],
  sums: readonly StationSums[],
  members: readonly number[],
  total: number,
): Omit<Blend, 'members' | 'dropped'> {
  const meanErrors = members.map((_, k) => sums.reduce((all, { errors }) => all + errors[k]!, 0) / total);
  const biases = sums.map((each) => biasesBy(each, meanErrors));
  /** Of the errors less the bias of their station. */
  const covariance = members.map((_, k) =>
    members.map((__, l) => {
      let found = 0;
      for (const [at, { days, errors, products }] of sums.entries()) {
        const [a, b] = [biases[at]![k]!, biases[at]![l]!];
        found += products[k]![l]! - a * errors[l]! - b * errors[k]! + days.length * a * b;
      }
      return found / total;
    }),
  );
  const weights = weightsOf(covariance);
  const sizes = members.map(() => 0);
  const left: number[] = [];
  for (const [at, { days }] of sums.entries()) {
    const lists = members.map((member) => stations[at]![member]!);
    const bias = biases[at]!;
    for (const day of days) {
      left.push(blended(weights, bias, lists, day));
      for (let k = 0; k < lists.length; k += 1) sizes[k]! += Math.abs(lists[k]![day]! - bias[k]!);
    }
  }
  return { weights, meanErrors, network: errorsOf(left), best: members[sizes.indexOf(Math.min(...sizes))]! };
}

/** The usual errors of the members at a station, drawn towards those of all stations as a bias is (D36). */
const biasesBy = ({ days, errors }: StationSums, meanErrors: readonly number[]): number[] =>
  meanErrors.map((mean, k) => (errors[k]! + BIAS_KAPPA * mean) / (days.length + BIAS_KAPPA));

/** What doubles leave of a half: a sum of hundredths that ends on one goes up, whatever their order. */
const TIE_MARGIN = 1e-7;

/**
 * The forecasts or errors of the members at a place of their lists as one, whole hundredths, half up. A point and an error of one station lack the same
 * bias, so they round alike, and their difference stays the whole hundredths that it was.
 */
function blended(
  weights: readonly number[],
  biases: readonly number[],
  values: readonly ArrayLike<number>[],
  at: number,
): number {
  let total = 0;
  for (let k = 0; k < weights.length; k += 1) total += weights[k]! * (values[k]![at]! - biases[k]!);
  return Math.floor(total + 0.5 + TIE_MARGIN) + 0;
}

/** What a blend takes off its members' forecasts at one station, and the errors that it has left there, in order. */
export interface OwnErrors {
  biases: readonly number[];
  errors: readonly number[];
}

/** The errors of a blend at a station, by its training days as known when the forecast was issued. */
export function ownErrors({ members, weights, meanErrors }: Blend, station: ErrorsByProvider): OwnErrors {
  const sums = sumsOf(station, members);
  const biases = biasesBy(sums, meanErrors);
  const lists = members.map((member) => station[member] ?? NO_DAYS);
  return { biases, errors: sums.days.map((day) => blended(weights, biases, lists, day)) };
}

/** The blend of its members' forecasts, whole hundredths of a °F. */
export const pointOf = ({ weights }: Blend, { biases }: OwnErrors, forecasts: readonly number[]): number =>
  blended(
    weights,
    biases,
    forecasts.map((forecast) => [forecast]),
    0,
  );
