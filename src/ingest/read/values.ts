import { DateTime, IANAZone } from 'luxon';
import { isCalendarDate } from '../../statistics/time/calendar.js';
import { clip, withSingleBlanks } from '../../lib/text.js';
import {
  COLDEST_F,
  FARTHEST_DEGREES,
  FIRST_YEAR,
  FORMS,
  HOTTEST_F,
  LAST_YEAR,
  MAX_DAY_OF,
  MAX_PRECIPITATION_IN,
  WIDEST_SD_F,
} from '../../feeds/forms.js';
import { zoneName } from '../../statistics/time/zone-name.js';

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

/**
 * A temperature in °F at its grain of 0.01, rounded half away from zero (D9); undefined when blank.
 * @throws Rejection when it is not a plain decimal number, or outside -130..140 °F
 */
export function readTemperature(text: string, column: string): number | undefined {
  if (text === '') return undefined;
  const { sign, whole, fraction } = decimal(text, column);
  const farthest = sign === '-' ? -COLDEST_F : HOTTEST_F;
  if (Number(whole) > farthest || (Number(whole) === farthest && /[1-9]/.test(fraction)))
    throw outside(text, column);
  // In decimal digits, as on paper: in binary, 71.235 is a little less than 71.235.
  const hundredths =
    Number(whole + fraction.slice(0, 2).padEnd(2, '0')) + ((fraction[2] ?? '0') >= '5' ? 1 : 0);
  return hundredths === 0 ? 0 : (sign === '-' ? -hundredths : hundredths) / 100;
}

/**
 * A temperature in °C as the nearest 0.01 °F, half away from zero; undefined when blank. Every 0.01 °C comes back as it was
 * when a response converts it again: 0.01 °F are 0.0056 °C (D43).
 * @throws Rejection when it is not a plain decimal number, or outside -130..140 °F, which is -90..60 °C
 */
export function celsius(text: string, column: string): number | undefined {
  if (text === '') return undefined;
  const { sign, whole, fraction } = decimal(text, column);
  if (Number(whole) > -COLDEST_F) throw outside(text, column);
  // In whole numbers: hundredths of a °F are (900 c + 16000) / 5.
  const scale = 10n ** BigInt(fraction.length);
  const digits = BigInt(`${whole}${fraction}`);
  const fifths = (sign === '-' ? -digits : digits) * 900n + 16_000n * scale;
  const size = fifths < 0n ? -fifths : fifths;
  if (fifths > BigInt(HOTTEST_F) * 500n * scale || fifths < BigInt(COLDEST_F) * 500n * scale)
    throw outside(text, column);
  const hundredths = Number((2n * size + 5n * scale) / (10n * scale));
  return hundredths === 0 ? 0 : (fifths < 0n ? -hundredths : hundredths) / 100;
}

/**
 * The standard deviation of a forecast at its grain of 0.01 °F, rounded half up; undefined when blank.
 * @param fifths of a °F in a degree of the column: 5, or 9 of a file in °C
 * @throws Rejection when it is not a plain decimal number, or outside 0..50 °F
 */
export function readStandardDeviation(text: string, column: string, fifths: 5 | 9): number | undefined {
  if (text === '') return undefined;
  const { sign, whole, fraction } = decimal(text, column, 'standard deviation');
  const scale = 5n * 10n ** BigInt(fraction.length);
  const size = BigInt(`${whole}${fraction}`) * BigInt(fifths);
  if ((sign === '-' && size > 0n) || size > BigInt(WIDEST_SD_F) * scale) {
    const limits = fifths === 5 ? `0..${WIDEST_SD_F} °F` : `0..${Math.floor(WIDEST_SD_F / 0.018) / 100} °C`;
    throw new Rejection(`standard deviation outside ${limits}`, `${column}=${quotedCell(text)}`);
  }
  return Number((200n * size + scale) / (2n * scale)) / 100;
}

/**
 * Precipitation of an hour in inches at its grain of 0.01, rounded half up, as text; blank where it is. Below 0.2 mm it is 0 (D68).
 * @throws Rejection when it is not a plain decimal number, or outside 0..50
 */
export const readPrecipitation = (text: string): string =>
  readAmount(text, 'precip_in', MAX_PRECIPITATION_IN);

/**
 * Precipitation of a day likewise, in inches or mm; T, a trace, is 0.
 * @throws Rejection when it is not a plain decimal number, or more than a day can have
 */
export const readDayAmount = (text: string, column: keyof typeof MAX_DAY_OF): string =>
  readAmount(text.toUpperCase() === 'T' ? '0' : text, column, MAX_DAY_OF[column]);

/** A unit of amounts in tenths of mm, and the least amount that is more than a trace: archives write a trace as 0.005 or 0.0001 inch. */
const TENTHS_OF_MM = { precip_in: 254n, precip_mm: 10n } as const;
const MIN_TENTHS = 2n;

/** An amount as hundredths of an inch: the same rain in either unit is one value. */
function readAmount(text: string, column: keyof typeof MAX_DAY_OF, max: number): string {
  if (text === '') return '';
  const { sign, whole, fraction } = decimal(text, column, 'precipitation');
  const scale = 10n ** BigInt(fraction.length);
  const digits = BigInt(`${whole}${fraction}`);
  if ((sign === '-' && digits > 0n) || digits > BigInt(max) * scale) {
    const unit = column === 'precip_in' ? 'inches' : 'mm';
    throw new Rejection(`precipitation outside 0..${max} ${unit}`, `${column}=${quotedCell(text)}`);
  }
  const tenths = digits * TENTHS_OF_MM[column];
  if (tenths < MIN_TENTHS * scale) return '0';
  return `${Number((tenths * 100n + 127n * scale) / (254n * scale)) / 100}`;
}

/** The certain event in each column of chances. */
const CERTAIN = { precip_chance: 100n, precip_probability: 1n } as const;

/**
 * A chance in percent at its grain of 0.01, rounded half up, as text; blank where it is.
 * @throws Rejection when it is not a plain decimal number, or outside 0..100, of a probability 0..1
 */
export function readChance(text: string, column: keyof typeof CERTAIN): string {
  if (text === '') return '';
  const { sign, whole, fraction } = decimal(text, column, 'chance');
  const certain = CERTAIN[column];
  const scale = certain * 10n ** BigInt(fraction.length);
  const digits = BigInt(`${whole}${fraction}`);
  if ((sign === '-' && digits > 0n) || digits > scale) {
    const limits = certain === 1n ? '0..1' : '0..100%';
    throw new Rejection(`chance outside ${limits}`, `${column}=${quotedCell(text)}`);
  }
  return `${Number((digits * 20_000n + scale) / (2n * scale)) / 100}`;
}

/** The digits of a plain decimal number. */
function decimal(
  text: string,
  column: string,
  what = 'temperature',
): { sign: string; whole: string; fraction: string } {
  const [, sign, whole = '', fraction = ''] =
    (text.length <= MAX_NUMBER_LENGTH && /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text)) || [];
  if (sign === undefined || whole + fraction === '')
    throw new Rejection(`${what} is not a number`, `${column}=${quotedCell(text)}`);
  return { sign, whole, fraction };
}

function outside(text: string, column: string): Rejection {
  const limits = column.endsWith('_c') ? '-90..60 °C' : `${COLDEST_F}..${HOTTEST_F} °F`;
  return new Rejection(`temperature outside ${limits}`, `${column}=${quotedCell(text)}`);
}

/** @throws Rejection unless it is a real date, YYYY-MM-DD, in 1970-01-01..2149-06-06 */
export const calendarDate = remembered((text: string): string => {
  if (!isCalendarDate(text)) throw new Rejection('bad date', quotedCell(text));
  return text;
});

/** @throws Rejection unless it is a day of the year, MM-DD, 29 February among them */
export const monthDay = remembered((text: string): string => {
  if (!isCalendarDate(`2000-${text}`))
    throw new Rejection('bad month_day', `${quotedCell(text)} is not ${FORMS.month_day}`);
  return text;
});

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

/** A zone in the letters of its database. @throws Rejection unless the runtime knows it */
export function timeZone(text: string): string {
  // Newer runtimes take an offset such as +05:00 for a zone; it has no rules.
  if (text.length > MAX_TEXT_LENGTH || !/^[A-Za-z]/.test(text) || !IANAZone.isValidZone(text))
    throw new Rejection('unknown time zone', quotedCell(text));
  return zoneName(text);
}

/** @throws Rejection unless it is a number within the bounds */
export function degrees(text: string, column: keyof typeof FARTHEST_DEGREES): number {
  const bound = FARTHEST_DEGREES[column];
  const value = text.length <= MAX_NUMBER_LENGTH ? Number(text) : NaN;
  if (Number.isNaN(value) || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) || Math.abs(value) > bound) {
    throw new Rejection(
      'bad coordinate',
      `${column}=${quotedCell(text)} is not within -${bound}..${bound} degrees`,
    );
  }
  return value;
}

/** A text with one blank for each run of white space. @throws Rejection unless it has the form */
export function matching(cell: string, column: keyof typeof FORMS, form: RegExp): string {
  const isShort = cell.length <= MAX_TEXT_LENGTH;
  const text = isShort ? withSingleBlanks(cell) : cell;
  if (!isShort || !form.test(text))
    throw new Rejection(`bad ${column}`, `${quotedCell(text)} is not ${FORMS[column]}`);
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
