import { z } from 'zod';

// What is in degrees, in an answer. An endpoint answers in °F at full precision; the schema of a field says what its number
// is, and from that it is converted to the unit of the question and rounded, once (D9, D43).

/**
 * A difference of temperatures (errors, and what is made of them), the square of one, a temperature, or a difference or
 * temperature that the endpoint gives in the unit of the question, exactly: it leaves as it is.
 */
export type Degrees =
  'difference' | 'square difference' | 'temperature' | 'exact difference' | 'exact temperature';

/** The units of answers (D43). */
export const UNITS = ['fahrenheit', 'celsius'] as const;
export type Unit = (typeof UNITS)[number];

const KINDS = z.registry<{ degrees: Degrees }>();

/** The schema of a number of degrees; its description says of what, in °F. */
const degrees = (kind: Degrees) => (): z.ZodNumber => z.number().register(KINDS, { degrees: kind });

export const difference = degrees('difference');
export const squareDifference = degrees('square difference');
export const temperature = degrees('temperature');
export const exactDifference = degrees('exact difference');
export const exactTemperature = degrees('exact temperature');

/** Which degrees a number of this schema has; undefined for any other number. */
export function degreesOf(schema: z.ZodNumber): Degrees | undefined {
  return KINDS.get(schema)?.degrees;
}

/** A unit in whole numbers, so that what is counted by degrees of it is exact. */
export interface Scale {
  letter: 'F' | 'C';
  /** Whole numbers of one size: an error of the histograms, and a width, times these. */
  errors: number;
  widths: number;
  /** Where its scale of temperatures begins, hundredths of a °F. */
  zero: number;
}

export const SCALES: Record<Unit, Scale> = {
  fahrenheit: { letter: 'F', errors: 1, widths: 1, zero: 0 },
  celsius: { letter: 'C', errors: 5, widths: 9, zero: 3200 },
};
