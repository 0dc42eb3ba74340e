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

/** A unit in whole numbers, so that what is counted by degrees of it is exact. */
export interface Scale {
  letter: 'F' | 'C';
  /** Whole numbers of one size: an error of the histograms, and a width, times these. */
  errors: number;
  widths: number;
  /** A degree, and the temperature of 0, hundredths of a °F. */
  size: 100 | 180;
  zero: 0 | 3200;
}

export const SCALES: Record<Unit, Scale> = {
  fahrenheit: { letter: 'F', errors: 1, widths: 1, size: 100, zero: 0 },
  celsius: { letter: 'C', errors: 5, widths: 9, size: 180, zero: 3200 },
};

/** The unit of a response about a variable: the one requested, unless its values have no degrees. Then no number is converted. */
export const getUnitOf = (name: VariableName, requested: Unit): Unit =>
  VARIABLES[name].kind === 'percentage' ? 'fahrenheit' : requested;

/** The scale of a variable's values in a unit: the zero of differences is never moved. */
export function getScale(unit: Unit, name: VariableName): Scale {
  const scale = SCALES[getUnitOf(name, unit)];
  return VARIABLES[name].kind === 'difference' ? { ...scale, zero: 0 } : scale;
}

/** The unit of a variable's values as texts have it: °F, °C·day. */
export const getUnitText = (name: VariableName, unit: Unit): string =>
  VARIABLES[name].unit.replace('F', SCALES[unit].letter);

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

/** A temperature in hundredths of a degree of its unit, as hundredths of a °F: not always whole ones. */
export const inFahrenheit = (hundredths: number, { size, zero }: Scale): number =>
  (hundredths * size) / 100 + zero;
