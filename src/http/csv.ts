import type { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { z } from 'zod';

type Row = Record<string, string | number | boolean | null>;

/**
 * Records as CSV (D17): RFC 4180 with CRLF and a header row even without records, columns in the order of the schema.
 * The fields of a nested object stand for themselves, and a list of objects makes a row of each of its members.
 * @param constants columns that stand in front of every row
 */
export function csvText(
  record: z.ZodObject,
  values: readonly unknown[],
  constants: Record<string, string>,
): Readable {
  const rows = values.flatMap((value) => flatRows(record, value as Record<string, unknown>));
  return stringify(
    rows.map((row) => ({ ...constants, ...row })),
    {
      header: true,
      columns: [...Object.keys(constants), ...flatColumns(record)],
      record_delimiter: 'windows',
      quoted_match: /[\r\n]/, // a lone LF or CR, too, is a line break to many readers
      // A cell of text that begins like a formula would run in a spreadsheet; numbers keep their sign.
      escape_formulas: true,
      cast: { boolean: (value) => (value ? 'true' : 'false') },
    },
  );
}

function flatColumns(record: z.ZodObject): string[] {
  return Object.entries(record.shape).flatMap(([name, schema]) => {
    const nested = nestedRecord(schema as z.ZodType);
    return nested === undefined ? [name] : flatColumns(nested);
  });
}

function flatRows(record: z.ZodObject, value: Record<string, unknown>): Row[] {
  let rows: Row[] = [{}];
  for (const [name, schema] of Object.entries(record.shape)) {
    const nested = nestedRecord(schema as z.ZodType);
    const field = value[name];
    let parts: Row[];
    if (nested !== undefined) {
      const members = Array.isArray(field) ? (field as unknown[]) : [field];
      parts = members.flatMap((member) => flatRows(nested, member as Record<string, unknown>));
    } else {
      // An alias cannot hold the separator: it separates them in the feed, too.
      parts = [{ [name]: Array.isArray(field) ? field.join('|') : (field as Row[string]) }];
    }
    rows = rows.flatMap((row) => parts.map((part) => ({ ...row, ...part })));
  }
  return rows;
}

/** The object that a field is, or whose list it is. */
function nestedRecord(schema: z.ZodType): z.ZodObject | undefined {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodArray) {
    inner = inner instanceof z.ZodArray ? inner.element : inner.unwrap();
  }
  return inner instanceof z.ZodObject ? inner : undefined;
}
