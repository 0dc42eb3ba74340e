import { raw, sql } from '../../queries/sql.js';
import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import { ANY_PARTITIONS, type Store } from '../../store/store.js';
import { DISTRIBUTIONS, type ValueFeed } from '../../feeds/feeds.js';
import { remembered } from '../../feeds/values.js';
import type { Cells } from '../read/feed-rows.js';

/** Bytes of rows that are inserted at once: of some 50,000, so that the engine sorts and merges few parts. */
const INSERT_BYTES = 4 * 1024 * 1024;

/** More than a row has: each of its cells is a number, a time or a short name. */
const LONGEST_ROW_BYTES = 2048;

/** The tables that take rows of cells; their views make values of them. */
const TABLES: Record<ValueFeed, string> = {
  forecasts: 'forecast_rows',
  observations: 'observation_rows',
  normals: 'normal_rows',
  hours: 'hour_rows',
  hourly_forecasts: 'hourly_forecast_rows',
};

/** The columns of texts, in which a blank is a text as well. */
const TEXTS: ReadonlySet<string> = new Set(['sky', 'status']);

/** The columns of instants, and their names in the tables. */
const INSTANTS: Partial<Record<string, string>> = {
  issued_at: 'issued_ms',
  valid_at: 'valid_ms',
  observed_at: 'observed_ms',
  at: 'at_ms',
};

/** A column of a table of rows. */
interface TableColumn {
  name: string;
  /** Its field for a row. No cell has a character that is escaped in one. */
  field: (cells: Cells) => string;
}

/**
 * Rows of cells on their way to staging. The engine takes in some while the next are read. They are written as tab separated values,
 * which it reads in nine tenths of the time of JSON. Its raw insert, past the client, takes as long.
 */
export class StagedRows {
  readonly #columns: readonly TableColumn[];
  readonly #bytes = Buffer.allocUnsafe(INSERT_BYTES);
  #used = 0;
  #inserting = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly feed: ValueFeed,
    columns: readonly string[],
    private readonly loadId: number,
  ) {
    this.#columns = tableColumns(columns);
  }

  add(rowNumber: number, cells: Cells): void {
    let row = `${rowNumber}\t${this.loadId}`;
    for (const { field } of this.#columns) row += `\t${field(cells)}`;
    this.#used += this.#bytes.write(`${row}\n`, this.#used, 'latin1');
  }

  readonly isFull = (): boolean => this.#used > INSERT_BYTES - LONGEST_ROW_BYTES;

  readonly send = async (): Promise<void> => {
    await this.#inserting;
    if (this.#used === 0) return;
    const columns = raw(['row_number', 'load_id', ...this.#columns.map(({ name }) => name)].join());
    const insert = sql`INSERT INTO ${raw(TABLES[this.feed])} (${columns})`.with(ANY_PARTITIONS);
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

/** The columns of a table for those that a file has. */
function tableColumns(present: readonly string[]): TableColumn[] {
  const distributions = DISTRIBUTIONS.map(({ temperature, columns }) => ({
    name: temperature.replace(/f$/, 'distribution'),
    /** %; 0 is its standard deviation. */
    levels: columns
      .map(({ name: column, level = 0 }) => [column, level] as const)
      .filter(([column]) => present.includes(column)),
  })).filter(({ levels }) => levels.length > 0);
  const inLists = new Set<string>(distributions.flatMap(({ levels }) => levels.map(([column]) => column)));
  return [
    ...present.filter((column) => !inLists.has(column)).map(tableColumn),
    ...distributions.map(({ name, levels }) => ({
      name,
      field: (cells: Cells) => formatDistribution(cells, levels),
    })),
  ];
}

function tableColumn(column: string): TableColumn {
  const name = INSTANTS[column] ?? column;
  if (column === 'withdrawn') return { name, field: ({ withdrawn = 'false' }) => withdrawn };
  if (column === 'provider') return { name, field: ({ provider }) => provider || UNNAMED_PROVIDER };
  if (column in INSTANTS) return { name, field: (cells) => milliseconds(cells[column] ?? '') };
  const blank = TEXTS.has(column) ? '' : '\\N';
  return { name, field: (cells) => cells[column] || blank };
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
