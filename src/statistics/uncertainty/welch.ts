import { studentT } from './student-t.js';

/** How far a mean is known. */
type KnownMean = Record<'std_error' | 'degrees_of_freedom', number>;

/**
 * How far the difference of two means without a common day may be from what it is: their variances add up, and Student's
 * t has the degrees of freedom of Welch and Satterthwaite (Welch 1947, Biometrika 34:28), rounded down but for noise.
 */
export function welchReach(level: number, one: KnownMean, other: KnownMean): number {
  const [variance, otherVariance] = [one.std_error ** 2, other.std_error ** 2];
  const total = variance + otherVariance;
  const squares = variance ** 2 / one.degrees_of_freedom + otherVariance ** 2 / other.degrees_of_freedom;
  return studentT(level, Math.floor(total ** 2 / squares + 1e-9)) * Math.sqrt(total);
}
