import { sum } from '../statistics.js';
import { type Clusters, dayClusters, meanInterval, type Rate, rateOf } from './intervals.js';

/** A mean score, or a difference of two, and its interval; null with fewer than 14 days. */
export interface Estimate {
  value: number;
  low: number | null;
  high: number | null;
}

/** Sums over the cases of a sample, by target day: the cases of a day share its weather, so days are what varies. */
export class DailySums<Name extends string> {
  /** Cases of each day. */
  readonly cases: number[];
  readonly #sums: Readonly<Record<Name, number[]>>;

  constructor(
    private readonly first: number,
    days: number,
    private readonly names: readonly Name[],
  ) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    this.cases = byDay();
    this.#sums = Object.fromEntries(names.map((name) => [name, byDay()])) as Record<Name, number[]>;
  }

  add(day: number, values: Readonly<Record<Name, number>>): void {
    const at = day - this.first;
    this.cases[at]! += 1;
    for (const name of this.names) this.#sums[name][at]! += values[name];
  }

  get clusters(): Clusters {
    return dayClusters(this.cases);
  }

  get count(): number {
    return sum(this.cases);
  }

  total(name: Name): number {
    return sum(this.#sums[name]);
  }

  mean(name: Name, level: number): Estimate {
    return this.#estimate(this.#sums[name], level);
  }

  /** The mean of one less that of another. */
  difference(one: Name, other: Name, level: number): Estimate {
    const less = this.#sums[one].map((value, day) => value - this.#sums[other][day]!);
    return this.#estimate(less, level);
  }

  rate(name: Name, level: number): Rate {
    return rateOf(this.clusters, this.#sums[name], level);
  }

  #estimate(sums: readonly number[], level: number): Estimate {
    const { clusters } = this;
    const { low = null, high = null } = meanInterval(clusters, sums, level) ?? {};
    return { value: sum(sums) / clusters.total, low, high };
  }
}
