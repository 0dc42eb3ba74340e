import { raw, sql } from '../../queries/sql.js';
import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import { ANY_PARTITIONS, type Store } from '../../store/store.js';
import {
  DISTRIBUTIONS,
  keyColumns,
  READING_NUMBERS,
  valueColumns,
  type ValueFeed,
} from '../../feeds/feeds.js';
import { remembered } from '../../feeds/values.js';
import type { Cells } from '../read/feed-rows.js';

/** Bytes of rows that are inserted at once: of some 50,000, so that the engine sorts and merges few parts. */
const INSERT_BYTES = 4 * 1024 * 1024;

/** More than a row has: each of its cells is a number, a time or a short name. */
const LONGEST_ROW_BYTES = 2048;

/** The names of key columns in the staging tables, where they differ from those of the feeds. */
const KEY_NAMES: Partial<Record<string, string>> = {
  issued_at: 'issued_ms',
  valid_at: 'valid_ms',
  observed_at: 'observed_ms',
  at: 'at_ms',
  date: 'target_date',
  status: 'observation_status',
};

/** A column of a staging table. */
interface TableColumn {
  name: string;
  /** Its field for a row. No cell has a character that is escaped in one. */
  field: (cells: Cells) => string;
}

/** The field of what a row says; blank where it says nothing. */
type SaidField = (cells: Cells) => string;

/**
 * Rows of cells on their way to staging. The engine takes in some while the next are read. They are written as tab separated values,
 * which it reads in nine tenths of the time of JSON. Its raw insert, past the client, takes as long.
 */
export class StagedRows {
  readonly #columns: readonly TableColumn[];
  readonly #said: TableColumn;
  readonly #bytes = Buffer.allocUnsafe(INSERT_BYTES);
  #used = 0;
  #inserting = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly feed: ValueFeed,
    columns: readonly string[],
    private readonly loadId: number,
  ) {
    this.#columns = tableColumns(feed, columns);
    this.#said = saidColumn(feed, columns);
  }

  /** A row without a value says nothing, unless it withdraws what its key has. */
  add(rowNumber: number, cells: Cells): void {
    const said = this.#said.field(cells);
    if (said === '') return;
    let row = `${rowNumber}\t${this.loadId}\t${said}`;
    for (const { field } of this.#columns) row += `\t${field(cells)}`;
    this.#used += this.#bytes.write(`${row}\n`, this.#used, 'latin1');
  }

  readonly isFull = (): boolean => this.#used > INSERT_BYTES - LONGEST_ROW_BYTES;

  readonly send = async (): Promise<void> => {
    await this.#inserting;
    if (this.#used === 0) return;
    const names = ['row_number', 'load_id', ...[this.#said, ...this.#columns].map(({ name }) => name)];
    const insert = sql`INSERT INTO ${raw(`staged_${this.feed}`)} (${raw(names.join())})`.with(ANY_PARTITIONS);
    const text = this.#bytes.toString('latin1', 0, this.#used);
    this.#used = 0;
    this.#inserting = this.store.insertText(insert, 'TabSeparated', text);
    this.#inserting.catch(() => {}); // the next rows, or the end, throw it
  };

  /** Waits for the last rows, also after an error: they would stay in staging, for the next load. */
  async end(): Promise<void> {
    await this.#inserting;
  }
}

/** The columns of a staging table but for what its rows say: those of the key, and what a file has of the others. */
function tableColumns(feed: ValueFeed, present: readonly string[]): TableColumn[] {
  const columns = keyColumns(feed).map(({ column, kind }): TableColumn => {
    const name = KEY_NAMES[column] ?? column;
    if (column === 'provider') return { name, field: ({ provider }) => provider || UNNAMED_PROVIDER };
    if (kind === 'instant') return { name, field: (cells) => milliseconds(cells[column] ?? '') };
    return { name, field: (cells) => cells[column] ?? '' };
  });
  if (present.includes('withdrawn'))
    columns.push({ name: 'withdrawn', field: ({ withdrawn = 'false' }) => withdrawn });
  const distributions = getLists(feed, present);
  if (distributions.some((levels) => levels.length > 0))
    columns.push({
      name: 'distributions',
      field: (cells) => `[${distributions.map((levels) => formatDistribution(cells, levels)).join()}]`,
    });
  return columns;
}

/** For each variable of a feed, the columns of its distribution that a file has, with their levels. */
const getLists = (feed: ValueFeed, present: readonly string[]): (readonly (readonly [string, number])[])[] =>
  valueColumns(feed).map(({ column }) =>
    DISTRIBUTIONS.filter(({ temperature }) => temperature === column)
      .flatMap(({ columns }) => columns.map(({ name, level = 0 }) => [name, level] as const))
      .filter(([each]) => present.includes(each)),
  );

/** The column of what the rows of a feed say: a value for each of its variables, or a reading. */
const saidColumn = (feed: ValueFeed, present: readonly string[]): TableColumn =>
  feed === 'hours'
    ? { name: 'reading', field: readingField() }
    : { name: 'values', field: valuesField(feed, present) };

/**
 * The values of the variables of a feed, in the order of the registry, up to the last that the file has a column of: with all of them, a load
 * of temperatures at hours would take a fifth longer. A row that is withdrawn has all.
 */
function valuesField(feed: ValueFeed, present: readonly string[]): SaidField {
  const columns = valueColumns(feed).map(({ column }) => (present.includes(column) ? column : undefined));
  const blank = `[${columns.map(() => 'NULL').join()}]`;
  columns.length = columns.findLastIndex((column) => column !== undefined) + 1;
  return (cells) => {
    if (cells.withdrawn !== undefined) return blank;
    let [list, isBlank] = ['', true];
    for (const column of columns) {
      const value = column === undefined ? '' : cells[column];
      if (value) isBlank = false;
      list += list === '' ? value || 'NULL' : `,${value || 'NULL'}`;
    }
    return isBlank ? '' : `[${list}]`;
  };
}

function readingField(): SaidField {
  const others = valueColumns('hours').filter(
    ({ column }) => !READING_NUMBERS.some((name) => name === column),
  );
  return (cells) => {
    const { sky = '', status = '' } = cells;
    let [list, isBlank] = ['', cells.withdrawn === undefined && sky === ''];
    for (const element of READING_NUMBERS) {
      const value = cells[element];
      if (value) isBlank = false;
      list += value ? `${value},` : 'NULL,';
    }
    let map = '';
    for (const { variable, column } of others) {
      const value = cells[column];
      if (!value) continue;
      isBlank = false;
      map += `${map && ','}'${variable}':${value}`;
    }
    return isBlank ? '' : `(${list}'${sky}','${status}',{${map}})`;
  };
}

/** An instant of a cell in milliseconds: the engine reads a number in half the time. */
const milliseconds = remembered((instant) => `${Date.parse(`${instant.replace(' ', 'T')}Z`)}`);

/** The values of a distribution that a row has, as an array of (level, value). */
function formatDistribution(cells: Cells, levels: readonly (readonly [string, number])[]): string {
  let list = '';
  for (const [column, level] of levels) {
    const value = cells[column];
    if (value) list += `${list && ','}(${level},${value})`;
  }
  return `[${list}]`;
}
