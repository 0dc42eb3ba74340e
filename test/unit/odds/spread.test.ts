import { expect } from 'chai';
import { crps, normalCurve } from '../../../src/odds/learning/curve.js';
import { SpreadSkill } from '../../../src/odds/spread/spread.js';
import { floorOf, phaseOf } from '../../../src/odds/learning/tally.js';
import { normalCrps, rankCorrelation } from '../../support/plain/spread.js';
import { Random } from '../../support/random.js';
import { SCALES, wholeDegree } from '../../../src/statistics/units.js';

const FAHRENHEIT = SCALES.fahrenheit;

/** Cases of one day each, by spread and error in hundredths of a °F. */
function skillOf(cases: readonly (readonly [spread: number, error: number])[]): SpreadSkill {
  const skill = new SpreadSkill(cases.length);
  for (const [day, [spread, error]] of cases.entries()) skill.add(day, error, spread);
  return skill;
}

describe('the bins of spreads', () => {
  it('given spreads at their ends, then the lower end is in a bin and the upper is not, and a whole degree is in the middle', () => {
    const cases = [0, 49, 50, 100, 149, 150, 200, 249, 250, 5000].map((spread) => [spread, 100] as const);
    expect(
      skillOf(cases)
        .bins(0.95)
        .map((bin) => [bin.spread_from_f, bin.spread_to_f, bin.cases]),
    ).to.deep.equal([
      [0, 0.5, 2],
      [0.5, 1.5, 3],
      [1.5, 2.5, 3],
      [2.5, 3.5, 1],
      [49.5, 50.5, 1],
    ]);
  });

  it('given errors, then a bin has their statistics and its mean spread; below 14 days without intervals', () => {
    const [bin] = skillOf([
      [200, 300],
      [150, -400],
    ]).bins(0.95);
    expect(bin).to.deep.include({ cases: 2, days: 2, mean_spread: 1.75, mean_error: -0.5, mae: 3.5 });
    expect(bin?.rmse).to.be.closeTo(Math.sqrt(12.5), 1e-12);
    expect(bin?.uncertainty.mae).to.deep.equal({ low: null, high: null, std_error: null, n_eff: null });
  });
});

describe('the rank correlation of spreads and sizes of errors', () => {
  for (const [text, expected, why] of [
    ['1 2, 2 1, 3 4, 4 3, 5 5', 0.8, '1 - 6 · 4 / (5 · 24)'],
    ['100 0, 200 100, 200 -100, 300 500', 1, 'sizes rise with spreads, ties together'],
    ['1 -9, 2 5, 3 0', -1, 'sizes fall'],
    ['1 1, 1 2, 2 1, 2 2', 0, 'neither tells of the other'],
    ['1 7, 1 8', null, 'spreads do not vary'],
    ['1 7, 2 -7', null, 'sizes do not vary'],
    ['', null, 'nothing'],
  ] as const) {
    it(`given spreads and errors of ${text}, then it is ${expected}: ${why}`, () => {
      const cases = text === '' ? [] : text.split(', ').map((each) => each.split(' ').map(Number));
      expect(skillOf(cases as [number, number][]).rankCorrelation()).to.equal(expected);
    });
  }

  it('given many cases with ties, then it is the one worked out plainly, whatever their order', () => {
    const random = new Random(7);
    const cases = Array.from(
      { length: 400 },
      () => [random.below(9), random.below(40) - 20] as [number, number],
    );
    const found = skillOf(cases).rankCorrelation();
    expect(skillOf([...cases].reverse()).rankCorrelation()).to.equal(found);
    const plain = rankCorrelation(
      cases.map(([spread]) => spread),
      cases.map(([, error]) => Math.abs(error)),
    );
    expect(Math.round((found ?? NaN) * 10_000) / 10_000).to.equal(plain);
  });
});

describe('the score of a normal distribution with a said spread', () => {
  const scoreOf = (forecast: number, spread: number, actual: number): number =>
    crps(
      normalCurve(phaseOf(forecast, FAHRENHEIT), spread, FAHRENHEIT),
      wholeDegree(actual, FAHRENHEIT) - floorOf(forecast, FAHRENHEIT),
    );

  it('given a spread of 0, then it is the distance of whole degrees: 72.5 settles at 73', () => {
    for (const [forecast, actual, expected] of [
      [7240, 7200, 0],
      [7240, 7500, 3],
      [7250, 7300, 0],
      [7250, 7200, 1],
      [-1250, -1200, 0],
      [-30, -500, 5],
    ] as const)
      expect(scoreOf(forecast, 0, actual), `${forecast} ${actual}`).to.equal(expected);
  });

  it('given any spread, forecast and outcome, then it is the sum over all whole degrees', () => {
    const random = new Random(11);
    for (let nth = 0; nth < 500; nth += 1) {
      const [forecast, spread] = [
        random.below(30_000) - 15_000,
        random.of([0, 1, 18, 50, 100, 237, 900, 5000]),
      ];
      const actual = forecast + random.below(2 * spread + 300) - spread;
      const plain = normalCrps(forecast, spread, Math.floor((actual + 50) / 100));
      expect(scoreOf(forecast, spread, actual), `${forecast} ${spread} ${actual}`).to.be.closeTo(plain, 2e-5);
    }
  });
});
