import { type QueryParams, quoted, WrittenValue } from './transport.js';

// The embedded engine runs statements with bound values one at a time in the whole process. So their values go to the
// connection first, by SET: the statement stays as it is, and the engine reads each value by the type in its
// {name: Type}. A connection keeps its parameters, and one that nobody gave would be the last statement's.

/** The name of each `{name: Type}` in a statement. */
const BINDING = /\{(\w+)\s*:/g;

/** Half of a character: no engine could keep it, and in UTF-8 it would silently become another. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/**
 * A statement with the SET of the values that it names before it, as one text.
 * @throws Error before sending, for a missing value, half of a character, or a number that is not finite
 */
export function withParameters(sql: string, params: QueryParams): string {
  const names = new Set(Array.from(sql.matchAll(BINDING), ([, name = '']) => name));
  if (names.size === 0) return sql;
  const settings = Array.from(names, (name) => `param_${name} = ${quoted(makeText(name, params[name]))}`);
  return `SET ${settings.join(', ')}; ${sql}`;
}

/** A value as the engine reads it: a text as in a tab-separated file, an array as in a statement. */
function makeText(name: string, value: QueryParams[string] | undefined): string {
  if (value === undefined) throw new Error(`the statement binds ${name}, and no value has that name`);
  if (value instanceof WrittenValue) return value.text;
  if (typeof value === 'string') return escaped(whole(name, value));
  if (typeof value === 'number') return numeral(name, value);
  const members = value.map((member) =>
    typeof member === 'number' ? numeral(name, member) : quoted(whole(name, member)),
  );
  return `[${members.join(',')}]`;
}

function numeral(name: string, value: number): string {
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
