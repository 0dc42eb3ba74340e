import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { z } from 'zod';

type Cell = string | number | boolean | null | undefined;

/**
 * Records of any endpoint as CSV: RFC 4180 with CRLF and a header row even without records, columns in the
 * order of the schema. The fields of a nested object are columns of their own. Three kinds have the name of the
 * object before theirs: fields of an interval, of several objects with the same fields, and those with the name of
 * an earlier field. A list of objects makes one row per member, also beside another list. The reader pulls row by row: 50,000 at
 * once would hold up every other request for seconds.
 * @param constants columns before those of the record, the same in every row.
 * @param bom whether to begin with a byte order mark
 */
export function csvText(
  record: z.ZodObject,
  values: readonly unknown[],
  constants: Record<string, string> = {},
  bom = false,
): Readable {
  const fixed = Object.values(constants);
  function* rows(): Generator<Cell[]> {
    for (const value of values) {
      for (const cells of flatRows(record, value as Record<string, unknown>)) yield [...fixed, ...cells];
    }
  }
  const stringifier = stringify({
    bom,
    header: true,
    columns: [...Object.keys(constants), ...flatColumns(record)],
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/, // many readers take a lone LF or CR for a line break
    // A spreadsheet would run a text that begins like a formula; numbers keep their sign.
    escape_formulas: true,
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  });
  return Readable.from(rows()).pipe(stringifier);
}

function flatColumns(record: z.ZodObject): string[] {
  const columns: string[] = [];
  for (const [name, schema] of Object.entries(record.shape)) {
    const nested = nestedRecord(schema as z.ZodType);
    if (nested === undefined) {
      columns.push(name);
      continue;
    }
    const own = flatColumns(nested.record);
    const isInterval = 'low' in nested.record.shape && 'high' in nested.record.shape;
    const isTwin = Object.entries(record.shape).some(([other, of]) => {
      const twin = other === name ? undefined : nestedRecord(of as z.ZodType);
      return twin !== undefined && !twin.isList && flatColumns(twin.record).join() === own.join();
    });
    const isNamed =
      !nested.isList && (isInterval || isTwin || own.some((column) => columns.includes(column)));
    // mean_error_low, and mae_difference for its value
    columns.push(
      ...own.map((column) => (!isNamed ? column : column === 'value' ? name : `${name}_${column}`)),
    );
  }
  return columns;
}

/** A list of objects in a record, and the columns of its members. */
interface List {
  of: z.ZodObject;
  members: Record<string, unknown>[] | undefined;
  at: number;
  width: number;
}

/** The rows of a record: one, or one for each member of its lists of objects, in which the columns of the others are empty. */
function* flatRows(record: z.ZodObject, value: Record<string, unknown>): Generator<Cell[]> {
  const cells: Cell[] = [];
  const lists: List[] = [];
  addCells(record, value, cells, lists);
  if (lists.every(({ members }) => members === undefined)) yield cells;
  for (const { of, members = [], at, width } of lists) {
    for (const member of members)
      for (const own of flatRows(of, member)) yield cells.toSpliced(at, width, ...own);
  }
}

function addCells(record: z.ZodObject, value: Record<string, unknown>, cells: Cell[], lists: List[]): void {
  for (const [name, schema] of Object.entries(record.shape)) {
    const nested = nestedRecord(schema as z.ZodType);
    const field = value[name];
    if (nested === undefined) {
      // No alias contains the separator: the feed separates aliases by it as well.
      cells.push(Array.isArray(field) ? field.join('|') : (field as Cell));
    } else if (nested.isList) {
      const width = flatColumns(nested.record).length;
      lists.push({
        of: nested.record,
        members: (field ?? undefined) as List['members'],
        at: cells.length,
        width,
      });
      cells.push(...new Array<Cell>(width).fill(undefined));
    } else addCells(nested.record, (field ?? {}) as Record<string, unknown>, cells, lists);
  }
}

/** The schema of a field that is an object or a list of objects; undefined for any other. */
function nestedRecord(schema: z.ZodType): { record: z.ZodObject; isList: boolean } | undefined {
  let inner: unknown = schema;
  let isList = false;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodArray) {
    isList ||= inner instanceof z.ZodArray;
    inner = inner instanceof z.ZodArray ? inner.element : inner.unwrap();
  }
  return inner instanceof z.ZodObject ? { record: inner, isList } : undefined;
}
