import { z } from 'zod';

// Degrees in an answer. An endpoint answers in °F at full precision. The schema of a field has the kind of its number.
// By its kind, the number is converted to the unit of the question and rounded, once (D9, D43).

/**
 * A temperature, a difference of temperatures (an error, a mean of errors), or the square of one. Either may be exact
 * in the unit of the request: it leaves as it is. So does a score, a
 * difference to 0.000001.
 */
export type Degrees =
  'difference' | 'square difference' | 'temperature' | 'exact difference' | 'exact temperature' | 'score';

const KINDS = z.registry<{ degrees: Degrees }>();

/** The schema of a number of degrees; its description names the quantity, in °F. */
const degrees = (kind: Degrees) => (): z.ZodNumber => z.number().register(KINDS, { degrees: kind });

export const difference = degrees('difference');
export const squareDifference = degrees('square difference');
export const temperature = degrees('temperature');
export const exactDifference = degrees('exact difference');
export const exactTemperature = degrees('exact temperature');
export const score = degrees('score');

/** Which degrees a number of this schema has; undefined for any other number. */
export function degreesOf(schema: z.ZodNumber): Degrees | undefined {
  return KINDS.get(schema)?.degrees;
}
