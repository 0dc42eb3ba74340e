// A statement for ClickHouse as one value. A value stands in its text as bind() puts it there, a relation as another
// statement, and a name as raw(): nothing else can, so no value is missing, left over, or part of the text.

/** Values by their type in ClickHouse. */
interface Types {
  String: string;
  Date: string;
  UInt8: number;
  UInt32: number;
  UInt64: number;
  Int32: number;
  Int64: number;
  'Array(String)': readonly string[];
  'Array(Date)': readonly string[];
}

type Value = string | number | readonly string[] | readonly number[];

interface Binding {
  type: string;
  value: Value;
}

/** Settings of ClickHouse, by name. */
export type Settings = Readonly<Record<string, string | number>>;

export class Statement {
  constructor(
    readonly text: string,
    readonly bindings: ReadonlyMap<string, Binding> = new Map(),
    readonly settings: Settings = {},
  ) {}

  /** The values that the text binds, by name. */
  get params(): Record<string, Value> {
    return Object.fromEntries(Array.from(this.bindings, ([name, { value }]) => [name, value]));
  }

  toString(): string {
    return this.text;
  }

  with(settings: Settings): Statement {
    return new Statement(this.text, this.bindings, { ...this.settings, ...settings });
  }
}

/** Each `{name: Type}` of a text. */
const BINDINGS = /\{(\w+)\s*:\s*([^}]+)\}/g;

/**
 * A statement, or a part of one.
 * @throws Error when something else than a statement stands in it, when its own text binds a value, and when two parts
 * bind different values to one name
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly Statement[]): Statement {
  const bindings = new Map<string, Binding>();
  const settings: Record<string, string | number> = {};
  for (const text of texts) {
    if (text.search(BINDINGS) !== -1) throw new Error(`bind() gives a value and its name: ${text}`);
  }
  for (const part of parts) {
    if (!(part instanceof Statement))
      throw new Error(`neither bind(), raw() nor a statement: ${String(part)}`);
    for (const [name, binding] of part.bindings) {
      const { type, value } = bindings.get(name) ?? binding;
      if (type !== binding.type || JSON.stringify(value) !== JSON.stringify(binding.value))
        throw new Error(`the statement binds ${name} to two values`);
      bindings.set(name, binding);
    }
    Object.assign(settings, part.settings);
  }
  return new Statement(String.raw({ raw: texts }, ...parts.map(({ text }) => text)), bindings, settings);
}

/** A value with its name, as in `bind({ version }, 'UInt32')`. */
export function bind<Type extends keyof Types>(named: Record<string, Types[Type]>, type: Type): Statement {
  const [[name, value], ...others] = Object.entries(named) as unknown as [[string, Value]];
  if (others.length > 0) throw new Error(`bind() takes one value, and not ${Object.keys(named).join(', ')}`);
  return new Statement(`{${name}: ${type}}`, new Map([[name, { type, value }]]));
}

/**
 * A text of our own, such as the name of a table; never what somebody has sent.
 * @param values of the `{name: Type}` in it; others may be among them
 * @throws Error when one is missing
 */
export function raw(text: string, values: Readonly<Record<string, Value>> = {}): Statement {
  const bindings = Array.from(text.matchAll(BINDINGS), ([, name = '', type = '']): [string, Binding] => {
    const value = values[name];
    if (value === undefined) throw new Error(`the text binds ${name}, and no value has that name`);
    return [name, { type, value }];
  });
  return new Statement(text, new Map(bindings));
}

/** No condition. */
export const NOTHING = raw('');

/** What a query takes: a statement, or, until each of its callers has one, a text and its values. */
export type QueryArguments<Params, Row, Options> =
  | [statement: Statement, row: Row, options?: Options]
  | [sql: string, params: Params, row: Row, options?: Options];

/** The same with text and values apart. */
export function apart<Params, Row, Options>(
  given: QueryArguments<Params, Row, Options>,
): [sql: string, params: Params | Statement['params'], row: Row, options?: Options] {
  const [first, ...others] = given;
  return first instanceof Statement
    ? [first.text, first.params, ...(others as [Row, Options?])]
    : [first, ...(others as [Params, Row, Options?])];
}
