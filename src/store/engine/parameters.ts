import { type QueryParams, WrittenValue } from './transport.js';

// The embedded engine runs statements with bound values one at a time in the whole process. So their values go to the
// connection first, by SET: the statement stays as it is, and the engine reads each value by the type in its
// {name: Type}. A connection keeps its parameters, and one that nobody gave would be the last statement's.

/** The name of each `{name: Type}` in a statement. */
const BINDING = /\{(\w+)\s*:/g;

/** Half of a character: no engine could keep it, and in UTF-8 it would silently become another. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/**
 * A statement with the SET of its values before it, as one text.
 * @param values as texts that the engine reads by their types, from parameterTexts()
 * @throws Error, before anything is sent, when the statement names a value that is not there
 */
export function withParameters(sql: string, values: ReadonlyMap<string, string>): string {
  const names = new Set(Array.from(sql.matchAll(BINDING), ([, name = '']) => name));
  if (names.size === 0) return sql;
  const settings = Array.from(names, (name) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the statement binds ${name}, and no value has that name`);
    return `param_${name} = ${quoted(value)}`;
  });
  return `SET ${settings.join(', ')}; ${sql}`;
}

/**
 * Each value as the engine reads it: a text as in a tab-separated file, an array as in a statement.
 * @throws Error for a text with half of a character, and for a number that is none
 */
export function parameterTexts(params: QueryParams): Map<string, string> {
  return new Map(
    Object.entries(params).map(([name, value]) => {
      if (typeof value === 'number') return [name, numberText(name, value)];
      if (value instanceof WrittenValue) return [name, value.text];
      if (typeof value === 'string') return [name, escaped(whole(name, value))];
      return [name, `[${value.map((text) => quoted(whole(name, text))).join(',')}]`];
    }),
  );
}

function numberText(name: string, value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${name} is ${value}, which is no number`);
  return String(value);
}

function whole(name: string, text: string): string {
  if (HALF_CHARACTER.test(text)) throw new Error(`${name} has half of a character`);
  return text;
}

/** As in a tab-separated file. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** As in a statement. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}
