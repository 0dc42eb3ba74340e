import { raw, sql } from '../../queries/sql.js';
import { ANY_PARTITIONS, type Store } from '../../store/store.js';
import type { FeedColumn, ValueFeed } from '../read/columns.js';
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
const TEXTS: ReadonlySet<FeedColumn> = new Set<FeedColumn>(['provider', 'sky', 'status']);

/**
 * Rows of cells on their way to staging. The engine takes in some while the next are read. They are written as tab separated values,
 * which it reads in nine tenths of the time of JSON. Its raw insert, past the client, takes as long.
 */
export class StagedRows {
  readonly #bytes = Buffer.allocUnsafe(INSERT_BYTES);
  #used = 0;
  #inserting = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly feed: ValueFeed,
    private readonly columns: readonly FeedColumn[],
    private readonly loadId: number,
  ) {}

  add(rowNumber: number, cells: Cells): void {
    let row = `${rowNumber}\t${this.loadId}`;
    for (const column of this.columns) row += `\t${fieldOf(column, cells[column])}`;
    this.#used += this.#bytes.write(`${row}\n`, this.#used, 'latin1');
  }

  readonly isFull = (): boolean => this.#used > INSERT_BYTES - LONGEST_ROW_BYTES;

  readonly send = async (): Promise<void> => {
    await this.#inserting;
    if (this.#used === 0) return;
    const columns = raw(['row_number', 'load_id', ...this.columns].join());
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

/** A cell as a field. No cell has a character that is escaped in one. */
function fieldOf(column: FeedColumn, cell = ''): string {
  if (column === 'withdrawn') return cell === 'true' ? 'true' : 'false';
  return cell === '' && !TEXTS.has(column) ? '\\N' : cell;
}
