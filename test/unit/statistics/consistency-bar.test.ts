import { expect } from 'chai';
import { computeConsistencyBar } from '../../../src/statistics/uncertainty/consistency-bar.js';

/** Chances in percent with their cases. */
type Cases = readonly (readonly [percent: number, cases: number])[];

const barOf = (chances: Cases, level = 0.95) =>
  computeConsistencyBar(new Map(chances.map(([percent, cases]) => [percent * 100, cases])), level);
const countOf = (chances: Cases): number => chances.reduce((total, [, cases]) => total + cases, 0);

// Own loops add cases one at a time, and so have few; this has many, and compares with other programs.
describe('computeConsistencyBar()', () => {
  it('given one chance, then the bar is of the quantiles of a binomial distribution', () => {
    // qbinom(c((1 - level) / 2, (1 + level) / 2), cases, chance) of R 4
    const quantiles: [cases: Cases, level: number, low: number, high: number][] = [
      [[[10, 50]], 0.95, 1, 9],
      [[[50, 7]], 0.95, 1, 6],
      [[[20, 10]], 0.95, 0, 5],
      [[[30, 864_000]], 0.95, 258_365, 260_035],
      // 0.95 is a probability of this distribution, and a quantile of 90%.
      [[[5, 1]], 0.9, 0, 0],
      [[[0, 46]], 0.99, 0, 0],
      [[[100, 13]], 0.99, 13, 13],
    ];
    for (const [chances, level, low, high] of quantiles) {
      const bar = barOf(chances, level);
      expect([bar.low, bar.high].map((share) => Math.round(share * countOf(chances)))).to.deep.equal([
        low,
        high,
      ]);
    }
  });

  it('given Tampere 2003, then each end is within a case of bars that were drawn at random', () => {
    // ReliabilityDiagram() of SpecsVerification 0.5-2 with nboot = 20000 and set.seed(1), of the data of brier.test.ts.
    const drawn: [Cases, low: number, high: number][] = [
      [[[0, 46]], 0, 0],
      [[[10, 55]], 0.0262989, 0.1875],
      [[[20, 59]], 0.1020408, 0.306452],
      [[[30, 41]], 0.1621622, 0.444444],
      [[[40, 19]], 0.1764706, 0.631579],
      [[[50, 22]], 0.2857143, 0.714286],
      [[[60, 22]], 0.3888889, 0.8],
      [[[70, 34]], 0.5384615, 0.851084],
      [[[80, 24]], 0.625, 0.952381],
      [
        [
          [90, 11],
          [100, 13],
        ],
        0.851852,
        1,
      ],
    ];
    for (const [chances, low, high] of drawn) {
      const [found, aCase] = [barOf(chances), 1 / countOf(chances)];
      expect(found.low, JSON.stringify(chances)).to.be.closeTo(low, aCase);
      expect(found.high, JSON.stringify(chances)).to.be.closeTo(high, aCase);
    }
  });
});
