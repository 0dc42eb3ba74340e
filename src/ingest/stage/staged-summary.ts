import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import { dayNumber } from '../../statistics/time/calendar.js';
import type { FactName } from '../../queries/facts.js';
import type { Column } from '../../feeds/columns.js';
import {
  type Distribution,
  DISTRIBUTIONS,
  FEEDS,
  VALUE_FEEDS,
  valueColumns,
  type ValueFeed,
} from '../../feeds/feeds.js';
import { VARIABLES } from '../../variables/variables.js';
import type { Cells } from '../read/feed-rows.js';
import { type Day, type SizedSpan, splitSpans } from '../spans.js';

// A summary of staged rows: facts, providers and months, which the later steps need. It also counts the rows that fail a check of
// single rows; a reader of the report can check each rule by hand.

/** Seasonal forecasts reach 13 months ahead; a forecast of a day that is long over is in no pair (D40). */
const FARTHEST_TARGET_DAYS = 400;
const EARLIEST_TARGET_DAYS = 100;

/** No forecast is certain, and no climate has highs or lows of a day of the year that vary by more. */
const WIDEST_SD_F = 20;

/** Nor are neighbouring quantiles, with the forecast itself among them, so far from each other. */
const WIDEST_GAP_F = 30;

/** Staged values that one statement compares, by whole months: this bounds its memory. */
const CHECKED_VALUES_PER_STATEMENT = 2_000_000;

/** So few values are reconciled in one statement, without a look at what is known of their days. */
const MAX_SMALL_SPAN_ROWS = 1000;

/** The words of a report for rows that have no cell to quote. */
export const AS_UNNAMED = `they are loaded as those of provider "${UNNAMED_PROVIDER}"`;

export const NO_PROVIDER = 'no provider beside named ones';
const DAY_BEYOND_REACH = 'target date far from its issuance';
const HOUR_BEYOND_REACH = 'valid time far from its issuance';

const distributionColumns = DISTRIBUTIONS.flatMap(({ columns }) => columns);
const isQuantile = ({ level }: Column): boolean => level !== undefined;

/** Columns of which the first is not below the second, but for rounding. */
interface Pair {
  reason: string;
  columns: readonly [string, string];
  rounding: number;
}

const PAIRS = Object.fromEntries(
  VALUE_FEEDS.map((feed) => {
    const columns: Partial<Record<string, string>> = Object.fromEntries(
      valueColumns(feed).map(({ variable, column }) => [variable, column]),
    );
    const pairs = valueColumns(feed).flatMap(({ variable, column }): Pair[] => {
      const [name, rounding] = VARIABLES[variable].notBelow ?? ['', 0];
      const reason = `${variable} below ${name}`.replaceAll('_', ' ');
      return columns[name] === undefined
        ? []
        : [{ reason, columns: [column, columns[name]], rounding: rounding / 100 }];
    });
    return [feed, pairs];
  }),
) as Record<ValueFeed, Pair[]>;

/** By reason. */
export const PAIR_COLUMNS = Object.fromEntries(
  Object.values(PAIRS).flatMap((pairs) => pairs.map(({ reason, columns }) => [reason, columns])),
);

/** Checks of single rows (internal consistency), and the cells of the first row that a report quotes. */
export const ROW_CHECKS: Readonly<Record<string, readonly string[]>> = {
  'standard deviation of 0, or hardly possible': distributionColumns
    .filter((column) => !isQuantile(column))
    .map(({ name }) => name),
  'quantiles hardly possible': distributionColumns.filter(isQuantile).map(({ name }) => name),
  ...PAIR_COLUMNS,
  [DAY_BEYOND_REACH]: ['target_date', 'issued_at'],
  [HOUR_BEYOND_REACH]: ['valid_at', 'issued_at'],
  [NO_PROVIDER]: ['provider'],
};

const CHECK_ORDER = Object.keys(ROW_CHECKS);

/** Staged rows that are suspect for one reason; `first_row` is a row_number. */
export interface FlaggedRows {
  feed: ValueFeed;
  reason: string;
  rows: number;
  first_row: number;
}

/** Whether a day is so far from its issuance that it is suspect. Months, which nearly all rows need alone, take a tenth of days. */
function isBeyondReach(issued_at: string, target: string): boolean {
  const months = monthNumber(target) - monthNumber(issued_at);
  if (months < 12 && months > -3) return false;
  const days = dayNumber(target.slice(0, 10)) - dayNumber(issued_at.slice(0, 10));
  return days > FARTHEST_TARGET_DAYS || days < -EARLIEST_TARGET_DAYS;
}

/** The months before the one of a date or an instant, YYYY-MM. */
function monthNumber(date: string): number {
  const digit = (at: number): number => date.charCodeAt(at) - 48;
  return (digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3)) * 12 + digit(5) * 10 + digit(6);
}

/** Values by the first day of their month. Rows that follow each other often are of one day. */
class MonthSizes {
  readonly #sizes = new Map<string, Day>();
  #latest = '';
  #size: Day = { target_date: '', row_count: 0 };

  /** @param instant or a date */
  add(instant: string, count: number): void {
    if (instant !== this.#latest) {
      this.#latest = instant;
      const month = instant.slice(0, 7);
      this.#size = this.#sizes.get(month) ?? { target_date: `${month}-01`, row_count: 0 };
      this.#sizes.set(month, this.#size);
    }
    this.#size.row_count += count;
  }

  get spans(): SizedSpan[] {
    const sizes = [...this.#sizes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, size]) => size);
    return splitSpans(sizes, CHECKED_VALUES_PER_STATEMENT);
  }
}

/** Sums up the staged rows of a load, as they are read. */
export class StagedSummary {
  readonly facts = new Set<FactName>();
  readonly #firstRows = new Map<string, number>();
  readonly #flagged = new Map<string, Map<ValueFeed, FlaggedRows>>();
  /** Values by month. */
  readonly #days = new MonthSizes();
  readonly #sizes: Partial<Record<ValueFeed, MonthSizes>> = {
    forecasts: this.#days,
    observations: this.#days,
    hours: new MonthSizes(),
    hourly_forecasts: new MonthSizes(),
  };
  readonly #dates = { first_date: '9999', last_date: '', row_count: 0 };

  /** @param distributions those of which the row may have columns */
  add(feed: ValueFeed, row: number, cells: Cells, distributions = DISTRIBUTIONS): void {
    const { issued_at, withdrawn } = cells;
    const declared = FEEDS[feed];
    const values = withdrawn === undefined ? countValues(declared, cells) : declared.variables.length;
    if (values === 0) return;
    this.facts.add(feed);
    this.#addSize(feed, cells, values);
    for (const { reason, columns, rounding } of PAIRS[feed]) {
      const [value, other] = [cells[columns[0]], cells[columns[1]]];
      if (value && other && Number(value) + rounding < Number(other)) this.#flag(feed, reason, row);
    }
    if (issued_at === undefined) return;
    if (withdrawn === undefined) this.#addForecast(feed, row, cells, issued_at);
    if (feed === 'forecasts') this.#addDistributions(row, cells, distributions);
  }

  #addSize(feed: ValueFeed, cells: Cells, values: number): void {
    const sizes = this.#sizes[feed];
    const time = cells[FEEDS[feed].valid] ?? '';
    sizes?.add(time, values);
    if (sizes !== this.#days) return;
    this.#dates.row_count += values;
    if (time < this.#dates.first_date) this.#dates.first_date = time;
    if (time > this.#dates.last_date) this.#dates.last_date = time;
  }

  #addForecast(feed: ValueFeed, row: number, cells: Cells, issued_at: string): void {
    this.#addProvider(feed, row, cells.provider ?? '');
    const { valid } = FEEDS[feed];
    if (isBeyondReach(issued_at, cells[valid] ?? ''))
      this.#flag(feed, valid === 'valid_at' ? HOUR_BEYOND_REACH : DAY_BEYOND_REACH, row);
  }

  /** A distribution is withdrawn with its forecast. */
  #addDistributions(row: number, cells: Cells, distributions: readonly Distribution[]): void {
    if (cells.withdrawn !== undefined) this.facts.add('distributions');
    let [isOdd, isWide] = [false, false];
    for (const distribution of distributions) {
      const { sd_f, quantiles } = valuesOf(cells, distribution);
      if (sd_f === undefined && quantiles.length === 0) continue;
      this.facts.add('distributions');
      isOdd ||= sd_f !== undefined && (sd_f === 0 || sd_f > WIDEST_SD_F);
      isWide ||= isHardlyPossible(quantiles, Number(cells[distribution.temperature]));
    }
    if (isOdd) this.#flag('forecasts', 'standard deviation of 0, or hardly possible', row);
    if (isWide) this.#flag('forecasts', 'quantiles hardly possible', row);
  }

  #addProvider(feed: ValueFeed, row: number, provider: string): void {
    const name = provider === '' ? UNNAMED_PROVIDER : provider;
    const first = this.#firstRows.get(name);
    if (first === undefined || row < first) this.#firstRows.set(name, row);
    if (name === UNNAMED_PROVIDER) this.#flag(feed, NO_PROVIDER, row);
  }

  /** The providers of the forecasts, in the order of their rows. */
  get providers(): string[] {
    return [...this.#firstRows].sort(([, a], [, b]) => a - b).map(([provider]) => provider);
  }

  /** The staging tables with values; that of forecasts has the distributions. */
  get filled(): string[] {
    return [...this.facts].filter((fact) => fact !== 'distributions').map((fact) => `staged_${fact}`);
  }

  /** Spans of whole months, by the first day of the first and of the last, each for one statement of quality control. */
  get spans(): Record<'days' | 'hours' | 'hourly_forecasts', SizedSpan[]> {
    const { hours, hourly_forecasts } = this.#sizes;
    return {
      days: this.#days.spans,
      hours: hours?.spans ?? [],
      hourly_forecasts: hourly_forecasts?.spans ?? [],
    };
  }

  /** The dates of the forecasts and observations, where these are few. */
  get smallSpan(): SizedSpan | undefined {
    return this.#dates.row_count <= MAX_SMALL_SPAN_ROWS ? this.#dates : undefined;
  }

  /**
   * The suspect rows by feed and reason. Forecasts without a provider are suspect beside those of a named one, here or in the first
   * load that brought any: they make a provider called `default`, hardly the default one.
   * @param firstProviders of the first load that brought forecasts (D27)
   */
  getFlagged(firstProviders: readonly string[]): FlaggedRows[] {
    const isUnnamed =
      firstProviders.length === 0 ? this.#firstRows.size > 1 : !firstProviders.includes(UNNAMED_PROVIDER);
    return [...this.#flagged.values()]
      .flatMap((byFeed) => [...byFeed.values()])
      .filter(({ reason }) => isUnnamed || reason !== NO_PROVIDER)
      .sort(
        (a, b) => a.first_row - b.first_row || CHECK_ORDER.indexOf(a.reason) - CHECK_ORDER.indexOf(b.reason),
      );
  }

  #flag(feed: ValueFeed, reason: string, row: number): void {
    let byFeed = this.#flagged.get(reason);
    if (byFeed === undefined) this.#flagged.set(reason, (byFeed = new Map<ValueFeed, FlaggedRows>()));
    const known = byFeed.get(feed);
    if (known === undefined) byFeed.set(feed, { feed, reason, rows: 1, first_row: row });
    else {
      known.rows += 1;
      known.first_row = Math.min(known.first_row, row);
    }
  }
}

/** The values of variables that a row has; 1 if it has another value alone. */
function countValues({ variables, others }: (typeof FEEDS)[ValueFeed], cells: Cells): number {
  let count = 0;
  for (const name of variables) if (cells[name]) count += 1;
  if (count > 0) return count;
  for (const name of others) if (cells[name]) return 1;
  return 0;
}

/** The standard deviation and the quantiles of a temperature that a row has, °F. */
function valuesOf(cells: Cells, { columns }: Distribution): { sd_f?: number; quantiles: number[] } {
  const found: ReturnType<typeof valuesOf> = { quantiles: [] };
  for (const { name, level } of columns) {
    const cell = cells[name];
    if (cell === undefined) continue;
    if (level === undefined) found.sd_f = Number(cell);
    else found.quantiles.push(Number(cell));
  }
  return found;
}

/** A sentinel at one level is far from the next one; the forecast stands for the middle where few levels are given. */
function isHardlyPossible(quantiles: readonly number[], forecast_f: number): boolean {
  if (quantiles.length === 0) return false;
  const inOrder = [...quantiles, forecast_f].sort((a, b) => a - b);
  const isWide = Math.round((quantiles.at(-1)! - quantiles[0]!) * 100) > 4 * WIDEST_SD_F * 100;
  return isWide || inOrder.some((value_f, at) => at > 0 && value_f - inOrder[at - 1]! > WIDEST_GAP_F);
}
