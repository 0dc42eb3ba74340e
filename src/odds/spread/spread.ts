import { rounded, sum } from '../../statistics/statistics.js';
import { dayClusters, quantitiesOf, uncertaintyOf } from '../../statistics/uncertainty/intervals.js';

// The worth of a provider's spread: the size of errors by spread, and the rank correlation of both.
// Errors and spreads are whole hundredths of a °F.

/** The sums of a bin: by day of the window, and of all its cases. */
class BinSums {
  readonly cases_by_day: number[];
  readonly error_sums: number[];
  readonly abs_error_sums: number[];
  readonly square_error_sums: number[];
  fourth_powers = 0n;
  spreads = 0;

  constructor(days: number) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    [this.cases_by_day, this.error_sums, this.abs_error_sums] = [byDay(), byDay(), byDay()];
    this.square_error_sums = byDay();
  }

  add(day: number, error: number, spread: number): void {
    this.cases_by_day[day]! += 1;
    this.error_sums[day]! += error;
    this.abs_error_sums[day]! += Math.abs(error);
    this.square_error_sums[day]! += error * error;
    this.fourth_powers += BigInt(error * error) ** 2n;
    this.spreads += spread;
  }
}

/** The bin of a spread. Providers say whole degrees, which lie in the middle of theirs: 1.5 to 2.5 °F is bin 2. */
const binOf = (spread: number): number => Math.floor((spread + 50) / 100);

/** The cases that have a spread, counted. */
export class SpreadSkill {
  cases = 0;
  readonly #bins: BinSums[] = [];
  /** By spread and size of the error, as one number. */
  readonly #counts = new Map<number, number>();

  /** @param days of the window */
  constructor(private readonly days: number) {}

  add(day: number, error: number, spread: number): void {
    this.cases += 1;
    (this.#bins[binOf(spread)] ??= new BinSums(this.days)).add(day, error, spread);
    const key = spread * SIZES + Math.abs(error);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The bins that have a case, ascending; half open. Degrees are °F. */
  bins(level: number) {
    return this.#bins.flatMap((bin, at) => {
      const clusters = dayClusters(bin.cases_by_day);
      const quantities = quantitiesOf({ ...bin, fourth_power_error_sum: `${bin.fourth_powers}` });
      const mean = (total: number): number => total / clusters.total;
      const [mean_spread, rmse] = [
        mean(bin.spreads) / 100,
        Math.sqrt(mean(sum(bin.square_error_sums))) / 100,
      ];
      return {
        spread_from_f: Math.max(0, at - 0.5),
        spread_to_f: at + 0.5,
        cases: clusters.total,
        days: clusters.days,
        mean_spread,
        mean_error: mean(sum(bin.error_sums)) / 100,
        mae: mean(sum(bin.abs_error_sums)) / 100,
        rmse,
        rmse_to_spread: mean_spread === 0 ? null : rounded(rmse / mean_spread),
        uncertainty: uncertaintyOf(clusters, quantities, level),
      };
    });
  }

  /** Spearman's, of spreads and sizes of errors; null where either never varies. */
  rankCorrelation(): number | null {
    const cells = [...this.#counts].map(([key, count]) => ({
      spread: Math.floor(key / SIZES),
      size: key % SIZES,
      count,
    }));
    const bySpread = centredRanks(cells.map(({ spread, count }) => [spread, count]));
    const bySize = centredRanks(cells.map(({ size, count }) => [size, count]));
    let [products, ofSpreads, ofSizes] = [0n, 0n, 0n];
    for (const { spread, size, count } of cells) {
      const [a, b, times] = [bySpread.get(spread)!, bySize.get(size)!, BigInt(count)];
      products += times * a * b;
      ofSpreads += times * a * a;
      ofSizes += times * b * b;
    }
    if (ofSpreads === 0n || ofSizes === 0n) return null;
    return Number(products) / Math.sqrt(Number(ofSpreads) * Number(ofSizes));
  }
}

/** More than any size of an error: 300 °F at most. */
const SIZES = 2 ** 15;

/**
 * Twice the rank of each value less the mean rank, as whole numbers; values that are equal share their mean rank.
 * @param counted values, and how often each is there; a value may come again
 */
function centredRanks(counted: readonly (readonly [value: number, count: number])[]): Map<number, bigint> {
  const counts = new Map<number, number>();
  for (const [value, count] of counted) counts.set(value, (counts.get(value) ?? 0) + count);
  const total = sum([...counts.values()]);
  const ranks = new Map<number, bigint>();
  let below = 0;
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    ranks.set(value, BigInt(2 * below + count - total));
    below += count;
  }
  return ranks;
}
