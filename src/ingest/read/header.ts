import { parse as parseCsv } from 'csv-parse/sync';
import { UserError } from '../../lib/user-error.js';
import { type FeedName, getColumns } from '../../feeds/feeds.js';
import {
  type ColumnOfFile,
  getCelsiusName,
  getFileColumns,
  getTemperatureNames,
  getUnreadColumns,
} from '../../feeds/file-columns.js';
import { Rejection } from '../../feeds/values.js';

// The first line of a feed file: which of its columns are those of the feed, and where.

/** A file that cannot be read at all. */
export class UnreadableFeed extends UserError {}

export interface Header {
  file: string;
  /** The names of the file's columns, in lower case. */
  names: string[];
  /** Where the columns of the feed stand in the file, in the order of the feed. */
  positions: number[];
}

/**
 * Where the columns of a feed stand in a file, by its first line.
 * @throws UnreadableFeed when it lacks one, names one twice, has values in two units (D43), or lines that end in CR alone
 */
export function readHeader(feed: FeedName, file: string, text: string): Header {
  if (text.trim().includes('\r'))
    throw new UnreadableFeed(
      `${file}: its lines end in CR alone; save it with line ends of LF or CRLF, or convert it: tr '\\r' '\\n'`,
    );
  const names = headerCells(file, text).map((name) => name.toLowerCase());
  const columns = getFileColumns(getColumns(feed), names);
  rejectTwoUnits(file, names, columns);
  const required = columns.filter(({ column }) => column.isRequired).map(({ name }) => name);
  const missing = required.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    const separator = otherSeparator(text, required);
    const unread = getUnreadColumns(feed, names);
    const described = missing.map((column) => {
      const like = unread.find(({ nearest }) => nearest === column);
      return like === undefined ? column : `${column} (is it ${like.name}?)`;
    });
    throw new UnreadableFeed(
      separator === undefined
        ? `${file}: its first line must name the columns ${required.join(',')}; missing: ${described.join(', ')}`
        : `${file}: its columns are separated by ${separator}; separate them by commas, and write decimals with a point`,
    );
  }
  const twice = columns.find(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined)
    throw new UnreadableFeed(`${file}: its first line names the column ${twice.name} more than once`);
  const positions = columns.map(({ name }) => names.indexOf(name)).filter((position) => position !== -1);
  return { file, names, positions };
}

/** @throws UnreadableFeed when a header names temperatures in °F and in °C, or another column in two units */
function rejectTwoUnits(
  file: string,
  names: readonly string[],
  columns: readonly ColumnOfFile<unknown>[],
): void {
  const inOtherUnit = columns.filter(({ name, column }) => name !== column.name);
  const temperatures = getTemperatureNames(names);
  if (inOtherUnit.some(({ column }) => column.isTemperature) && temperatures.some(getCelsiusName)) {
    throw new UnreadableFeed(
      `${file}: its first line names temperatures in °F and in °C: ${temperatures.join(', ')}; a file has them in one unit`,
    );
  }
  const both = inOtherUnit.find(({ column }) => names.includes(column.name));
  if (both !== undefined)
    throw new UnreadableFeed(
      `${file}: its first line names ${both.column.name} and ${both.name}; a file has one of them`,
    );
}

/**
 * Finds out that a line of a file is a header again, as where files are put together.
 * @throws Rejection; UnreadableFeed when its columns are others: the rows below would be read under wrong names
 */
export function rejectHeader(feed: FeedName, { file, names }: Header, line: number, cells: string[]): void {
  const found = cells.map((cell) => cell.toLowerCase());
  const columns = getFileColumns(getColumns(feed), found);
  if (!columns.every(({ name, column }) => !column.isRequired || found.includes(name))) return;
  if (found.join() === names.join())
    throw new Rejection('repeated header line', 'it names the columns again');
  throw new UnreadableFeed(
    `${file}: line ${line} names other columns than its first line; load its parts as files of their own`,
  );
}

/** The separator of a header's columns in place of commas, in words. */
function otherSeparator(header: string, columns: readonly string[]): string | undefined {
  const separators = { semicolons: ';', tabs: '\t', 'vertical bars': '|' };
  return Object.entries(separators).find(([, separator]) => {
    const names = header.split(separator).map((name) => name.replaceAll('"', '').trim().toLowerCase());
    return columns.filter((column) => names.includes(column)).length >= 2;
  })?.[0];
}

function headerCells(file: string, text: string): string[] {
  try {
    return parseCells(text);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw new UnreadableFeed(`${file}: its first line is ${error.message}`);
  }
}

/** The cells of a line, trimmed. Only lines with a quote go to the CSV parser. @throws Rejection */
export function parseCells(text: string): string[] {
  if (!text.includes('"')) {
    const cells = text.split(',');
    for (let at = 0; at < cells.length; at += 1) cells[at] = cells[at]!.trim();
    return cells;
  }
  try {
    const [record] = parseCsv(text, { relax_column_count: true, trim: true });
    return record ?? [];
  } catch (error) {
    throw new Rejection('malformed CSV', (error as { code?: string }).code ?? 'unreadable quotes');
  }
}
