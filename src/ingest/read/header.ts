import { parse as parseCsv } from 'csv-parse/sync';
import { UserError } from '../../lib/user-error.js';
import {
  CELSIUS_COLUMNS,
  columnNames,
  FEED_COLUMNS,
  type FeedName,
  OTHER_UNITS,
  unreadColumns,
} from '../../feeds/columns.js';
import { Rejection } from './values.js';

// The first line of a feed file: which of its columns are those of the feed, and where.

/** A file that cannot be read at all. */
export class UnreadableFeed extends UserError {}

export interface Header {
  file: string;
  /** The names of the file's columns, in lower case. */
  names: string[];
  /**
   * Where each column of the feed (`getColumns`) stands in the file, under its name or as temperatures in °C; -1 for an
   * optional one that it lacks.
   */
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
  const columns = columnNames(feed, names);
  const required = columns.slice(0, FEED_COLUMNS[feed].length);
  const positions = columns.map((column) => names.indexOf(column));
  const units = Object.entries(CELSIUS_COLUMNS)
    .flat()
    .filter((name) => names.includes(name));
  const isCelsius = Object.values(CELSIUS_COLUMNS).some((name) => columns.includes(name));
  if (isCelsius && units.some((name) => name in CELSIUS_COLUMNS)) {
    throw new UnreadableFeed(
      `${file}: its first line names temperatures in °F and in °C: ${units.join(', ')}; a file has them in one unit`,
    );
  }
  const both = Object.entries(OTHER_UNITS).find(
    ([name, other]) => columns.includes(other) && names.includes(name),
  );
  if (both !== undefined)
    throw new UnreadableFeed(`${file}: its first line names ${both.join(' and ')}; a file has one of them`);
  const missing = required.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    const separator = otherSeparator(text, required);
    const unread = unreadColumns(feed, names);
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
  const twice = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined)
    throw new UnreadableFeed(`${file}: its first line names the column ${twice} more than once`);
  return { file, names, positions };
}

/**
 * Finds out that a line of a file is a header again, as where files are put together.
 * @throws Rejection; UnreadableFeed when its columns are others: the rows below would be read under wrong names
 */
export function rejectHeader(feed: FeedName, { file, names }: Header, line: number, cells: string[]): void {
  const found = cells.map((cell) => cell.toLowerCase());
  const required = columnNames(feed, found).slice(0, FEED_COLUMNS[feed].length);
  if (!required.every((column) => found.includes(column))) return;
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
