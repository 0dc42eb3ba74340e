import type { Schema, Tool, ToolResponse } from './tool.js';

// The result of a tool as it goes out: cut to size, which it says, and with nothing in its texts that only a program or
// nobody should see.

/** The longest result: hosts cut or hide longer ones (50,000 characters). */
export const MAX_RESULT_CHARACTERS = 40_000;

/** As it goes out. */
export type Structured = Record<string, unknown>;

/**
 * A response that is no longer than MAX_RESULT_CHARACTERS.
 * @param urls the requests of the HTTP API that it is made of
 */
export function structured(response: ToolResponse, urls: readonly string[]): Structured {
  const { params, rows, total_rows = rows.length, hints, more, file } = response;
  const shape = (count: number): Structured =>
    cleaned({
      ...(params && { request: params }),
      ...more,
      rows: rows.slice(0, count),
      total_rows,
      truncated: count < total_rows,
      hints:
        count < rows.length
          ? [...hints, `Cut to ${count} of ${total_rows} rows because more do not fit; narrow the request`]
          : hints,
      http: urls,
      ...(file !== undefined && { file }),
    }) as Structured;
  let count = rows.length;
  let found = shape(count);
  for (let size = jsonLength(found); size > MAX_RESULT_CHARACTERS && count > 0; size = jsonLength(found)) {
    count = Math.min(count - 1, Math.floor((count * MAX_RESULT_CHARACTERS * 0.95) / size));
    found = shape(count);
  }
  return found;
}

const jsonLength = (value: unknown): number => JSON.stringify(value).length;

/** The schema of structured(), as every tool lists it; short, since the list has it seven times. */
export function outputSchema({ row, more = {} }: Pick<Tool, 'row' | 'more'>): Schema {
  return {
    type: 'object',
    properties: {
      request: { type: 'object' },
      ...more,
      rows: { type: 'array', items: { type: 'object' }, description: row },
      total_rows: { type: 'integer' },
      truncated: { type: 'boolean' },
      hints: { type: 'array' },
      http: { type: 'array' },
    },
  };
}

// Controls, marks and overrides of direction, invisible ones, and the tag characters, which spell a text that nobody sees.
const HIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]+/gu;

/** A text without hidden characters; where they part words, a blank does. */
const visible = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (/[\t\n\r\u2028\u2029]/.test(hidden) ? ' ' : ''));

/** A JSON value whose texts have no hidden characters. */
export function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]));
}
