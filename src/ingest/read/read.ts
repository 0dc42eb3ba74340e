import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type FeedName, getRequiredNames } from '../../feeds/feeds.js';
import { Rejection } from '../../feeds/values.js';
import type { FeedRow } from './feed-rows.js';
import { parseCells, type Header, readHeader, rejectHeader, UnreadableFeed } from './header.js';
import { readUsualCells } from './usual-cells.js';

/** One line of a feed file: its row, or why it cannot be used. Lines count from 1, the header included. */
export type FeedRecord =
  { line: number; text: string; row: FeedRow } | { line: number; text: string; rejection: Rejection };

/** Whole lines of a feed file with their line ends; only the last line of a file may lack one. */
export interface FeedBlock {
  header: Header;
  /** The number of the first line. */
  line: number;
  /** Valid until the next block is read. */
  bytes: Buffer;
}

/** Events that a caller may observe while a file is read. */
export interface FeedObserver {
  onHeader?: (header: Header) => void;
  /** Receives the number of bytes of the file that have been read so far. */
  onBytes?: (bytes: number) => void;
  /** Called for each blank line. */
  onBlank?: () => void;
}

const LONGEST_LINE = 64 * 1024; // characters
const LONGEST_LINE_BYTES = 3 * LONGEST_LINE + 1; // of UTF-8; a line that has more is too long

const BLOCK_BYTES = 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * The rows of a feed file, plain or gzip (`.gz`), a block at a time, with bounded memory. No value of a feed can hold a line
 * break, so a line is a record: an unclosed quote costs one row, not the rest of the file.
 * A row is valid until the next one is read.
 * @throws UnreadableFeed when the file is missing, damaged, not CSV in UTF-8, or its header lacks a column
 */
export async function* readFeed(
  feed: FeedName,
  file: string,
  observer?: FeedObserver,
): AsyncGenerator<Iterable<FeedRecord>> {
  for await (const block of readFeedBlocks(feed, file, observer)) yield recordsIn(feed, block, observer);
}

/** The rows of a block. To make an object for each takes a tenth of the time of reading. */
function* recordsIn(
  feed: FeedName,
  { header, line, bytes }: FeedBlock,
  observer?: FeedObserver,
): Generator<FeedRecord> {
  const of = { feed, header, line, row: blankRow(header), cells: [] };
  for (let at = 0; at < bytes.length; of.line += 1) {
    const end = lineEnd(bytes, at);
    const record = readLine(of, bytes, at, end);
    if (record !== undefined) yield record;
    else observer?.onBlank?.();
    at = end;
  }
}

/** The rows of a feed file in blocks of unparsed lines. @throws UnreadableFeed */
async function* readFeedBlocks(
  feed: FeedName,
  file: string,
  { onHeader, onBytes, onBlank }: FeedObserver = {},
): AsyncGenerator<FeedBlock> {
  let header: Header | undefined;
  let line = 1;
  let isFirst = true;
  for await (const block of blocks(file, onBytes)) {
    if (block.length === 0) continue;
    if (isFirst) checkFormat(file, block);
    isFirst = false;
    if (!isUtf8(block)) checkUtf8(file, line, block);
    let at = 0;
    while (header === undefined && at < block.length) {
      const end = lineEnd(block, at);
      const text = decodeText(block, at, end);
      if (text.trim() !== '') {
        header = readHeader(feed, file, text.replace(/^\uFEFF/, ''));
        onHeader?.(header);
      } else onBlank?.();
      at = end;
      line += 1;
    }
    if (header === undefined) continue;
    const bytes = block.subarray(at);
    yield { header, line, bytes };
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, end + 1)) line += 1;
  }
  if (header !== undefined) return;
  throw new UnreadableFeed(
    `${file}: is empty; its first line must name the columns ${getRequiredNames(feed).join(',')}`,
  );
}

/** The end of the line that begins at a place, its line end included. */
function lineEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(LF, at);
  return end === -1 ? bytes.length : end + 1;
}

/** Where a line is read into. */
interface LineOf {
  feed: FeedName;
  header: Header;
  line: number;
  /** Takes its cells by the names of their columns. */
  row: Record<string, string>;
  /** Takes its cells in their order. */
  cells: string[];
}

/** A line with a row. Few texts are needed, so each is made when it is. */
class UsualLine {
  constructor(
    readonly line: number,
    readonly row: FeedRow,
    private readonly bytes: Buffer,
    private readonly from: number,
    private readonly to: number,
  ) {}

  /** Valid until the next block is read. */
  get text(): string {
    return decodeText(this.bytes, this.from, this.to);
  }
}

/**
 * Parses a line, which goes from one place to another with its line end; undefined when it is blank.
 * @throws UnreadableFeed at a header of other columns
 */
function readLine(of: LineOf, bytes: Buffer, from: number, to: number): FeedRecord | undefined {
  const { line, row, cells } = of;
  const end = textEnd(bytes, from, to);
  if (end === from) return undefined;
  const count = end - from > LONGEST_LINE ? -1 : readUsualCells(bytes, from, end, cells);
  try {
    if (count !== -1) {
      fillRow(of, cells, count);
      return new UsualLine(line, row, bytes, from, to);
    }
    const text = decodeText(bytes, from, to);
    if (text.length > LONGEST_LINE)
      throw new Rejection('line too long', `more than ${LONGEST_LINE} characters`);
    if (text.trim() === '') return undefined;
    const parsed = parseCells(text);
    fillRow(of, parsed, parsed.length);
    return { line, text, row };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { line, text: decodeText(bytes, from, to), rejection: error };
  }
}

/** The cells of some lines of a feed file, by the names of its columns. @throws UnreadableFeed */
export async function* readLines(
  feed: FeedName,
  file: string,
  wanted: ReadonlySet<number>,
): AsyncGenerator<{ line: number; text: string; cells: Record<string, string> }> {
  let left = wanted.size;
  for await (const { header, line: first, bytes } of readFeedBlocks(feed, file)) {
    let line = first;
    for (let at = 0; at < bytes.length && left > 0; line += 1) {
      const end = lineEnd(bytes, at);
      const record = wanted.has(line)
        ? readLine({ feed, header, line, row: blankRow(header), cells: [] }, bytes, at, end)
        : undefined;
      if (record && 'row' in record) {
        left -= 1;
        yield { line, text: record.text, cells: record.row };
      }
      at = end;
    }
    if (left === 0) return;
  }
}

/** The size of a feed file in bytes. @throws UnreadableFeed when there is no such file */
export async function feedSize(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!found.isFile()) throw new UnreadableFeed(`${file}: is not a file`);
  return found.size;
}

/** The first bytes of files of other formats, and what to do about each. */
const OTHER_FORMATS: [begins: number[], found: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive or a spreadsheet (.xlsx, .ods); save the sheet as CSV in UTF-8'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'a spreadsheet (.xls); save the sheet as CSV in UTF-8'],
  [[0x1f, 0x8b], 'gzip data; give the file a name that ends in .gz, and pack it only once'],
  [[0xff, 0xfe], 'UTF-16 text; save it as UTF-8'],
  [[0xfe, 0xff], 'UTF-16 text; save it as UTF-8'],
];

/** @throws UnreadableFeed when the first bytes of a file, after unpacking, are those of another format */
function checkFormat(file: string, bytes: Buffer): void {
  const [, found] = OTHER_FORMATS.find(([begins]) => begins.every((byte, at) => bytes[at] === byte)) ?? [];
  if (found !== undefined) throw new UnreadableFeed(`${file}: is ${found}`);
  const zeros = [0, 1, 2, 3].filter((at) => bytes[at] === 0).join();
  if (zeros === '0,2' || zeros === '1,3')
    throw new UnreadableFeed(`${file}: is UTF-16 text; save it as UTF-8`);
}

/** @throws UnreadableFeed naming the first line that is not UTF-8, of a block that begins with line `first` */
function checkUtf8(file: string, first: number, block: Buffer): void {
  let line = first;
  for (let at = 0; at < block.length; line += 1) {
    const end = lineEnd(block, at);
    // The block holds only the beginning of a line that is too long, and the cut may go through a character.
    const max = at + LONGEST_LINE_BYTES;
    const ends = end < max ? [end] : [max, max - 1, max - 2, max - 3];
    if (!ends.some((to) => isUtf8(block.subarray(at, to)))) {
      throw new UnreadableFeed(
        `${file}: line ${line} is not UTF-8; save the file as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8`,
      );
    }
    at = end;
  }
}

function fillRow({ feed, header, line, row }: LineOf, cells: readonly string[], count: number): void {
  const width = header.names.length;
  for (let at = 0; at < count; at += 1) {
    if (isStationId(cells[at]!)) rejectHeader(feed, header, line, cells.slice(0, count));
  }
  for (let at = width; at < count; at += 1)
    if (cells[at] !== '') throw new Rejection('too many cells', `${count}, the header has ${width}`);
  for (const position of header.positions) {
    const name = header.names[position]!;
    if (position >= count) throw new Rejection('missing column', name);
    row[name] = cells[position]!;
  }
}

/** Whether a cell is the name of a column that every feed has: its line may be a header again. Dates are as long as that. */
const isStationId = (cell: string): boolean =>
  cell.length === 10 && /^[sS]/.test(cell) && cell.toLowerCase() === 'station_id';

/** A row that takes the cells of a line: a new one for each takes a tenth of the time of reading. */
const blankRow = ({ names, positions }: Header): Record<string, string> =>
  Object.fromEntries(positions.map((position) => [names[position]!, '']));

/** The bytes of a file in blocks of whole lines; of a line that is too long, enough to recognize it. */
async function* blocks(file: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes?.(bytes);
      done(null, chunk);
    },
  });
  const unpacked = /\.gz$/i.test(file) ? createGunzip() : new PassThrough();
  const piping = pipeline(createReadStream(file), counter, unpacked);
  piping.catch(() => {}); // the loop below reports the same failure
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
    await piping;
    yield held.subarray(0, used);
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    unpacked.destroy();
  }
}

/** The text of a line without its line end; of one that is too long, enough to recognize it. */
const decodeText = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString('utf8', from, Math.min(textEnd(bytes, from, to), from + LONGEST_LINE_BYTES));

/** Where a line ends without its line end. */
function textEnd(bytes: Buffer, from: number, to: number): number {
  let end = to;
  if (end > from && bytes[end - 1] === LF) end -= 1;
  if (end > from && bytes[end - 1] === CR) end -= 1;
  return end;
}

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof UnreadableFeed || !(error instanceof Error && 'code' in error)) return error;
  const why: Record<string, string> = {
    ENOENT: 'no such file',
    EACCES: 'may not be read',
    Z_BUF_ERROR: 'ends in the middle of its gzip data; is it still being written?',
    Z_DATA_ERROR: 'is damaged, or not gzip although its name ends in .gz',
  };
  return new UnreadableFeed(`${file}: ${why[String(error.code)] ?? error.message}`, { cause: error });
}
