import { sum } from '../statistics.js';
import { type Clusters, dayClusters, meanInterval } from '../uncertainty/intervals.js';
import type { BlendedCase } from './blended-origins.js';
import type { Estimate } from './reliability.js';

// Whether several providers as one (D54) were better than each of them: on the days that all forecast, each dressed with the
// mixture of its own errors.

/** With fewer days nothing is claimed: the same weather may favour a blend for months. */
export const MIN_DAYS_OF_CLAIM = 180;

/** Sums by target day; absolute errors in hundredths of a °F. */
interface Sums {
  crps: number[];
  absErrors: number[];
}

/** Mean scores of a provider, °F, and how much the blend's are above them: negative where the blend is better. */
export interface BlendedAgainst {
  crps: number;
  mae: number;
  crps_difference: Estimate;
  mae_difference: Estimate;
}

/** How the blend compares. */
export interface BlendComparison {
  days: number;
  mae: number;
  /** By provider: its mean weight, and the comparison. */
  members: (BlendedAgainst & { weight: number })[];
  /** The provider of each day that had erred least on the training days. */
  best: BlendedAgainst;
  /** By provider: for how many cases it was the best. */
  chosen: readonly number[];
}

/** The scores of blended forecasts and of their providers, added up. */
export class BlendScores {
  readonly #cases: number[];
  readonly #blend: Sums;
  readonly #best: Sums;
  readonly #members: readonly Sums[];
  readonly #weights: number[];
  readonly #chosen: number[];

  constructor(
    private readonly first: number,
    days: number,
    providers: number,
  ) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    const sums = (): Sums => ({ crps: byDay(), absErrors: byDay() });
    this.#cases = byDay();
    [this.#blend, this.#best] = [sums(), sums()];
    this.#members = Array.from({ length: providers }, sums);
    [this.#weights, this.#chosen] = [
      new Array<number>(providers).fill(0),
      new Array<number>(providers).fill(0),
    ];
  }

  /**
   * @param crps of the blend
   * @param ofProviders that of each provider
   */
  add(
    { day, forecast, forecasts, actual, blend }: BlendedCase,
    crps: number,
    ofProviders: readonly number[],
  ): void {
    const at = day - this.first;
    const count = (sums: Sums, score: number, point: number): void => {
      sums.crps[at]! += score;
      sums.absErrors[at]! += Math.abs(point - actual);
    };
    this.#cases[at]! += 1;
    count(this.#blend, crps, forecast);
    for (const [provider, sums] of this.#members.entries()) {
      count(sums, ofProviders[provider]!, forecasts[provider]!);
    }
    const { best, members, weights } = blend;
    count(this.#best, ofProviders[best]!, forecasts[best]!);
    this.#chosen[best]! += 1;
    for (const [at, member] of members.entries()) this.#weights[member]! += weights[at]!;
  }

  /** @returns undefined without cases */
  compared(level: number): BlendComparison | undefined {
    const clusters = dayClusters(this.#cases);
    const { total, days } = clusters;
    if (total === 0) return undefined;
    const against = (sums: Sums): BlendedAgainst => ({
      crps: sum(sums.crps) / total,
      mae: sum(sums.absErrors) / total / 100,
      crps_difference: differenceOf(clusters, this.#blend.crps, sums.crps, 1, level),
      mae_difference: differenceOf(clusters, this.#blend.absErrors, sums.absErrors, 100, level),
    });
    return {
      days,
      mae: sum(this.#blend.absErrors) / total / 100,
      members: this.#members.map((sums, provider) => ({
        weight: this.#weights[provider]! / total,
        ...against(sums),
      })),
      best: against(this.#best),
      chosen: this.#chosen,
    };
  }
}

/** @param scale what makes a °F of the sums */
function differenceOf(
  clusters: Clusters,
  ours: readonly number[],
  theirs: readonly number[],
  scale: number,
  level: number,
): Estimate {
  const less = ours.map((each, day) => (each - theirs[day]!) / scale);
  const { low = null, high = null } = meanInterval(clusters, less, level) ?? {};
  return { value: sum(less) / clusters.total, low, high };
}
