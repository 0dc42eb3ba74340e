import { expect } from 'chai';
import {
  type CentralInterval,
  DistributionScores,
  computeLoss,
  findMode,
  type ScoredCases,
} from '../../../src/probability/distribution/distribution-scores.js';
import { LEVELS, standardQuantile } from '../../../src/statistics/quantiles.js';
import { range } from '../../support/runner/range.js';
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
    levels.map((level, at) => computeLoss(quantiles[at]! - actual, level)),
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
    cells: cases.map(({ quantiles, actual }) => {
      const width = quantiles.at(-1)! - quantiles[0]!;
      const isTied = quantiles.filter((each) => each === actual).length === 1;
      const cell = actual % 100 === 0 ? 100 : (actual - 3200) % 180 === 0 ? 180 : 18;
      return isTied && width > 0 ? cell / width : 0;
    }),
    loss_sums: losses.map(total),
    losses_by_level: levels.map((_, at) => total(losses.map((of) => of[at]!))),
    offsets_by_level: levels.map((_, at) =>
      total(cases.map(({ quantiles, forecast }) => quantiles[at]! - forecast)),
    ),
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
  it('given an observation at quantiles, then its place is uniform between the levels on either side', () => {
    const cases = [
      { day: 0, forecast: 5000, actual: 5000, quantiles: [4900, 5000, 5100] },
      { day: 0, forecast: 5000, actual: 5000, quantiles: [5000, 5000, 5000] },
    ];
    const scores = new DistributionScores(scoredCases([10, 50, 90], cases), 1, 0.95, 'fahrenheit');
    // The first is between 10 and 90 %, the second anywhere.
    expect(scores.coverage().map(({ observed }) => observed)).to.deep.equal([0.05, 0.5, 0.95]);
    expect(scores.pit().expected).to.deep.equal([0.2, 0.8, 0.8, 0.2]);
    expect(scores.pit().counts.map((each) => Math.round(100 * each) / 100)).to.deep.equal([
      0.1, 0.9, 0.9, 0.1,
    ]);
    const [band] = scores.intervals();
    expect(band).to.include({ nominal: 80, covered_low: null, covered_high: null, mean_width: 1 });
    expect(band?.covered).to.be.closeTo(0.9, 1e-12);
  });

  it('given a provider that is sure and right each day, then its levels hold, and its shape is flat', () => {
    const cases = Array.from({ length: 90 }, (_, at) => {
      const actual = 5000 + 100 * (at % 7);
      return { day: at, forecast: actual, actual, quantiles: Array<number>(5).fill(actual) };
    });
    const scores = new DistributionScores(scoredCases([10, 25, 50, 75, 90], cases), 90, 0.95, 'fahrenheit');
    expect(scores.intervals().map(({ covered }) => Math.round(100 * covered!))).to.deep.equal([50, 80]);
    expect(scores.pit().counts.map((each) => Math.round(100 * each) / 100)).to.deep.equal([
      9, 13.5, 22.5, 22.5, 13.5, 9,
    ]);
    expect(scores.coverage().map(({ verdict }) => verdict)).to.deep.equal(Array(5).fill('holds'));
    expect(scores.shape()).to.equal('flat');
  });

  it('given a right provider of 1 °F in whole degrees, then its band holds, rarely too narrow', () => {
    const levels = [10, 25, 50, 75, 90];
    const whole = (degrees: number): number => 100 * Math.floor(degrees + 0.5);
    const draws = Array.from({ length: 60 }, (_, seed) => {
      const random = new Random(seed + 1);
      let inside = 0;
      const cases = Array.from({ length: 1190 }, (_, at) => {
        const mean = 50 + 20 * random.next();
        const actual = whole(mean + random.gaussian());
        if (Math.abs(actual / 100 - mean) < standardQuantile(90)) inside += 1;
        const quantiles = levels.map((level) => whole(mean + standardQuantile(level)));
        return { day: at % 119, forecast: Math.round(100 * mean), actual, quantiles };
      });
      const scores = new DistributionScores(scoredCases(levels, cases), 119, 0.95, 'fahrenheit');
      const rate = scores.intervals().find(({ nominal }) => nominal === 80)!.covered!;
      return { apart: rate - inside / cases.length, shape: scores.shape() };
    });
    const mean = draws.reduce((sum, { apart }) => sum + apart, 0) / draws.length;
    expect(Math.abs(mean), 'beside the band of exact quantiles').to.be.below(0.03);
    expect(draws.filter(({ shape }) => shape === 'too_narrow').length).to.be.at.most(draws.length / 20);
  });

  it('given a right provider in whole °F or °C, then 20 % are outside of 10 and 90 %, by any levels', () => {
    for (const degree of [1, 1.8])
      for (const levels of [
        [10, 90],
        [10, 50, 90],
        [10, 25, 50, 75, 90],
      ])
        for (const sd of range({ test: 1, ci: Infinity }, [0.7, 1, 3])) {
          const random = new Random(7);
          const whole = (degrees: number): number =>
            3200 + Math.round(100 * degree) * Math.floor((degrees - 32) / degree + 0.5);
          const cases = Array.from({ length: 8_000 }, () => {
            const mean = 50 + 20 * random.next();
            const actual = whole(mean + sd * degree * random.gaussian());
            const quantiles = levels.map((level) => whole(mean + sd * degree * standardQuantile(level)));
            return { day: 0, forecast: Math.round(100 * mean), actual, quantiles };
          });
          const scores = new DistributionScores(scoredCases(levels, cases), 1, 0.95, 'fahrenheit');
          const { covered } = scores.intervals().find(({ nominal }) => nominal === 80)!;
          expect(1 - covered!, `${levels.join()}, ${sd} of ${degree} °F`).to.be.within(0.185, 0.22);
        }
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

  it('given the true law, then its shape is flat, its verdicts hold, and spread is as large as error', () => {
    const all = Array.from({ length: range({ test: 15, ci: 120 }) }, (_, seed) =>
      drawn(seed + 1, { days: 90 }),
    );
    const share = (isSo: (scores: DistributionScores) => boolean): number =>
      all.filter(isSo).length / all.length;
    expect(share((scores) => scores.shape() === 'flat')).to.be.above(range({ test: 0.83, ci: 0.91 }));
    // Chance leaves a tenth more of 30 draws outside.
    const [least, most] = [range({ test: 0.83, ci: 0.91 }), range({ test: 1, ci: 0.99 })];
    for (const at of [1, 6, 11])
      expect(
        share((scores) => scores.coverage()[at]?.verdict === 'holds'),
        `${at}`,
      ).to.be.within(least, most);
    for (const at of [0, 1, 2]) {
      const holds = ({ nominal, covered_low, covered_high }: CentralInterval): boolean =>
        covered_low! <= nominal / 100 && nominal / 100 <= covered_high!;
      expect(
        share((scores) => holds(scores.intervals()[at]!)),
        `interval ${at}`,
      ).to.be.within(least, most);
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
      expect(
        shareOf(range({ test: 10, ci: 30 }), (seed) => drawn(seed, options).shape() === shape),
      ).to.be.above(0.95);
    });
  }

  it('given quantiles that no observation reaches, then they are too wide, though days do not vary', () => {
    const cases = Array.from({ length: 600 }, (_, at) => ({
      ...{ day: at % 30, forecast: 5000, actual: 5000 },
      quantiles: [4000, 6000],
    }));
    const scores = new DistributionScores(scoredCases([10, 90], cases), 30, 0.95, 'fahrenheit');
    expect(scores.shape()).to.equal('too_wide');
  });

  it('given the forecast dressed by its errors, then the true law is as good, and half the spread worse', () => {
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
    expect(findMode([few, many, equal, other])).to.deep.equal([equal, other]);
    expect(findMode([equal, many, few])).to.deep.equal([equal]);
  });
});
