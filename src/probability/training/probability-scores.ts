import { sum } from '../../statistics/statistics.js';
import { DailySums } from '../../statistics/uncertainty/daily-sums.js';
import { crps, type Predictive, type Range } from './predictive.js';

// How good predictive distributions were (D36): the probabilities of ranges around each past forecast by the score of Brier
// (1950, Mon. Weather Rev. 78:1) and by their logarithm, and the whole of each.

export const BINS = 20;
const PIT_BINS = 10;

/** The probabilities of one method in a bin: each of a range, with whether the range came true. */
export type Bin = DailySums<'probability' | 'hit'>;

/** The scores of methods on the same cases. PIT is that of the first, which is judged. */
export class ScoreTable<Name extends string> {
  /** Cases without enough training. */
  untrained = 0;
  readonly sums: Readonly<Record<Name, DailySums<'brier' | 'crps' | 'log'>>>;
  readonly bins: Readonly<Record<Name, readonly Bin[]>>;
  /** The share of cases in each tenth of the distribution. */
  readonly pit = new Float64Array(PIT_BINS);

  constructor(
    private readonly first: number,
    days: number,
    readonly methods: readonly [Name, ...Name[]],
  ) {
    const ofEach = <Value>(make: () => Value) =>
      Object.fromEntries(methods.map((name) => [name, make()])) as Record<Name, Value>;
    this.sums = ofEach(() => DailySums.empty(first, days, ['brier', 'crps', 'log']));
    this.bins = ofEach(() =>
      Array.from({ length: BINS }, () => DailySums.empty(first, days, ['probability', 'hit'])),
    );
  }

  /** Scores a case. @param outcome a whole degree @param ranges a partition */
  add(
    day: number,
    outcome: number,
    ranges: readonly Range[],
    predictives: Readonly<Record<Name, Predictive>>,
  ): void {
    for (const method of this.methods) {
      const [predictive, bins] = [predictives[method], this.bins[method]];
      let [brier, log] = [0, 0];
      for (const range of ranges) {
        const probability = predictive.of(range, ranges.length);
        const hit = outcome >= (range.from ?? -Infinity) && outcome <= (range.to ?? Infinity) ? 1 : 0;
        brier += (hit - probability) ** 2 / ranges.length;
        if (hit === 1) log = -Math.log(probability);
        const bin = Math.min(BINS - 1, Math.floor(probability * BINS));
        const { cases, sums } = bins[bin]!; // four million in a request: add() takes three times as long
        cases[day - this.first]! += 1;
        sums.probability[day - this.first]! += probability;
        sums.hit[day - this.first]! += hit;
      }
      this.sums[method].add(day, { brier, crps: crps(predictive, outcome), log });
    }
    const judged = predictives[this.methods[0]];
    this.#place(judged.upTo(outcome - 1), judged.upTo(outcome));
  }

  /** A whole degree spreads evenly over its part of the distribution (Czado, Gneiting and Held 2009). */
  #place(before: number, here: number): void {
    let below = 0;
    for (let bin = 1; bin <= PIT_BINS; bin += 1) {
      const edge = bin / PIT_BINS;
      const inside = here > before ? (edge - before) / (here - before) : edge < here ? 0 : 1;
      const share = bin === PIT_BINS ? 1 : Math.min(1, Math.max(0, inside));
      this.pit[bin - 1]! += share - below;
      below = share;
    }
  }
}

/**
 * The parts of a Brier score: brier = reliability - resolution + uncertainty + within_bins. With the correction of Ferro and Fricker 2012 (Q. J. R. Meteorol. Soc. 138:1954): chance alone moves the observed
 * shares away from the probabilities and from each other. The spread of probabilities within their bins is the rest.
 */
export function computeDecomposition(bins: readonly Bin[], brier: number) {
  const total = sum(bins.map(({ count }) => count));
  const overall = sum(bins.map((bin) => bin.total('hit'))) / total;
  let [reliability, resolution, chance] = total === 0 ? [NaN, NaN, NaN] : [0, 0, 0];
  for (const bin of bins) {
    const { count } = bin;
    if (count === 0) continue;
    const observed = bin.total('hit') / count;
    reliability += (count / total) * (bin.total('probability') / count - observed) ** 2;
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
