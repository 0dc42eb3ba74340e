import { DAY_MS, HOUR_MS, formatDate } from '../../../../src/statistics/time/calendar.js';
import type { StationPlace } from '../../../../src/collect/source.js';
import { forecastOf, hashed, type StubPlace, type StubSource, USUAL } from '../world.js';

// Point Forecast Matrices from IEM's archive: two products a day of each office, with its station, and points near it
// that are not the station.

const ZONES: Readonly<Record<string, { standard: string; summer: string; hours: number }>> = {
  'America/New_York': { standard: 'EST', summer: 'EDT', hours: -5 },
  'America/Chicago': { standard: 'CST', summer: 'CDT', hours: -6 },
  'America/Denver': { standard: 'MST', summer: 'MDT', hours: -7 },
  'America/Los_Angeles': { standard: 'PST', summer: 'PDT', hours: -8 },
  'America/Anchorage': { standard: 'AKST', summer: 'AKDT', hours: -9 },
  'America/Juneau': { standard: 'AKST', summer: 'AKDT', hours: -9 },
  'America/Nome': { standard: 'AKST', summer: 'AKDT', hours: -9 },
  'America/Puerto_Rico': { standard: 'AST', summer: 'AST', hours: -4 },
  'Pacific/Honolulu': { standard: 'HST', summer: 'HST', hours: -10 },
  'Pacific/Guam': { standard: 'CHST', summer: 'CHST', hours: 10 },
  'Pacific/Pago_Pago': { standard: 'SST', summer: 'SST', hours: -11 },
};

const isHawaii = (wfo: string): boolean => wfo === 'HFO';
const WIDTH = 79;
const SHORT_COLUMNS = 22;
const LONG_COLUMNS = 17;

/** When an office's forecasts are issued from a time to another: at 08Z and 20Z (in Hawaii 14Z and 02Z), by headers a few minutes past. */
export function pfmIssues(wfo: string, from_ms: number, to_ms: number): number[] {
  const issues: number[] = [];
  const first = Math.floor(from_ms / DAY_MS) * DAY_MS + (isHawaii(wfo) ? 14 : 8) * HOUR_MS - DAY_MS;
  for (let turn_ms = first; turn_ms < to_ms; turn_ms += 12 * HOUR_MS) {
    const issued_ms = turn_ms + Math.floor(12 * hashed(`${wfo} ${turn_ms}`)) * 60_000;
    if (issued_ms >= from_ms && issued_ms < to_ms) issues.push(issued_ms);
  }
  return issues;
}

export interface Zone {
  label: string;
  hours: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function zoneOf({ timezone }: StationPlace, ms: number): Zone {
  const { standard, summer, hours } = ZONES[timezone] as (typeof ZONES)[string];
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
    clocks.set(timezone, clock);
  }
  const local = Number(clock.format(ms));
  const isSummer = (new Date(ms).getUTCHours() + hours + 24) % 24 !== local;
  return isSummer ? { label: summer, hours: hours + 1 } : { label: standard, hours };
}

/** The values of a point's tables: whole °F of a local date. */
export type Values = (date: string) => { high_f: number | undefined; low_f: number | undefined };

const nameOf = (ms: number): string => new Date(ms).toUTCString().slice(0, 3);

/** `301 PM EDT Mon Oct 5 2026` */
function localLine(ms: number, { label, hours }: Zone): string {
  const local = new Date(ms + hours * HOUR_MS);
  const [weekday, day, month, year] = local.toUTCString().replace(',', '').split(' ');
  const [hour, minute] = [local.getUTCHours(), `${local.getUTCMinutes()}`.padStart(2, '0')];
  return `${hour % 12 || 12}${minute} ${hour < 12 ? 'AM' : 'PM'} ${label} ${weekday} ${month} ${Number(day)} ${year}`;
}

interface Column {
  ms: number;
  utc: number;
  local: number;
  begins: number;
  /** The local one. */
  date: string;
}

function columnsOf(first_ms: number, step: 3 | 6, { hours }: Zone): Column[] {
  const columns: Column[] = [];
  for (let at = 0; at < (step === 3 ? SHORT_COLUMNS : LONG_COLUMNS); at += 1) {
    const ms = first_ms + at * step * HOUR_MS;
    const local_ms = ms + hours * HOUR_MS;
    const local = new Date(local_ms).getUTCHours();
    const last = columns.at(-1);
    const gap = step === 6 && local >= 1 && local <= 6 ? 5 : 3;
    const begins = last === undefined ? 14 : last.begins + gap;
    const date = formatDate(Math.floor(local_ms / DAY_MS));
    columns.push({ ms, utc: new Date(ms).getUTCHours(), local, begins, date });
  }
  return columns;
}

/** The columns that have a maximum or a minimum. The running day's maximum is no forecast any more where the afternoon has begun. */
function extremesOf(
  columns: readonly Column[],
  step: 3 | 6,
  { hours }: Zone,
): (Column & { what: 'high_f' | 'low_f' })[] {
  // Where afternoons end about 06Z, highs stand there.
  const highsAt = hours <= -10 || hours >= 10 ? 6 : 0;
  return columns.flatMap((column) => {
    const isOver = step === 3 && column.ms - (columns[0]?.ms ?? 0) < 9 * HOUR_MS;
    if (isOver || column.utc % 12 !== highsAt) return [];
    return [{ ...column, what: column.utc === highsAt ? ('high_f' as const) : ('low_f' as const) }];
  });
}

/** A table from a time on, in steps of 3 or 6 hours; its label is of the zone at the issuance, as its hours are. */
function table(first_ms: number, step: 3 | 6, zone: Zone, values: Values): string[] {
  const { label } = zone;
  const columns = columnsOf(first_ms, step, zone);
  const row = (name: string, cells: readonly (readonly [at: number, text: string])[]): string => {
    const line = [...name.padEnd(WIDTH)];
    for (const [at, text] of cells) line.splice(at, text.length, ...text);
    return line.slice(0, WIDTH).join('');
  };
  const labels = [...new Set(columns.map(({ date }) => date))].flatMap((date) => {
    const own = columns.filter((column) => column.date === date);
    const [year = '', month, day] = date.split('-');
    const [short, at] = [`${month}/${day}`, own[0]?.begins ?? 0];
    const isFirst = own[0] === columns[0];
    // A day of few columns has no room for a weekday, or for anything.
    if (own.length >= (step === 3 ? (isFirst ? 6 : 3) : isFirst ? 4 : 2)) {
      const weekday = nameOf(Date.parse(date));
      return [[step === 3 ? at + 6 : at, `${weekday} ${short}/${year.slice(2)}`] as const];
    }
    if (!isFirst || own.length < 2) return [];
    return [[at + 1, step === 3 && own.length > 2 ? `${short}/${year.slice(2)}` : short] as const];
  });
  const extremes = extremesOf(columns, step, zone).flatMap(({ what, begins, date }) => {
    const value = values(date)[what];
    return value === undefined ? [] : [{ what, cell: [begins + 2 - `${value}`.length, `${value}`] as const }];
  });
  return [
    row('Date', labels).trimEnd(),
    row(
      `${label} ${step}hrly`,
      columns.map(({ begins, local }) => [begins, `${local}`.padStart(2, '0')]),
    ).trimEnd(),
    row(
      `UTC ${step}hrly`,
      columns.map(({ begins, utc }) => [begins, `${utc}`.padStart(2, '0')]),
    ).trimEnd(),
    '',
    row(
      extremes[0]?.what === 'high_f' ? 'Max/Min' : 'Min/Max',
      extremes.map(({ cell }) => cell),
    ).slice(0, (columns.at(-1)?.begins ?? 0) + 2),
    row(
      'Wind dir',
      columns.map(({ begins }) => [begins, 'NW']),
    ).trimEnd(),
    '',
  ];
}

/** `40.78N  73.97W Elev. 16 ft` */
const location = ([north, east]: readonly [number, number]): string =>
  `${Math.abs(north).toFixed(2)}${north < 0 ? 'S' : 'N'} ` +
  `${Math.abs(east).toFixed(2).padStart(6)}${east < 0 ? 'W' : 'E'} Elev. 16 ft`;

export interface Point {
  name: string;
  at: readonly [latitude: number, longitude: number];
  values: Values;
}

export interface Wording {
  wfo: string;
  /** By the header. */
  issued_ms: number;
  zone: Zone;
  points: readonly Point[];
  /** By the line in local time: the whole hour unless given. */
  said_ms?: number;
  correction?: string;
  /** The first letter of the office's identifier. */
  letter?: string;
}

/** When the tables of 3 and of 6 hours begin: columns stand at 21Z, 00Z, 03Z, ... */
function beginsOf(issued_ms: number): { short_ms: number; long_ms: number } {
  const turn_ms = Math.floor(issued_ms / HOUR_MS) * HOUR_MS;
  const short_ms = Math.ceil((turn_ms + 1) / (3 * HOUR_MS)) * 3 * HOUR_MS;
  return { short_ms, long_ms: short_ms + (SHORT_COLUMNS + 1) * 3 * HOUR_MS };
}

/** The forecasts of an issuance for a place. */
export function pfmForecasts(
  place: StationPlace,
  issued_ms: number,
): { date: string; what: 'high_f' | 'low_f'; value: number }[] {
  const zone = zoneOf(place, issued_ms);
  const { short_ms, long_ms } = beginsOf(issued_ms);
  return [[short_ms, 3] as const, [long_ms, 6] as const].flatMap(([first_ms, step]) =>
    extremesOf(columnsOf(first_ms, step, zone), step, zone).map(({ date, what }) => ({
      date,
      what,
      value: forecastOf('nws', place.station_id, issued_ms, date)[what],
    })),
  );
}

/** A product as the archive gives it, in its frame. */
export function productText({
  wfo,
  issued_ms,
  zone,
  points,
  said_ms,
  correction,
  letter = 'K',
}: Wording): string {
  const turn_ms = Math.floor(issued_ms / HOUR_MS) * HOUR_MS;
  const said = localLine(said_ms ?? turn_ms, zone);
  const { short_ms, long_ms } = beginsOf(issued_ms);
  const blocks = points.flatMap(({ name, at, values }, number) => [
    `${wfo.slice(0, 2)}Z07${number}-060800-`,
    name,
    location(at),
    said,
    '',
    ...table(short_ms, 3, zone, values),
    '',
    ...table(long_ms, 6, zone, values),
    '$$',
    '',
  ]);
  const header = new Date(issued_ms).toISOString().replace(/^.{8}(..)T(..):(..).*$/, '$1$2$3');
  return [
    '\u0001',
    '854 ',
    `FOUS51 ${letter}${wfo} ${header}${correction === undefined ? '' : ` ${correction}`}`,
    `PFM${wfo}`,
    '',
    'Point Forecast Matrices',
    'National Weather Service',
    said,
    '',
    ...blocks,
    '\u0003',
    '',
  ].join('\n');
}

/** The product of an office: its stations' points, and two points of no station. */
function product(office: readonly StubPlace[], wfo: string, issued_ms: number): string {
  const [first] = office as [StubPlace];
  const point = (
    name: string,
    station: string,
    { latitude, longitude }: StationPlace,
    north: number,
  ): Point => ({
    name,
    at: [latitude + north, longitude],
    values: (date) => forecastOf('nws', station, issued_ms, date),
  });
  const points = [
    point('Far Away', 'far', first, 0.27),
    ...office.flatMap((place) =>
      place.point_north_degrees === null
        ? []
        : [point(place.city_name, place.station_id, place, place.point_north_degrees ?? 0)],
    ),
    point('Not So Far', 'near', first, -0.11),
  ];
  const letter = first.office_letter ?? 'K';
  return productText({ wfo, issued_ms, zone: zoneOf(first, issued_ms), points, letter });
}

export const iemPfm: StubSource = (url, now_ms, places, lateness = USUAL) => {
  const pil = url.searchParams.get('pil') ?? '';
  if (url.pathname !== '/cgi-bin/afos/retrieve.py' || !pil.startsWith('PFM')) return undefined;
  const [from_ms, to_ms] = ['sdate', 'edate'].map((name) => Date.parse(url.searchParams.get(name) ?? ''));
  if (
    from_ms === undefined ||
    to_ms === undefined ||
    Number.isNaN(from_ms + to_ms) ||
    url.searchParams.get('limit') !== '9999'
  ) {
    return { status: 422, body: 'unprocessable' };
  }
  const wfo = pil.slice(3);
  const office = places.filter((place) => place.wfo === wfo && wfo !== '');
  const issues = pfmIssues(wfo, from_ms, Math.min(to_ms, now_ms + 1)).filter(
    (issued_ms) => issued_ms + lateness('iem-pfm', wfo, issued_ms) <= now_ms,
  );
  const body =
    office.length === 0 || issues.length === 0
      ? `ERROR: Could not Find: ${pil}`
      : issues.map((ms) => product(office, wfo, ms)).join('');
  return { status: 200, body, headers: { 'content-type': 'text/plain' } };
};
