import { z } from 'zod';
import type { Scale } from '../../variables/declarations.js';
import { DEGREE_UNITS, getScale, getUnitText, isUsual, SCALES, type Unit } from '../../variables/units.js';
import type { VariableName } from '../../variables/variables.js';
import type { Kind } from '../kinds.js';
import { rounded, tenths, tenThousandths } from '../../statistics/statistics.js';
import { defineGroup } from '../groups.js';
import { LISTED_UNITS, parseUnits, UNITS_ISSUE } from '../requested-units.js';
import { listText, word } from '../parameters.js';

// The unit of the values of a response (D43, D72). An endpoint takes part by the group in its request, under the name `unit`, and by
// the schemas of its record (kinds.ts): what it answers stays in the unit of the store, at full precision.

/** The unit of degrees, as requested; readRequest() puts the unit of the request's variable in its place (groups.ts). */
const TEMP_UNIT = word(
  DEGREE_UNITS,
  "Unit of the response's degrees, each rounded once. In Celsius, differences are multiplied by 5/9, each field " +
    'that ends in _f has one that ends in _c beside it (JSON and CSV), and metadata.temp_unit is celsius',
)
  .optional()
  .meta({ default: 'fahrenheit' }) as unknown as z.ZodType<Unit>;

export const temperatureUnit = defineGroup({
  parameters: {
    temp_unit: TEMP_UNIT,
    units: listText()
      .transform((text, context) => {
        const choice = parseUnits(text);
        if (choice === undefined) context.addIssue({ code: 'custom', message: UNITS_ISSUE });
        return choice ?? z.NEVER;
      })
      .optional()
      .meta({
        type: 'string',
        description:
          'Units of the response, each number rounded once: us (°F, mph, inches), metric (°C, km/h, mm, snow in cm), si (°C, m/s, mm, snow ' +
          `in cm), or some of ${LISTED_UNITS}. Default: °F, kt, inches`,
        example: 'speed=kt,length=mm',
      }),
  },
  read:
    ({ temp_unit }) =>
    (): Unit =>
      temp_unit,
  // Without a word of the default the identity of a request, and so its tag, is what it was without units.
  cacheKey: (unit: Unit) => (isUsual(unit) ? undefined : unit),
});

/** The metadata of the unit; empty for the default. */
export const UNIT_METADATA = {
  temp_unit: z
    .enum(DEGREE_UNITS)
    .optional()
    .meta({ description: 'The unit of the response, if it is not Fahrenheit' }),
};

export const unitMetadata = (unit: Unit): { temp_unit?: 'celsius' } =>
  unit === 'celsius' ? { temp_unit: unit } : {};

/** The columns of CSV that say the unit of values: temp_unit as in the metadata, and unit of a variable that has none in °F. */
export const unitColumns = (metric: VariableName, unit: Unit): { temp_unit?: 'celsius'; unit?: string } => ({
  ...unitMetadata(unit),
  ...(getUnitText(metric, 'fahrenheit') !== '°F' && { unit: getUnitText(metric, unit) }),
});

/** A request as far as its unit goes. */
interface OfUnit {
  unit?: unknown;
  metric?: unknown;
}

/** The unit of a request: it has one only where its endpoint takes it, and readRequest has asked its variable (groups.ts). */
export const getUnit = ({ unit }: OfUnit): Unit =>
  typeof unit === 'string' && Object.hasOwn(SCALES, unit) ? (unit as Unit) : 'fahrenheit';

/** How a record of a request is written: the temperatures of degree days and the like are differences. */
export const getWriting = (params: OfUnit): Writing => {
  const unit = getUnit(params);
  const name = (params.metric as VariableName | undefined) ?? 'high';
  return unit === 'celsius' && getScale(unit, name).zero === 0 ? CELSIUS_DIFFERENCES : unit;
};

/** A field of the record in °C beside it: its name says the unit, so that it stays what it is in any response. */
const FAHRENHEIT_BESIDE = 'fahrenheit beside celsius';
const CELSIUS_DIFFERENCES = 'celsius differences';
const DIFFERENCES_BESIDE = 'fahrenheit beside celsius differences';

type Written = Record<Kind, (value: number) => number>;

const asItIs = (value: number): number => value;
// The mean of 200 squares of whole percents is often a tie, which binary fractions miss by less than this.
const millionths = (value: number): number => Math.floor(value * 1e6 + 0.5 + 1e-9) / 1e6 + 0;
const EXACT = { 'exact difference': asItIs, 'exact temperature': asItIs, score: millionths };
const PLAIN = { 'ten-thousandths': tenThousandths, hundredths: rounded, tenths, millionths };

/** Writes numbers at full precision in a unit, to 0.01, half away from zero. An exact one is in the unit of the request already. */
const writeIn = ({ times, over, zero }: Scale): Written => ({
  difference: (value) => rounded((value * over) / times),
  'square difference': (value) => rounded((value * (over * over)) / (times * times)),
  temperature: (value) => rounded(((value - zero / 100) * over) / times),
  ...EXACT,
  ...PLAIN,
});

/** Writes the fields in °F that have one in another unit beside them, of which exact ones are. */
const writeBeside = ({ times, over, zero }: Scale): Written => ({
  ...writeIn(SCALES.fahrenheit),
  'exact difference': (value) => rounded((value * times) / over),
  'exact temperature': (value) => rounded((value * times) / over + zero / 100),
  score: (value) => Math.round(millionths(value) * ((1e6 * times) / over)) / 1e6 + 0,
});

/** A temperature of a record of differences has no zero to be moved. */
const DIFFERENCES = { ...SCALES.celsius, zero: 0 };

const PLAIN_WRITING = Object.fromEntries(
  Object.entries(SCALES).map(([unit, scale]) => [unit, writeIn(scale)]),
) as Record<Unit, Written>;

export const WRITE = {
  ...PLAIN_WRITING,
  [FAHRENHEIT_BESIDE]: writeBeside(SCALES.celsius),
  [CELSIUS_DIFFERENCES]: writeIn(DIFFERENCES),
  [DIFFERENCES_BESIDE]: writeBeside(DIFFERENCES),
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
