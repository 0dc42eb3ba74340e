import { sum } from '../../statistics/statistics.js';
import { type Clusters, dayClusters, meanInterval, rateOf } from '../../statistics/uncertainty/intervals.js';
import { BINS, type Method, PIT_BINS, type ScoreSums, type ScoreTable } from './scores.js';

// The scores of cases as a table of reliability, with intervals by target day. Values are unrounded.

/** A mean score, or a difference of two, and its interval; null with fewer than 14 days. */
export interface Estimate {
  value: number;
  low: number | null;
  high: number | null;
}

/** The parts of a Brier score: brier = reliability - resolution + uncertainty + within_bins. */
export interface Decomposition {
  reliability: number;
  resolution: number;
  uncertainty: number;
  within_bins: number;
}

export interface MethodScores {
  brier: Estimate;
  crps: Estimate;
  log_score: Estimate;
  decomposition: Decomposition;
}

/** A score less that of another method: negative where the judged one is better. */
export interface Comparison {
  brier: Estimate;
  crps: Estimate;
  brier_skill: number;
  crps_skill: number;
}

export interface Bin {
  from: number;
  to: number;
  forecasts: number;
  mean_probability: number | null;
  observed: number | null;
  low: number | null;
  high: number | null;
}

export interface Reliability<Name extends string = Method> {
  cases: number;
  days: number;
  scores: Record<Name, MethodScores>;
  /** The judged method against each; against itself it is equal. */
  against: Record<Name, Comparison>;
  bins: Bin[];
  pit: number[];
}

/** @returns undefined without cases */
export function reliabilityOf<Name extends string>(
  scores: ScoreTable<Name>,
  level: number,
): Reliability<Name> | undefined {
  const clusters = dayClusters(scores.cases);
  const { total, days } = clusters;
  if (total === 0) return undefined;
  const estimate = (sums: readonly number[]): Estimate => {
    const { low = null, high = null } = meanInterval(clusters, sums, level) ?? {};
    return { value: sum(sums) / total, low, high };
  };
  const ofMethods = <Value>(valueOf: (method: Name) => Value): Record<Name, Value> =>
    Object.fromEntries(scores.methods.map((method) => [method, valueOf(method)])) as Record<Name, Value>;
  const judged = scores.sums[scores.methods[0]];
  const against = ofMethods((method): Comparison => {
    const rival = scores.sums[method];
    const less = (name: 'brier' | 'crps'): number[] =>
      Array.from(judged[name], (value, day) => value - (rival[name][day] as number));
    const skill = (name: 'brier' | 'crps'): number => 1 - sum([...judged[name]]) / sum([...rival[name]]);
    return {
      brier: estimate(less('brier')),
      crps: estimate(less('crps')),
      brier_skill: skill('brier'),
      crps_skill: skill('crps'),
    };
  });
  return {
    cases: total,
    days,
    scores: ofMethods((method) => {
      const sums = scores.sums[method];
      const brier = estimate([...sums.brier]);
      return {
        brier,
        crps: estimate([...sums.crps]),
        log_score: estimate([...sums.log]),
        decomposition: decompositionOf(sums, brier.value),
      };
    }),
    against,
    bins: binsOf(scores, level),
    pit: Array.from({ length: PIT_BINS }, (_, bin) => (scores.pit[bin] as number) / total),
  };
}

/**
 * With the correction of Ferro and Fricker 2012 (Q. J. R. Meteorol. Soc. 138:1954): chance alone moves the observed
 * shares away from the probabilities and from each other. The spread of probabilities within their bins is the rest.
 */
export function decompositionOf(
  { forecasts, probabilities, hits }: Pick<ScoreSums, 'forecasts' | 'probabilities' | 'hits'>,
  brier: number,
): Decomposition {
  const total = sum([...forecasts]);
  const overall = sum([...hits]) / total;
  let [reliability, resolution, chance] = [0, 0, 0];
  for (const [bin, count] of forecasts.entries()) {
    if (count === 0) continue;
    const observed = (hits[bin] as number) / count;
    reliability += (count / total) * ((probabilities[bin] as number) / count - observed) ** 2;
    resolution += (count / total) * (observed - overall) ** 2;
    if (count > 1) chance += ((count / total) * observed * (1 - observed)) / (count - 1);
  }
  const variance = overall * (1 - overall);
  const found = {
    reliability: reliability - chance,
    resolution: resolution - chance + variance / (total - 1),
    uncertainty: variance + variance / (total - 1),
  };
  return { ...found, within_bins: brier - found.reliability + found.resolution - found.uncertainty };
}

/** The ranges of one day are of one weather, so days are what varies. */
function binsOf<Name extends string>(
  { forecastsByDay, hitsByDay, sums, methods }: ScoreTable<Name>,
  level: number,
): Bin[] {
  const { probabilities } = sums[methods[0]];
  return forecastsByDay.map((forecasts, bin) => {
    const clusters: Clusters = dayClusters(forecasts);
    const { rate: observed, low, high } = rateOf(clusters, hitsByDay[bin] ?? [], level);
    const { total } = clusters;
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      forecasts: total,
      mean_probability: total === 0 ? null : (probabilities[bin] as number) / total,
      observed,
      low,
      high,
    };
  });
}
