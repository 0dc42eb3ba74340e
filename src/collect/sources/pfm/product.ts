import { HOUR_MS } from '../../../statistics/time/calendar.js';
import { GapError, readPart, type UnusablePart } from '../../source.js';
import { plainText } from '../../plain-text.js';

// Products of Point Forecast Matrices (PFM) as the archive of the Iowa Environmental Mesonet gives them: each between
// \001 and \003, headed by its WMO line (`FOUS51 KOKX 051901 CCA`), with one block for each point.

/** The block of a product for one point. */
export interface PointBlock {
  name: string;
  latitude: number;
  longitude: number;
  lines: string[];
}

export interface Product {
  /** The WMO line, by which the report names it. */
  heading: string;
  issued_ms: number;
  points: PointBlock[];
}

interface Products {
  products: Product[];
  unusable: UnusablePart[];
  /** The response ends within a product: more may follow that is not there. */
  isCut: boolean;
}

const LATEST_HEADER_MS = 15 * 60_000;

/** Hours from UTC of the zones that offices write. */
export const ZONE_HOURS: Readonly<Record<string, number>> = {
  AST: -4,
  EDT: -4,
  EST: -5,
  CDT: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
  AKDT: -8,
  AKST: -9,
  HST: -10,
  SST: -11,
  CHST: 10,
};

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether a date has this day of the week, in three letters. */
export const isWeekday = (ms: number, name: string): boolean =>
  WEEKDAYS[new Date(ms).getUTCDay()] === name.toLowerCase();

/**
 * The products of a response, in its order.
 * @param pil such as PFMOKX
 */
export function readProducts(body: string, pil: string): Products {
  const [before = '', ...pieces] = body.replaceAll('\r', '').split('\u0001');
  const unusable: UnusablePart[] = [];
  if (before.trim() !== '')
    unusable.push({ unit: pil, reason: `text before the first product: ${plainText(before, 60)}` });
  const products = pieces.flatMap((piece) => {
    const [, heading] = HEADER.exec(piece) ?? [];
    const unit = heading === undefined ? pil : `${pil} ${heading}`;
    return readPart(unit, unusable, () => product(piece, pil, unusable)) ?? [];
  });
  return { products, unusable, isCut: pieces.at(-1)?.includes('\u0003') === false };
}

const HEADER = /^([A-Z]{4}\d{2} [A-Z]{4} (\d{2})(\d{2})(\d{2})(?: [A-Z]{3})?) *$/m;

/** @throws GapError */
function product(piece: string, pil: string, unusable: UnusablePart[]): Product {
  const [text = '', ...after] = piece.split('\u0003');
  if (after.length === 0) throw new GapError('the product is cut off');
  if (after.join('').trim() !== '')
    throw new GapError(`text after the product: ${plainText(after.join(''), 60)}`);
  const headers = [...text.matchAll(new RegExp(HEADER, 'gm'))];
  const [header] = headers;
  if (header === undefined) throw new GapError(`no WMO header: ${plainText(text, 60)}`);
  if (headers.length > 1) throw new GapError('two WMO headers in one product');
  const lines = text.slice(header.index).split('\n');
  const name = lines[1]?.trim();
  if (name !== pil) throw new GapError(`is ${plainText(name ?? '', 60)} and not ${pil}`);
  const { points, issues } = pointBlocks(lines);
  const heading = header[1] ?? '';
  const issued_ms = issuedAt(header, lines);
  unusable.push(...issues.map((reason) => ({ unit: `${pil} ${heading}`, reason })));
  return { heading, issued_ms, points };
}

/** When it was issued: day, hour and minute from the header, year and month from the first line in local time. */
function issuedAt([, heading = '', day, hour, minute]: RegExpExecArray, lines: readonly string[]): number {
  const line = lines.find((text) => LOCAL_TIME.test(text));
  if (line === undefined) throw new GapError('no line with the local time of issuance');
  const local_ms = localTime(line);
  const local = new Date(local_ms);
  const near = [-1, 0, 1]
    .map((months) => Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, Number(day)))
    .filter((date_ms) => new Date(date_ms).getUTCDate() === Number(day))
    .map((date_ms) => date_ms + Number(hour) * HOUR_MS + Number(minute) * 60_000)
    .sort((a, b) => Math.abs(a - local_ms) - Math.abs(b - local_ms));
  const [issued_ms = NaN] = near;
  const isTime = Number(hour) < 24 && Number(minute) < 60;
  if (!isTime || !(issued_ms >= local_ms && issued_ms <= local_ms + LATEST_HEADER_MS)) {
    throw new GapError(`header ${heading} is not within 15 minutes after ${line.trim()}`);
  }
  return issued_ms;
}

/** `301 PM EDT Mon Oct 5 2026`; an office in two zones writes `/201 PM CDT/` after the first. */
const LOCAL_TIME =
  /^(\d{1,2})(\d{2}) ([AP])M ([A-Z]{3,4})(?: \/[^/]*\/)? ([A-Z]{3}) ([A-Z]{3}) (\d{1,2}) (\d{4}) *$/i;

/** @throws GapError */
function localTime(line: string): number {
  const [, hour, minute, half, zone = '', weekday = '', month = '', day, year] = LOCAL_TIME.exec(line) ?? [];
  const date_ms = Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
  const hours = ZONE_HOURS[zone.toUpperCase()];
  const isClock = Number(hour) >= 1 && Number(hour) <= 12 && Number(minute) < 60;
  if (hours === undefined || !isClock || !isWeekday(date_ms, weekday)) {
    throw new GapError(`no local time: ${plainText(line, 60)}`);
  }
  const afternoon = half?.toUpperCase() === 'P' ? 12 : 0;
  return date_ms + ((Number(hour) % 12) + afternoon - hours) * HOUR_MS + Number(minute) * 60_000;
}

/** `40.78N  73.97W Elev. 16 ft` */
const LOCATION = /^(\d{1,2}\.\d{2})([NS]) +(\d{1,3}\.\d{2})([EW])(?= |$)/i;

/** The blocks of the points, each of which ends with `$$`, and what is wrong with others. */
function pointBlocks(lines: readonly string[]): { points: PointBlock[]; issues: string[] } {
  const points: PointBlock[] = [];
  const issues: string[] = [];
  const ends = lines.flatMap((line, at) => (line.trim() === '$$' ? [at] : []));
  for (const [at, end] of [...ends, lines.length].entries()) {
    const block = lines.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end);
    const rows = block.flatMap((text, row) => (LOCATION.test(text) ? [row] : []));
    const [row = 0] = rows;
    const name = block[row - 1]?.trim() ?? '';
    if (rows.length === 0 && !block.some((line) => /hrly /i.test(line))) continue;
    if (end === lines.length) issues.push(`the block of ${name} has no end`);
    // Where a block has two points, such as when its end is lost, nobody can tell whose numbers they are.
    else if (rows.length !== 1) issues.push(`a block has ${rows.length} points: ${plainText(name, 60)}`);
    else points.push({ name, ...coordinates(block[row] ?? ''), lines: block.slice(row + 1) });
  }
  return { points, issues };
}

function coordinates(line: string): { latitude: number; longitude: number } {
  const [, north, side, east, half] = LOCATION.exec(line) ?? [];
  return {
    latitude: Number(north) * (side?.toUpperCase() === 'S' ? -1 : 1),
    longitude: Number(east) * (half?.toUpperCase() === 'W' ? -1 : 1),
  };
}
