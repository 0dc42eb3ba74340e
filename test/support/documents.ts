import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Answers that documents show: blocks that begin with `GET`, and then have parts of the answer, with … for the rest.

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

export const document = (name: string): string => readFileSync(DOCS + name, 'utf8');

/** A line of such a block: fields by their path, with dots, in a record that also has the words before the first field. */
export interface ShownLine {
  text: string;
  words: string[];
  fields: [path: string, value: unknown][];
}

export interface ShownAnswer {
  request: string;
  lines: ShownLine[];
}

/** The answers that a document shows. */
export const shownAnswers = (name: string): ShownAnswer[] =>
  [...document(name).matchAll(/^```\nGET (\S+)\n([^]*?)^```$/gm)].map(([, request = '', body = '']) => ({
    request,
    lines: body.trim().split('\n').map(shownLine),
  }));

function shownLine(text: string): ShownLine {
  const [before = ''] = text.split('"');
  const fields: ShownLine['fields'] = [];
  const within: string[] = [];
  const tokens = /"(\w+)":\s*(\{|\[\{|\[…, \{|null|true|false|-?[\d.]+|"[^"]*")?|(\}\]?)/g;
  for (const [, name, value, end] of text.matchAll(tokens)) {
    if (end !== undefined) within.pop();
    else if (value === '{') within.push(name!);
    else if (value?.endsWith('{')) within.push(`${name}.${value === '[{' ? 0 : 1}`);
    else if (value !== undefined) fields.push([[...within, name].join('.'), JSON.parse(value)]);
  }
  return { text, words: before.split(/\s+/).filter((word) => word !== ''), fields };
}

/** The value at a path with dots. */
export const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | null)?.[name], record);

/** The parts of a line that no record of an answer has; of several records, those that the nearest lacks. */
export function missingOf(
  line: ShownLine,
  { data, metadata }: { data: unknown; metadata: unknown },
): string[] {
  const records = [...(Array.isArray(data) ? (data as unknown[]) : [data]), { metadata }];
  const missing = records.map((record) => [
    ...line.words.filter(
      (word) =>
        !Object.values(record as object)
          .map(String)
          .includes(word),
    ),
    ...line.fields
      .filter(([path, value]) => valueAt(record, path) !== value)
      .map(([path, value]) => `${path} is ${String(valueAt(record, path))}, not ${String(value)}`),
  ]);
  return missing.sort((a, b) => a.length - b.length)[0] ?? [line.text];
}
