import { DateTime } from 'luxon';
import { isCalendarDate } from '../statistics/time/calendar.js';
import { clip, withSingleBlanks } from '../lib/text.js';
import { isZone, zoneName } from '../statistics/time/zone-name.js';

/**
 * Characters of a number, of a time and of a text with its blanks. No value has more, so a longer cell is refused before any
 * pattern reads it: a cell may fill its line, which is 64,000 characters.
 */
const [MAX_NUMBER_LENGTH, MAX_TIME_LENGTH, MAX_TEXT_LENGTH] = [30, 40, 1000];

/** Why a row is rejected or is suspect. */
export interface Reason {
  /** One of a few, for counting. */
  reason: string;
  /** The value that was found. */
  detail: string;
}

/** Why a row cannot be used: `detail` quotes the cell. */
export class Rejection extends Error implements Reason {
  constructor(
    readonly reason: string,
    readonly detail: string,
  ) {
    super(detail === '' ? reason : `${reason}: ${detail}`);
  }
}

/** How the numbers of a column are read. */
export interface NumberForm {
  /** As messages have it. */
  what: string;
  /** The unit of the file; 1 is a share. */
  unit: string;
  limits: { lowest: number; highest: number };
  /** Hundredths of it, times `times`, by `over`, plus `zero`, are hundredths of the unit that is kept. */
  scale: { times: number; over: number; zero: number };
  /** Less than the unit that is kept by this is 0. */
  minOver?: number | undefined;
  /** A text that is 0 as well, in capitals. */
  trace?: string | undefined;
}

/** Limits as texts have them: 0..50 °F, 0..100%, 0..1. */
export function formatRange({
  limits: { lowest, highest },
  unit,
}: Pick<NumberForm, 'limits' | 'unit'>): string {
  const symbol = unit === '1' ? '' : unit === '%' ? unit : ` ${unit}`;
  return `${lowest}..${highest}${symbol}`;
}

/**
 * A number at its grain of 0.01 in the unit that is kept, rounded half away from zero (D9), as text; blank where it is. Every
 * 0.01 °C comes back as it was when a response converts it again: 0.01 °F are 0.0056 °C (D43).
 * @throws Rejection when it is not a plain decimal number, or outside its limits
 */
export function readNumber(text: string, column: string, form: NumberForm): string {
  if (text === '') return '';
  const { what, limits, scale, minOver, trace } = form;
  const written = trace !== undefined && text.toUpperCase() === trace ? '0' : text;
  const [, sign, whole = '', fraction = ''] =
    (written.length <= MAX_NUMBER_LENGTH && /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(written)) || [];
  if (sign === undefined || whole + fraction === '')
    throw new Rejection(`${what} is not a number`, `${column}=${quotedCell(text)}`);
  // In whole numbers, as on paper: in binary, 71.235 is a little less than 71.235.
  const power = 10n ** BigInt(fraction.length);
  const hundredths = 100n * BigInt(`${sign}${whole}${fraction}`);
  const toHundredths = (limit: number): bigint => BigInt(Math.round(100 * limit)) * power;
  if (hundredths < toHundredths(limits.lowest) || hundredths > toHundredths(limits.highest))
    throw new Rejection(`${what} outside ${formatRange(form)}`, `${column}=${quotedCell(text)}`);
  const base = BigInt(scale.over) * power;
  const kept = hundredths * BigInt(scale.times) + BigInt(scale.zero) * base;
  const size = kept < 0n ? -kept : kept;
  if (minOver !== undefined && size * BigInt(minOver) < 100n * base) return '0';
  const rounded = Number((2n * size + base) / (2n * base));
  return `${rounded === 0 ? 0 : (kept < 0n ? -rounded : rounded) / 100}`;
}

/** @throws Rejection unless it is a real date, YYYY-MM-DD, in 1970-01-01..2149-06-06 */
export const calendarDate = remembered((text: string): string => {
  if (!isCalendarDate(text)) throw new Rejection('bad date', quotedCell(text));
  return text;
});

export const MONTH_DAY = 'a day, MM-DD';

/** @throws Rejection unless it is a day of the year, 29 February among them */
export const monthDay = remembered((text: string): string => {
  if (!isCalendarDate(`2000-${text}`))
    throw new Rejection('bad month_day', `${quotedCell(text)} is not ${MONTH_DAY}`);
  return text;
});

/** The years of an instant. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2149];

export const INSTANT = `ISO 8601 with an offset or Z, within ${FIRST_YEAR}..${LAST_YEAR}`;

/**
 * An instant as `YYYY-MM-DD hh:mm:ss.sss` in UTC, from ISO 8601 with an offset or Z.
 * @throws Rejection when it has another form, no offset, or is not within 1970..2149
 */
export const instant = remembered((text: string): string => {
  const isShort = text.length <= MAX_TIME_LENGTH;
  const usual = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)Z$/;
  const [, date = '', time = ''] = (isShort && usual.exec(text)) || [];
  if (isCalendarDate(date)) return `${date} ${time.padEnd(8, ':00')}.000`; // nearly all; the rest takes 5 µs
  const iso =
    isShort &&
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$/i.test(text);
  const parsed = DateTime.fromISO(iso ? text.replace(' ', 'T').toUpperCase() : '', { zone: 'utc' });
  if (!parsed.isValid)
    throw new Rejection('bad time', `${quotedCell(text)} is not ISO 8601 with an offset or Z`);
  if (parsed.year < FIRST_YEAR || parsed.year > LAST_YEAR)
    throw new Rejection('bad time', `${quotedCell(text)} is not within ${FIRST_YEAR}..${LAST_YEAR}`);
  return parsed.toFormat('yyyy-MM-dd HH:mm:ss.SSS');
});

/** An instant likewise. @throws Rejection unless it is a full hour */
export const fullHour = remembered((text: string): string => {
  const read = instant(text);
  if (!read.endsWith(':00:00.000'))
    throw new Rejection('invalid valid_at', `${shortCell(text)} is not a full hour, UTC`);
  return read;
});

/** A zone in the letters of its database. @throws Rejection unless the runtime knows it */
export function timeZone(text: string): string {
  if (text.length > MAX_TEXT_LENGTH || !isZone(text))
    throw new Rejection('unknown time zone', quotedCell(text));
  return zoneName(text);
}

/** @throws Rejection unless it is a number, at most so far from 0 */
export function degrees(text: string, column: string, bound: number): number {
  const value = text.length <= MAX_NUMBER_LENGTH ? Number(text) : NaN;
  if (Number.isNaN(value) || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) || Math.abs(value) > bound) {
    throw new Rejection(
      'bad coordinate',
      `${column}=${quotedCell(text)} is not within -${bound}..${bound} degrees`,
    );
  }
  return value;
}

/** A text with one blank for each run of white space. @param form in words. @throws Rejection unless it has the form */
export function matching(cell: string, column: string, form: string, pattern: RegExp): string {
  const isShort = cell.length <= MAX_TEXT_LENGTH;
  const text = isShort ? withSingleBlanks(cell) : cell;
  if (!isShort || !pattern.test(text))
    throw new Rejection(`bad ${column}`, `${quotedCell(text)} is not ${form}`);
  return text;
}

/** A text of a feed, short enough for a line of a report and without control characters. */
export const shortCell = (text: string): string => clip(text, 40).replace(/\p{Cc}/gu, '?');

const quotedCell = (text: string): string => `"${shortCell(text)}"`;

/**
 * Reads few cells: feeds repeat them very often, and to read a time takes 5 µs. Remembers 50,000 of a kind at most, and looks at
 * the latest first: rows that follow each other often have one date or provider.
 */
export function remembered<Value>(
  read: (text: string, column: string) => Value,
): (text: string, column?: string) => Value {
  const known = new Map<string, Value>();
  let latest: string | undefined;
  let latestValue: Value | undefined;
  return (text, column = '') => {
    if (text === latest) return latestValue as Value;
    let value = known.get(text);
    if (value === undefined) {
      // A cell may be a part of its line, and would keep all of it. A copy in one piece is found in a third of the time of a slice.
      const kept = Buffer.from(text).toString();
      value = read(kept, column);
      if (known.size >= 50_000) known.clear();
      known.set(kept, value);
    }
    latest = text;
    latestValue = value;
    return value;
  };
}
