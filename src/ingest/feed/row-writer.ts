import { columnsOf, type FeedColumn, type ValueFeed } from './columns.js';
import type { Header } from './header.js';
import type { Cells } from './rows.js';

// Bytes of one insert: enough for the engine, few enough for a load's memory not to grow with its files.
const ROW_WRITER_BYTES = 8 * 1024 * 1024;

// Written before the names; the engine skips it. The embedded engine looks through every token of a statement, its data
// included, and an open quote is one token. This saves over 0.5 s of CPU for 66 MB.
const BEFORE_ROWS = "'\n";

/** A provider and its comma. */
const LONGEST_CELL_BYTES = 33;

const LF = 10;

/** Writes the rows of a file as the engine takes them: CSV with names, row_number and load_id before each row. */
export class RowWriter {
  readonly #bytes = Buffer.allocUnsafe(ROW_WRITER_BYTES);
  readonly #loadId: Buffer;
  readonly #head: Buffer;
  /** The columns of the file in its order; undefined for one that the feed does not have. */
  readonly #columns: (FeedColumn | undefined)[];
  #length = 0;

  constructor(feed: ValueFeed, { names, positions }: Header, loadId: number) {
    const columns = columnsOf(feed);
    this.#columns = names.map((_, at) => columns[positions.indexOf(at)]);
    // A column that the feed does not have gets a name that no table has, and the engine skips it.
    const written = this.#columns.map((column, at) => column ?? `other_${at}`);
    this.#loadId = Buffer.from(`,${loadId},`);
    this.#head = Buffer.from(`${BEFORE_ROWS}row_number,load_id,${written.join(',')}\n`);
  }

  /** Whether a line of so many bytes still fits. */
  hasRoomFor(bytes: number): boolean {
    return this.#length + bytes + 64 <= ROW_WRITER_BYTES;
  }

  /** Whether a row of cells still fits, each as long as the longest of any column. */
  hasRoomForCells(): boolean {
    return this.hasRoomFor(this.#columns.length * LONGEST_CELL_BYTES);
  }

  /** Adds a line as it stands in a buffer, from one place to another. */
  addLine(rowNumber: number, from: Buffer, at: number, end: number): void {
    this.#begin(rowNumber);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let next = at; next < end; next += 1) bytes[length++] = from[next] ?? 0;
    if (bytes[length - 1] !== LF) bytes[length++] = LF;
    this.#length = length;
  }

  addCells(rowNumber: number, cells: Cells): void {
    const row = this.#columns.map((column) => (column && cells[column]) ?? '');
    this.#begin(rowNumber);
    this.#length += this.#bytes.write(`${row.join(',')}\n`, this.#length);
  }

  /** Takes out the rows written so far. */
  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length);
    this.#length = 0;
    return text;
  }

  #begin(rowNumber: number): void {
    const bytes = this.#bytes;
    if (this.#length === 0) this.#length = this.#head.copy(bytes);
    let digits = 1;
    for (let rest = rowNumber; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
    let rest = rowNumber;
    for (let at = this.#length + digits - 1; at >= this.#length; at -= 1) {
      const tens = Math.floor(rest / 10);
      bytes[at] = 48 + rest - 10 * tens;
      rest = tens;
    }
    this.#length += digits;
    for (const byte of this.#loadId) bytes[this.#length++] = byte;
  }
}
