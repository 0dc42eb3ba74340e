import { expect } from 'chai';
import {
  areAscending,
  LEVELS,
  quantileOfMembers,
  STANDARD_QUANTILES,
  standardQuantile,
} from '../../../src/statistics/quantiles.js';

/** The share of a standard normal distribution below z: 1/2 plus the density, integrated by Simpson's rule. */
function shareBelow(z: number): number {
  const steps = 1000;
  const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(z);
  for (let step = 1; step < steps; step += 1) sum += (step % 2 === 1 ? 4 : 2) * density((z * step) / steps);
  return 0.5 + (sum * z) / (3 * steps);
}

describe('quantiles', () => {
  it('of the standard normal: given each level, then so much is below, and both sides mirror', () => {
    for (const level of LEVELS)
      expect(shareBelow(standardQuantile(level)), `${level}%`).to.be.closeTo(level / 100, 2e-7);
    expect(STANDARD_QUANTILES.map((each) => 0 - each).reverse()).to.deep.equal([...STANDARD_QUANTILES]);
  });

  it('of a feed: given ones that stay or rise, then they ascend; given a hundredth less, then not', () => {
    expect([[], [1], [1, 1, 2], [undefined, 1, undefined, 1]].map(areAscending)).to.deep.equal(
      Array(4).fill(true),
    );
    expect(
      [
        [1, 0.99],
        [2, undefined, 1],
        [1, 3, 2, 4],
      ].map(areAscending),
    ).to.deep.equal(Array(3).fill(false));
  });

  it('of members: given a level between two of them, then it is interpolated, and at one exact', () => {
    const members = [10, 20, 40, 80, 100];
    const found = [5, 25, 30, 50, 90, 95].map((level) => quantileOfMembers(members, level));
    expect(found).to.deep.equal([12, 20, 24, 40, 92, 96]);
    expect([quantileOfMembers([7], 95), quantileOfMembers([1, 2], 100)]).to.deep.equal([7, 2]);
  });
});
