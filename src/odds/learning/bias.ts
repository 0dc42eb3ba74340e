import { sum } from '../../statistics/statistics.js';
import { dayClusters, meanInterval } from '../../statistics/uncertainty/intervals.js';
import type { Case } from './origins.js';
import type { Estimate } from './reliability.js';
import type { Errors } from './tally.js';
import { BIAS_KAPPA } from './training.js';

// The bias of forecasts, drawn towards the network's: of few days a station's own mean is mostly chance, and to correct by
// it makes forecasts worse.

/**
 * The mean error to expect, hundredths of a °F: that of the first errors of a list, and of 40 more days like the
 * network's; undefined without any day of the network.
 */
export function biasOf(stationErrors: ArrayLike<number>, days: number, network: Errors): number | undefined {
  if (network.days === 0) return undefined;
  let total = (BIAS_KAPPA * network.sum) / network.days;
  for (let at = 0; at < days; at += 1) total += stationErrors[at] as number;
  return total / (days + BIAS_KAPPA);
}

/** The effect of the correction on past forecasts. */
export interface CorrectionGain {
  cases: number;
  days: number;
  /** Mean absolute errors, hundredths of a °F; the gain is by how much the first exceeds the second. */
  mae_raw: number;
  mae_corrected: number;
  gain: Estimate;
}

/** The errors of past forecasts, as issued and corrected, added up by target day. */
export class CorrectionScores {
  readonly #cases: number[];
  readonly #raw: number[];
  readonly #corrected: number[];

  constructor(
    private readonly first: number,
    days: number,
  ) {
    [this.#cases, this.#raw, this.#corrected] = [0, 0, 0].map(() => new Array<number>(days).fill(0)) as [
      number[],
      number[],
      number[],
    ];
  }

  get total(): number {
    return sum(this.#cases);
  }

  add({ day, forecast, actual, stationErrors, station, network }: Case): void {
    const bias = biasOf(stationErrors, station.days, network);
    if (bias === undefined) return;
    const at = day - this.first;
    this.#cases[at] = (this.#cases[at] as number) + 1;
    this.#raw[at] = (this.#raw[at] as number) + Math.abs(forecast - actual);
    this.#corrected[at] = (this.#corrected[at] as number) + Math.abs(forecast - bias - actual);
  }

  /** @returns undefined without cases */
  gain(level: number): CorrectionGain | undefined {
    const clusters = dayClusters(this.#cases);
    if (clusters.total === 0) return undefined;
    const gains = this.#raw.map((raw, day) => raw - (this.#corrected[day] as number));
    const { low = null, high = null } = meanInterval(clusters, gains, level) ?? {};
    return {
      cases: clusters.total,
      days: clusters.days,
      mae_raw: sum(this.#raw) / clusters.total,
      mae_corrected: sum(this.#corrected) / clusters.total,
      gain: { value: sum(gains) / clusters.total, low, high },
    };
  }
}
