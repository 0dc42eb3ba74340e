import { expect } from 'chai';
import {
  type CentralInterval,
  DistributionScores,
  lossOf,
  mostCommon,
  type ScoredCases,
} from '../../../src/odds/distribution/scores.js';
import { LEVELS, standardQuantile } from '../../../src/statistics/quantiles.js';
import { Random } from '../../support/random.js';

interface Case {
  day: number;
  forecast: number;
  actual: number;
  quantiles: readonly number[];
}

/** Cases as the store gives them. Temperatures are hundredths of a °F. */
function scoredCases(levels: readonly number[], cases: readonly Case[]): ScoredCases {
  const losses = cases.map(({ quantiles, actual }) =>
    levels.map((level, at) => lossOf(quantiles[at]! - actual, level)),
  );
  const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);
  return {
    levels,
    days: cases.map(({ day }) => day),
    errors: cases.map(({ forecast, actual }) => forecast - actual),
    places: cases.map(
      ({ quantiles, actual }) =>
        16 * quantiles.filter((each) => each < actual).length +
        quantiles.filter((each) => each === actual).length,
    ),
    loss_sums: losses.map(total),
    losses_by_level: levels.map((_, at) => total(losses.map((of) => of[at]!))),
    offsets_by_level: levels.map((_, at) =>
      total(cases.map(({ quantiles, forecast }) => quantiles[at]! - forecast)),
    ),
    sd_cases: 0,
    sd_squares: 0,
    width_squares: total(cases.map(({ quantiles }) => (quantiles.at(-1)! - quantiles[0]!) ** 2)),
  };
}

const SD = 300;

interface Drawing {
  days?: number;
  stations?: number;
  width?: number;
  off?: number;
  levels?: readonly number[];
}

/** Cases of stations that share part of their weather; quantiles are so many times as wide as the law, and so far off. */
function drawn(
  seed: number,
  { days = 30, stations = 50, width = 1, off = 0, levels = LEVELS }: Drawing = {},
) {
  const random = new Random(seed);
  const cases: Case[] = [];
  for (let day = 0; day < days; day += 1) {
    const shared = random.gaussian();
    for (let station = 0; station < stations; station += 1) {
      const forecast = 5000 + Math.round(1000 * random.next());
      const z = Math.sqrt(0.2) * shared + Math.sqrt(0.8) * random.gaussian();
      cases.push({
        ...{ day, forecast, actual: forecast + Math.round(SD * z) },
        quantiles: levels.map((level) => Math.round(forecast + off + width * SD * standardQuantile(level))),
      });
    }
  }
  return new DistributionScores(scoredCases(levels, cases), days, 0.95, 'fahrenheit');
}

const shareOf = (runs: number, isSo: (seed: number) => boolean): number =>
  Array.from({ length: runs }, (_, seed) => isSo(seed + 1)).filter(Boolean).length / runs;

describe('the scores of distributions', () => {
  it('given an observation at a quantile, then half of it counts as below, at each quantile that it equals', () => {
    const cases = [
      { day: 0, forecast: 5000, actual: 5000, quantiles: [4900, 5000, 5100] },
      { day: 0, forecast: 5000, actual: 5000, quantiles: [5000, 5000, 5000] },
    ];
    const scores = new DistributionScores(scoredCases([10, 50, 90], cases), 1, 0.95, 'fahrenheit');
    expect(scores.coverage().map(({ rate }) => rate)).to.deep.equal([0.25, 0.5, 0.75]);
    expect(scores.pit()).to.deep.equal({ counts: [0.5, 0.5, 0.5, 0.5], expected: [0.2, 0.8, 0.8, 0.2] });
    expect(scores.intervals()).to.deep.include({
      ...{ nominal: 80, rate: 0.5, low: null, high: null, n_eff: null },
      mean_width: 1,
    });
  });

  it('given a quantile, then its loss is the level above it and the rest below it, in either unit', () => {
    const cases = [
      { day: 0, forecast: 5000, actual: 5200, quantiles: [5000, 5000] },
      { day: 0, forecast: 5000, actual: 4900, quantiles: [5000, 5000] },
    ];
    for (const [unit, degree] of [
      ['fahrenheit', 1],
      ['celsius', 1.8],
    ] as const) {
      const scores = new DistributionScores(scoredCases([10, 90], cases), 1, 0.95, unit);
      // 10 %: 0.1 * 2 and 0.9 * 1; 90 %: 0.9 * 2 and 0.1 * 1, in °F.
      const [low, high] = scores.coverage().map(({ pinball }) => pinball);
      expect(low).to.be.closeTo(0.55 / degree, 1e-6);
      expect(high).to.be.closeTo(0.95 / degree, 1e-6);
      expect(scores.crps()).to.be.closeTo(1.5 / degree, 1e-6);
    }
  });

  it('given 13 quantiles of a normal, then their CRPS is within 2 % of that of the normal itself', () => {
    const expected = SD / 100 / Math.sqrt(Math.PI);
    expect(drawn(3, { days: 200, stations: 100 }).crps() / expected).to.be.within(0.98, 1.02);
  });

  it('given the true law, then its shape is flat and its verdicts hold nearly always, and spread is as large as error', () => {
    const all = Array.from({ length: 120 }, (_, seed) => drawn(seed + 1, { days: 90 }));
    const share = (isSo: (scores: DistributionScores) => boolean): number =>
      all.filter(isSo).length / all.length;
    expect(share((scores) => scores.shape() === 'flat')).to.be.above(0.91);
    for (const at of [1, 6, 11])
      expect(
        share((scores) => scores.coverage()[at]?.verdict === 'holds'),
        `${at}`,
      ).to.be.within(0.91, 0.99);
    for (const at of [0, 1, 2]) {
      const holds = ({ nominal, low, high }: CentralInterval): boolean =>
        low! <= nominal / 100 && nominal / 100 <= high!;
      expect(
        share((scores) => holds(scores.intervals()[at]!)),
        `interval ${at}`,
      ).to.be.within(0.91, 0.99);
    }
    expect(drawn(1, { days: 100, stations: 100 }).spreadToError()).to.be.closeTo(1, 0.03);
  });

  for (const [what, options, shape] of [
    ['half the spread', { width: 0.5 }, 'too_narrow'],
    ['twice the spread', { width: 2 }, 'too_wide'],
    ['4 °F too warm', { off: 400 }, 'too_warm'],
    ['4 °F too cold', { off: -400 }, 'too_cold'],
    ['half the spread by two levels', { width: 0.5, levels: [10, 90] }, 'too_narrow'],
    ['a median alone, 4 °F too cold', { off: -400, levels: [50] }, 'too_cold'],
    ['fewer than 14 days', { days: 13, width: 0.5 }, null],
  ] as const) {
    it(`given quantiles of ${what}, then 30 days of 50 stations show it: ${shape}`, () => {
      expect(shareOf(30, (seed) => drawn(seed, options).shape() === shape)).to.be.above(0.95);
    });
  }

  it('given quantiles that no observation ever reaches, then they are too wide, though the days do not vary', () => {
    const cases = Array.from({ length: 600 }, (_, at) => ({
      ...{ day: at % 30, forecast: 5000, actual: 5000 },
      quantiles: [4000, 6000],
    }));
    const scores = new DistributionScores(scoredCases([10, 90], cases), 30, 0.95, 'fahrenheit');
    expect(scores.shape()).to.equal('too_wide');
  });

  it('given the forecast dressed by its own errors, then quantiles of the true law are as good, and of half the spread worse', () => {
    const { cases, difference } = drawn(2).againstNormal();
    expect(cases).to.equal(1500);
    expect(Math.abs(difference.value)).to.be.below(0.01);
    const narrow = drawn(2, { width: 0.5 }).againstNormal().difference;
    expect(narrow.low).to.be.above(0);
    expect(narrow.p_value).to.be.below(0.01);
  });
});

describe('the most common levels', () => {
  const row = (levels: number[], cases: number, group_key = '') => ({
    provider: 'a',
    group_key,
    levels,
    cases,
  });

  it('given several, then those of most cases count in each group; of equally many, the longer list', () => {
    const [few, many, equal, other] = [
      row([50], 3),
      row([10, 90], 5),
      row([10, 50, 90], 5),
      row([50], 1, 'x'),
    ];
    expect(mostCommon([few, many, equal, other])).to.deep.equal([equal, other]);
    expect(mostCommon([equal, many, few])).to.deep.equal([equal]);
  });
});
