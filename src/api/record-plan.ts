import { z } from 'zod';
import { getUnitText, hasDegrees, isUnitOfDegrees } from '../variables/units.js';
import type { VariableName } from '../variables/variables.js';
import { getKind, getVariables, isOfDegrees } from './kinds.js';
import { namesOfDegrees, WRITE, type Writing } from './params/temperature-unit.js';

// The plan of a record has what follows from its schema: the schema that responses show, the conversion of its numbers, and the
// fields that become columns of CSV. One walk finds all of it, once for an endpoint.

/** A value with its numbers rounded, and its degrees in a unit; the ratio of nothing is null. */
type Conversion = (value: unknown, unit: Writing) => unknown;

export interface Plan<Schema extends z.ZodType = z.ZodType> {
  /** The schema of responses in any unit: a field that ends in _f has an optional one beside it. */
  shown: Schema;
  /** Undefined where no number has a kind (kinds.ts). */
  convert: Conversion | undefined;
  /** Whether its number, or one within it, is of degrees: only these have another one in °C beside them. */
  isOfDegrees: boolean;
  /** The variables that its number may be of; undefined for another number. */
  variables?: readonly VariableName[] | undefined;
  /** Its field's name before the ending of degrees, unless it is that of the record. */
  stem?: string | undefined;
  /** The fields of an object, or of the members of a list of objects. */
  fields: readonly Field[] | undefined;
  isList: boolean;
}

export interface Field {
  /** In the records of an endpoint. */
  name: string;
  plan: Plan;
  /** Its names in a response, and how its number is written under each. */
  getNames: (writing: Writing) => [name: string, writing: Writing][];
}

/** The plan of a schema. */
export const makePlan = <Schema extends z.ZodType>(schema: Schema): Plan<Schema> =>
  planOf(schema) as Plan<Schema>;

/** Endpoints share parts of their records, and so the schemas that responses show of them. */
const plans = new WeakMap<z.ZodType, Plan>();

function planOf(schema: z.ZodType): Plan {
  const plan = plans.get(schema) ?? findPlan(schema);
  plans.set(schema, plan);
  return plan;
}

function findPlan(schema: z.ZodType): Plan {
  if (schema instanceof z.ZodOptional)
    return planOfWrapped(schema, schema.unwrap() as z.ZodType, (inner) => inner.optional());
  if (schema instanceof z.ZodNullable)
    return planOfWrapped(schema, schema.unwrap() as z.ZodType, (inner) => inner.nullable());
  if (schema instanceof z.ZodNumber)
    return {
      ...LEAF,
      shown: schema,
      convert: numberConversion(schema),
      isOfDegrees: isOfDegrees(schema),
      ...getVariables(schema),
    };
  if (schema instanceof z.ZodArray) {
    const members = planOfWrapped(schema, schema.element as z.ZodType, (inner) => z.array(inner));
    const { convert } = members;
    return {
      ...members,
      convert:
        convert &&
        ((value, unit) => (Array.isArray(value) ? value.map((member) => convert(member, unit)) : value)),
      isList: true,
    };
  }
  if (schema instanceof z.ZodRecord) {
    const values = planOfWrapped(schema, schema.valueType as z.ZodType, (inner) =>
      z.record(z.string(), inner),
    );
    return {
      ...LEAF,
      shown: values.shown,
      convert: values.convert && recordConversion(values.convert),
      isOfDegrees: values.isOfDegrees,
    };
  }
  return schema instanceof z.ZodObject ? planOfObject(schema) : { ...LEAF, shown: schema };
}

const LEAF = { convert: undefined, isOfDegrees: false, fields: undefined, isList: false };

/** The plan of a schema around another. @param wrap makes it of another inner one */
function planOfWrapped(outer: z.ZodType, inner: z.ZodType, wrap: (inner: z.ZodType) => z.ZodType): Plan {
  const plan = planOf(inner);
  return { ...plan, shown: plan.shown === inner ? outer : wrap(plan.shown).meta({ ...outer.meta() }) };
}

function numberConversion(schema: z.ZodNumber): Conversion | undefined {
  const kind = getKind(schema);
  if (kind === undefined) return undefined;
  return (value, unit) =>
    typeof value !== 'number' ? value : Number.isFinite(value) ? WRITE[unit][kind](value) : null;
}

const recordConversion =
  (convert: Conversion): Conversion =>
  (value, unit) =>
    Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, convert(each, unit)]));

/** The names of a field. One of the variable has the ending of its degrees, or none; another one of degrees may end in _f. */
function planField([name, schema]: [string, z.ZodType]): Field {
  const plan = planOf(schema);
  const { variables, isOfDegrees } = plan;
  const stem = variables
    ? (plan.stem ?? name)
    : isOfDegrees && name.endsWith('_f')
      ? name.slice(0, -2)
      : undefined;
  return {
    name,
    plan,
    getNames: (writing) =>
      stem === undefined || (variables && !isUnitOfDegrees(writing))
        ? [[name, writing]]
        : namesOfDegrees(stem, writing),
  };
}

/** The fields of responses that one of a record becomes: those in one unit alone are optional. */
function showField(
  { name: ownName, plan, getNames }: Field,
  field: z.ZodType,
): [name: string, schema: z.ZodType][] {
  const [name = '', inCelsius] = getNames('celsius').map(([each]) => each);
  if (inCelsius === undefined) return [[name, plan.shown]];
  const { description = '°F' } = field.meta() ?? {};
  const only = (about: string): z.ZodType => field.meta({ description: about }).optional();
  const ofCelsius = only(`With temp_unit=celsius: ${description.replace('°F', '°C')}`);
  const others = (plan.variables ?? []).filter((each) => !hasDegrees(each));
  if (others.length === 0)
    return [
      [name, plan.shown],
      [inCelsius, ofCelsius],
    ];
  const metrics = `metric=${others.join(' or ')}`;
  const units = [...new Set(others.map((each) => getUnitText(each, 'fahrenheit')))].join(' or ');
  return [
    [name, only(`${description}; absent with ${metrics}`)],
    [inCelsius, ofCelsius],
    [ownName, only(`With ${metrics}: ${description.replace('°F', units)}`)],
  ];
}

function planOfObject(schema: z.ZodObject): Plan {
  const shape = schema.shape as Record<string, z.ZodType>;
  const fields = Object.entries(shape).map(planField);
  const shown = Object.fromEntries(fields.flatMap((field) => showField(field, shape[field.name]!)));
  const isSame = Object.entries(shown).every(([name, field]) => field === shape[name]);
  return {
    shown: isSame ? schema : z.object(shown).meta({ ...schema.meta() }),
    convert: objectConversion(fields),
    isOfDegrees: fields.some(({ plan }) => plan.isOfDegrees),
    fields,
    isList: false,
  };
}

function objectConversion(fields: readonly Field[]): Conversion | undefined {
  const converted = fields.filter(({ plan }) => plan.convert !== undefined);
  if (converted.length === 0) return undefined;
  const named = new Map(converted.map((field) => [field.name, field]));
  const isRenamed = ({ name, getNames }: Field, unit: Writing): boolean =>
    getNames(unit).some(([each]) => each !== name);
  const renaming = WRITINGS.filter((unit) => converted.some((field) => isRenamed(field, unit)));
  return (value, unit) => {
    if (typeof value !== 'object' || value === null) return value;
    // A copy keeps the order of the fields, and takes a third of the time: 35 ms of 50,000 pairs.
    if (!renaming.includes(unit)) {
      const written = { ...value } as Record<string, unknown>;
      for (const { name, plan } of converted)
        if (name in written) written[name] = plan.convert?.(written[name], unit);
      return written;
    }
    const written: Record<string, unknown> = {};
    for (const [name, number] of Object.entries(value)) {
      const { plan, getNames } = named.get(name) ?? {};
      if (getNames === undefined) written[name] = number;
      else
        for (const [each, unitOfEach] of getNames(unit)) written[each] = plan?.convert?.(number, unitOfEach);
    }
    return written;
  };
}

const WRITINGS = Object.keys(WRITE) as Writing[];
