import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse as parseCsv } from 'csv-parse/sync';
import { OperatorFault } from '../../operator-fault.js';
import { FEED_COLUMNS, type FeedName, type FeedRow } from './columns.js';
import { Rejection } from './values.js';

/** A file that cannot be read at all. */
export class UnreadableFeed extends OperatorFault {}

/** One line of a feed file: its row, or why it is none. Lines count from 1, the header is one of them. */
export type FeedRecord<Name extends FeedName> =
  { line: number; text: string; row: FeedRow<Name> } | { line: number; text: string; rejection: Rejection };

/** Whole lines of a feed file with their line ends; only the last line of a file may lack its own. */
export interface FeedBlock {
  header: Header;
  /** The number of the first line. */
  line: number;
  /** Valid until the next block is asked for. */
  bytes: Buffer;
}

export interface Header {
  /** The names of the file's columns, in lower case. */
  names: string[];
  /** Where each column of the feed stands in the file. */
  positions: number[];
}

export const LONGEST_LINE = 64 * 1024; // characters
const LONGEST_LINE_BYTES = 3 * LONGEST_LINE + 1; // of UTF-8; one that has more is too long

const BLOCK_BYTES = 4 * 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * The rows of a feed file, plain or gzip (`.gz`), in a stream with bounded memory. No value of a feed can hold a line
 * break, so a line is a record: a quote that nobody closes costs one row, not the rest of the file.
 * @param onBytes is told how many bytes of the file have been read so far
 * @throws UnreadableFeed when the file is missing, damaged, or its header lacks a column (D24)
 */
export async function* readFeed<Name extends FeedName>(
  feed: Name,
  file: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<FeedRecord<Name>> {
  for await (const { header, line, bytes } of readFeedBlocks(feed, file, onBytes)) {
    let next = line;
    for (let at = 0; at < bytes.length; next += 1) {
      const end = lineEnd(bytes, at);
      const record = readLine(feed, header, next, bytes.subarray(at, end));
      if (record !== undefined) yield record;
      at = end;
    }
  }
}

/** The same rows in blocks of lines, not read yet. @throws UnreadableFeed */
export async function* readFeedBlocks(
  feed: FeedName,
  file: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<FeedBlock> {
  let header: Header | undefined;
  let line = 1;
  for await (const block of blocks(file, onBytes)) {
    let at = 0;
    while (header === undefined && at < block.length) {
      const end = lineEnd(block, at);
      const text = textOf(block.subarray(at, end));
      if (text.trim() !== '') header = readHeader(file, text.replace(/^\uFEFF/, ''), FEED_COLUMNS[feed]);
      at = end;
      line += 1;
    }
    if (header === undefined) continue;
    const bytes = block.subarray(at);
    yield { header, line, bytes };
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, end + 1)) line += 1;
  }
  if (header === undefined) readHeader(file, '', FEED_COLUMNS[feed]);
}

/** Where the line that begins at a place ends: behind its line end. */
export function lineEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(LF, at);
  return end === -1 ? bytes.length : end + 1;
}

/** What a line says, with or without its line end; nothing when it is blank. */
export function readLine<Name extends FeedName>(
  feed: Name,
  header: Header,
  line: number,
  bytes: Buffer,
): FeedRecord<Name> | undefined {
  const text = textOf(bytes);
  if (text.trim() === '') return undefined;
  try {
    return { line, text, row: readRow(text, header, FEED_COLUMNS[feed]) as FeedRow<Name> };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { line, text, rejection: error };
  }
}

/** Size of a feed file in bytes, and proof that it is there. @throws UnreadableFeed */
export async function feedSize(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!found.isFile()) throw new UnreadableFeed(`${file}: is no file`);
  return found.size;
}

function readHeader(file: string, text: string, columns: readonly string[]): Header {
  const names = headerCells(file, text).map((name) => name.toLowerCase());
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
  return { names, positions };
}

function headerCells(file: string, text: string): string[] {
  try {
    return cells(text);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw new UnreadableFeed(`${file}: its first line is ${error.message}`);
  }
}

function readRow(text: string, header: Header, columns: readonly string[]): Record<string, string> {
  if (text.length > LONGEST_LINE)
    throw new Rejection('line too long', `more than ${LONGEST_LINE} characters`);
  const found = cells(text);
  const width = header.names.length;
  if (found.slice(width).some((cell) => cell !== '')) {
    throw new Rejection('too many cells', `${found.length}, the header has ${width}`);
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

/** The bytes of a file in blocks of whole lines; of a line that is too long, enough to know it. */
async function* blocks(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
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
    const held = Buffer.allocUnsafe(BLOCK_BYTES);
    let used = 0;
    let whole = 0; // so many of the bytes used are whole lines
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      if (used + chunk.length > held.length) {
        yield held.subarray(0, whole);
        held.copyWithin(0, whole, used);
        used -= whole;
        whole = 0;
      }
      chunk.copy(held, used);
      const end = chunk.lastIndexOf(LF) + 1;
      if (end > 0) whole = used + end;
      used = Math.min(used + chunk.length, whole + LONGEST_LINE_BYTES);
    }
    await reading;
    yield held.subarray(0, used);
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    unpacked.destroy();
  }
}

/** The text of a line without its line end; of one that is too long, enough to know it. */
function textOf(bytes: Buffer): string {
  let end = bytes.length;
  if (bytes[end - 1] === LF) end -= 1;
  if (bytes[end - 1] === CR) end -= 1;
  return bytes.toString('utf8', 0, Math.min(end, LONGEST_LINE_BYTES));
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
