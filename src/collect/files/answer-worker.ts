import { parse as parseCsv } from 'csv-parse/sync';
import { XMLParser } from 'fast-xml-parser';
import jsonata from 'jsonata';
import { Interval } from 'luxon';
import { HOUR_MS } from '../../statistics/time/calendar.js';
import { plainText } from '../plain-text.js';
import type { RowsOfPlace, RowsTask, Cell } from './answers.js';

// A worker thread (answers.ts): it computes the rows of a response by the expressions of a source file. It may be ended at any
// time, because an expression may never end.

const MAX_ROWS = 200_000;
/** No column has a longer value. */
const MAX_CELL_CHARACTERS = 200;
/** Hours of one value that covers a span. */
const MAX_HOURS = 400;

type Evaluate = (input: unknown, variables: Record<string, unknown>) => unknown;

/** A path of plain names is followed here: by JSONata, a response of 50 places takes ten times as long. */
function compile(expression: string): Evaluate {
  const compiled = jsonata(expression);
  compiled.registerFunction('records', toRecords, '<o:a>');
  compiled.registerFunction('hours', listHours, '<s:a>');
  compiled.registerFunction('areHourly', areHourly, '<a:b>');
  const evaluate: Evaluate = (input, variables) => compiled.evaluate(input, variables);
  if (
    !/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(expression) ||
    /^(and|or|in|true|false|null)\b/.test(expression)
  )
    return evaluate;
  const names = expression.split('.');
  return (input, variables) => {
    let value = input;
    for (const name of names) {
      if (typeof value !== 'object' || value === null) return undefined;
      if (Array.isArray(value)) return evaluate(input, variables);
      value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    }
    return Array.isArray(value) ? evaluate(input, variables) : value;
  };
}

/** Turns an object of lists, one for each value, into a list of objects. */
function toRecords(lists: Record<string, unknown>): Record<string, unknown>[] {
  const columns = Object.entries(lists).filter((column): column is [string, unknown[]] =>
    Array.isArray(column[1]),
  );
  const length = columns[0]?.[1].length ?? 0;
  if (columns.some(([, values]) => values.length !== length))
    throw new Error('its lists have different lengths');
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[at]])),
  );
}

/** The full hours in UTC of a span of ISO 8601, such as 2026-01-05T06:00:00+00:00/PT3H. */
function listHours(span: string): string[] {
  const { start, end } = Interval.fromISO(span, { setZone: true });
  if (!start || !end || end.diff(start, 'hours').hours > MAX_HOURS)
    throw new Error(`${plainText(span, 60)} is no span`);
  const hours: string[] = [];
  for (let at = start.toUTC(); at < end; at = at.plus({ hours: 1 }))
    hours.push(at.toISO({ suppressMilliseconds: true }));
  return hours;
}

/** Whether times of ISO 8601 are an hour apart, in their order. */
const areHourly = (times: readonly unknown[]): boolean => {
  const [first = NaN, ...others] = times.map((text) =>
    Date.parse(`${text as string}`.replace(/(:\d\d)$/, '$1Z')),
  );
  return others.every((ms, at) => ms === first + (at + 1) * HOUR_MS);
};

/** @throws Error of any other format */
function parseBody({ body: text, format, delimiter, unended }: RowsTask): unknown {
  if (format === 'json') return JSON.parse(text);
  if (format === 'xml') {
    if (/<!DOCTYPE/i.test(text)) throw new Error('a document with a DOCTYPE');
    const options = { ignoreAttributes: false, attributeNamePrefix: '_', textNodeName: 'text' };
    return new XMLParser({ ...options, parseTagValue: false, parseAttributeValue: false }).parse(text, true);
  }
  // 9 may be the beginning of 90.
  if (!unended && !text.endsWith('\n')) throw new Error('its last line has no end');
  if (format === 'csv')
    return parseCsv(text, {
      columns: true,
      bom: true,
      delimiter,
      skip_empty_lines: true,
      relax_quotes: true,
      trim: true,
    });
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
}

const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

function toCell(value: unknown): Cell {
  if (typeof value === 'number') return value;
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_CELL_CHARACTERS);
}

interface Compiled {
  checks: [reason: string, check: Evaluate][];
  rows: Evaluate;
  columns: Evaluate[];
}

async function readPart(
  response: unknown,
  { checks, rows: listRows, columns }: Compiled,
  variables: Record<string, unknown>,
): Promise<RowsOfPlace> {
  for (const [reason, check] of checks)
    if ((await check(response, variables)) !== true) return { failure: reason };
  const rows = listOf(await listRows(response, variables));
  if (rows.length > MAX_ROWS) return { failure: `it has more than ${MAX_ROWS} rows` };
  const cells: Cell[][] = [];
  for (const row of rows) {
    const line: Cell[] = [];
    for (const evaluate of columns) {
      const value = evaluate(row, variables);
      line.push(toCell(value instanceof Promise ? await value : value));
    }
    cells.push(line);
  }
  return { cells };
}

/** Computes the rows of each place of a response, or the reason why it cannot. */
export default async function computeParts(task: RowsTask): Promise<RowsOfPlace[] | { failure: string }> {
  try {
    const response = parseBody(task);
    const parts =
      task.each === undefined ? [response] : listOf(await compile(task.each)(response, task.variables[0]!));
    if (parts.length !== task.variables.length)
      return { failure: `${parts.length} places instead of ${task.variables.length}` };
    const read: RowsOfPlace[] = [];
    const checks = Object.entries(task.checks).map(([reason, check]): [string, Evaluate] => [
      reason,
      compile(check),
    ]);
    const compiled = { checks, rows: compile(task.rows), columns: task.columns.map(compile) };
    for (const [at, part] of parts.entries())
      read.push(
        await readPart(part, compiled, { ...task.variables[at], answer: part }).catch((error: unknown) => ({
          failure: textOf(error),
        })),
      );
    return read;
  } catch (error) {
    return { failure: `not ${task.format}, or not of the form that is expected: ${textOf(error)}` };
  }
}

const textOf = (error: unknown): string =>
  plainText((error as Partial<Error> | null)?.message ?? 'an error', 150);
