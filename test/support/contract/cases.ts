import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Contract, SuccessAnswer } from './contract.js';

// Answers as CSV, held to D17.

const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

interface Csv {
  header: string[];
  rows: string[][];
  fileName: string;
  text: string;
}

/** The CSV of a request, its form held to D17 and RFC 4180. */
export async function readCsv(contract: Contract, path: string): Promise<Csv> {
  const response = await contract.get(withQuery(path, 'format=csv'));
  expect(response.status, response.text).to.equal(200);
  expect(response.headers['content-type']).to.equal(CSV_TYPE);
  const fileName = /^attachment; filename="([\w.-]+\.csv)"$/.exec(
    response.headers['content-disposition'] ?? '',
  )?.[1];
  expect(fileName, 'name of the file').to.be.a('string');
  const { text } = response;
  expect(text.endsWith('\r\n'), 'ends in CRLF').to.equal(true);
  expect(text.replaceAll('\r\n', ''), 'every line ends in CRLF').not.to.match(/[\r\n]/);
  // Strict: a row with a cell too many or too few, or a quote out of place, is an error.
  const [header = [], ...rows] = parse(text, { record_delimiter: '\r\n' });
  return { header, rows, fileName: fileName ?? '', text };
}

/**
 * Holds the CSV of a request to its JSON: the columns, and in each row the same values.
 * @param said fields of the metadata that stand in every row, behind those of D17
 */
export async function expectCsvLikeJson(
  contract: Contract,
  path: string,
  columns: string[],
  said: string[] = [],
): Promise<Csv> {
  const csv = await readCsv(contract, path);
  const { data, metadata } = await contract.ok<unknown>(path);
  const metric = /[?&]metric=low\b/.test(path) ? 'low' : 'high';
  const constants = [
    metric,
    metadata.period_start,
    metadata.period_end,
    ...said.map((field) => metadata[field]),
  ] as string[];
  expect(csv.header).to.deep.equal(['metric', 'period_start', 'period_end', ...said, ...columns]);
  const records = Array.isArray(data) ? (data as unknown[]) : [data];
  expect(csv.rows).to.deep.equal(records.map((record) => [...constants, ...cells(record)]));
  return csv;
}

/** The cells of a JSON value as D17 wants them. */
function cells(value: unknown): string[] {
  if (value === null) return [''];
  if (typeof value === 'string') return [/^[=+\-@\t\r]/.test(value) ? `'${value}` : value];
  if (typeof value === 'object') return Object.values(value).flatMap(cells);
  return [JSON.stringify(value)];
}

/** An answer without what time, and a load that changes nothing, do to it. */
export function untimed({ data, metadata }: SuccessAnswer<unknown>): unknown {
  return { data, metadata: { ...metadata, query_time_ms: 0, data_version: 0, lineage: '' } };
}

function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
