import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Field } from '../api/record-plan.js';
import type { Writing } from '../api/params/temperature-unit.js';

type Cell = string | number | boolean | null | undefined;

/**
 * Records of any endpoint as CSV: RFC 4180 with CRLF and a header row even without records, columns in the
 * order of the schema. A list of objects makes one row per member, also beside another list. The reader pulls row by row:
 * 50,000 at once would hold up every other request for seconds.
 * @param constants columns before those of the record, the same in every row.
 * @param bom whether to begin with a byte order mark
 */
export function csvText(
  layout: Layout,
  values: readonly unknown[],
  constants: Record<string, string> = {},
  bom = false,
): Readable {
  const fixed = Object.values(constants);
  function* rows(): Generator<Cell[]> {
    for (const value of values) {
      for (const cells of flatRows(layout, value as Record<string, unknown>)) yield [...fixed, ...cells];
    }
  }
  const stringifier = stringify({
    bom,
    header: true,
    columns: [...Object.keys(constants), ...layout.columns],
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/, // many readers take a lone LF or CR for a line break
    // A spreadsheet would run a text that begins like a formula; numbers keep their sign.
    escape_formulas: true,
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  });
  return Readable.from(rows()).pipe(stringifier);
}

/** The columns of a record, and its fields in their order. */
export interface Layout {
  columns: string[];
  fields: { name: string; isList: boolean; nested: Layout | undefined }[];
}

/**
 * The columns of the fields of a record. The fields of a nested object are columns of their own. Three kinds have the name of
 * the object before theirs: fields of an interval, of several objects with the same fields, and those with the name of an
 * earlier field.
 * @param requested whether the request asks for optional fields; a nested object follows where the record has no field of the name
 */
export function makeLayout(
  planned: readonly Field[],
  writing: Writing,
  requested: Readonly<Record<string, boolean>> = {},
): Layout {
  const ofNested = Object.fromEntries(
    Object.entries(requested).filter(
      ([requestedName]) => !planned.some(({ name }) => name === requestedName),
    ),
  );
  const fields = planned
    .filter(({ name }) => requested[name] !== false)
    .flatMap(({ plan, getNames }) =>
      getNames(writing).map(([name]) => ({
        name,
        isList: plan.isList,
        nested: plan.fields && makeLayout(plan.fields, writing, ofNested),
      })),
    );
  const columns: string[] = [];
  for (const { name, isList, nested } of fields) {
    if (nested === undefined) {
      columns.push(name);
      continue;
    }
    const isInterval = ['low', 'high'].every((bound) => nested.fields.some((each) => each.name === bound));
    const isTwin = fields.some(
      (other) =>
        other.name !== name && !other.isList && other.nested?.columns.join() === nested.columns.join(),
    );
    const isRepeated = nested.columns.some((column) => columns.includes(column));
    const isNamed = !isList && (isInterval || isTwin || isRepeated);
    // mean_error_low, and mae_difference for its value
    columns.push(
      ...nested.columns.map((column) =>
        !isNamed ? column : column === 'value' ? name : `${name}_${column}`,
      ),
    );
  }
  return { columns, fields };
}

/** A list of objects in a record, and the columns of its members. */
interface List {
  of: Layout;
  members: Record<string, unknown>[] | undefined;
  at: number;
}

/** The rows of a record: one, or one for each member of its lists of objects, in which the columns of the others are empty. */
function* flatRows(layout: Layout, value: Record<string, unknown>): Generator<Cell[]> {
  const cells: Cell[] = [];
  const lists: List[] = [];
  addCells(layout, value, cells, lists);
  if (lists.every(({ members }) => members === undefined)) yield cells;
  for (const { of, members = [], at } of lists) {
    for (const member of members)
      for (const own of flatRows(of, member)) yield cells.toSpliced(at, of.columns.length, ...own);
  }
}

function addCells({ fields }: Layout, value: Record<string, unknown>, cells: Cell[], lists: List[]): void {
  for (const { name, isList, nested } of fields) {
    const field = value[name];
    if (nested === undefined) {
      // No alias contains the separator: the feed separates aliases by it as well.
      cells.push(Array.isArray(field) ? field.join('|') : (field as Cell));
    } else if (isList) {
      lists.push({ of: nested, members: (field ?? undefined) as List['members'], at: cells.length });
      cells.push(...new Array<Cell>(nested.columns.length).fill(undefined));
    } else addCells(nested, (field ?? {}) as Record<string, unknown>, cells, lists);
  }
}
