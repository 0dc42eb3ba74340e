import { normalZ } from './normal.js';
import { between, type Tally } from './tally.js';
import { PROBABILITY_KAPPA } from './training.js';

// The settled value of a forecast as a mixture of its station's errors and the network's (D36).

/** Errors to predict from, as whole degrees for forecasts of one phase. */
export interface Evidence {
  station: Tally;
  network: Tally;
}

/** Whole degrees, both included; null for no end. */
export interface Range {
  from: number | null;
  to: number | null;
}

/**
 * The probability of a range, by the station's days and 60 more like the network's. The network has half a day more
 * in either of two outcomes (Jeffreys), or one in all members of a partition, so nothing is certain.
 * @param members of the partition that the range is a part of
 */
export function probability({ station, network }: Evidence, { from, to }: Range, members = 2): number {
  const ofNetwork = (between(network, from, to) + 1 / members) / (network.days + 1);
  return (between(station, from, to) + PROBABILITY_KAPPA * ofNetwork) / (station.days + PROBABILITY_KAPPA);
}

/** The probability of a degree or more and that of less, as shown: millionths that add up to 1. */
export function aboveAndBelow(evidence: Evidence, degree: number): { at_or_above: number; below: number } {
  const at_or_above = millionths(probability(evidence, { from: degree, to: null }));
  return { at_or_above, below: millionths(1 - at_or_above) };
}

/** The smallest degree that is shown with so much probability at or below it, of those that any day ends at. */
export function quantile(evidence: Evidence, share: number): number {
  const { station, network } = evidence;
  const [lowest, highest] = station.days === 0 ? [Infinity, -Infinity] : [station.lowest, station.highest];
  const last = Math.max(network.highest, highest);
  let degree = Math.min(network.lowest, lowest);
  while (degree < last && aboveAndBelow(evidence, degree + 1).below < share) degree += 1;
  return degree;
}

/** Of successive errors; 0 where they do not vary, or take turns. */
export function dependence(errors: readonly number[]): number {
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  let [products, squares] = [0, 0];
  for (const [at, error] of errors.entries()) {
    squares += (error - mean) ** 2;
    if (at > 0) products += (error - mean) * ((errors[at - 1] as number) - mean);
  }
  return squares === 0 ? 0 : Math.min(0.8, Math.max(0, products / squares));
}

/**
 * How far sampling may move a probability: Wilson's interval, with the days of the mixture, fewer where errors last from
 * day to day.
 */
export function samplingInterval(
  share: number,
  stationErrors: readonly number[],
  level: number,
): { low: number; high: number } {
  const lasting = stationErrors.length < 2 ? 0 : dependence(stationErrors);
  const days = ((stationErrors.length + PROBABILITY_KAPPA) * (1 - lasting)) / (1 + lasting);
  const squared = normalZ(level) ** 2;
  const centre = share + squared / (2 * days);
  const reach = Math.sqrt(squared * ((share * (1 - share)) / days + squared / (4 * days ** 2)));
  const scale = 1 + squared / days;
  return { low: (centre - reach) / scale, high: (centre + reach) / scale };
}

const MILLION = 1e6;

/** Rounded to a millionth, and never to 0 or 1. */
export const millionths = (share: number): number =>
  Math.min(MILLION - 1, Math.max(1, Math.round(share * MILLION))) / MILLION;

/** Shares that add up to 1, rounded to millionths that do so too, none of them 0: largest remainders go up. */
export function partition(shares: readonly number[]): number[] {
  const floors = shares.map((share) => Math.max(1, Math.floor(share * MILLION)));
  const remainder = (at: number): number => (shares[at] as number) * MILLION - (floors[at] as number);
  const order = [...shares.keys()].sort((a, b) => remainder(b) - remainder(a));
  let missing = MILLION - floors.reduce((sum, each) => sum + each, 0);
  for (const at of missing > 0 ? order : order.reverse()) {
    if (missing === 0) break;
    const step = missing > 0 ? 1 : Math.max(missing, 1 - (floors[at] as number));
    floors[at] = (floors[at] as number) + step;
    missing -= step;
  }
  return floors.map((each) => each / MILLION);
}

/** Upper ends of the first five of the six ranges around a forecast, from its whole degree; the last has none. */
export const UPPER_ENDS = [-4, -2, 0, 2, 4] as const;

/** Those six ranges: two degrees each, and two open ends. */
export function rangesAround(degree: number): Range[] {
  const ends = UPPER_ENDS.map((end) => degree + end);
  return [null, ...ends].map((before, at) => ({
    from: before === null ? null : before + 1,
    to: ends[at] ?? null,
  }));
}
