import { normalCdf } from '../training/normal.js';
import { standardQuantile } from '../../statistics/quantiles.js';
import { sum } from '../../statistics/statistics.js';
import {
  type Clusters,
  dayClusters,
  meanInterval,
  computeRate,
} from '../../statistics/uncertainty/intervals.js';
import { judgeShare } from '../../statistics/uncertainty/judge.js';
import { type Rates, computeRates } from '../../statistics/uncertainty/rate-intervals.js';
import { SCALES, type Unit } from '../../variables/units.js';
import { dieboldMariano } from '../../statistics/uncertainty/diebold-mariano.js';

// How good the distributions of some forecasts were. A forecast is held against what came: at each level against the share of
// observations below its quantile (Gneiting, Balabdaoui and Raftery 2007, J. R. Stat. Soc. B 69:243), and by quantile losses.

/** The cases of a record, as lists that go together; temperatures are hundredths of a °F, losses 0.0001 °F. */
export interface ScoredCases {
  /** The levels that all of them have, %, ascending. */
  levels: readonly number[];
  /** The day of the window. */
  days: readonly number[];
  errors: readonly number[];
  /** 16 times how many quantiles are below the observation, and how many are equal to it. */
  places: readonly number[];
  /** The cell of an observation that equals one of several quantiles, over the width from the lowest to the highest; else 0. */
  cells: readonly number[];
  /** The sum of the losses of all levels. */
  loss_sums: readonly number[];
  /** Sums over the cases. */
  losses_by_level: readonly number[];
  offsets_by_level: readonly number[];
  width_squares: number;
}

/** The loss of a quantile at a level, 0.0001 °F. @param above the quantile less the observation, hundredths of a °F */
export const computeLoss = (above: number, level: number): number =>
  above >= 0 ? (100 - level) * above : -level * above;

/** The cases of each provider and group that have the most common levels; if two are, those of more levels. */
export function findMode<
  Row extends Pick<ScoredCases, 'levels'> & { provider: string; group_key: string; cases: number },
>(rows: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.provider} ${row.group_key}`;
    const best = found.get(key);
    const isMore =
      best === undefined ||
      row.cases > best.cases ||
      (row.cases === best.cases && row.levels.length > best.levels.length);
    if (isMore) found.set(key, row);
  }
  return [...found.values()];
}

/** The share of observations below a quantile, beside the level that it has. */
interface Coverage {
  level: number;
  observed: number | null;
  low: number | null;
  high: number | null;
  /** Null where the interval is missing, or too wide to say. */
  verdict: 'holds' | 'too_low' | 'too_high' | null;
  /** The mean loss, degrees of the request. */
  pinball: number;
}

/** The verdicts on a quantile, by its share of observations. */
const VERDICTS = { below: 'too_low', above: 'too_high', right: 'holds', unknown: null } as const;

/** The nominal probabilities of central intervals, %. */
export const NOMINALS = [50, 80, 90] as const;

/**
 * Where an observation lies that equals one quantile, %: in its cell around the level, on the normal scale that the outermost
 * quantiles give, but not beyond the levels on either side.
 * Undefined where these are less than twice as far apart as the cell: they say more of it than a normal.
 * Simulated in whole degrees, standard deviations of 0.7 to 3 °F, shares of a right provider outside of 10 to 90%:
 * 0.19 to 0.21 by two, three and five levels. Between the levels on either side alone, it is 0.12 to 0.16 by two.
 */
function placeInCell(
  levels: readonly number[],
  tied: number,
  cell: number,
  [lower, higher]: readonly [number, number],
): [number, number] | undefined {
  const [lowest, highest, at] = [levels[0]!, levels.at(-1)!, levels[tied]!].map(standardQuantile);
  const half = (cell / 2) * (highest! - lowest!);
  const [from, to] = [100 * normalCdf(at! - half), 100 * normalCdf(at! + half)];
  return higher - lower < 2 * (to - from) ? undefined : [Math.max(lower, from), Math.min(higher, to)];
}

/** A central interval between two quantiles. */
export interface CentralInterval extends Rates<'covered'> {
  nominal: number;
  mean_width: number;
}

/** The shape of a PIT histogram in a word; null where it cannot be told. */
export const SHAPES = ['flat', 'too_narrow', 'too_wide', 'too_warm', 'too_cold'] as const;
export type Shape = (typeof SHAPES)[number] | null;

/** The level of each of the two tests of a shape, so that either is wrong half as often as the level of confidence allows. */
export const shapeLevel = (level: number): number => 1 - (1 - level) / 2;

/** The scores of the cases of a record. */
export class DistributionScores {
  readonly #clusters: Clusters;
  readonly #losses: number[];
  /**
   * By level and day: how many observations are below the quantile. The place of an observation in its distribution
   * (PIT) is uniform between the levels of the quantiles around it, 0 and 100% outside: so one that is
   * equal to quantiles counts in part for each (Czado, Gneiting and Held 2009, Biometrics 65:1254). Levels far around
   * one that it equals say too little: then it is uniform in its cell.
   */
  readonly #below: number[][];

  /** @param days of the window @param level of confidence @param unit of losses and CRPS */
  constructor(
    private readonly cases: ScoredCases,
    private readonly days: number,
    private readonly level: number,
    private readonly unit: Unit,
  ) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    const { levels, places, cells, loss_sums } = cases;
    const counts = byDay();
    this.#losses = byDay();
    this.#below = levels.map(byDay);
    for (const [at, day] of cases.days.entries()) {
      counts[day]! += 1;
      this.#losses[day]! += loss_sums[at]!;
      const first = places[at]! >> 4;
      const higher = first + (places[at]! & 15);
      const around = [levels[first - 1] ?? 0, levels[higher] ?? 100] as const;
      const cell = cells[at]!;
      const [from, to] = (cell > 0 ? placeInCell(levels, first, cell, around) : undefined) ?? around;
      for (let place = first; place < levels.length; place += 1)
        this.#below[place]![day]! += place < higher ? (levels[place]! - from) / (to - from) : 1;
    }
    this.#clusters = dayClusters(counts);
  }

  get count(): number {
    return this.#clusters.total;
  }

  get countOfDays(): number {
    return this.#clusters.days;
  }

  coverage(): Coverage[] {
    return this.cases.levels.map((level, place) => {
      const { rate, low, high } = computeRate(this.#clusters, this.#below[place]!, this.level);
      return {
        level,
        observed: rate,
        low,
        high,
        verdict: VERDICTS[judgeShare({ low, high }, level / 100)],
        pinball: this.#mean(this.cases.losses_by_level[place]!, this.count),
      };
    });
  }

  /** The central intervals that the levels allow. */
  intervals(): CentralInterval[] {
    const { levels, offsets_by_level } = this.cases;
    return NOMINALS.flatMap((nominal) => {
      const from = levels.indexOf((100 - nominal) / 2);
      const to = levels.indexOf((100 + nominal) / 2);
      if (from < 0 || to < 0) return [];
      const mean_width = (offsets_by_level[to]! - offsets_by_level[from]!) / this.count / 100;
      const covered = computeRates(this.#clusters, { covered: this.#between(from, to) }, this.level);
      return [{ nominal, ...covered, mean_width }];
    });
  }

  /** The cases between two neighbouring levels, below the first and above the last, and how many are expected. */
  pit(): { counts: number[]; expected: number[] } {
    const steps = (ascending: readonly number[]): number[] =>
      ascending.map((each, place) => each - (ascending[place - 1] ?? 0));
    return {
      counts: steps([...this.#below.map(sum), this.count]),
      expected: steps([...this.cases.levels, 100]).map((percent) => (this.count * percent) / 100),
    };
  }

  /**
   * Its shape: what is sure of the share of cases beyond the outermost levels, and of the mean of all shares below levels;
   * if of both, the one with more standard errors.
   */
  shape(): Shape {
    const { levels } = this.cases;
    const level = shapeLevel(this.level);
    const mean = (values: readonly number[]): number => sum(values) / values.length;
    const expected = mean(levels) / 100;
    const perDay = (value: (day: number) => number): number[] =>
      Array.from({ length: this.days }, (_, day) => value(day));
    const location = this.#contrast(
      perDay((day) => mean(this.#below.map((each) => each[day]!))),
      expected,
      level,
    );
    const inner = (levels.at(-1)! - levels[0]!) / 100;
    const width = levels.length < 2 ? 0 : this.#contrast(this.#between(0, levels.length - 1), inner, level);
    if (location === undefined || width === undefined) return null;
    if (location === 0 && width === 0) return 'flat';
    if (Math.abs(width) >= Math.abs(location)) return width < 0 ? 'too_narrow' : 'too_wide';
    return location > 0 ? 'too_warm' : 'too_cold';
  }

  /** The mean over cases of 2 times the mean loss over the levels. */
  crps(): number {
    return this.#crps(sum(this.#losses));
  }

  /**
   * The root of the mean variance over that of the mean squared error, its mean removed. Quantiles have the variance of the
   * normal through their outermost levels.
   */
  spreadToError(): number | null {
    const { levels, errors, width_squares } = this.cases;
    const [lowest = 0, highest = 0] = [levels[0], levels.at(-1)].map((level) => standardQuantile(level!));
    if (levels.length < 2) return null;
    const variances = width_squares / (highest - lowest) ** 2;
    const mean = sum(errors) / this.count;
    const squares = errors.reduce((total, error) => total + (error - mean) ** 2, 0);
    return squares === 0 ? null : Math.sqrt(variances / squares);
  }

  /**
   * The forecasts dressed by a normal of the mean and the standard deviation of these very errors; differences are negative
   * where the provider is better.
   */
  againstNormal() {
    const { days, errors, levels, loss_sums } = this.cases;
    const mean = sum(errors) / this.count;
    const sd = Math.sqrt(errors.reduce((total, error) => total + (error - mean) ** 2, 0) / this.count);
    const offsets = levels.map((level) => Math.floor(standardQuantile(level) * sd - mean + 0.5));
    const lossAt = new Map<number, number>(); // errors come again
    const differences = new Array<number>(this.days).fill(0);
    let losses = 0;
    for (const [at, day] of days.entries()) {
      const error = errors[at]!;
      let loss = lossAt.get(error);
      if (loss === undefined) {
        loss = sum(levels.map((level, place) => computeLoss(offsets[place]! + error, level)));
        lossAt.set(error, loss);
      }
      losses += loss;
      differences[day]! += loss_sums[at]! - loss;
    }
    const found = meanInterval(this.#clusters, differences, this.level);
    const bound = (value: number): number => this.#mean(2 * value, levels.length);
    return {
      cases: this.count,
      crps_from_quantiles: this.#crps(losses),
      difference: {
        value: this.#crps(sum(differences)),
        low: found === undefined ? null : bound(found.low),
        high: found === undefined ? null : bound(found.high),
        p_value: dieboldMariano(this.#clusters, differences)?.p_value ?? null,
      },
    };
  }

  #crps(losses: number): number {
    return this.#mean(2 * losses, this.count * this.cases.levels.length);
  }

  /** A mean of losses in the unit, to 0.000001. The quotient of whole numbers is exact where it is a tie. */
  #mean(losses: number, count: number): number {
    return Math.round((losses * 1e4) / (count * SCALES[this.unit].size)) / 1e6 + 0;
  }

  /** By day, the cases from one level to another. */
  #between(from: number, to: number): number[] {
    return this.#below[to]!.map((each, day) => each - this.#below[from]![day]!);
  }

  /** How many standard errors a mean is off what is expected, 0 where that is not sure; undefined with too few days. */
  #contrast(sums: readonly number[], expected: number, level: number): number | undefined {
    const found = meanInterval(this.#clusters, sums, level);
    // All cases agree: that they do may be the very problem.
    if (found === undefined) {
      const off = sum(sums) / this.count - expected;
      return this.#clusters.degreesOfFreedom === 0 ? undefined : Math.abs(off) < 1e-9 ? 0 : Infinity * off;
    }
    return expected >= found.low && expected <= found.high ? 0 : (found.value - expected) / found.std_error;
  }
}
