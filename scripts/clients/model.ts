import type { OpenApiDocument } from '../openapi/components.js';

// The source of both clients: the types and operations of the OpenAPI document, with a name for every object. (The
// generator of @redocly/cli writes 7,880 lines for TypeScript alone where this has 1,981, types responses of Python as Any,
// and is experimental: its output may change with any version.)

const PLAIN = ['string', 'number', 'integer', 'boolean', 'null'] as const;

/** A type, as any language can write it. */
export type Type =
  | { kind: (typeof PLAIN)[number] | 'file' }
  | { kind: 'literal'; value: string | boolean | null }
  | { kind: 'named'; name: string }
  | { kind: 'list'; of: Type }
  | { kind: 'record'; of: Type }
  | { kind: 'union'; of: Type[] };

export interface Field {
  name: string;
  type: Type;
  isRequired: boolean;
  description: string | undefined;
}

export interface ObjectType {
  name: string;
  description: string | undefined;
  /** All of its fields. */
  fields: Field[];
  /** An object that has most of them, too. */
  base?: {
    name: string;
    /** The fields of the base that this object has not. */
    lacks: string[];
    /** The fields that only this object has. */
    own: Field[];
  };
}

export interface Operation {
  /** Its URL as one word, such as accuracyByDate. */
  name: string;
  path: string;
  summary: string;
  /** The type of its parameters; null without parameters. */
  parameters: string | null;
  /** Whether any of them is required. */
  needsParameters: boolean;
  response: Type;
}

/** Which values of a field are better, and which is perfect; null if none is. */
export interface Orientation {
  orientation: string;
  perfectScore: number | null;
}

export interface Model {
  /** The statistics, by the name of their field. */
  statistics: Map<string, Orientation>;
  aliases: { name: string; description: string | undefined; type: Type }[];
  objects: ObjectType[];
  operations: Operation[];
}

/** As much of JSON Schema as the document uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: boolean | string;
  enum?: (string | null)[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
  items?: Schema;
  description?: string;
  'x-orientation'?: string;
  'x-perfect-score'?: number;
}

interface OperationObject {
  summary: string;
  parameters?: { name: string; required: boolean; schema: Schema; description?: string }[];
  responses: { 200: { content: Partial<Record<string, { schema: Schema }>> } };
}

/** Parameters that a client chooses by itself, because it reads JSON. */
const OWN_PARAMETERS = ['format', 'bom'];

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const pascal = (name: string): string => name.split('_').map(capital).join('');

/** Operations that were there before another had a name so near to theirs, and those of no station. */
const OWN_NAMES: Partial<Record<string, string>> = {
  '/api/v1/accuracy/by-bucket/{station_id}': 'accuracyByBucket',
  '/api/v1/accuracy/by-bucket': 'accuracyByBucketOfForecast',
  '/api/v1/seals/{version}': 'sealsOfVersion',
};

/** A URL below /api/v1 as one word. @param paths all of them: one of a station may be another's with its id behind it */
function makeName(path: string, paths: readonly string[]): string {
  const own = OWN_NAMES[path];
  if (own !== undefined) return own;
  const fixed = path.replace(/\/\{\w+\}$/, '');
  const words = fixed.split(/[/-]/).slice(3);
  const name = words.map((word, at) => (at === 0 ? word : capital(word))).join('');
  return fixed !== path && paths.includes(fixed) ? `${name}OfStation` : name || 'index';
}

/** Equal for schemas that allow the same, whatever their words. */
const describeShape = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    /^(description|example|minimum|maximum|x-.*)$/.test(key) && typeof value !== 'object' ? undefined : value,
  );

class Reader {
  readonly aliases: Model['aliases'] = [];
  readonly objects: ObjectType[] = [];
  readonly statistics: Model['statistics'] = new Map();
  /** The names of shapes: objects and lists of words are written once. */
  readonly #names = new Map<string, string>();

  constructor(schemas: Record<string, Schema>) {
    for (const [name, schema] of Object.entries(schemas)) this.#names.set(describeShape(schema), name);
    for (const [name, schema] of Object.entries(schemas)) this.#add(name, schema);
  }

  #add(name: string, schema: Schema): void {
    const { description } = schema;
    if (schema.properties !== undefined)
      this.objects.push({ name, description, fields: this.#fields(name, schema) });
    else this.aliases.push({ name, description, type: this.#structure(name, schema) });
  }

  #fields(owner: string, { properties = {}, required = [] }: Schema): Field[] {
    for (const [name, schema] of Object.entries(properties)) {
      const { 'x-orientation': orientation, 'x-perfect-score': perfectScore = null } = schema;
      if (orientation !== undefined) this.statistics.set(name, { orientation, perfectScore });
    }
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.type(owner + pascal(name), schema),
      isRequired: required.includes(name),
      description: schema.description,
    }));
  }

  /** @param name what the type is called, if it is an object that has no name yet */
  type(name: string, schema: Schema): Type {
    if (schema.$ref !== undefined) return { kind: 'named', name: schema.$ref.split('/').at(-1) ?? '' };
    const known = this.#names.get(describeShape(schema));
    if (known !== undefined) return { kind: 'named', name: known };
    if (Array.isArray(schema.type)) {
      const kinds = schema.type.map((type) => {
        const words = schema.enum?.filter((word) => (word === null) === (type === 'null'));
        return type === 'null' ? { type } : { ...schema, type, ...(words && { enum: words }) };
      });
      return { kind: 'union', of: kinds.map((kind) => this.type(name, kind)) };
    }
    if (schema.properties === undefined) return this.#structure(name, schema);
    this.#names.set(describeShape(schema), name);
    this.#add(name, schema);
    return { kind: 'named', name };
  }

  #structure(name: string, schema: Schema): Type {
    const { type, enum: words, anyOf, items, additionalProperties } = schema;
    if (schema.const !== undefined) return { kind: 'literal', value: schema.const };
    if (words !== undefined) return { kind: 'union', of: words.map((value) => ({ kind: 'literal', value })) };
    if (anyOf !== undefined) return { kind: 'union', of: anyOf.map((each) => this.type(name, each)) };
    if (items !== undefined) return { kind: 'list', of: this.type(name.replace(/s$/, ''), items) };
    if (type === 'object' && additionalProperties !== undefined) {
      return { kind: 'record', of: this.type(name, additionalProperties) };
    }
    const kind = PLAIN.find((plain) => plain === type);
    if (kind === undefined) throw new Error(`${name}: clients have no word for ${JSON.stringify(schema)}`);
    return { kind };
  }

  operation(name: string, path: string, { summary, parameters = [], responses }: OperationObject): Operation {
    const response = responses[200].content['application/json']?.schema;
    const typeName = `${capital(name)}Parameters`;
    const fields = parameters
      .filter((each) => response === undefined || !OWN_PARAMETERS.includes(each.name))
      .map(({ name: parameter, required, schema, description }) => ({
        name: parameter,
        type: this.type(typeName + pascal(parameter), schema),
        isRequired: required,
        description,
      }));
    if (fields.length > 0) this.objects.push({ name: typeName, description: undefined, fields });
    return {
      name,
      path,
      summary,
      parameters: fields.length > 0 ? typeName : null,
      needsParameters: fields.some(({ isRequired }) => isRequired),
      response: response === undefined ? { kind: 'file' } : this.type(`${capital(name)}Response`, response),
    };
  }
}

/** Puts the fields that most of some objects have into one, from which they take them; first, as a class needs its base. */
function withBase(objects: readonly ObjectType[], suffix: string): ObjectType[] {
  const family = objects.filter(({ name }) => name.endsWith(suffix));
  const members = new Map<string, number>();
  const key = (field: Field): string => JSON.stringify(field);
  for (const field of family.flatMap(({ fields }) => fields)) {
    members.set(key(field), (members.get(key(field)) ?? 0) + 1);
  }
  const shared = [...members].filter(([, count]) => count > family.length / 2).map(([field]) => field);
  const fields = shared.map((field) => JSON.parse(field) as Field);
  const name = `Common${suffix}`;
  return [
    { name, description: 'What most have in common.', fields },
    ...objects.map((object) => {
      const own = object.fields.filter((field) => !shared.includes(key(field)));
      const has = new Set(object.fields.map(key));
      const lacks = fields.filter((field) => !has.has(key(field))).map((field) => field.name);
      const isLike = family.includes(object) && lacks.length <= fields.length / 2;
      return isLike ? { ...object, base: { name, lacks, own } } : object;
    }),
  ];
}

/** The types and operations of a document. */
export function makeModel(document: OpenApiDocument): Model {
  const { components, paths } = document as unknown as {
    components: { schemas: Record<string, Schema> };
    paths: Record<string, { get: OperationObject }>;
  };
  const reader = new Reader(components.schemas);
  // A stream does not end: clients read it in a way of their own.
  const operations = Object.entries(paths)
    .filter(([, { get }]) => get.responses[200].content['text/event-stream'] === undefined)
    .map(([path, { get }]) => reader.operation(makeName(path, Object.keys(paths)), path, get));
  const objects = withBase(withBase(reader.objects, 'Metadata'), 'Parameters');
  return { aliases: reader.aliases, objects, operations, statistics: reader.statistics };
}
