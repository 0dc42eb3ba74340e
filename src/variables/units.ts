import {
  type Choices,
  type PlainUnit,
  QUANTITIES,
  type QuantityName,
  type Scale,
  type System,
  type ValueLimits,
  type Variable,
} from './declarations.js';
import { compile } from './expression.js';
import { getDerivation, type VariableName, VARIABLES } from './variables.js';

/** The units of degrees in responses (D43). */
export const DEGREE_UNITS = ['fahrenheit', 'celsius'] as const;

/** The unit of the values of a response (D72): of degrees by its word, of anything else as texts have it. */
export type Unit = (typeof DEGREE_UNITS)[number] | PlainUnit;

/** The choice of units of a request: a system, or the units of some quantities. */
export type UnitChoice = System | Partial<Record<QuantityName, string>>;

/** The whole degrees in which a station may report its highs and lows; blank for finer ones (D63). */
export const REPORTED_IN = ['', 'whole_fahrenheit', 'whole_celsius'] as const;

/** Such a degree, hundredths of a °F: there is one at 32 °F, and each is so far from the next. */
export const DEGREE_HUNDREDTHS = { whole_fahrenheit: 100, whole_celsius: 180 } as const;

/** An observation so near to a whole degree is that one, hundredths of a °F: in tenths of a °C, 90 °F are 4 below it, 69 °F 8 above. */
export const NEAR_HUNDREDTHS = 10;

/** Forecasts of two names that are never farther apart are of one source, in °F and in tenths of a °C, hundredths of a °F. */
export const ONE_SOURCE_HUNDREDTHS = 10;

/** The units of quantities without degrees. */
const PLAIN = Object.assign(
  {},
  ...Object.values(QUANTITIES).map(({ celsius, units }) => (celsius === undefined ? units : {})),
) as Record<PlainUnit, Scale>;

/** The scale of each unit; that of temperatures for degrees. */
export const SCALES: Readonly<Record<Unit, Scale>> = {
  fahrenheit: QUANTITIES.temperature.units['°F']!,
  celsius: QUANTITIES.temperature.units['°C']!,
  ...PLAIN,
};

/** Whether a unit is one of degrees: fields are named by these. */
export const isUnitOfDegrees = (unit: string): boolean => !(unit in PLAIN);

/** Whether responses have the unit without being asked for it. */
export const isUsual = (unit: Unit): boolean =>
  unit === 'fahrenheit' || Object.values(QUANTITIES).some((quantity) => quantity.unit === unit);

/** Whether a variable's values are in degrees: only these have another unit in Celsius. */
export const hasDegrees = (name: VariableName): boolean =>
  QUANTITIES[VARIABLES[name].quantity].celsius !== undefined;

/** The unit of a response about a variable: of what the request says, that of its quantity counts. */
export function getUnitOf(name: VariableName, choice: UnitChoice): Unit {
  const { quantity, of } = VARIABLES[name];
  const chosen = hasDegrees(name) ? 'temperature' : quantity;
  const { unit, systems } = QUANTITIES[chosen];
  const text = typeof choice === 'string' ? pick(systems?.[choice] ?? [unit], of) : (choice[chosen] ?? unit);
  if (chosen === 'temperature') return text === QUANTITIES.temperature.celsius ? 'celsius' : 'fahrenheit';
  return text as PlainUnit;
}

/** The first of these units in which feeds have a variable, or the first. */
const pick = ([first, ...others]: readonly [string, ...string[]], of: Variable['of']): string =>
  [first, ...others].find((unit) => 'columns' in of && of.columns.some((column) => column.unit === unit)) ??
  first;

/** The unit of a variable's values as texts have it: °F, °C·day. */
export function getUnitText(name: VariableName, unit: Unit): string {
  const quantity = QUANTITIES[VARIABLES[name].quantity];
  if (unit === 'celsius') return quantity.celsius ?? quantity.unit;
  return unit in quantity.units ? unit : quantity.unit;
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

/** The whole degree of a temperature, or the whole number of a unit, half up: of whole numbers, because 125 kt are 231.5 km/h. */
export const wholeDegree = (steps: number, { times, over, zero }: Scale): number =>
  Math.floor((2 * (steps - zero) * over + 100 * times) / (200 * times));

/** Hundredths of a unit as steps of its quantity: not always whole ones. */
export const toSteps = (hundredths: number, { times, over, zero }: Scale): number =>
  (hundredths * times) / over + zero;

/** The threshold of events of a request without one: the declared one, or the nearest whole number of another unit. */
export function getUsualThreshold(name: VariableName, unit: Unit): number {
  const { usual, quantity } = VARIABLES[name];
  const { times, over } = getScale(unit, name);
  const own = usual.thresholds[QUANTITIES[quantity].unit]!;
  return usual.thresholds[getUnitText(name, unit)] ?? Math.round((own * over) / times);
}

/** The least and the greatest value that a day or an hour can have, steps: those of its column, or what follows from the columns of others. */
export function getValueLimits(name: VariableName, choices?: Choices): ValueLimits {
  const { of } = VARIABLES[name];
  if (!('value' in of)) {
    const [{ unit, limits }] = 'chance' in of ? of.chance : of.columns;
    const { units } = QUANTITIES[VARIABLES[name].quantity];
    const limit = (value: number): number => toSteps(100 * value, units[unit]!);
    return { lowest: limit(limits.lowest), highest: limit(limits.highest) };
  }
  const { lowest, highest } = getValueLimits(of.from[0]);
  const compute = compile(getDerivation(name, choices)!.value);
  // No value is beyond those of the coldest, the hottest and the most uneven day.
  const values = [compute(lowest, lowest), compute(highest, highest), compute(highest, lowest)];
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}

/** The classes of the amounts of a variable; undefined of one that is judged in ranges of whole numbers. */
export const getClasses = (name: VariableName, unit: Unit): readonly number[] | undefined =>
  QUANTITIES[VARIABLES[name].quantity].classes?.[getUnitText(name, unit)];
