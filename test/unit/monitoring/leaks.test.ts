import { expect } from 'chai';
import { isLeak, type RightForecasts } from '../../../src/monitoring/leaks.js';

// The bounds of a leak. Two of over 170 real stations set them: a forecast was right on 57% of 30 days, and yesterday's
// observation on 60%.

describe('isLeak', () => {
  const LEAK: RightForecasts = { days: 20, cases: 100, right: 98, steps: 80, unchanged: 39 };

  it('given 20 days, 98% of right forecasts, and observations that mostly move, then it is a leak', () => {
    expect(isLeak(LEAK)).to.equal(true);
  });

  for (const [title, change] of [
    ['given 19 days', { days: 19 }],
    ['given 97% of right forecasts', { right: 97 }],
    ['given observations of which half are those of the day before', { unchanged: 40 }],
    ['given one day of each station, of which nothing moves', { steps: 0, unchanged: 0 }],
    ['given whole degrees of the best of real stations', { right: 57, unchanged: 48 }],
  ] as const)
    it(`${title}, then it is none`, () => {
      expect(isLeak({ ...LEAK, ...change })).to.equal(false);
    });
});
