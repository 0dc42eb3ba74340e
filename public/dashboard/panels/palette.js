import { unit } from '../words.js';

// The bias in seven classes, from blue (too cold) to red (too warm): told apart in all common kinds of colour blindness
// and, by lightness, without colour. The colours are in the style sheet, bias-0 to bias-6; the sign is always there as text.

/** Upper bounds of the classes, in degrees of the page's unit. */
export const BIAS_BOUNDS = [-2, -1, -0.5, 0.5, 1, 2];

const SIZES = [
  '2 {} or more',
  '1 to 2 {}',
  '0.5 to 1 {}',
  'within 0.5 {}',
  '0.5 to 1 {}',
  '1 to 2 {}',
  '2 {} or more',
];

/** The classes in words. */
export const biasLabels = () =>
  SIZES.map((size, at) => size.replace('{}', unit()) + (at < 3 ? ' too cold' : at > 3 ? ' too warm' : ''));

/** The sign in a mark of a class. @param {number} of the class */
export const biasMark = (of) => (of < 3 ? '−' : of > 3 ? '+' : '±');

/**
 * The class of a bias, 0 to 6. A bound belongs to the class that is further from zero.
 * @param {number} meanError
 */
export function biasClass(meanError) {
  const outward = BIAS_BOUNDS.findIndex((bound) => (bound < 0 ? meanError <= bound : meanError < bound));
  return outward === -1 ? BIAS_BOUNDS.length : outward;
}
