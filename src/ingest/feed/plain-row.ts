import { columnsOf, type FeedColumn, type ValueFeed } from './columns.js';
import type { LoadClock } from './load-clock.js';
import type { Header } from './read.js';
import type { Cells } from './rows.js';

// Most rows of a feed are written in one plain form. One regular expression recognizes such a row in about 0.2 µs, and
// the engine takes its cells as they stand; judging a row in JavaScript takes some 3 µs. A row in any other form, good
// or bad, is judged there. So each form here accepts less than the rules of rows.ts, never more.

// A date of 1970..2099 that is real in every year; 29 February is looked up.
const DATE =
  '(?:19[7-9]\\d|20\\d\\d)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const INSTANT = `${DATE}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z`;
const TEMPERATURE = '(?:-?(?:1[0-4]\\d|\\d{1,2})(?:\\.\\d{1,2})?)?'; // up to 149.99 °F, of 0.01 °F, or blank
const STATION_ID = '[A-Z0-9]{3,8}';
const STATUS = '(?:preliminary|verified)';
const PROVIDER = '(?:[a-z0-9][a-z0-9-]{0,31})?';
const WITHDRAWN = '(?:true|false)?';

// Bytes of one insert: enough for the engine, few enough for a load's memory not to grow with its files.
const WRITTEN_AT_ONCE = 8 * 1024 * 1024;

// What stands before the names, and is skipped: the embedded engine looks through every token of a statement, its data
// included, and an open quote is one token. That takes over 0.5 s of CPU off 66 MB.
const BEFORE_ROWS = "'\n";

const LF = 10;
const COMMA = 44;

const FORMS: Partial<Record<FeedColumn, string>> = {
  station_id: STATION_ID,
  issued_at: INSTANT,
  observed_at: INSTANT,
  target_date: DATE,
  date: DATE,
  high_f: TEMPERATURE,
  low_f: TEMPERATURE,
  status: STATUS,
  provider: PROVIDER,
  withdrawn: WITHDRAWN,
};

/** The plain form of a line, to be tried at a place (`lastIndex`) of a text of lines. */
export function plainLine(feed: ValueFeed, { names, positions }: Header, clock: LoadClock): RegExp {
  const columns = columnsOf(feed);
  // What the clock may object to is judged in JavaScript: an expression that only takes what lies before a time costs
  // nothing, where cutting the cell out of every line and comparing it would take a third of the time of a row.
  const forms = {
    ...FORMS,
    issued_at: `(?=${textsBefore(clock.issuedBefore)})${INSTANT}`,
    date: `(?=${textsBefore(clock.overBefore)})${DATE}`,
  };
  const cells = names.map((_, position) => {
    const column = columns[positions.indexOf(position)];
    return column === undefined ? '[^,"\\x00-\\x1f]*' : (forms[column] ?? '(?!)');
  });
  return new RegExp(`${cells.join(',')}\\r?(?:\\n|$)`, 'y');
}

/** The beginnings of all texts of the same form that sort before one, whose digits alone vary: `1[0-8]`, `[0-0]`. */
function textsBefore(text: string): string {
  const beginnings = [...text].flatMap((digit, at) =>
    digit >= '1' && digit <= '9' ? [`${text.slice(0, at)}[0-${Number(digit) - 1}]`] : [],
  );
  return `(?:${beginnings.join('|')})`;
}

/** Where a cell of the plain line that begins at a place begins. */
export function cellAt(text: string, at: number, position: number): number {
  let begin = at;
  for (let cell = 0; cell < position; cell += 1) begin = text.indexOf(',', begin) + 1;
  return begin;
}

/** The text of the plain cell that begins at a place. */
export function plainCell(text: string, begin: number): string {
  let end = begin;
  while (text.charCodeAt(end) > COMMA) end += 1; // what separates cells and lines, and no character of one, is below
  return text.slice(begin, end);
}

/** Writes the rows of a file as the engine takes them: CSV with names, row_number and load_id before each row. */
export class RowWriter {
  readonly #bytes = Buffer.allocUnsafe(WRITTEN_AT_ONCE);
  readonly #loadId: Buffer;
  readonly #head: Buffer;
  #length = 0;

  constructor(
    feed: ValueFeed,
    private readonly header: Header,
    loadId: number,
  ) {
    const columns = columnsOf(feed);
    // A column that the feed does not have gets a name that no table has, and the engine skips it.
    const names = header.names.map((_, at) => columns[header.positions.indexOf(at)] ?? `other_${at}`);
    this.#loadId = Buffer.from(`,${loadId},`);
    this.#head = Buffer.from(`${BEFORE_ROWS}row_number,load_id,${names.join(',')}\n`);
  }

  /** Whether a line of so many bytes still fits. */
  hasRoomFor(bytes: number): boolean {
    return this.#length + bytes + 64 <= WRITTEN_AT_ONCE;
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

  addCells(rowNumber: number, feed: ValueFeed, cells: Cells): void {
    const columns = columnsOf(feed);
    const row = this.header.names.map((_, at) => {
      const column = columns[this.header.positions.indexOf(at)];
      return column === undefined ? '' : (cells[column] ?? '');
    });
    this.#begin(rowNumber);
    this.#length += this.#bytes.write(`${row.join(',')}\n`, this.#length);
  }

  /** Takes out the rows written so far. */
  take(): string {
    if (this.#length === 0) return '';
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
