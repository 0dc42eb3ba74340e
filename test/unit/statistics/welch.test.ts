import { expect } from 'chai';
import { welchReach } from '../../../src/statistics/uncertainty/welch.js';

describe('the difference of two means without a common day', () => {
  for (const [one, other, degreesOfFreedom, t] of [
    // Variances 9 and 16: 25² / (9²/8 + 16²/6) = 11.84.
    [{ std_error: 3, degrees_of_freedom: 8 }, { std_error: 4, degrees_of_freedom: 6 }, 11, 2.200985],
    // Where one of them varies alone, its degrees of freedom count.
    [{ std_error: 5, degrees_of_freedom: 7 }, { std_error: 0, degrees_of_freedom: 2 }, 7, 2.364624],
    // Equal ones add up.
    [{ std_error: 5 / Math.SQRT2, degrees_of_freedom: 5 }, { std_error: 5 / Math.SQRT2, degrees_of_freedom: 5 }, 10, 2.228139], // prettier-ignore
  ] as const) {
    it(`given standard errors of ${one.std_error} and ${other.std_error}, then it reaches 5 times Student's t of ${degreesOfFreedom} degrees of freedom`, () => {
      expect(welchReach(0.95, one, other)).to.be.closeTo(5 * t, 1e-4);
      expect(welchReach(0.95, other, one)).to.be.closeTo(5 * t, 1e-4);
    });
  }
});
