import { DAY_MS, HOUR_MS, formatDate } from '../../../statistics/time/calendar.js';
import { readCells } from '../../feed-cells.js';
import { type FeedLine, GapError, readPart, type UnusablePart } from '../../source.js';
import { isWeekday, type PointBlock, ZONE_HOURS } from './product.js';

// The tables of a point, one of 3 hours a column and one of 6: highs stand under 00Z, lows under 12Z, by the position
// of the characters. Offices with columns at 02Z, 05Z, ... have them under 23Z and 11Z. A table begins at the one of
// 03Z, 09Z, 15Z and 21Z that is nearest to 3 AM or 3 PM, and has them 15 hours later and every 12 hours from there: in
// Hawaii, Samoa and Guam highs stand under 06Z, lows under 18Z. Temperatures are of the hour of their column.

export interface Extreme {
  what: 'high_f' | 'low_f';
  /** The local date of its column. */
  date: string;
  value: number;
}

/** The forecast of an hour, with cells as in the feed; blank where it has no value. */
export interface HourlyValues {
  valid_ms: number;
  cells: FeedLine;
}

/** Rows beside the temperature: whole °F, % and mph, or words of the sky. Gusts stand only where they are high, chances at each 12 hours. */
const ROWS = [
  ['dew_point_f', /^Dewpt(?= |$)/i],
  ['humidity_pct', /^RH(?= |$)/i],
  // The row `Avg clouds` of the second table is a mean of six hours.
  ['cloud_pct', /^Clouds(?= |$)/i],
  ['wind_mph', /^Wind spd(?= |$)/i],
  ['gust_mph', /^Wind gust(?= |$)/i],
  ['precip_chance_12h', /^PoP 12hr(?= |$)/i],
] as const;

/**
 * Whether a row says something of a column. A chance is of the 12 hours that end there. The formatter of the offices cuts a
 * window that has begun, and old columns at 11Z and 23Z may stand for 12Z and 00Z: both are left out.
 */
const isOfColumn = (name: string, valid_ms: number, issued_ms: number): boolean =>
  name !== 'precip_chance_12h' ||
  (valid_ms % (6 * HOUR_MS) === 0 && valid_ms - DAY_MS / 2 >= issued_ms - (issued_ms % HOUR_MS));

/** The middle of what a word stands for, %: by NWS Instruction 10-503 up to 5, 25, 50, 69, 87 and 100; BK was B1 and B2. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ MM: '', CL: '3', FW: '15', SC: '38', B1: '60', B2: '78', BK: '69', OV: '94' },
};

/** All forecasts in the tables of a point. */
interface PointForecasts {
  extremes: Extreme[];
  hours: HourlyValues[];
}

/** Characters of a line: offices write up to 80. Each value of a line is looked for among all columns. */
const MAX_LENGTH = 200;

interface Column {
  /** The place of its hour in the line. */
  begins: number;
  ends: number;
  utc_hour: number;
  local_hour: number;
  /** Days from the local date of the first column. */
  day: number;
}

/** The highs, lows and temperatures of a point's tables; `unusable` says why others cannot be used. */
export function readTables(
  { lines }: PointBlock,
  issued_ms: number,
  unit: string,
  unusable: UnusablePart[],
): PointForecasts {
  const begins = lines.flatMap((line, at) => (/^Date /i.test(line) ? [at] : []));
  if (begins.length !== 2) unusable.push({ unit, reason: `${begins.length} tables instead of 2` });
  const tables = begins.map((begin, at) => {
    const table = lines.slice(begin, begins[at + 1]);
    return readPart(unit, unusable, () => readTable(table, issued_ms, unit, unusable));
  });
  return {
    extremes: tables.flatMap((table) => table?.extremes ?? []),
    hours: tables.flatMap((table) => table?.hours ?? []),
  };
}

/** @throws GapError */
function readTable(
  lines: readonly string[],
  issued_ms: number,
  unit: string,
  unusable: UnusablePart[],
): PointForecasts {
  const [dates = ''] = lines;
  const longest = lines.reduce((max, { length }) => Math.max(max, length), 0);
  if (longest > MAX_LENGTH) throw new GapError(`a line of ${longest} characters`);
  const hours = lines.filter((line) => /^[A-Z]{3,4} [36]hrly /i.test(line));
  const utc = hours.find((line) => /^UTC /i.test(line));
  const local = hours.find((line) => line !== utc);
  if (utc === undefined || local === undefined || hours.length !== 2) {
    throw new GapError('no rows of UTC and local hours');
  }
  const step = Number(/[36](?=hrly)/i.exec(utc)?.[0]);
  const [zone = ''] = local.split(' ');
  const ahead = ZONE_HOURS[zone.toUpperCase()];
  if (ahead === undefined) throw new GapError(`unknown zone ${zone}`);
  const columns = getColumns(utc, local, step, ahead);
  const first_day = firstDay(dates, columns, issued_ms);
  const first_ms = first_day * DAY_MS + ((columns[0]?.local_hour ?? NaN) - ahead) * HOUR_MS;
  // The first part may begin before the issuance, at the last turn of the office's forecast.
  const days = (first_ms - issued_ms) / DAY_MS;
  if (!(step === 3 ? Math.abs(days) < 1 : days > 0 && days < 6)) {
    throw new GapError(`its ${step}-hourly columns begin at ${new Date(first_ms).toISOString()}`);
  }
  const rows = lines.filter((line) => /^(Min\/Max|Max\/Min)( |$)/i.test(line));
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new GapError('not one row of minima and maxima');
  const begins_ms = first_day * DAY_MS - ahead * HOUR_MS;
  const [temperatures] = lines.filter((line) => /^Temp( |$)/i.test(line));
  return {
    extremes: findExtremes(row, columns, first_day, unit, unusable),
    hours:
      readPart(unit, unusable, () =>
        findHours(temperatures ?? '', lines, columns, begins_ms, issued_ms, unit, unusable),
      ) ?? [],
  };
}

/**
 * The values of the columns that have a temperature; none without a row of them.
 * @param begins_ms the start of the local date of the first column
 * @throws GapError
 */
function findHours(
  row: string,
  lines: readonly string[],
  columns: readonly Column[],
  begins_ms: number,
  issued_ms: number,
  unit: string,
  unusable: UnusablePart[],
): HourlyValues[] {
  const others = ROWS.map(([name, label]) => {
    const cells = readPart(unit, unusable, () => findCells(lines, label, columns)) ?? [];
    return [name, new Map(cells.map((cell) => [cell.column, WORDS[cell.text] ?? cell.text]))] as const;
  });
  return findCells([row], /^\S+/, columns).flatMap(({ text, column }) => {
    if (column !== undefined && isDegrees(text)) {
      const valid_ms = begins_ms + column.day * DAY_MS + column.local_hour * HOUR_MS;
      const values = Object.fromEntries(
        others.map(([name, texts]) => [
          name,
          isOfColumn(name, valid_ms, issued_ms) ? (texts.get(column) ?? '') : '',
        ]),
      );
      const cells = readCells(values, (value) => value === '', unit, unusable);
      return [{ valid_ms, cells: { temp_f: `${Number(text)}`, ...cells } }];
    }
    const reason = column === undefined ? 'is not under an hour' : 'is not a temperature';
    if (text !== 'MM') unusable.push({ unit, reason: `${text} ${reason}` });
    return [];
  });
}

/** A value of a row, and the column under which it stands. */
interface Cell {
  text: string;
  column: Column | undefined;
}

/** The values of the first row of a label. @throws GapError where it is longer than the rows of hours */
function findCells(lines: readonly string[], label: RegExp, columns: readonly Column[]): Cell[] {
  const row = lines.find((line) => label.test(line)) ?? '';
  if (row.trimEnd().length > getWidth(columns))
    throw new GapError(`its row of ${label.exec(row)?.[0]} is longer than its rows of hours`);
  const columnAt = (ends: number): Column | undefined => columns.find((column) => column.ends === ends);
  return tokens(row, label).flatMap(({ text, begins, ends }) => {
    // Values of three characters touch those before them: 93100 is 93 and 100.
    const number = Math.ceil(text.length / 3);
    const parts = Array.from({ length: number }, (_, at): Cell => {
      const end = ends - 3 * (number - 1 - at);
      return { text: row.slice(Math.max(begins, end - 3), end), column: columnAt(end) };
    });
    return parts.every(({ column }) => column !== undefined) ? parts : [{ text, column: columnAt(ends) }];
  });
}

const getWidth = (columns: readonly Column[]): number => columns.at(-1)?.ends ?? NaN;

/** Whether a text is a temperature in whole °F. */
const isDegrees = (text: string): boolean => /^-?\d{1,3}$/.test(text) && Math.abs(Number(text)) <= 150;

/** @throws GapError */
function getColumns(utc: string, local: string, step: number, ahead: number): Column[] {
  const [utcHours, localHours] = [utc, local].map((line) => tokens(line, /^\S+ \S+/));
  const columns: Column[] = [];
  for (const [at, { text, begins, ends }] of (utcHours ?? []).entries()) {
    const below = localHours?.[at];
    const utc_hour = Number(text);
    const local_hour = Number(below?.text);
    const before = columns.at(-1);
    const isColumn =
      [text, below?.text ?? ''].every((hour) => /^([01]\d|2[0-3])$/.test(hour)) &&
      below?.ends === ends &&
      (utc_hour + ahead + 48 - local_hour) % 24 === 0 &&
      (before === undefined || (utc_hour + 24 - before.utc_hour) % 24 === step);
    if (!isColumn) throw new GapError('its rows of hours do not fit one another');
    const day = (before?.day ?? 0) + (before !== undefined && local_hour < before.local_hour ? 1 : 0);
    columns.push({ begins, ends, utc_hour, local_hour, day });
  }
  if (columns.length === 0 || columns.length !== localHours?.length) {
    throw new GapError('its rows of hours do not fit one another');
  }
  return columns;
}

/**
 * The day of the first column, since 1970. It may have no label itself, where there is no room for one; each label says
 * the date of the column that it begins over, and all must agree.
 * @throws GapError
 */
function firstDay(dates: string, columns: readonly Column[], issued_ms: number): number {
  const labels = [...dates.matchAll(/(?:([A-Z]{3}) )?\b(\d\d)\/(\d\d)(?:\/(\d\d))?(?=\s|$)/gi)];
  const days = labels.map(({ index, 1: weekday, 2: month, 3: date, 4: year }) => {
    const label_ms = nearestTo(issued_ms, Number(month), Number(date), year);
    const column = columns.findLast(({ begins }) => begins <= index);
    if (column === undefined || (weekday !== undefined && !isWeekday(label_ms, weekday))) return NaN;
    return label_ms / DAY_MS - column.day;
  });
  const [first = NaN] = days;
  if (!days.every((day) => day === first) || Number.isNaN(first)) {
    throw new GapError('its dates do not fit its hours');
  }
  return first;
}

/** A date of two digits each; without a year, in that of the date nearest to the issuance. */
function nearestTo(issued_ms: number, month: number, date: number, year: string | undefined): number {
  const issued = new Date(issued_ms).getUTCFullYear();
  const years = year === undefined ? [issued - 1, issued, issued + 1] : [2000 + Number(year)];
  const days = years
    .map((one) => Date.UTC(one, month - 1, date))
    .filter((ms) => new Date(ms).getUTCDate() === date && new Date(ms).getUTCMonth() === month - 1)
    .sort((a, b) => Math.abs(a - issued_ms) - Math.abs(b - issued_ms));
  return days[0] ?? NaN;
}

/** @throws GapError */
function findExtremes(
  row: string,
  columns: readonly Column[],
  first_day: number,
  unit: string,
  unusable: UnusablePart[],
): Extreme[] {
  const width = getWidth(columns);
  // A row that lost or gained characters has its values in other columns: none of them is used.
  if (row.length < width || row.trimEnd().length > width) {
    throw new GapError('its row of minima and maxima is not as long as its rows of hours');
  }
  const extremes: Extreme[] = [];
  const first = /^min/i.test(row) ? 'low_f' : 'high_f';
  for (const [at, { text, ends }] of tokens(row, /^\S+/).entries()) {
    const column = columns.find((one) => one.ends === ends);
    const what = column && getExtreme(column);
    if (at === 0 && what !== undefined && what !== first) {
      throw new GapError(`${text} is the first of ${row.slice(0, 7)}, but under ${column?.utc_hour}Z`);
    }
    if (column === undefined || what === undefined)
      unusable.push({ unit, reason: `${text} is not under a minimum or maximum` });
    else if (isDegrees(text)) {
      extremes.push({ what, date: formatDate(first_day + column.day), value: Number(text) });
    } else if (text !== 'MM') unusable.push({ unit, reason: `${text} is not a temperature` });
  }
  return extremes;
}

const HIGHS_AT = [23, 0, 6];
const LOWS_AT = [11, 12, 18];

/** The extreme in a column; undefined too where its hour is not of an afternoon or a night. */
function getExtreme({ utc_hour, local_hour }: Column): Extreme['what'] | undefined {
  if (HIGHS_AT.includes(utc_hour) && local_hour >= 13 && local_hour <= 20) return 'high_f';
  if (LOWS_AT.includes(utc_hour) && local_hour >= 1 && local_hour <= 9) return 'low_f';
  return undefined;
}

/** The words of a line after its label, and where they stand. */
function tokens(line: string, label: RegExp): { text: string; begins: number; ends: number }[] {
  const values = line.replace(label, (name) => ' '.repeat(name.length));
  return [...values.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    begins: index,
    ends: index + text.length,
  }));
}
