import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../../sql.js';
import {
  CELSIUS_COLUMNS,
  getColumns,
  DISTRIBUTION_COLUMNS,
  type FeedColumn,
  QUANTILE_COLUMNS,
  type ValueFeed,
} from '../read/columns.js';
import type { Header } from '../read/header.js';
import type { LoadClock } from '../read/load-clock.js';
import { LONGEST_LINE } from '../read/read.js';

// Most rows of a feed are written in one plain form. SQL recognizes these among the landed lines and stages them in one
// statement. feed-rows.ts judges a row in any other form, good or bad: each form here accepts less than its rules, never more.

/** A day that is real in every year, of 1970..2099; feed-rows.ts looks up 29 February. */
const MONTH_DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const DATE = `(?:19[7-9]\\d|20\\d\\d)-${MONTH_DAY}`;
const INSTANT = `${DATE}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z`;
const TEMPERATURE = '(?:-?(?:1[0-2]\\d|\\d{1,2})(?:\\.\\d{1,2})?)?'; // up to 129.99 °F, of 0.01 °F, or blank
const TEMPERATURE_C = '(?:-?[0-5]?\\d(?:\\.\\d{1,2})?)?'; // up to 59.99 °C, or blank
const AMOUNT = '(?:[0-4]?\\d(?:\\.\\d{1,2})?)?'; // up to 49.99, or blank
const SD_C = '(?:(?:1?\\d|2[0-6])(?:\\.\\d{1,2})?)?'; // up to 26.99 °C, or blank
const OTHER = '[^,"\\x00-\\x1f]*';

/** Makes a value of a cell, as SQL. */
const TEXT = (cell: string): string => cell;
const AS_INSTANT = (cell: string): string => `parseDateTime64BestEffortOrZero(${cell}, 3, 'UTC')`;
const AS_DATE = (cell: string): string => `toDateOrZero(${cell})`;
const AS_DECIMAL = (cell: string): string => `toDecimal32OrNull(${cell}, 2)`;
/** Fifths of 0.01 °F are never a half, so decimals round them as values.ts does. */
const AS_DIFFERENCE_C = (cell: string): string => `round(toDecimal32OrNull(${cell}, 3) * 9 / 5, 2)`;
const AS_CELSIUS = (cell: string): string => `round(toDecimal32OrNull(${cell}, 3) * 9 / 5 + 32, 2)`;
const AS_BOOL = (cell: string): string => `${cell} = 'true'`;

type Form = readonly [pattern: string, value: (cell: string) => string];

const TEMPERATURES = ['high_f', 'low_f', 'temp_f', 'max_6h_f', 'min_6h_f', ...QUANTILE_COLUMNS] as const;

/** By the names of columns in a file. */
const FORMS: Record<string, Form> = {
  station_id: ['[A-Z0-9][A-Z0-9-]{2,23}', TEXT],
  issued_at: [INSTANT, AS_INSTANT],
  observed_at: [INSTANT, AS_INSTANT],
  at: [INSTANT, AS_INSTANT],
  target_date: [DATE, AS_DATE],
  date: [DATE, AS_DATE],
  month_day: [MONTH_DAY, TEXT],
  ...Object.fromEntries(
    TEMPERATURES.flatMap((name): [string, Form][] => [
      [name, [TEMPERATURE, AS_DECIMAL]],
      [CELSIUS_COLUMNS[name], [TEMPERATURE_C, AS_CELSIUS]],
    ]),
  ),
  high_sd_f: [AMOUNT, AS_DECIMAL],
  low_sd_f: [AMOUNT, AS_DECIMAL],
  high_sd_c: [SD_C, AS_DIFFERENCE_C],
  low_sd_c: [SD_C, AS_DIFFERENCE_C],
  precip_in: [AMOUNT, AS_DECIMAL],
  sky: ['(?:CLR|FEW|SCT|BKN|OVC|VV)?', TEXT],
  status: ['(?:preliminary|verified)', TEXT],
  provider: ['(?:[a-z0-9][a-z0-9-]{0,31})?', TEXT],
  member: ['[A-Za-z0-9][A-Za-z0-9._-]{0,31}', TEXT],
  withdrawn: ['(?:true|false)?', AS_BOOL],
};

/** The lines of a file: those of a load from one row_number to another. */
export interface Lines {
  loadId: number;
  first: number;
  last: number;
}

/** The rows of these lines, as a condition on a staging table. */
export const ofLines = ({ loadId, first, last }: Lines): Statement =>
  sql`load_id = ${bind({ load_id: loadId }, 'UInt32')}
    AND row_number BETWEEN ${bind({ first_row: first }, 'UInt64')} AND ${bind({ last_row: last }, 'UInt64')}`;

export const lineRow = z.object({ row_number: z.number(), line: z.string() });

/** How SQL reads the lines of a file that are in plain form; all others it leaves to feed-rows.ts. */
export class PlainRows {
  /** The columns of the feed that the file has. */
  readonly #columns: readonly FeedColumn[];
  readonly #values: Statement;
  readonly #isPlain: Statement;

  constructor(feed: ValueFeed, { names, positions }: Header, clock: LoadClock, loadId: number) {
    this.#columns = presentColumns(feed, positions);
    const columns = getColumns(feed);
    const values = this.#columns.map((column) => {
      const position = positions[columns.indexOf(column)]!;
      return `${FORMS[names[position]!]![1](`cells[${position + 1}]`)} AS ${column}`;
    });
    const patterns = names.map((name, position) => (positions.includes(position) ? FORMS[name]![0] : OTHER));
    this.#values = raw(values.join(', '));
    this.#isPlain = sql`match(line, '${raw(`^${patterns.join(',')}$`.replaceAll('\\', '\\\\'))}')
      AND length(line) <= ${raw(`${LONGEST_LINE}`)} AND ${isKnown(loadId)} AND ${sure(feed, clock)}${hasDistributions(this.#columns)}`;
  }

  /** The lines and their values, for use after FROM. */
  protected read(lines: Lines): Statement {
    return sql`(SELECT *, ${this.#values} FROM (SELECT row_number, load_id, line, splitByChar(',', line) AS cells FROM staged_lines WHERE ${ofLines(lines)}))`;
  }

  /** Stages the rows in plain form. */
  stage(table: string, lines: Lines): Statement {
    const columns = raw(this.#columns.join(', '));
    return sql`INSERT INTO ${raw(table)} (row_number, load_id, ${columns})
      SELECT row_number, load_id, ${columns} FROM ${this.read(lines)} WHERE ${this.#isPlain}`.with({
      min_insert_block_size_rows: 200_000,
      max_threads: 2,
      max_block_size: 20_000,
    });
  }

  /** The first of the lines in any other form. */
  others(lines: Lines, limit: number) {
    return sql.rows(lineRow)`SELECT row_number, line FROM ${this.read(lines)} WHERE NOT (${this.#isPlain})
      ORDER BY row_number LIMIT ${raw(`${limit}`)}`;
  }
}

/** The columns of a feed that a file has, but the member of a forecast. */
export const presentColumns = (feed: ValueFeed, positions: readonly number[]): FeedColumn[] =>
  getColumns(feed).filter((column, at) => positions[at] !== -1 && column !== 'member');

/** Whether the station is one of the load, or of the store, and not withdrawn. A cluster takes one table in what follows IN. */
const isKnown = (loadId: number): Statement => {
  const staged = sql`FROM staged_stations WHERE load_id = ${bind({ load_id: loadId }, 'UInt32')}`;
  return sql`(station_id IN (SELECT station_id ${staged} AND NOT withdrawn)
    OR station_id IN (SELECT station_id FROM stations GROUP BY station_id HAVING NOT argMax(withdrawn, load_id))
    AND station_id NOT IN (SELECT station_id ${staged}))`;
};

/** Whether the times of a row are beyond doubt, whatever the zone of its station. */
function sure(feed: ValueFeed, clock: LoadClock): Statement {
  const isPast = (column: string): Statement =>
    sql`${raw(column)} < parseDateTime64BestEffort(${bind({ past_before: `${clock.pastBefore}:00Z` }, 'String')}, 3, 'UTC')`;
  switch (feed) {
    case 'forecasts':
      return isPast('issued_at');
    case 'hours':
      return isPast('at');
    case 'observations':
      // At noon UTC a date has begun everywhere, and at 16:00 UTC of the next day it is over.
      return sql`${isPast('observed_at')} AND date < ${bind({ over_before: clock.overBefore }, 'Date')}
        AND observed_at >= toDateTime64(date, 3, 'UTC') + toIntervalHour(if(status = 'verified', 40, 12))`;
    case 'normals':
      return sql`true`;
  }
}

/** Whether each distribution has its temperature, and quantiles that never fall. */
function hasDistributions(columns: readonly FeedColumn[]): Statement {
  const ofMetrics = Object.entries(DISTRIBUTION_COLUMNS).map(([temperature, { sd, quantiles }]) => {
    const levels = quantiles.filter((name) => columns.includes(name));
    const all = [sd, ...levels].filter((name) => columns.includes(name));
    if (all.length === 0) return '';
    const values = `arrayFilter(each -> isNotNull(each), [${levels.join(', ')}]::Array(Nullable(Decimal(5, 2))))`;
    return ` AND (${temperature} IS NOT NULL OR ${all.map((name) => `${name} IS NULL`).join(' AND ')}) AND arraySort(${values}) = ${values}`;
  });
  return raw(ofMetrics.join(''));
}
