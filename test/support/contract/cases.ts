import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Contract, SuccessAnswer } from './contract.js';

// Answers as CSV, held to docs/api.md.

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

interface Csv {
  header: string[];
  rows: string[][];
  fileName: string;
  text: string;
}

/** The CSV of a request, its form held to docs/api.md and RFC 4180. */
export async function readCsv(contract: Contract, path: string): Promise<Csv> {
  const { status, headers, text } = await contract.get(`${path}${path.includes('?') ? '&' : '?'}format=csv`);
  expect(status, text).to.equal(200);
  expect(headers['content-type']).to.equal(CSV_TYPE);
  const disposition = headers['content-disposition'] ?? '';
  const [, fileName = ''] = /^attachment; filename="([\w.-]+\.csv)"$/.exec(disposition) ?? [];
  expect(fileName, 'name of the file').not.to.equal('');
  expect(text.endsWith('\r\n'), 'ends in CRLF').to.equal(true);
  expect(text.replaceAll('\r\n', ''), 'every line ends in CRLF').not.to.match(/[\r\n]/);
  // Strict: a row with a cell too many or too few, or a quote out of place, is an error.
  const [header = [], ...rows] = parse(text, { record_delimiter: '\r\n' });
  return { header, rows, fileName, text };
}

/** CSV leaves these out of the whole window where it has months. */
const IN_MONTHS = [
  'sample_count',
  'median_peak_hour',
  'median_peak_time_local',
  'peak_time_distribution',
  'share_by_hour',
];

/** Whether a field has no columns: the sources have none, either. */
const hasNoColumns = (field: string, record: object): boolean =>
  field === 'sources' || (IN_MONTHS.includes(field) && 'by_month' in record);

/** Fields of lists of values, which are one cell. */
const ONE_CELL = [
  ...[
    'alarms',
    'alarms_raised',
    'alarms_cleared',
    'aliases',
    'counts',
    'expected',
    'levels',
    'parameters',
    'pit',
  ],
  'providers',
  'variables',
];

/** How many columns an object has that may be null. */
const COLUMNS_OF_NULL: Record<string, number> = { so_far: 9 };

const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** The rows of a value in CSV: a list of objects makes one for each, with the fields beside it, and other lists empty. */
function rowsOf(value: unknown, name = ''): string[][] {
  if (name === 'peak_time_distribution') return [[JSON.stringify(value)]];
  if (ONE_CELL.includes(name) && Array.isArray(value)) return [[guarded(value.join('|'))]];
  if (Array.isArray(value)) return value.flatMap((each) => rowsOf(each));
  if (value === null) return [new Array<string>(COLUMNS_OF_NULL[name] ?? 1).fill('')];
  if (typeof value !== 'object') {
    return [[typeof value === 'string' ? guarded(value) : JSON.stringify(value)]];
  }
  const fields = Object.entries(value)
    .filter(([field]) => !hasNoColumns(field, value))
    .map(([field, of]) => ({
      isList: Array.isArray(of) && !ONE_CELL.includes(field),
      rows: rowsOf(of, field),
    }));
  const lists = fields.filter(({ isList }) => isList);
  const row = (list?: object, own: string[] = []): string[] =>
    fields.flatMap((each) => {
      const [first = []] = each.rows;
      return each === list ? own : each.isList ? first.map(() => '') : first;
    });
  return lists.length === 0 ? [row()] : lists.flatMap((list) => list.rows.map((own) => row(list, own)));
}

/** Holds the CSV of a question to its JSON: its rows are the same values, behind the same words in each. */
export async function expectCsvLikeJson(
  contract: Contract,
  path: string,
): Promise<{ json: SuccessAnswer<unknown>; csv: Csv }> {
  const json = await contract.ok<unknown>(path);
  const csv = await readCsv(contract, path);
  const expected = [json.data].flat().flatMap((record) => rowsOf(record));
  const words = csv.header.length - (expected[0]?.length ?? csv.header.length);
  const told = csv.rows.map((cells) => cells.slice(words));
  expect(told, path).to.deep.equal(expected);
  const { variable, accuracy_metric: metric } = (json.metadata ?? {}) as {
    variable?: { unit: string };
  } & Record<string, unknown>;
  const about: Record<string, unknown> = { ...json.metadata, metric, unit: variable?.unit };
  for (const cells of csv.rows) {
    for (const [at, name] of csv.header.slice(0, words).entries())
      expect(cells[at], name).to.equal(about[name]);
  }
  return { json, csv };
}
