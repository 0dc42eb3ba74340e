import { z } from 'zod';
import { VARIABLE_NAMES, type VariableName } from '../variables/variables.js';

// Numbers in a response. An endpoint answers at full precision, degrees in °F. The schema of a field has the kind of its number.
// By its kind, the number is converted to the unit of the request and rounded, once (D9, D43).

/**
 * A temperature, a difference of temperatures (an error, a mean of errors), or the square of one. Either may be exact
 * in the unit of the request: it leaves as it is. A score is a difference to 0.000001.
 */
const DEGREES = [
  ...(['difference', 'square difference', 'temperature'] as const),
  ...(['exact difference', 'exact temperature', 'score'] as const),
] as const;

/** A number without a unit, by its grain: 0.0001 of a share, 0.01 of a percentage or of hours, 0.1 of an effective sample size. */
type Plain = 'ten-thousandths' | 'hundredths' | 'tenths' | 'millionths';

export type Kind = (typeof DEGREES)[number] | Plain;

const KINDS = z.registry<{ kind: Kind; variables?: readonly VariableName[]; stem?: string | undefined }>();

const ofKind =
  (kind: Kind) =>
  (schema = z.number()): z.ZodNumber =>
    schema.register(KINDS, { kind });

/** The schema of a number of degrees; its description names the quantity, in °F. */
export const difference = ofKind('difference');
export const squareDifference = ofKind('square difference');
export const temperature = ofKind('temperature');
export const exactDifference = ofKind('exact difference');
export const exactTemperature = ofKind('exact temperature');
export const score = ofKind('score');

/**
 * A number of the request's variable: a value, or an error. A response names its field by the unit: `threshold` of a record
 * leaves as `threshold_f`, with `threshold_c` beside it in Celsius, or as `threshold` if the variable has no degrees.
 * @param variables those that the request may name
 * @param stem its name before the ending, where that of the record is longer
 */
export const ofVariable = (
  schema: z.ZodNumber,
  variables: readonly VariableName[] = VARIABLE_NAMES,
  stem?: string,
): z.ZodNumber => schema.register(KINDS, { ...KINDS.get(schema)!, variables, stem });

/** A number of one grain; 0 / 0, the share of nothing, leaves as null. */
export const toTenThousandths = ofKind('ten-thousandths');
export const toHundredths = ofKind('hundredths');
export const toTenths = ofKind('tenths');
export const toMillionths = ofKind('millionths');
export const share = () => toTenThousandths(z.number().min(0).max(1));
export const percentage = () => toHundredths(z.number().min(0).max(100));

/** The kind of the number of a schema; undefined for one that leaves as it is. */
export function getKind(schema: z.ZodNumber): Kind | undefined {
  return KINDS.get(schema)?.kind;
}

/** The variables that the number of a schema may be of, and the stem of its names; none if its field's name has the unit of it, or none. */
export const getVariables = (
  schema: z.ZodNumber,
): { variables?: readonly VariableName[]; stem?: string | undefined } => KINDS.get(schema) ?? {};

/** Whether the number of a schema is of degrees, which the unit of a request converts. */
export const isOfDegrees = (schema: z.ZodNumber): boolean => DEGREES.some((kind) => kind === getKind(schema));
