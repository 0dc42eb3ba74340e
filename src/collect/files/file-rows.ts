import { DateTime } from 'luxon';
import { HOUR_MS, isCalendarDate } from '../../statistics/time/calendar.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { readCells, toCell } from '../feed-cells.js';
import { plainText } from '../plain-text.js';
import { type FeedLine, GapError, isHourKept, type Need, readPart, type UnusablePart } from '../source.js';
import type { Cell } from './answers.js';
import { type HourRow, statusOf } from './days.js';
import { dayFeedOf, KEYS, type SourceFile } from './source-file.js';

// The rows of a place, as its source file computes them, as rows of a feed. Rows of one time are joined: a response may have a list
// for each of its values.

const NAIVE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const ZONED = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)$/i;
/** Columns that are no values: a row of these alone says nothing. */
const MARKS = ['status', 'observed_at', 'precip_hours', 'member'];
/** Clocks of hosts may be ahead. */
const MAX_AHEAD_MS = HOUR_MS / 2;

/** Reads the times of a response. */
class TimeReader {
  readonly #counts = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #isBackwards: boolean;

  /** @param column a time that clocks show twice is there twice, in order, or is not read */
  constructor(
    private readonly zone: string | undefined,
    column: readonly Cell[] = [],
  ) {
    for (const cell of column) this.#counts.set(`${cell}`, (this.#counts.get(`${cell}`) ?? 0) + 1);
    this.#isBackwards = `${column[0]}` > `${column.at(-1)}`;
  }

  /** Unix ms. @throws GapError */
  read(cell: Cell | undefined, column: string): number {
    const text = `${cell ?? ''}`.trim();
    const fail = (reason: string): never => {
      throw new GapError(`${column}: ${plainText(text, 40) || 'nothing'} ${reason}`);
    };
    const [, date = '', time = '', offset = ''] = ZONED.exec(text) ?? [];
    const zoned = Date.parse(`${date}T${time}${offset.toUpperCase().replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`);
    if (isCalendarDate(date) && !Number.isNaN(zoned)) return zoned;
    if (!NAIVE.test(text) || !isCalendarDate(text.slice(0, 10))) fail('is no time');
    if (this.zone === undefined) fail('has no zone; give zone');
    const iso = text.replace(' ', 'T');
    if (this.zone === 'UTC' && !Number.isNaN(Date.parse(`${iso}Z`))) return Date.parse(`${iso}Z`);
    const local = DateTime.fromISO(iso, { zone: this.zone });
    // In the hour that clocks leave out, luxon gives a time that they show.
    if (!local.isValid || local.toFormat('HH:mm') !== iso.slice(11, 16)) fail(`is no time in ${this.zone}`);
    const [earlier = NaN, later] = local
      .getPossibleOffsets()
      .map((one) => one.toMillis())
      .sort((a, b) => a - b);
    if (later === undefined) return earlier;
    if (this.#counts.get(`${cell}`) !== 2) fail(`comes twice in ${this.zone}, and not here`);
    const isLater = this.#seen.has(text) !== this.#isBackwards;
    this.#seen.add(text);
    return isLater ? later : earlier;
  }
}

/** The times of a row: its key, and whether its feed takes it. */
interface RowTimes {
  key: FeedLine;
  /** Unix ms; of rows of hours. */
  at_ms: number;
  isKept: boolean;
}

/** The lines of a place that its feed takes, and all its hours for days that are made of them. */
export function readPlaceRows(
  file: SourceFile,
  need: Need,
  rows: readonly (readonly Cell[])[],
  request: { requested_ms: number; isSpan: boolean },
  unusable: UnusablePart[],
): { lines: FeedLine[]; hours: HourRow[] } {
  const { station_id, timezone } = need.place;
  const columns = Object.keys(file.columns);
  const dayColumns = Object.keys(file.days);
  const zone = file.zone === 'station' ? timezone : file.zone;
  const keys: readonly string[] = KEYS[file.kind];
  const validAt = columns.indexOf(keys.at(-1) ?? '');
  const readers = {
    valid: new TimeReader(
      zone,
      rows.map((row) => row[validAt] ?? null),
    ),
    other: new TimeReader(zone),
  };
  const isMissing = (cell: unknown): boolean =>
    cell === null || cell === '' || file.missing.includes(cell as string);
  const lines = new Map<string, Record<string, string>>();
  const contradicted = new Set<string>();
  const hours: HourRow[] = [];
  for (const row of rows) {
    const cells = Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]));
    const times = readPart(station_id, unusable, () => readTimes(file, need, cells, readers, request));
    if (times === undefined) continue;
    const { key, at_ms, isKept } = times;
    const values = dayColumns.map((column, at) => {
      const cell = row[columns.length + at] ?? null;
      return isMissing(cell) || toCell(column, cell) === undefined ? null : Number(cell);
    });
    hours.push({ at_ms, issued_at: key.issued_at ?? '', values });
    if (!isKept) continue;
    const unit = Object.values(key).slice(0, 3).join(' ').replaceAll(':00.000Z', 'Z');
    const others = Object.fromEntries(Object.entries(cells).filter(([column]) => !(column in key)));
    const line = readCells(others, isMissing, unit, unusable);
    const known: Record<string, string> = lines.get(unit) ?? { ...line, ...key };
    for (const [column, cell] of Object.entries(line)) {
      const isOther = cell !== '' && known[column] !== '' && known[column] !== cell;
      if (isOther) unusable.push({ unit, reason: `has two values of ${column}` });
      if (isOther) contradicted.add(`${unit} ${column}`);
      if (contradicted.has(`${unit} ${column}`)) known[column] = '';
      else if (cell !== '') known[column] = cell;
    }
    lines.set(unit, known);
  }
  const measured = columns.filter((column) => ![...keys, ...MARKS].includes(column));
  const isSaying = (line: FeedLine): boolean => measured.some((column) => line[column] !== '');
  return { lines: [...lines.values()].filter(isSaying), hours };
}

/** @throws GapError */
function readTimes(
  file: SourceFile,
  { place, span }: Need,
  cells: Readonly<Record<string, Cell>>,
  readers: { valid: TimeReader; other: TimeReader },
  { requested_ms, isSpan }: { requested_ms: number; isSpan: boolean },
): RowTimes {
  const { kind } = file;
  const { station_id, timezone, day_boundary } = place;
  const valid = KEYS[kind].at(-1) ?? 'at';
  const isForecast = dayFeedOf(kind) === 'forecasts';
  const issued_ms = isForecast ? readers.other.read(cells.issued_at, 'issued_at') : NaN;
  if (issued_ms > requested_ms + MAX_AHEAD_MS) throw new GapError('issued later than it was requested');
  const issued = isForecast && {
    issued_at: new Date(issued_ms).toISOString(),
    provider: file.provider ?? file.name,
  };
  if (valid === 'target_date' || valid === 'date') {
    const date = `${cells[valid] ?? ''}`;
    if (!isCalendarDate(date)) throw new GapError(`${valid}: ${plainText(date, 40) || 'nothing'} is no date`);
    if (issued) return { key: { station_id, target_date: date, ...issued }, at_ms: NaN, isKept: true };
    const { begins_ms, ends_ms } = localDay(date, timezone, day_boundary);
    const { status = null, observed_at = null } = cells;
    const observed: FeedLine =
      observed_at === null
        ? {}
        : { observed_at: new Date(readers.other.read(observed_at, 'observed_at')).toISOString() };
    const key = {
      station_id,
      date,
      ...statusOf(file, ends_ms, requested_ms),
      ...observed,
      ...(status !== null && { status: `${status}` }),
    };
    return { key, at_ms: NaN, isKept: status === null ? ends_ms <= requested_ms : begins_ms <= requested_ms };
  }
  const at_ms = readers.valid.read(cells[valid], valid);
  const at = new Date(at_ms).toISOString();
  if (issued) {
    if (at_ms % HOUR_MS !== 0) throw new GapError(`valid_at: ${at} is no full hour`);
    return { key: { station_id, valid_at: at, ...issued }, at_ms, isKept: isHourKept(issued_ms, at_ms) };
  }
  const isWithin = !isSpan || (at_ms >= span.from_ms && at_ms < span.to_ms);
  return { key: { station_id, at }, at_ms, isKept: isWithin && at_ms <= requested_ms };
}
