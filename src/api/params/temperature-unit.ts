import { z } from 'zod';
import { type Unit, UNITS } from '../../statistics/units.js';
import { type Kind, getKind } from '../kinds.js';
import { rounded, tenths, tenThousandths } from '../../statistics/statistics.js';
import { defineGroup } from '../groups.js';
import { word } from '../parameters.js';

// The unit of the degrees of a response (D43). An endpoint takes part by the group in its request, under the name `unit`,
// and by the schemas of its record (kinds.ts): what it answers stays in °F, at full precision.

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
  shown: withCelsius,
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

/** The unit of a request, which has one only where its endpoint takes it. */
export const getUnit = (params: { unit?: unknown }): Unit =>
  params.unit === 'celsius' ? 'celsius' : 'fahrenheit';

/** The name of what a field has in °F, in °C; undefined for a field whose name says no unit. */
const celsiusName = (name: string): string | undefined =>
  name.endsWith('_f') ? name.replace(/_f$/, '_c') : undefined;

/** A field of the record in °C beside it: its name says the unit, so that it stays what it is in any response. */
const BESIDE = 'fahrenheit beside celsius';

const asItIs = (value: number): number => value;
const millionths = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;
const EXACT = { 'exact difference': asItIs, 'exact temperature': asItIs, score: millionths };
const PLAIN = { 'ten-thousandths': tenThousandths, hundredths: rounded, tenths, millionths };

/** Writes numbers at full precision, their degrees in °F but for exact ones: these to 0.01, half away from zero. */
const WRITE: Record<Unit | typeof BESIDE, Record<Kind, (value: number) => number>> = {
  fahrenheit: {
    ...{ difference: rounded, 'square difference': rounded, temperature: rounded },
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
  [BESIDE]: {
    difference: rounded,
    'square difference': rounded,
    temperature: rounded,
    'exact difference': (value) => rounded((value * 9) / 5),
    'exact temperature': (value) => rounded((value * 9) / 5 + 32),
    score: (value) => Math.round(millionths(value) * 1.8e6) / 1e6 + 0,
    ...PLAIN,
  },
};

/** A value with its numbers rounded, and its degrees in a unit; the ratio of nothing is null. */
type Conversion = (value: unknown, unit: keyof typeof WRITE) => unknown;

/** The conversion of values of a schema; undefined where these have no number of a kind. */
export function getConversion(schema: unknown): Conversion | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return getConversion(schema.unwrap());
  if (schema instanceof z.ZodNumber) {
    const kind = getKind(schema);
    if (kind === undefined) return undefined;
    return (value, unit) =>
      typeof value !== 'number' ? value : Number.isFinite(value) ? WRITE[unit][kind](value) : null;
  }
  if (schema instanceof z.ZodArray) {
    const ofMember = getConversion(schema.element);
    return (
      ofMember &&
      ((value, unit) => (Array.isArray(value) ? value.map((member) => ofMember(member, unit)) : value))
    );
  }
  if (schema instanceof z.ZodRecord) {
    const ofValue = getConversion(schema.valueType);
    return (
      ofValue &&
      ((value, unit) =>
        Object.fromEntries(
          Object.entries(value as object).map(([name, each]) => [name, ofValue(each, unit)]),
        ))
    );
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const ofField = getConversion(field);
    return ofField === undefined ? [] : [{ name, ofField, inCelsius: celsiusName(name) }];
  });
  if (fields.length === 0) return undefined;
  const named = new Map(fields.map((each) => [each.name, each]));
  const hasBoth = fields.some(({ inCelsius }) => inCelsius !== undefined);
  return (value, unit) => {
    if (typeof value !== 'object' || value === null) return value;
    // A copy keeps the order of the fields, and takes a third of the time: 35 ms of 50,000 pairs.
    if (unit !== 'celsius' || !hasBoth) {
      const written = { ...value } as Record<string, unknown>;
      for (const { name, ofField } of fields)
        if (name in written) written[name] = ofField(written[name], unit);
      return written;
    }
    const written: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const { ofField, inCelsius } = named.get(name) ?? {};
      written[name] = ofField === undefined ? field : ofField(field, inCelsius === undefined ? unit : BESIDE);
      if (inCelsius !== undefined) written[inCelsius] = ofField?.(field, unit);
    }
    return written;
  };
}

/** The schema of responses in °F and in °C: a field that ends in _f has an optional one beside it. */
export function withCelsius<Schema extends z.ZodType>(schema: Schema): Schema {
  return (changed(schema) ?? schema) as Schema;
}

/** The schema with fields in °C; undefined without temperatures. */
function changed(schema: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodArray) {
    const inner = changed(schema instanceof z.ZodArray ? schema.element : schema.unwrap());
    if (inner === undefined) return undefined;
    const wrapped =
      schema instanceof z.ZodArray
        ? z.array(inner)
        : schema instanceof z.ZodNullable
          ? inner.nullable()
          : inner.optional();
    return wrapped.meta({ ...schema.meta() });
  }
  if (schema instanceof z.ZodRecord) {
    const inner = changed(schema.valueType);
    return inner && z.record(z.string(), inner).meta({ ...schema.meta() });
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  let isChanged = false;
  const shape = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const inCelsius = getConversion(field) && celsiusName(name);
    const inner = changed(field);
    isChanged ||= inner !== undefined || inCelsius !== undefined;
    if (inCelsius === undefined) return [[name, inner ?? field]];
    const description = `With temp_unit=celsius: ${field.meta()?.description?.replace('°F', '°C') ?? '°C'}`;
    return [
      [name, field],
      [inCelsius, field.meta({ description }).optional()],
    ];
  });
  return isChanged
    ? z.object(Object.fromEntries(shape) as z.ZodRawShape).meta({ ...schema.meta() })
    : undefined;
}
