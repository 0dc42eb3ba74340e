import { degreesFrom, type Scale, wholeDegree } from '../../statistics/units.js';
import { cdf, crps, type Curve, normalCurve } from './curve.js';
import type { Case } from './origins.js';
import { UPPER_ENDS } from './predictive.js';
import { curveOfTally, atMost, floorOf, phaseOf, type Tally } from './tally.js';
import { MIN_NETWORK_DAYS, PROBABILITY_KAPPA } from './training.js';

// How good probabilities were (D36): of six ranges around each past forecast, and of the whole distribution.

/** The mixture, and what it is held against: a normal, with the 2 °F that many use, and either part of it alone. */
export const METHODS = ['mixture', 'normal', 'network', 'station'] as const;
export type Method = (typeof METHODS)[number];

/** The 2 °F, hundredths. */
const NORMAL_SIGMA = 200;

const RANGES = UPPER_ENDS.F.length + 1;
export const BINS = 20;
export const PIT_BINS = 10;

/** Sums of one method: by target day, and by bin of its probabilities. */
export class ScoreSums {
  readonly brier: Float64Array;
  readonly crps: Float64Array;
  readonly log: Float64Array;
  readonly forecasts = new Float64Array(BINS);
  readonly probabilities = new Float64Array(BINS);
  readonly hits = new Float64Array(BINS);

  constructor(days: number) {
    this.brier = new Float64Array(days);
    this.crps = new Float64Array(days);
    this.log = new Float64Array(days);
  }

  /** @returns the bin of the probability */
  count(day: number, probability: number, isOutcome: boolean): number {
    const bin = Math.min(BINS - 1, Math.floor(probability * BINS));
    add(this.forecasts, bin, 1);
    add(this.probabilities, bin, probability);
    if (isOutcome) {
      add(this.brier, day, (1 - probability) ** 2 / RANGES);
      add(this.log, day, -Math.log(probability));
      add(this.hits, bin, 1);
    } else {
      add(this.brier, day, probability ** 2 / RANGES);
    }
    return bin;
  }
}

const add = (sums: Float64Array | number[], at: number, value: number): void => {
  sums[at] = (sums[at] as number) + value;
};

/** As much of a case as is scored. */
export type ScoredCase = Pick<Case, 'day' | 'forecast' | 'actual' | 'station' | 'networkTally'>;

/** The CRPS of the mixture of a case; undefined where the network has too few days for one. */
export function crpsOf(
  { forecast, actual, station, networkTally }: ScoredCase,
  scale: Scale,
): number | undefined {
  if (networkTally.days < MIN_NETWORK_DAYS) return undefined;
  return mixtureCrps(wholeDegree(actual, scale) - floorOf(forecast, scale), station, networkTally).mixed;
}

/**
 * The CRPS of the mixture and of its parts. With a weight w of the station's share s beside the network's n, the mixture's
 * is (1-w)² that of n, w² that of s, and 2w(1-w) the sum of the products of both differences, which end where the
 * station's days do.
 */
function mixtureCrps(outcome: number, station: Tally, networkTally: Tally) {
  const network = curveOfTally(networkTally);
  const ofNetwork = crps(network, outcome);
  if (station.days === 0) return { mixed: ofNetwork, ofStation: ofNetwork, ofNetwork };
  let [squares, products] = [0, 0];
  const last = Math.max(outcome - 1, station.highest);
  for (let degree = Math.min(outcome, station.lowest); degree <= last; degree += 1) {
    const happened = degree >= outcome ? 1 : 0;
    const difference = atMost(station, degree) / station.days - happened;
    squares += difference * difference;
    products += difference * (cdf(network, degree) - happened);
  }
  const weight = station.days / (station.days + PROBABILITY_KAPPA);
  const mixed = (1 - weight) ** 2 * ofNetwork + weight ** 2 * squares + 2 * weight * (1 - weight) * products;
  return { mixed, ofStation: squares, ofNetwork };
}

/** The scores of methods on the same cases, added up. Bins and PIT are of the first, which is judged. */
export class ScoreTable<Name extends string> {
  /** Cases of each target day. */
  readonly cases: number[];
  /** Cases that there was too little to learn for. */
  untrained = 0;
  readonly sums: Readonly<Record<Name, ScoreSums>>;
  /** By bin: the probabilities of each target day, and those whose range it became. */
  readonly forecastsByDay: number[][];
  readonly hitsByDay: number[][];
  /** The share of cases in each tenth of the distribution. */
  readonly pit = new Float64Array(PIT_BINS);

  constructor(
    protected readonly first: number,
    days: number,
    readonly methods: readonly [Name, ...Name[]],
  ) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    const byBin = (): number[][] => Array.from({ length: BINS }, byDay);
    this.cases = byDay();
    [this.forecastsByDay, this.hitsByDay] = [byBin(), byBin()];
    this.sums = Object.fromEntries(methods.map((name) => [name, new ScoreSums(days)])) as Record<
      Name,
      ScoreSums
    >;
  }

  /** Counts what the judged method said of a range. */
  protected judge(day: number, probability: number, isOutcome: boolean): void {
    const bin = this.sums[this.methods[0]].count(day, probability, isOutcome);
    add(this.forecastsByDay[bin] as number[], day, 1);
    if (isOutcome) add(this.hitsByDay[bin] as number[], day, 1);
  }

  /**
   * A whole degree spreads evenly over its part of the distribution (Czado, Gneiting and Held 2009).
   * @param before P(A < outcome)
   * @param here P(A <= outcome)
   */
  protected place(before: number, here: number): void {
    let below = 0;
    for (let bin = 1; bin <= PIT_BINS; bin += 1) {
      const edge = bin / PIT_BINS;
      const inside = here > before ? (edge - before) / (here - before) : edge < here ? 0 : 1;
      const share = bin === PIT_BINS ? 1 : Math.min(1, Math.max(0, inside));
      add(this.pit, bin - 1, share - below);
      below = share;
    }
  }
}

/** The scores of mixtures, and of what they are held against. */
export class Scores extends ScoreTable<Method> {
  readonly #normals: Curve[] = [];

  constructor(
    first: number,
    days: number,
    private readonly scale: Scale,
  ) {
    super(first, days, METHODS);
  }

  /** @returns the CRPS of the mixture; undefined where the network has too few days for one */
  add({ day, forecast, actual, station, networkTally }: ScoredCase): number | undefined {
    if (networkTally.days < MIN_NETWORK_DAYS) {
      this.untrained += 1;
      return undefined;
    }
    const { scale } = this;
    const phase = phaseOf(forecast, scale);
    const outcome = wholeDegree(actual, scale) - floorOf(forecast, scale);
    add(this.cases, day - this.first, 1);
    const normal = this.#normal(phase);
    this.#ranges(day - this.first, degreesFrom(phase, scale.size), outcome, station, networkTally, normal);
    return this.#distribution(day - this.first, outcome, station, networkTally, normal);
  }

  /** Brier and log scores of the six ranges, and their bins. */
  #ranges(day: number, middle: number, outcome: number, station: Tally, network: Tally, normal: Curve): void {
    const { sums } = this;
    const upperEnds = UPPER_ENDS[this.scale.letter];
    let [stationBelow, networkBelow, normalBelow] = [0, 0, 0];
    let start = -Infinity;
    for (let range = 0; range < RANGES; range += 1) {
      const end = range < RANGES - 1 ? middle + (upperEnds[range] as number) : Infinity;
      const isOutcome = start < outcome && outcome <= end;
      const stationUpTo = atMost(station, end);
      const networkUpTo = atMost(network, end);
      const normalUpTo = cdf(normal, end);
      const ofStation = stationUpTo - stationBelow;
      const byNetwork = (networkUpTo - networkBelow + 1 / RANGES) / (network.days + 1);
      // Without a day of its own a station has the network's.
      const byStation = station.days === 0 ? byNetwork : (ofStation + 1 / RANGES) / (station.days + 1);
      const mixed = (ofStation + PROBABILITY_KAPPA * byNetwork) / (station.days + PROBABILITY_KAPPA);
      sums.normal.count(day, normalUpTo - normalBelow, isOutcome);
      sums.network.count(day, byNetwork, isOutcome);
      sums.station.count(day, byStation, isOutcome);
      this.judge(day, mixed, isOutcome);
      [start, stationBelow, networkBelow, normalBelow] = [end, stationUpTo, networkUpTo, normalUpTo];
    }
  }

  /** CRPS over whole degrees, and where the outcome is in the mixture. @returns that of the mixture */
  #distribution(day: number, outcome: number, station: Tally, network: Tally, normal: Curve): number {
    const found = mixtureCrps(outcome, station, network);
    add(this.sums.normal.crps, day, crps(normal, outcome));
    add(this.sums.network.crps, day, found.ofNetwork);
    const curve = curveOfTally(network);
    let [here, before] = [cdf(curve, outcome), cdf(curve, outcome - 1)];
    if (station.days > 0) {
      const weight = station.days / (station.days + PROBABILITY_KAPPA);
      here += weight * (atMost(station, outcome) / station.days - here);
      before += weight * (atMost(station, outcome - 1) / station.days - before);
    }
    add(this.sums.station.crps, day, found.ofStation);
    add(this.sums.mixture.crps, day, found.mixed);
    this.place(before, here);
    return found.mixed;
  }

  /** The normal around forecasts of a phase. */
  #normal(phase: number): Curve {
    return (this.#normals[phase] ??= normalCurve(phase, NORMAL_SIGMA, this.scale));
  }
}
