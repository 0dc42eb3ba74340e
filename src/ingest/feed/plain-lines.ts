import {
  columnsOf,
  DISTRIBUTION_COLUMNS,
  type FeedColumn,
  QUANTILE_COLUMNS,
  type StationFact,
  type ValueFeed,
} from './columns.js';
import type { LoadClock } from './load-clock.js';
import type { Header } from './header.js';
import { LONGEST_LINE } from './read.js';

// Most rows of a feed are written in one plain form. One regular expression recognizes such a row in about 0.2 µs, and
// the engine takes its cells as they stand; judging a row in JavaScript takes some 3 µs. rows.ts judges a row in any
// other form, good or bad. So each form here accepts less than the rules of rows.ts, never more.

// A day that is real in every year, and a date of 1970..2099; rows.ts looks up 29 February.
const MONTH_DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const DATE = `(?:19[7-9]\\d|20\\d\\d)-${MONTH_DAY}`;
const INSTANT = `${DATE}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z`;
const TEMPERATURE = '(?:-?(?:1[0-2]\\d|\\d{1,2})(?:\\.\\d{1,2})?)?'; // up to 129.99 °F, of 0.01 °F, or blank

const STANDARD_DEVIATION = '(?:[0-4]?\\d(?:\\.\\d{1,2})?)?'; // up to 49.99 °F, or blank

const INCHES = '(?:[0-4]?\\d(?:\\.\\d{1,2})?)?'; // up to 49.99, or blank

const FORMS: Partial<Record<FeedColumn, string>> = {
  station_id: '[A-Z0-9][A-Z0-9-]{2,23}',
  issued_at: INSTANT,
  observed_at: INSTANT,
  target_date: DATE,
  date: DATE,
  month_day: MONTH_DAY,
  high_f: TEMPERATURE,
  low_f: TEMPERATURE,
  high_sd_f: STANDARD_DEVIATION,
  low_sd_f: STANDARD_DEVIATION,
  ...Object.fromEntries(QUANTILE_COLUMNS.map((name) => [name, TEMPERATURE])),
  at: INSTANT,
  temp_f: TEMPERATURE,
  max_6h_f: TEMPERATURE,
  min_6h_f: TEMPERATURE,
  precip_in: INCHES,
  sky: '(?:CLR|FEW|SCT|BKN|OVC|VV)?',
  status: '(?:preliminary|verified)',
  provider: '(?:[a-z0-9][a-z0-9-]{0,31})?',
  withdrawn: '(?:true|false)?',
};

/** The columns of both distributions, each after its temperature. */
const METRIC_SLOTS: readonly string[] = Object.entries(DISTRIBUTION_COLUMNS).flatMap(
  ([temperature, { sd, quantiles }]) => [temperature, sd, ...quantiles],
);

/** The slots of one temperature. */
const SLOTS = METRIC_SLOTS.length / 2;

const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** The first letter of `verified`; plain lines write it so. */
const V = 118;

/** When a day was observed. */
export interface Observation {
  date: string;
  /** UTC, `YYYY-MM-DDThh:mm` and more. */
  observedAt: string;
}

/** Recognizes the lines of a file that are in plain form. */
export class PlainLines {
  readonly #line: RegExp;
  readonly #stationPosition: number;
  readonly #datePosition: number;
  readonly #observedPosition: number;
  readonly #statusPosition: number;
  readonly #temperaturePositions: readonly number[];
  readonly #withdrawnPosition: number;
  /** The slot of each cell in the values of distributions, -1 for one of other columns; undefined without such columns. */
  readonly #slots: readonly number[] | undefined;
  /** A line's temperature, standard deviation and quantiles, of high and then low, in hundredths of a °F; NaN for none. */
  readonly #values = new Float64Array(METRIC_SLOTS.length).fill(NaN);

  /** The end of the line that was recognized last. */
  end = 0;

  constructor(
    private readonly feed: ValueFeed,
    header: Header,
    private readonly clock: LoadClock,
    private readonly station: (id: string) => StationFact | undefined,
  ) {
    this.#line = plainLine(feed, header, clock);
    this.#stationPosition = header.names.indexOf('station_id');
    this.#datePosition = header.names.indexOf('date');
    this.#observedPosition = header.names.indexOf('observed_at');
    this.#statusPosition = header.names.indexOf('status');
    this.#temperaturePositions = ['high_f', 'low_f'].map((name) => header.names.indexOf(name));
    this.#withdrawnPosition = header.names.indexOf('withdrawn');
    const isOfDistribution = (name: string): boolean => METRIC_SLOTS.indexOf(name) % SLOTS > 0;
    this.#slots = header.names.some(isOfDistribution)
      ? header.names.map((name) => METRIC_SLOTS.indexOf(name))
      : undefined;
  }

  /** The station of the plain line that begins at a place; undefined when rows.ts is to judge the line. */
  stationAt(text: string, at: number): StationFact | undefined {
    this.#line.lastIndex = at;
    if (!this.#line.test(text)) return undefined;
    this.end = this.#line.lastIndex;
    if (this.end - at > LONGEST_LINE) return undefined;
    const station = this.station(plainCell(text, cellAt(text, at, this.#stationPosition)));
    if (station === undefined || station.withdrawn || !this.#hasDistributions(text, at)) return undefined;
    return this.feed === 'observations' && !this.#isOfBegunDay(text, at, station) ? undefined : station;
  }

  /** Whether each distribution of a plain forecast has its temperature, and quantiles that never fall. */
  #hasDistributions(text: string, at: number): boolean {
    const slots = this.#slots;
    if (slots === undefined) return true;
    const values = this.#values;
    let next = at;
    for (const slot of slots) {
      let code = text.charCodeAt(next);
      if (slot < 0) {
        next = text.indexOf(',', next) + 1;
        continue;
      }
      // Digit by digit, because cutting the cells out and parsing them would take as long as all else of a line.
      let number = code > COMMA ? 0 : NaN;
      let scale = code === MINUS ? -100 : 100;
      let divisor = 1;
      for (; code > COMMA; code = text.charCodeAt((next += 1))) {
        if (code === POINT) divisor = 10;
        else if (code !== MINUS) {
          number = 10 * number + code - ZERO;
          scale /= divisor;
        }
      }
      values[slot] = number * scale;
      next += 1;
    }
    for (let first = 0; first < values.length; first += SLOTS) {
      const isThere = !Number.isNaN(values[first]);
      if (!isThere && !Number.isNaN(values[first + 1])) return false;
      let before = -Infinity;
      for (let slot = first + 2; slot < first + SLOTS; slot += 1) {
        const value = values[slot]!;
        if (Number.isNaN(value)) continue;
        if (!isThere || value < before) return false;
        before = value;
      }
    }
    return true;
  }

  /** Whether the day of a plain observation had begun when it was reported: at noon UTC of its date it has begun everywhere. */
  #isOfBegunDay(text: string, at: number, station: StationFact): boolean {
    const date = cellAt(text, at, this.#datePosition);
    const observed = cellAt(text, at, this.#observedPosition);
    let same = 0;
    while (same < 10 && text.charCodeAt(date + same) === text.charCodeAt(observed + same)) same += 1;
    if (same === 10 && twoDigits(text, observed + 11) >= 12) return true;
    if (same < 10 && text.charCodeAt(observed + same) > text.charCodeAt(date + same)) return true;
    return plainCell(text, observed).slice(0, 16) >= this.clock.dayBegin(station, plainCell(text, date));
  }

  /** The temperatures of the plain line of an observation that begins at a place; none where it withdraws them. */
  temperatures(text: string, at: number): string[] {
    if (this.#withdrawnPosition >= 0 && text.startsWith('true', cellAt(text, at, this.#withdrawnPosition)))
      return [];
    return this.#temperaturePositions.map((position) => plainCell(text, cellAt(text, at, position)));
  }

  /**
   * The verified observation of the plain line that begins at a place, if it may have been made before its day was
   * over. Most were made later, as their dates alone show: from 16:00 UTC of the next day on, a day is over everywhere.
   */
  earlyObservation(text: string, at: number): Observation | undefined {
    if (text.charCodeAt(cellAt(text, at, this.#statusPosition)) !== V) return undefined;
    const date = cellAt(text, at, this.#datePosition);
    const observed = cellAt(text, at, this.#observedPosition);
    const days = twoDigits(text, observed + 8) - twoDigits(text, date + 8);
    if (days > 1 || (days === 1 && twoDigits(text, observed + 11) >= 16)) {
      let same = 0; // year and month
      while (same < 7 && text.charCodeAt(date + same) === text.charCodeAt(observed + same)) same += 1;
      if (same === 7) return undefined;
    }
    return { date: plainCell(text, date), observedAt: plainCell(text, observed) };
  }
}

/** The plain form of a line, to be tried at a place (`lastIndex`) of a text of lines. */
export function plainLine(feed: ValueFeed, { names, positions }: Header, clock: LoadClock): RegExp {
  const columns = columnsOf(feed);
  // rows.ts judges what the clock may object to: an expression that takes only what lies before a time costs nothing,
  // where cutting the cell out of every line and comparing it would take a third of the time of a row.
  const past = `(?=${textsBefore(clock.pastBefore)})${INSTANT}`;
  const forms = {
    ...FORMS,
    issued_at: past,
    observed_at: past,
    at: past,
    date: `(?=${textsBefore(clock.overBefore)})${DATE}`,
  };
  const cells = names.map((name, position) => {
    const column = columns[positions.indexOf(position)];
    if (column === undefined) return '[^,"\\x00-\\x1f]*';
    // Temperatures in °C stand under other names, and are converted in rows.ts.
    return (name === column ? forms[column] : undefined) ?? '(?!)';
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
function cellAt(text: string, at: number, position: number): number {
  let begin = at;
  for (let cell = 0; cell < position; cell += 1) begin = text.indexOf(',', begin) + 1;
  return begin;
}

/** The text of the plain cell that begins at a place. */
function plainCell(text: string, begin: number): string {
  let end = begin;
  while (text.charCodeAt(end) > COMMA) end += 1; // separators of cells and lines are below, characters of cells above
  return text.slice(begin, end);
}

/** The number that two digits at a place write. */
function twoDigits(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * 48;
}
