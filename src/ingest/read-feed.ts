import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse as parseCsv } from 'csv-parse/sync';
import { OperatorFault } from '../operator-fault.js';
import { FEED_COLUMNS, type FeedName, type FeedRow } from './feeds.js';
import { Rejection } from './values.js';

/** A file that cannot be read at all. */
export class UnreadableFeed extends OperatorFault {}

/** One line of a feed file: its row, or why it is none. Lines count from 1, the header is one of them. */
export type FeedRecord<Name extends FeedName> =
  { line: number; text: string; row: FeedRow<Name> } | { line: number; text: string; rejection: Rejection };

const LONGEST_LINE = 64 * 1024;

/**
 * The rows of a feed file, plain or gzip (`.gz`), in a stream with bounded memory. No value of a feed can hold a line
 * break, so a line is a record: a quote that nobody closes costs one row, not the rest of the file.
 * @param onBytes is told how many bytes of the file have been read so far
 * @throws UnreadableFeed when the file is missing, damaged, or its header lacks a column (D24)
 */
export async function* readFeed<Name extends FeedName>(
  feed: Name,
  file: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<FeedRecord<Name>> {
  const columns: readonly string[] = FEED_COLUMNS[feed];
  let header: Header | undefined;
  let line = 0;
  for await (const text of lines(file, onBytes)) {
    line += 1;
    if (text.trim() === '') continue;
    try {
      if (header === undefined) header = readHeader(file, text.replace(/^\uFEFF/, ''), columns);
      else yield { line, text, row: readRow(text, header, columns) as FeedRow<Name> };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      if (header === undefined) throw new UnreadableFeed(`${file}: its first line is ${error.message}`);
      yield { line, text, rejection: error };
    }
  }
  if (header === undefined) readHeader(file, '', columns);
}

/** Size of a feed file in bytes, and proof that it is there. @throws UnreadableFeed */
export async function feedSize(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!found.isFile()) throw new UnreadableFeed(`${file}: is no file`);
  return found.size;
}

interface Header {
  /** Where each column of the feed stands in the file. */
  positions: number[];
  width: number;
}

function readHeader(file: string, text: string, columns: readonly string[]): Header {
  const names = cells(text).map((name) => name.toLowerCase());
  const positions = columns.map((column) => names.indexOf(column));
  const missing = columns.filter((_, index) => positions[index] === -1);
  if (missing.length > 0) {
    throw new UnreadableFeed(
      `${file}: its first line must name the columns ${columns.join(',')}; missing: ${missing.join(', ')}`,
    );
  }
  const twice = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined)
    throw new UnreadableFeed(`${file}: its first line names the column ${twice} more than once`);
  return { positions, width: names.length };
}

function readRow(text: string, header: Header, columns: readonly string[]): Record<string, string> {
  if (text.length > LONGEST_LINE)
    throw new Rejection('line too long', `more than ${LONGEST_LINE} characters`);
  const found = cells(text);
  if (found.slice(header.width).some((cell) => cell !== '')) {
    throw new Rejection('too many cells', `${found.length}, the header has ${header.width}`);
  }
  const row: Record<string, string> = {};
  columns.forEach((column, index) => {
    const cell = found[header.positions[index] ?? -1];
    if (cell === undefined) throw new Rejection('missing column', column);
    row[column] = cell;
  });
  return row;
}

/** The cells of a line, trimmed. Most lines have no quote; those that do go to the CSV parser. */
function cells(text: string): string[] {
  if (!text.includes('"')) return text.split(',').map((cell) => cell.trim());
  try {
    const [record] = parseCsv(text, { relax_column_count: true, trim: true });
    return record ?? [];
  } catch (error) {
    throw new Rejection('malformed CSV', (error as { code?: string }).code ?? 'unreadable quotes');
  }
}

/** The lines of a file, ended by LF or CRLF; of one that is too long, enough to know it. */
async function* lines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes(bytes);
      done(null, chunk);
    },
  });
  const unpacked = /\.gz$/i.test(file) ? createGunzip() : new PassThrough();
  const reading = pipeline(createReadStream(file), counter, unpacked);
  reading.catch(() => {}); // the loop below meets the same failure and reports it
  try {
    let rest = '';
    for await (const chunk of unpacked.setEncoding('utf8') as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      if (rest.length > LONGEST_LINE) rest = rest.slice(0, LONGEST_LINE + 1);
      for (const part of parts) yield part.replace(/\r$/, '');
    }
    await reading;
    if (rest !== '') yield rest.replace(/\r$/, '');
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    unpacked.destroy();
  }
}

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof UnreadableFeed || !(error instanceof Error && 'code' in error)) return error;
  const why: Record<string, string> = {
    ENOENT: 'no such file',
    EACCES: 'may not be read',
    Z_BUF_ERROR: 'ends in the middle of its gzip data; is it still being written?',
    Z_DATA_ERROR: 'is damaged, or no gzip file although its name ends in .gz',
  };
  return new UnreadableFeed(`${file}: ${why[String(error.code)] ?? error.message}`, { cause: error });
}
