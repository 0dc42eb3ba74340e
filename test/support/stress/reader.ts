import { parse } from 'csv-parse/sync';
import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { FeedName } from '../../../src/feeds/feeds.js';
import { LINE_COLUMNS } from '../ingest/feeds.js';

// A plain reader of feed files, apart from the loader's: it reads a whole file at once and says of each line, by docs/feeds.md,
// whether it must go in, must be rejected, or may be either: of a strange way to write a value it has no say.

/** Characters. Little of a longer line is read, so that nobody knows whether it is blank. */
const LONGEST_LINE = 65_536;

export type Verdict = 'good' | 'bad' | 'either';

export interface ReadLine {
  /** From 1, the header is one of them. */
  line: number;
  verdict: Verdict;
  /** The key and the value of each fact of a good line. */
  facts: [key: string, value: number][];
}

/** The lines of a file that are not blank, without the header; nothing when the file cannot be read at all. */
export function readPlainly(
  feed: Exclude<FeedName, 'normals' | 'hours' | 'hourly_forecasts'>,
  bytes: Buffer,
  isPacked: boolean,
  stations: ReadonlySet<string>,
  originals: ReadonlySet<string>,
): ReadLine[] | undefined {
  let unpacked: Buffer;
  try {
    unpacked = isPacked ? gunzipSync(bytes) : bytes;
  } catch {
    return undefined;
  }
  if (!linesOf(unpacked).every(isText)) return undefined;
  const lines = unpacked.toString('utf8').split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const header = first === -1 ? undefined : cellsOf((lines[first] ?? '').replace(/^\uFEFF/, ''));
  if (header === undefined) return undefined;
  const names = header.map((name) => name.toLowerCase());
  const columns: readonly string[] = LINE_COLUMNS[feed];
  if (columns.some((column) => names.filter((name) => name === column).length !== 1)) return undefined;
  const plainHeader = names.join() === columns.join();

  return lines.slice(first + 1).flatMap((text, index): ReadLine[] => {
    if (text.length <= LONGEST_LINE && text.trim() === '') return [];
    const line = first + 2 + index;
    // A line of a station as it was written.
    const original = plainHeader && originals.has(text.replace(/\r$/, ''));
    if (original && feed === 'stations') return [{ line, verdict: 'good', facts: [] }];
    if (text.length > LONGEST_LINE) return [{ line, verdict: 'bad', facts: [] }];
    const cells = cellsOf(text.replace(/\r$/, ''));
    if (cells === undefined) return [{ line, verdict: 'bad', facts: [] }];
    if (!isPlain(text)) return [{ line, verdict: 'either', facts: [] }];
    if (cells.slice(names.length).some((cell) => cell !== '')) return [{ line, verdict: 'bad', facts: [] }];
    const values = columns.map((column) => cells[names.indexOf(column)]);
    if (values.some((value) => value === undefined)) return [{ line, verdict: 'bad', facts: [] }];
    const row = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']));
    const judged = feed === 'stations' ? stationLine(row) : valueLine(feed, row, stations);
    return [{ line, ...judged }];
  });
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += lines.at(-1)?.length ?? 0) {
    const end = bytes.indexOf('\n', at);
    lines.push(bytes.subarray(at, end === -1 ? bytes.length : end + 1));
  }
  return lines;
}

/** The beginning counts of a line that is longer than any row may be; it may end within a character. */
function isText(line: Buffer): boolean {
  const most = 3 * 65_536 + 1;
  if (line.length < most) return isUtf8(line);
  return [0, 1, 2, 3].some((less) => isUtf8(line.subarray(0, most - less)));
}

type Judged = Omit<ReadLine, 'line'>;
type Row = Record<string, string>;

function stationLine(row: Row): Judged {
  const impossible =
    !/^[a-z0-9][a-z0-9-]{2,23}$/i.test(row.station_id ?? '') ||
    row.city_name === '' ||
    !/^(true|false)$/i.test(row.data_active ?? '') ||
    [row.latitude, row.longitude].some((degrees) => !(Math.abs(Number(degrees)) <= 180) || degrees === '');
  return { verdict: impossible ? 'bad' : 'either', facts: [] };
}

function valueLine(feed: 'forecasts' | 'observations', row: Row, stations: ReadonlySet<string>): Judged {
  const station = (row.station_id ?? '').toUpperCase();
  const date = row.target_date ?? row.date ?? '';
  const instant = instantOf(row.issued_at ?? row.observed_at ?? '');
  const values = (['high', 'low'] as const).map(
    (metric) => [metric, temperatureOf(row[`${metric}_f`] ?? '')] as const,
  );
  const status = row.status ?? '';
  const bad =
    !stations.has(station) ||
    !isDate(date) ||
    instant === 'bad' ||
    values.some(([, value]) => value === 'bad') ||
    (feed === 'observations' && status !== 'preliminary' && status !== 'verified');
  if (bad) return { verdict: 'bad', facts: [] };
  // A row ahead of the clock is rejected by rules of its own, which other tests hold.
  const isAhead = [date, instant].some((time) => time > '2026-06');
  if (instant === 'either' || isAhead || values.some(([, value]) => value === 'either'))
    return { verdict: 'either', facts: [] };
  const facts = values.flatMap(([metric, value]): [string, number][] =>
    typeof value === 'number'
      ? [[[metric, station, date, ...(feed === 'observations' ? [status] : []), instant].join(' '), value]]
      : [],
  );
  return { verdict: 'good', facts };
}

function temperatureOf(text: string): number | 'blank' | 'bad' | 'either' {
  if (text === '') return 'blank';
  if (/^-?\d{1,3}(\.\d{1,2})?$/.test(text))
    return isPossible(Number(text)) ? Math.round(Number(text) * 100) / 100 + 0 : 'bad';
  // A sign, no digit on one side of the point, more decimals: the number counts if it is near enough.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return 'bad';
  return isPossible(Number(text)) ? 'either' : 'bad';
}

const isPossible = (temperature: number): boolean => temperature >= -130 && temperature <= 140;

function isDate(text: string): boolean {
  return isReal(text) && text >= '1970-01-01' && text <= '2149-06-06';
}

function isReal(date: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** An instant as the store writes it, in UTC. */
function instantOf(text: string): string {
  const [, date = '', hour = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d):\d\d(?::\d\d(?:[.,]\d+)?)?(z|[+-]\d\d(?::?\d\d)?)$/i.exec(text) ?? [];
  if (!isReal(date) || date < '1960' || date > '2160') return 'bad';
  const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text);
  // 24:00, an offset of a day, and what is near an end of time.
  if (!usual || hour === '24' || offset.slice(1, 3) > '23' || /^(19[67]|21[45])/.test(date)) return 'either';
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? 'bad' : new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

/** The cells of a line, trimmed; nothing when they are no CSV. */
function cellsOf(text: string): string[] | undefined {
  if (!text.includes('"')) return text.split(',').map((cell) => cell.trim());
  try {
    return parse(text, { relax_column_count: true, trim: true })[0] ?? [];
  } catch {
    return undefined;
  }
}

/** Every cell in quotes is so from end to end, and no line ends within the line: there is one way to read it. */
function isPlain(text: string): boolean {
  return (
    !text.includes('"') ||
    (!/\r./.test(text) && text.split(',').every((cell) => /^\s*("[^"]*"|[^"]*)\s*$/.test(cell)))
  );
}
