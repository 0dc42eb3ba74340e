import { type Choices, QUANTITIES } from '../../variables/declarations.js';
import { getScale, getValueLimits, toSteps, type Unit, writeWithUnit } from '../../variables/units.js';
import { type VariableName, VARIABLES } from '../../variables/variables.js';
import type { ParamIssue } from '../parameters.js';

// Values of a variable that a request names: no day has one beyond its limits, and a response of zeros would hide a slip.

interface Subject {
  metric: VariableName;
  temp_unit: Unit;
  choices?: Choices | undefined;
}

/** The error of values that no day can have, in the unit of the request; none if days can have them all. */
export function validateValues(
  parameter: string,
  values: readonly number[],
  subject: Subject,
): ParamIssue | undefined {
  const { metric, temp_unit, choices } = subject;
  const { lowest, highest } = getValueLimits(metric, choices);
  const scale = getScale(temp_unit, metric);
  const isBeyond = values.some((value) => {
    const steps = toSteps(Math.round(value * 1e8) / 1e6, scale);
    return steps < lowest || steps > highest;
  });
  if (!isBeyond) return validatePercents(parameter, values, subject);
  const message = `must be from ${writeLimits(metric, temp_unit, choices)}, the limits of ${VARIABLES[metric].plural}`;
  return { parameter, message };
}

/** The limits of a variable in a unit: -90 to 60 °C. */
export function writeLimits(metric: VariableName, unit: Unit, choices?: Choices): string {
  const { lowest, highest } = getValueLimits(metric, choices);
  const { zero, times, over } = getScale(unit, metric);
  const toUnit = (limit: number): number => ((limit - zero) * over) / times;
  const range = `${Math.ceil(toUnit(lowest)) / 100 + 0} to ${Math.floor(toUnit(highest)) / 100}`;
  return writeWithUnit(range, metric, unit);
}

/** The error of sizes of errors that are too large: the largest is one number in any unit. */
export function validateErrorSizes(
  parameter: string,
  sizes: readonly number[],
  subject: Subject,
): ParamIssue | undefined {
  const { metric, temp_unit } = subject;
  const { plural, quantity } = VARIABLES[metric];
  const largest = QUANTITIES[quantity].largestError;
  if (sizes.every((size) => size <= largest)) return validatePercents(parameter, sizes, subject);
  const message = `must be from 0 to ${writeWithUnit(largest, metric, temp_unit)} for errors of ${plural}`;
  return { parameter, message };
}

/** The error of a fraction of 1 where a variable has percents. */
function validatePercents(
  parameter: string,
  values: readonly number[],
  { metric }: Subject,
): ParamIssue | undefined {
  const { quantity, plural } = VARIABLES[metric];
  const fraction = values.find((value) => value > 0 && value < 1);
  if (quantity !== 'percent' || fraction === undefined) return undefined;
  const percents = Number((100 * fraction).toFixed(6));
  return {
    parameter,
    message: `must be in %, as ${plural} are: ${fraction} is a fraction; write ${percents}`,
  };
}
