import type { Stats, Uncertainty } from '../../clients/typescript/src/generated.js';
import { getScale } from '../../src/variables/units.js';
import { tenths } from '../../src/statistics/statistics.js';
import { getSide } from './intervals.js';
import { getVariable, getVariableUnit, NOT_YET, sideWords, tick, unit, valueUnit } from './words.js';

// The bias in five classes, from blue (too cold) to red (too warm). A colour means that the interval excludes 0, in
// either unit. Lightness tells the classes apart without colour; the sign is always there as text.

/** From here on a significant bias has the darker colour: 2 of the store's unit: 2 °F, whatever the unit of the page. */
function strong(): number {
  const { times, over } = getScale(getVariableUnit(), getVariable());
  return (2 * over) / times;
}

/** 2 °F in words, in either unit. */
export const twoFahrenheit = (): string => (unit() === '°C' ? '1.1 °C' : '2 °F');

/** Index of the class of a bias that is not significant. */
export const NEUTRAL = 2;

/** The class of a bias without an interval: it may be significant or not. */
export const UNKNOWN = 5;

/** The class of a bias, 0 to 5. */
export function biasClass(
  { mean_error }: Pick<Stats, 'mean_error'>,
  uncertainty: Pick<Uncertainty, 'mean_error'> | undefined,
): number {
  const side = getSide(uncertainty?.mean_error);
  if (mean_error === null || side === undefined) return UNKNOWN;
  return NEUTRAL + side * (Math.abs(mean_error) >= strong() ? 2 : 1);
}

/** The classes in words. */
export const biasLabels = (): string[] => {
  const size = `${tick(tenths(strong()))} ${valueUnit()}`;
  const [below, above] = [sideWords(-1), sideWords(1)];
  return [`${size} or more ${below}`, below, 'not significant', above, `${size} or more ${above}`, NOT_YET];
};

/** The sign in a mark of a class. */
export const biasMark = (of: number): string => ['−', '−', '±', '+', '+', '?'][of] ?? '';
