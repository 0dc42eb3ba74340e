import { z } from 'zod';
import { getScale, getUnitText, hasDegrees, type Unit, UNITS } from '../../variables/units.js';
import type { VariableName } from '../../variables/variables.js';
import type { Kind } from '../kinds.js';
import { rounded, tenths, tenThousandths } from '../../statistics/statistics.js';
import { defineGroup } from '../groups.js';
import { word } from '../parameters.js';

// The unit of the degrees of a response, Fahrenheit or Celsius (D43). An endpoint takes part by the group in its request,
// under the name `unit`, and by the schemas of its record (kinds.ts): what it answers stays in °F, at full precision.

const TEMP_UNIT = word(
  UNITS,
  "Unit of the response's degrees, each rounded once. In Celsius, differences are multiplied by 5/9, each field " +
    'that ends in _f has one that ends in _c beside it (JSON and CSV), and metadata.temp_unit is celsius',
).default('fahrenheit');

export const temperatureUnit = defineGroup({
  parameters: { temp_unit: TEMP_UNIT },
  read:
    ({ temp_unit }) =>
    (): Unit =>
      temp_unit,
  // Without a word of the default the identity of a request, and so its tag, is what it was without units.
  cacheKey: (unit: Unit) => (unit === 'fahrenheit' ? undefined : unit),
});

/** The metadata of the unit; empty for the default. */
export const UNIT_METADATA = {
  temp_unit: z
    .enum(UNITS)
    .optional()
    .meta({ description: 'The unit of the response, if it is not Fahrenheit' }),
};

export const unitMetadata = (unit: Unit): { temp_unit?: Unit } =>
  unit === 'fahrenheit' ? {} : { temp_unit: unit };

/** The columns of CSV that say the unit of values: temp_unit as in the metadata, and unit of a variable that has none in °F. */
export const unitColumns = (metric: VariableName, unit: Unit): { temp_unit?: Unit; unit?: string } => ({
  ...unitMetadata(unit),
  ...(getUnitText(metric, 'fahrenheit') !== '°F' && { unit: getUnitText(metric, unit) }),
});

/** A request as far as its unit goes. */
interface OfUnit {
  unit?: unknown;
  metric?: unknown;
}

const getVariable = ({ metric }: OfUnit): VariableName => (metric as VariableName | undefined) ?? 'high';

/** The unit of a request: it has one only where its endpoint takes it, and readRequest has asked its variable (groups.ts). */
export const getUnit = ({ unit }: OfUnit): Unit => (unit === 'celsius' ? 'celsius' : 'fahrenheit');

/** How a record of a request is written: the temperatures of degree days and the like are differences. */
export const getWriting = (params: OfUnit): Writing => {
  const unit = getUnit(params);
  const name = getVariable(params);
  if (!hasDegrees(name)) return WITHOUT_DEGREES;
  return unit === 'celsius' && getScale(unit, name).zero === 0 ? CELSIUS_DIFFERENCES : unit;
};

/** A field of the record in °C beside it: its name says the unit, so that it stays what it is in any response. */
const FAHRENHEIT_BESIDE = 'fahrenheit beside celsius';
const CELSIUS_DIFFERENCES = 'celsius differences';
const DIFFERENCES_BESIDE = 'fahrenheit beside celsius differences';
export const WITHOUT_DEGREES = 'without degrees';

type Written = Record<Kind, (value: number) => number>;

const asItIs = (value: number): number => value;
// The mean of 200 squares of whole percents is often a tie, which binary fractions miss by less than this.
const millionths = (value: number): number => Math.floor(value * 1e6 + 0.5 + 1e-9) / 1e6 + 0;
const EXACT = { 'exact difference': asItIs, 'exact temperature': asItIs, score: millionths };
const PLAIN = { 'ten-thousandths': tenThousandths, hundredths: rounded, tenths, millionths };

/** Writes numbers at full precision, their degrees in °F but for exact ones: these to 0.01, half away from zero. */
const TEMPERATURES = {
  fahrenheit: {
    difference: rounded,
    'square difference': rounded,
    temperature: rounded,
    ...EXACT,
    ...PLAIN,
  },
  celsius: {
    difference: (value) => rounded((value * 5) / 9),
    'square difference': (value) => rounded((value * 25) / 81),
    temperature: (value) => rounded(((value - 32) * 5) / 9),
    ...EXACT,
    ...PLAIN,
  },
  [FAHRENHEIT_BESIDE]: {
    difference: rounded,
    'square difference': rounded,
    temperature: rounded,
    'exact difference': (value) => rounded((value * 9) / 5),
    'exact temperature': (value) => rounded((value * 9) / 5 + 32),
    score: (value) => Math.round(millionths(value) * 1.8e6) / 1e6 + 0,
    ...PLAIN,
  },
} satisfies Record<string, Written>;

/** The same where the temperatures of a record are differences, which have no zero to be moved. */
const asDifferences = (written: Written): Written => ({
  ...written,
  temperature: written.difference,
  'exact temperature': written['exact difference'],
});

export const WRITE = {
  ...TEMPERATURES,
  [CELSIUS_DIFFERENCES]: asDifferences(TEMPERATURES.celsius),
  [DIFFERENCES_BESIDE]: asDifferences(TEMPERATURES[FAHRENHEIT_BESIDE]),
  [WITHOUT_DEGREES]: TEMPERATURES.fahrenheit,
};

export type Writing = keyof typeof WRITE;

/** How the fields in °F are written that have one in °C beside them. */
const BESIDE: Partial<Record<Writing, Writing>> = {
  celsius: FAHRENHEIT_BESIDE,
  [CELSIUS_DIFFERENCES]: DIFFERENCES_BESIDE,
};

/** The fields of degrees in a response by their common stem, and how each is written: `_f`, and in Celsius `_c` behind it. */
export function namesOfDegrees(stem: string, writing: Writing): [name: string, writing: Writing][] {
  const beside = BESIDE[writing];
  return beside === undefined
    ? [[`${stem}_f`, writing]]
    : [
        [`${stem}_f`, beside],
        [`${stem}_c`, writing],
      ];
}
