import { readFileSync } from 'node:fs';
import type { ScriptValue } from '../api/endpoint.js';

// Templates of SQL for DuckDB. Three things are no SQL: a line `.read NAME` stands for a file of this folder; a line that ends with
// `-- if NAME`, `-- if not NAME` or `-- if NAME=VALUE` stands only where that holds; `{{NAME}}` stands for a value.

export type ScriptValues = Readonly<Record<string, ScriptValue>>;

/** The lines of each template that was read. */
const templates = new Map<string, readonly string[]>();

/** The lines of a template, with those of the files that it reads. */
function readLines(file: URL): readonly string[] {
  const known = templates.get(file.href);
  if (known !== undefined) return known;
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, name, condition = ''] = /^\.read (\S+)( .*)?$/.exec(line) ?? [];
      if (name === undefined) return [line];
      return readLines(new URL(name, import.meta.url)).map((each) => `${each}${condition}`);
    });
  templates.set(file.href, lines);
  return lines;
}

/** A value as DuckDB reads it. */
export function literal(value: ScriptValue): string {
  if (Array.isArray(value)) {
    const parts = (value as readonly ScriptValue[]).map(literal);
    const isRows = value.length > 0 && value.every(Array.isArray);
    return isRows ? parts.map((part) => `(${part.slice(1, -1)})`).join(',\n  ') : `[${parts.join(', ')}]`;
  }
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  // A number with an exponent is read as a double, another one as a decimal.
  if (typeof value === 'number' && !Number.isInteger(value) && !`${value}`.includes('e')) return `${value}e0`;
  return value === undefined ? 'NULL' : String(value);
}

const CONDITION = /^(not )?(\w+)(?:=(\S+))?$/;

/** Whether a condition holds: a value is given, or is the one wanted. */
function holds(condition: string, values: ScriptValues): boolean {
  const [, isNot, name = '', wanted] = CONDITION.exec(condition.trim()) ?? [];
  const value = values[name];
  const isGiven = value !== undefined && value !== null && value !== false;
  return (wanted === undefined ? isGiven : value === wanted) === (isNot === undefined);
}

/** Fills templates in one pass, because the name of a city may look like a template. @throws Error when a name has no value */
export function fillTemplates(files: readonly URL[], values: ScriptValues): string {
  const kept = files
    .flatMap(readLines)
    .map((line) => line.split('-- if '))
    .filter(([, ...conditions]) => conditions.every((condition) => holds(condition, values)))
    .map(([text = '']) => `${text.trimEnd()}\n`);
  return kept.join('').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`the template names ${name}, which has no value`);
    return literal(values[name]);
  });
}
