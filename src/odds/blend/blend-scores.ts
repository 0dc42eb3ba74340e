import { sum } from '../../statistics/statistics.js';
import { dayClusters, meanInterval } from '../../statistics/uncertainty/intervals.js';
import type { BlendedCase } from './blended-origins.js';
import type { Scale } from '../../statistics/units.js';
import type { Estimate } from '../learning/reliability.js';

// Whether several providers as one were better than each of them: on the days that all forecast, each dressed with the
// mixture of its own errors.

/** With fewer days nothing is claimed: the same weather may favour a blend for months. */
export const MIN_DAYS_OF_CLAIM = 180;

/** Mean scores of a provider, degrees, and the blend's less these: negative where the blend is better. */
export interface BlendedAgainst {
  crps: number;
  mae: number;
  crps_difference: Estimate;
  mae_difference: Estimate;
}

/** How the blend compares; against itself, too, for its own scores. */
export interface BlendComparison {
  days: number;
  blend: BlendedAgainst;
  /** The provider of each day that had erred least on the training days. */
  best: BlendedAgainst;
  providers: BlendedAgainst[];
}

/** The scores of blended forecasts and of their providers, added up. */
export class BlendScores {
  readonly #cases: number[];
  /** By target day, degrees: of the blend, of the best provider, then of each. */
  readonly #crps: readonly number[][];
  readonly #absErrors: readonly number[][];

  constructor(
    private readonly first: number,
    days: number,
    providers: number,
    private readonly scale: Scale,
  ) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    this.#cases = byDay();
    this.#crps = Array.from({ length: 2 + providers }, byDay);
    this.#absErrors = Array.from({ length: 2 + providers }, byDay);
  }

  /** @param ofProviders the CRPS of each provider's own mixture */
  add(
    { day, forecast, forecasts, actual, blend }: BlendedCase,
    crps: number,
    ofProviders: readonly number[],
  ) {
    const at = day - this.first;
    const { best } = blend;
    const scores = [crps, ofProviders[best]!, ...ofProviders];
    const points = [forecast, forecasts[best]!, ...forecasts];
    this.#cases[at]! += 1;
    for (const [rival, score] of scores.entries()) {
      this.#crps[rival]![at]! += score;
      this.#absErrors[rival]![at]! += Math.abs(points[rival]! - actual) / this.scale.size;
    }
  }

  /** @returns undefined without cases */
  compared(level: number): BlendComparison | undefined {
    const clusters = dayClusters(this.#cases);
    const { total, days } = clusters;
    if (total === 0) return undefined;
    const difference = ([ours = []]: readonly number[][], theirs: readonly number[]): Estimate => {
      const less = ours.map((each, day) => each - theirs[day]!);
      const { low = null, high = null } = meanInterval(clusters, less, level) ?? {};
      return { value: sum(less) / total, low, high };
    };
    const [blend, best, ...providers] = this.#crps.map((crps, rival): BlendedAgainst => {
      const absErrors = this.#absErrors[rival]!;
      return {
        crps: sum(crps) / total,
        mae: sum(absErrors) / total,
        crps_difference: difference(this.#crps, crps),
        mae_difference: difference(this.#absErrors, absErrors),
      };
    }) as [BlendedAgainst, BlendedAgainst, ...BlendedAgainst[]];
    return { days, blend, best, providers };
  }
}
