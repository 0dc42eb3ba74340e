// The bias in seven classes, from blue (too cold) to red (too warm): told apart in all common kinds of colour blindness
// and, by lightness, without colour. The colours are in the style sheet, bias-0 to bias-6; the sign is always there as text.

/** Upper bounds of the classes, °F. */
export const BIAS_BOUNDS = [-2, -1, -0.5, 0.5, 1, 2];

export const BIAS_LABELS = [
  '2 °F or more too cold',
  '1 to 2 °F too cold',
  '0.5 to 1 °F too cold',
  'within 0.5 °F',
  '0.5 to 1 °F too warm',
  '1 to 2 °F too warm',
  '2 °F or more too warm',
];

/**
 * The class of a bias, 0 to 6. A bound belongs to the class that is further from zero.
 * @param {number} meanError °F
 */
export function biasClass(meanError) {
  const outward = BIAS_BOUNDS.findIndex((bound) => (bound < 0 ? meanError <= bound : meanError < bound));
  return outward === -1 ? BIAS_BOUNDS.length : outward;
}
