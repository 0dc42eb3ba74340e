import { QUANTITIES, type Scale, type ValueLimits } from './declarations.js';
import { compile } from './expression.js';
import { type VariableName, VARIABLES } from './variables.js';

/** The units of responses (D43). */
export const UNITS = ['fahrenheit', 'celsius'] as const;
export type Unit = (typeof UNITS)[number];

/** The whole degrees in which a station may report its highs and lows; blank for finer ones (D63). */
export const REPORTED_IN = ['', 'whole_fahrenheit', 'whole_celsius'] as const;

/** Such a degree, hundredths of a °F: there is one at 32 °F, and each is so far from the next. */
export const DEGREE_HUNDREDTHS = { whole_fahrenheit: 100, whole_celsius: 180 } as const;

/** An observation so near to a whole degree is that one, hundredths of a °F: in tenths of a °C, 90 °F are 4 below it, 69 °F 8 above. */
export const NEAR_HUNDREDTHS = 10;

/** Forecasts of two names that are never farther apart are of one source, in °F and in tenths of a °C, hundredths of a °F. */
export const ONE_SOURCE_HUNDREDTHS = 10;

const { units: DEGREES } = QUANTITIES.temperature;

/** The scales of temperatures. */
export const SCALES: Record<Unit, Scale> = { fahrenheit: DEGREES['°F']!, celsius: DEGREES['°C']! };

/** Whether a variable's values are in degrees: only these have another unit in Celsius. */
export const hasDegrees = (name: VariableName): boolean =>
  QUANTITIES[VARIABLES[name].quantity].celsius !== undefined;

/** The unit of a response about a variable: the one requested, unless its quantity has no degrees. Then no number is converted. */
export const getUnitOf = (name: VariableName, requested: Unit): Unit =>
  hasDegrees(name) ? requested : 'fahrenheit';

/** The unit of a variable's values as texts have it: °F, °C·day. */
export function getUnitText(name: VariableName, unit: Unit): string {
  const quantity = QUANTITIES[VARIABLES[name].quantity];
  return (unit === 'celsius' ? quantity.celsius : undefined) ?? quantity.unit;
}

/** The scale of a variable's values in a unit: the zero of differences is never moved. */
export function getScale(unit: Unit, name: VariableName): Scale {
  const { units } = QUANTITIES[VARIABLES[name].quantity];
  return units[getUnitText(name, unit)]!;
}

/** A number, or a range, with the unit of a variable, as texts have it: 30 °F, 30%. */
export const writeWithUnit = (number: number | string, name: VariableName, unit: Unit): string => {
  const text = getUnitText(name, unit);
  return text === '%' ? `${number}%` : `${number} ${text}`;
};

/** The whole degrees, half up, of hundredths of a °F from 0 of their unit, or from another whole degree, above -1,000. */
export const degreesFrom = (hundredths: number, size: Scale['size']): number =>
  (((hundredths + size / 2) / size + 1000) | 0) - 1000;

/** The whole degree of a temperature, half up. */
export const wholeDegree = (hundredths: number, { size, zero }: Scale): number =>
  degreesFrom(hundredths - zero, size);

/** Hundredths of a unit as steps of its quantity: not always whole ones. */
export const toSteps = (hundredths: number, { size, zero }: Scale): number =>
  (hundredths * size) / 100 + zero;

/** The least and the greatest value that a day or an hour can have, steps: those of its column, or what follows from the columns of others. */
export function getValueLimits(name: VariableName): ValueLimits {
  const { of } = VARIABLES[name];
  if (!('value' in of)) {
    const [{ unit, limits }] = 'chance' in of ? of.chance : of.columns;
    const { units } = QUANTITIES[VARIABLES[name].quantity];
    const limit = (value: number): number => toSteps(100 * value, units[unit]!);
    return { lowest: limit(limits.lowest), highest: limit(limits.highest) };
  }
  const { lowest, highest } = getValueLimits(of.from[0]);
  const compute = compile(of.value);
  // No value is beyond those of the coldest, the hottest and the most uneven day.
  const values = [compute(lowest, lowest), compute(highest, highest), compute(highest, lowest)];
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}
