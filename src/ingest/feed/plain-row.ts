import {
  FEED_COLUMNS,
  type FeedColumn,
  type ForecastFact,
  type Metric,
  type ObservationFact,
} from './columns.js';
import type { Header } from './read.js';

// Most rows of a feed are written in one plain way. One regular expression knows such a row at about 0.2 µs, and the
// engine can take its cells as they stand; to judge a row in JavaScript takes some 3 µs. What is written in any other
// way, good or bad, is judged there. So each form here takes less than the rules of values.ts, never more.

// A date of 1970..2099 that is real in every year; 29 February is looked up.
const DATE =
  '(?:19[7-9]\\d|20\\d\\d)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const INSTANT = `${DATE}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z`;
const TEMPERATURE = '(?:-?(?:1[0-4]\\d|\\d{1,2})(?:\\.\\d{1,2})?)?'; // up to 149.99 °F, of 0.01 °F, or blank
const STATION_ID = '[A-Z0-9]{3,8}';
const STATUS = '(?:preliminary|verified)';

// Bytes of one insert: enough for the engine, few enough for a load's memory not to grow with its files.
const WRITTEN_AT_ONCE = 8 * 1024 * 1024;

// What stands before the names, and is skipped: the embedded engine looks through every token of a statement, its data
// included, and an open quote is one token. That takes over 0.5 s of CPU off 66 MB.
const BEFORE_ROWS = "'\n";

const LF = 10;

export type ValueFeed = 'forecasts' | 'observations';

const FORMS: Partial<Record<FeedColumn, string>> = {
  station_id: STATION_ID,
  issued_at: INSTANT,
  observed_at: INSTANT,
  target_date: DATE,
  date: DATE,
  high_f: TEMPERATURE,
  low_f: TEMPERATURE,
  status: STATUS,
};

/** The plain form of a line, to be tried at a place (`lastIndex`) of a text of lines. */
export function plainLine(feed: ValueFeed, { names, positions }: Header): RegExp {
  const columns: readonly FeedColumn[] = FEED_COLUMNS[feed];
  const cells = names.map((_, position) => {
    const column = columns[positions.indexOf(position)];
    return column === undefined ? '[^,"\\x00-\\x1f]*' : (FORMS[column] ?? '(?!)');
  });
  return new RegExp(`${cells.join(',')}\\r?(?:\\n|$)`, 'y');
}

/** The cells of a forecast row by column, in their plain form; none when the row says nothing. */
export function plainForecast(facts: readonly ForecastFact[]): PlainCells {
  if (facts[0] === undefined) return {};
  const [, station_id, target_date, issued_at] = facts[0];
  return { station_id, target_date, issued_at, high_f: value(facts, 'high'), low_f: value(facts, 'low') };
}

/** The same of an observation row. */
export function plainObservation(facts: readonly ObservationFact[]): PlainCells {
  if (facts[0] === undefined) return {};
  const [, station_id, date, status, observed_at] = facts[0];
  return { station_id, date, status, observed_at, high_f: value(facts, 'high'), low_f: value(facts, 'low') };
}

export type PlainCells = Partial<Record<FeedColumn, string>>;

function value(facts: readonly (ForecastFact | ObservationFact)[], metric: Metric): string {
  return `${facts.find(([one]) => one === metric)?.at(-1) ?? ''}`;
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
    const columns: readonly string[] = FEED_COLUMNS[feed];
    // Columns that are none of the feed get names that no table has, and the engine passes over them.
    const names = header.names.map((_, at) => columns[header.positions.indexOf(at)] ?? `other_${at}`);
    this.#loadId = Buffer.from(`,${loadId},`);
    this.#head = Buffer.from(`${BEFORE_ROWS}row_number,load_id,${names.join(',')}\n`);
  }

  /** False when a line of so many bytes may not fit any more. */
  hasRoomFor(bytes: number): boolean {
    return this.#length + bytes + 64 <= WRITTEN_AT_ONCE;
  }

  /** Adds the line that stands there. */
  addLine(rowNumber: number, from: Buffer, at: number, end: number): void {
    this.#begin(rowNumber);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let next = at; next < end; next += 1) bytes[length++] = from[next] ?? 0;
    if (bytes[length - 1] !== LF) bytes[length++] = LF;
    this.#length = length;
  }

  addCells(rowNumber: number, feed: ValueFeed, cells: PlainCells): void {
    const columns: readonly FeedColumn[] = FEED_COLUMNS[feed];
    const row = this.header.names.map((_, at) => {
      const column = columns[this.header.positions.indexOf(at)];
      return column === undefined ? '' : (cells[column] ?? '');
    });
    this.#begin(rowNumber);
    this.#length += this.#bytes.write(`${row.join(',')}\n`, this.#length);
  }

  /** The rows so far, and nothing of them is kept. */
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
