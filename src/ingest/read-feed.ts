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

/** Lines of a feed file, as they stand in it, with the line ends; only the last line of a file may lack its own. */
export interface FeedBlock {
  header: Header;
  /** The number of the first line. */
  line: number;
  text: string;
}

export interface Header {
  /** The names of the file's columns, in lower case. */
  names: string[];
  /** Where each column of the feed stands in the file. */
  positions: number[];
}

export const LONGEST_LINE = 64 * 1024;

// Characters of a block: enough for the engine to take it as one insert, few enough for two to be in memory.
const BLOCK_LENGTH = 8 * 1024 * 1024;

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
  for await (const { header, line, text } of readFeedBlocks(feed, file, onBytes)) {
    let next = line;
    for (let at = 0; at < text.length; next += 1) {
      const end = lineEnd(text, at);
      const record = readLine(feed, header, next, text.slice(at, end));
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
      const text = withoutEnd(block.slice(at, end));
      if (text.trim() !== '') header = readHeader(file, text.replace(/^\uFEFF/, ''), FEED_COLUMNS[feed]);
      at = end;
      line += 1;
    }
    if (header === undefined) continue;
    const text = block.slice(at);
    yield { header, line, text };
    line += countLines(text);
  }
  if (header === undefined) readHeader(file, '', FEED_COLUMNS[feed]);
}

/** Where the line that begins at a place of a text ends: behind its line end. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** What a line says, with or without its line end; nothing when it is blank. */
export function readLine<Name extends FeedName>(
  feed: Name,
  header: Header,
  line: number,
  written: string,
): FeedRecord<Name> | undefined {
  const text = withoutEnd(written);
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

/** The text of a file in blocks of whole lines; of a line that is too long, enough to know it. */
async function* blocks(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
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
    let block = '';
    let rest = '';
    for await (const chunk of unpacked.setEncoding('utf8') as AsyncIterable<string>) {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end > 0) {
        block += rest + chunk.slice(0, end);
        rest = '';
      }
      rest += chunk.slice(end);
      if (rest.length > LONGEST_LINE) rest = rest.slice(0, LONGEST_LINE + 1);
      if (block.length >= BLOCK_LENGTH) {
        yield block;
        block = '';
      }
    }
    await reading;
    if (block + rest !== '') yield block + rest;
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    unpacked.destroy();
  }
}

function withoutEnd(text: string): string {
  let end = text.length;
  if (text[end - 1] === '\n') end -= 1;
  if (text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
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
