import { expect } from 'chai';
import type { DivergingCases } from '../../../src/comparison/divergence/diverging-cases.js';
import { computeDivergence } from '../../../src/comparison/divergence/record.js';
import { computeShareTrue, chooseSide } from '../../../src/comparison/divergence/share-true.js';
import { sum } from '../../../src/statistics/statistics.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

const DAYS = 182;
const STATIONS = 10;
const weekOf = (day: number): number => Math.floor(day / 7);

/** Forecasts and the observation of one station day, °F. */
interface StationDay {
  forecasts: number[];
  observed: number;
}

/** The record of the first provider of simulated days, whose weather goes on from one day to the next. */
function recordOf(draw: (random: Random, weather: number[]) => StationDay, seed: number) {
  const random = new Random(seed);
  const kinds = ['near', 'warmer', 'colder'] as const;
  const empty = (): number[] => Array<number>(DAYS).fill(0);
  const rows = kinds.map((kind): DivergingCases => ({
    ...{ kind, preliminary_cases: 0, lead_ms_sum: 0, others_lead_ms_sum: 0 },
    ...{ abs_error_sum: 0, others_abs_error_sum: 0 },
    ...{ cases_by_day: empty(), decided_by_day: empty(), nearer_by_day: empty() },
    ...{ abs_differences: empty(), products: empty(), squares: empty() },
  }));
  const weather = Array.from({ length: 8 }, () => random.gaussian());
  for (let day = 0; day < DAYS; day += 1) {
    weather.forEach((each, at) => (weather[at] = 0.5 * each + Math.sqrt(0.75) * random.gaussian()));
    for (let station = 0; station < STATIONS; station += 1) {
      const { forecasts, observed } = draw(random, weather);
      const [own = 0, ...others] = forecasts.map((each) => Math.round(200 * (each - observed)));
      others.sort((a, b) => a - b);
      const half = others.length / 2;
      const median = (others[Math.ceil(half) - 1]! + others[Math.floor(half)]!) / 2;
      const apart = own - median;
      const row = rows[Math.abs(apart) < 600 ? 0 : apart > 0 ? 1 : 2]!;
      const difference = Math.abs(own) - Math.abs(median);
      row.cases_by_day[day]! += 1;
      row.decided_by_day[day]! += difference === 0 ? 0 : 1;
      row.nearer_by_day[day]! += difference < 0 ? 1 : 0;
      row.abs_differences[day]! += difference;
      row.products[day]! -= apart * median;
      row.squares[day]! += apart ** 2;
    }
  }
  return computeDivergence(rows, 3, weekOf, 0.95);
}

/** So many providers, each as good as the others: some of their errors all have, some all stations of a day. */
const exchangeable =
  (providers: number) =>
  (random: Random, weather: readonly number[]): StationDay => ({
    observed: 0,
    forecasts: Array.from(
      { length: providers },
      (_, at) => weather[7]! + 1.5 * weather[at]! + 1.5 * random.gaussian(),
    ),
  });

const draws = range({ test: 20, ci: 200 });

describe('the share of departures that comes true', () => {
  it('given weeks by hand, then it is the weight of least squares, and its interval that of a jackknife', () => {
    // Shares of the six weeks: 0.5 and five times 0.4; leaving the first out gives 0.4, another 2.1 / 5.
    const [products, squares] = [
      [0.5, 0.4, 0.4, 0.4, 0.4, 0.4],
      [1, 1, 1, 1, 1, 1],
    ];
    const { value, low, high } = computeShareTrue(products, squares, 0.95);
    expect(value).to.be.closeTo(2.5 / 6, 1e-12);
    const spread = (0.4 - 2.5 / 6) ** 2 + 5 * (0.42 - 2.5 / 6) ** 2;
    const reach = 2.570582 * Math.sqrt((5 / 6) * spread);
    expect([low, high].map((each) => Math.abs(each! - value!))).to.satisfy((found: number[]) =>
      found.every((each) => Math.abs(each - reach) < 1e-6),
    );
  });

  it('given departures in five weeks, or always the same share, then it has no interval', () => {
    expect(computeShareTrue([1, 1, 1, 1, 2, 0], [2, 2, 2, 2, 2, 0], 0.95)).to.deep.equal({
      ...{ weeks: 5, value: 0.6, low: null, high: null },
    });
    expect(computeShareTrue([1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2], 0.95).low).to.equal(null);
    expect(computeShareTrue([0, 0], [0, 0], 0.95).value).to.equal(null);
  });

  it('given intervals, then the verdict says whom they exclude', () => {
    const verdict = (low: number, high: number, days = 14): string =>
      chooseSide({ weeks: 6, value: (low + high) / 2, low, high }, days);
    expect(verdict(0.6, 1.1)).to.equal('provider');
    expect(verdict(0.4, 1.1)).to.equal('cannot_tell');
    expect(verdict(-0.2, 0.4)).to.equal('others');
    expect(verdict(-0.2, 0.6)).to.equal('cannot_tell');
    expect(verdict(0.1, 0.9)).to.equal('between');
    expect(verdict(0.6, 1.1, 13)).to.equal('too_few_days');
    expect(chooseSide({ weeks: 6, value: 0.9, low: null, high: null }, 30)).to.equal('cannot_tell');
    expect(chooseSide({ weeks: 5, value: 0.9, low: null, high: null }, 30)).to.equal('too_few_weeks');
  });

  for (const providers of [2, 3, 5]) {
    it(`given simulations of ${providers} providers that are equally good, then neither side is believed`, () => {
      let [wrong, held] = [0, 0];
      for (let seed = 1; seed <= draws; seed += 1) {
        const record = recordOf(exchangeable(providers), 100 * providers + seed);
        if (/provider|others/.test(record.verdict)) wrong += 1;
        if (record.nearer_rate_low! <= 0.5 && record.nearer_rate_high! >= 0.5) held += 1;
      }
      expect(wrong / draws, 'believed').to.be.at.most(0.05);
      if (providers === 2) expect(held / draws, 'half of them nearer').to.be.at.least(0.9);
    });
  }

  it('given simulations in which 40 % of a departure comes true, then its interval of 95 % holds 0.4', () => {
    let held = 0;
    const values: number[] = [];
    for (let seed = 1; seed <= draws; seed += 1) {
      const { share_true, share_true_low, share_true_high } = recordOf((random, weather) => {
        const others = 50 + 5 * weather[0]!;
        const departure = 2.5 * weather[1]! + 2.5 * random.gaussian();
        const observed = others + 0.4 * departure + 1.5 * weather[2]! + 1.5 * random.gaussian();
        return { forecasts: [others + departure, others, others, others], observed };
      }, seed);
      values.push(share_true!);
      if (share_true_low! <= 0.4 && share_true_high! >= 0.4) held += 1;
    }
    expect(sum(values) / draws).to.be.closeTo(0.4, 0.02);
    expect(held / draws).to.be.within(range({ test: 0.8, ci: 0.91 }), range({ test: 1, ci: 0.98 }));
  });
});
