import { expect } from 'chai';
import {
  type ClusterSums,
  dayClusters,
  meanInterval,
  getQuantities,
  computeRate,
  type Uncertainty,
  computeUncertainty,
  weekClusters,
} from '../../../src/statistics/uncertainty/intervals.js';
import { rounded } from '../../../src/statistics/statistics.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

const cycle = (period: readonly number[], length: number): number[] =>
  Array.from({ length }, (_, at) => period[at % period.length] ?? 0);

// 24 days by hand, one of them without pairs; errors in hundredths of a °F.
const COUNTS = cycle([2, 3, 1], 24).map((count, day) => (day === 6 ? 0 : count));
const SUMS: ClusterSums = {
  error_sums: [
    650, -250, 650, 450, -550, 550, 0, -850, 450, 50, -1150, 350, -150, 1850, 250, -350, 1550, 150, -550,
    1250, 50, -750, 950, -50,
  ],
  abs_error_sums: [],
  square_error_sums: [
    212500, 22500, 422500, 102500, 102500, 302500, 0, 242500, 202500, 2500, 442500, 122500, 12500, 1142500,
    62500, 62500, 802500, 22500, 152500, 522500, 2500, 282500, 302500, 2500,
  ],
  fourth_power_error_sum: '2000000000000',
};
SUMS.abs_error_sums = SUMS.error_sums.map(Math.abs);

const times = (factor: number, values: readonly number[]): number[] => values.map((value) => factor * value);

describe('the interval of a mean by days', () => {
  const clusters = dayClusters(COUNTS);

  it('given 24 days worked out by hand, then it is theirs to 0.0001 °F', () => {
    expect([clusters.days, clusters.total, clusters.degreesOfFreedom]).to.deep.equal([23, 46, 2]);
    const near = (found: number | undefined, expected: number) =>
      expect((found ?? NaN) / 100).to.be.closeTo(expected, 1e-4);
    const bias = meanInterval(clusters, SUMS.error_sums, 0.95);
    near(bias?.value, 0.9891);
    near(bias?.std_error, 0.245486);
    near(bias?.low, -0.0671);
    near(bias?.high, 2.0454);
    const mae = meanInterval(clusters, SUMS.abs_error_sums, 0.95, 'log');
    near(mae?.value, 3.0109);
    near(mae?.low, 2.0257);
    near(mae?.high, 4.4752);
    const square = meanInterval(clusters, SUMS.square_error_sums, 0.95, 'log');
    near(Math.sqrt(square?.value ?? NaN), 3.4727);
    near(Math.sqrt(square?.low ?? NaN), 2.4404);
    near(Math.sqrt(square?.high ?? NaN), 4.9417);
  });

  it('given every pair k times, then it is the same: more of the same forecasts of a day say nothing new', () => {
    // But for n_eff, which no number of pairs less than itself allows.
    const bounds = ({ mean_error, mae, rmse }: Uncertainty) =>
      [mean_error, mae, rmse].flatMap(({ low, high, std_error }) => [low, high, std_error].map(rounded));
    const shown = bounds(computeUncertainty(clusters, getQuantities(SUMS), 0.95));
    for (const k of [2, 7, 1000]) {
      const repeated = computeUncertainty(
        dayClusters(times(k, COUNTS)),
        getQuantities({
          error_sums: times(k, SUMS.error_sums),
          abs_error_sums: times(k, SUMS.abs_error_sums),
          square_error_sums: times(k, SUMS.square_error_sums),
          fourth_power_error_sum: String(k * 2e12),
        }),
        0.95,
      );
      expect(bounds(repeated)).to.deep.equal(shown);
    }
  });

  it('given a constant added to every error, then that of the mean error moves by it', () => {
    const moved = SUMS.error_sums.map((sum, day) => sum + 300 * (COUNTS[day] ?? 0));
    const [before, after] = [SUMS.error_sums, moved].map((sums) => meanInterval(clusters, sums, 0.9));
    expect(after?.low).to.be.closeTo((before?.low ?? NaN) + 300, 1e-6);
    expect(after?.high).to.be.closeTo((before?.high ?? NaN) + 300, 1e-6);
    expect(after?.std_error).to.be.closeTo(before?.std_error ?? NaN, 1e-6);
  });

  for (const [what, counts, sums] of [
    ['no day', [], []],
    ['days without pairs', [0, 0, 0], [0, 0, 0]],
    ['13 days', cycle([1], 13), cycle([100, -100], 13)],
    ['errors that are all the same', cycle([2, 1], 90), cycle([14, 7], 90)],
  ] as const) {
    it(`given ${what}, then no interval`, () => {
      expect(meanInterval(dayClusters(counts), sums, 0.95)).to.equal(undefined);
    });
  }

  it('given errors of 0 alone, then a mean that cannot be negative has no interval', () => {
    expect(meanInterval(dayClusters(cycle([1], 90)), cycle([0], 90), 0.95, 'log')).to.equal(undefined);
  });
});

describe('the interval of a mean by weeks', () => {
  it('given six weeks, then it is that of their means; given five, then no interval', () => {
    const counts = [7, 7, 7, 7, 7, 7];
    const sums = [70, 140, 70, 140, 70, 140];
    // Means of 10 and 20 in turns: their spread is 5.477, its sixth root 2.236, and t(5) 2.5706.
    const found = meanInterval(weekClusters(counts, 42), sums, 0.95);
    expect(found?.value).to.equal(15);
    expect(found?.std_error).to.be.closeTo(Math.sqrt(5), 1e-9);
    expect(found?.high).to.be.closeTo(15 + 2.570582 * Math.sqrt(5), 1e-5);
    expect(meanInterval(weekClusters(counts.slice(1), 35), sums.slice(1), 0.95)).to.equal(undefined);
  });
});

describe('the interval of a share', () => {
  const days = dayClusters(cycle([4], 90));

  it('given no hit, or nothing but hits, then days count, and it ends at the share', () => {
    expect(computeRate(days, cycle([0], 90), 0.95)).to.deep.include({ rate: 0, low: 0, n_eff: 90 });
    expect(computeRate(days, cycle([4], 90), 0.95)).to.deep.include({ rate: 1, high: 1, n_eff: 90 });
  });

  it('given too few days, then the share has no interval; given no pairs, then there is no share', () => {
    const none = { rate: 3 / 8, low: null, high: null, n_eff: null };
    expect(computeRate(dayClusters([4, 4]), [1, 2], 0.95)).to.deep.equal(none);
    expect(computeRate(dayClusters([]), [], 0.95).rate).to.equal(null);
  });
});

// Forecasts of a day share 85 % of the variance of their errors, and each day half of its own with the day before.
describe('95 % intervals of 90 days that follow each other', function () {
  const RUNS = range({ test: 400, ci: 2000, stress: 4000 });
  const BIAS = 0.5;

  it('given simulations whose truth is known, then 91 to 98 % of them hold it', () => {
    const random = new Random(20_261_123);
    const held = { mean_error: 0, mae: 0, rmse: 0, rate: 0, weeks: 0 };
    // E|N(m, 1)| and P(|N(m, 1)| > 1) for m = 0.5.
    const truth = { mae: 0.8956, rate: 0.3753 };
    for (let run = 0; run < RUNS; run += 1) {
      const counts: number[] = [];
      const [error, abs, square, misses] = Array.from({ length: 4 }, (): number[] => []);
      const sums = { error: error!, abs: abs!, square: square!, misses: misses! };
      const weather = random.lasting(0.5);
      for (let at = 0; at < 90; at += 1) {
        const day = weather();
        const errors = Array.from(
          { length: 1 + random.below(8) },
          () => BIAS + Math.sqrt(0.85) * day + Math.sqrt(0.15) * random.gaussian(),
        );
        const total = (of: (error: number) => number): number =>
          errors.reduce((sum, error) => sum + of(error), 0);
        counts.push(errors.length);
        sums.error.push(total((error) => error));
        sums.abs.push(total(Math.abs));
        sums.square.push(total((error) => error ** 2));
        sums.misses.push(total((error) => (Math.abs(error) > 1 ? 1 : 0)));
      }
      const clusters = dayClusters(counts);
      const holds = (found: { low: number | null; high: number | null } | undefined, value: number): number =>
        Number((found?.low ?? Infinity) <= value && value <= (found?.high ?? -Infinity));
      held.mean_error += holds(meanInterval(clusters, sums.error, 0.95), BIAS);
      held.mae += holds(meanInterval(clusters, sums.abs, 0.95, 'log'), truth.mae);
      held.rmse += holds(meanInterval(clusters, sums.square, 0.95, 'log'), 1 + BIAS ** 2);
      held.rate += holds(computeRate(clusters, sums.misses, 0.95), truth.rate);
      const weekly = (values: readonly number[]): number[] =>
        Array.from({ length: 13 }, (_, week) =>
          values.slice(7 * week, 7 * week + 7).reduce((sum, value) => sum + value, 0),
        );
      held.weeks += holds(meanInterval(weekClusters(weekly(counts), 90), weekly(sums.error), 0.95), BIAS);
    }
    for (const [what, count] of Object.entries(held)) expect(count / RUNS, what).to.be.within(0.91, 0.98);
  });
});
