import { dateAt, DAY_MS, formatDate, dayNumber, isCalendarDate } from '../../statistics/time/calendar.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { nameAtIem } from '../catalogue.js';
import {
  type FeedLine,
  type Need,
  type StationPlace,
  type Reading,
  type Request,
  type CodeSource,
  GapError,
} from '../source.js';
import { readCells } from '../feed-cells.js';
import { plainText } from '../plain-text.js';
import { calendarParts, daysIn, daysOverBy, daySpans, groupBy } from '../collected-spans.js';

// Daily summaries of airports of the world. The Iowa Environmental Mesonet (IEM) computes them from hourly reports, by
// local day.

const [TEMPERATURES, WINDS] = [
  ['max_temp_f', 'min_temp_f'],
  ['max_wind_speed_kts', 'max_wind_gust_kts'],
] as const;
const COLUMNS = ['station', 'day', ...TEMPERATURES, ...WINDS] as const;
type Cells = Record<(typeof COLUMNS)[number], string>;

/** Summaries are computed for the last time at noon of the second day after. */
const FINAL_DAYS = 3;
/** As far back as each pass reads again: later a day would be looked for no more. */
const OVERLAP_DAYS = 4;
const BYTES_PER_ROW = 37;
const WARMEST_F = 150;

export const iemDaily: CodeSource = {
  name: 'iem-daily',
  feed: 'observations',
  host: 'iem',
  earliest: '1973-01-01',
  overlap_ms: OVERLAP_DAYS * DAY_MS,
  schedule: [{ cron: '40 0,6,12,18 * * *', overlap_ms: OVERLAP_DAYS * DAY_MS }],
  attribution:
    'Daily summaries of airport weather reports, by the Iowa Environmental Mesonet of Iowa State University',
  serves: ({ daily_network }) => daily_network !== '',
  plan,
  read: ([body = ''], request) => read(body, request),
  expected: (span, requested_ms) => daysOverBy(span, requested_ms).length,
  estimatedBytes: ({ covers }) =>
    covers.reduce((bytes, { span }) => bytes + BYTES_PER_ROW * daysIn(span).length, 100),
};

/** One request for a network and a calendar year: across a year's end the server refuses when it is busy. */
function plan(needs: readonly Need[], requested_ms: number): Request[] {
  const parts = needs
    .filter(({ place }) => iemDaily.serves(place))
    // No day ends anywhere before the day in UTC of its name begins.
    .flatMap(({ place, span: { from_ms, to_ms } }) =>
      calendarParts({ place, span: { from_ms, to_ms: Math.min(to_ms, requested_ms) } }, 'year'),
    );
  const units = groupBy(
    parts,
    ({ place, span }) => `${dateAt(span.from_ms).slice(0, 4)} ${place.daily_network}`,
  );
  return [...units]
    .sort(([a], [b]) => Number(b.slice(0, 4)) - Number(a.slice(0, 4)))
    .map(([, covers]) => {
      const days = covers.flatMap(({ span }) => daysIn(span)).sort((a, b) => a - b);
      const stations = [...new Set(covers.map(({ place }) => nameAtIem(place.station_id)))];
      return {
        paths: [
          `/cgi-bin/request/daily.py?network=${covers[0]?.place.daily_network}&stations=${stations.join()}` +
            `&sts=${formatDate(days[0] ?? 0)}&ets=${formatDate(days.at(-1) ?? 0)}` +
            `&var=${[...TEMPERATURES, ...WINDS].join()}&na=blank&format=csv`,
        ],
        covers,
        requested_ms,
      };
    });
}

function read(body: string, { covers, requested_ms }: Request): Reading {
  const unusable: Reading['unusable'] = [];
  const found = new Map<string, Cells>();
  for (const cells of parseCells(body, unusable)) {
    const key = `${cells.station} ${cells.day}`;
    const before = found.get(key) ?? cells;
    const row = { ...cells };
    for (const columns of [TEMPERATURES, WINDS])
      if (columns.some((column) => before[column] !== cells[column]))
        for (const column of columns) row[column] = '';
    if (COLUMNS.some((column) => before[column] !== cells[column]))
      unusable.push({ unit: key, reason: 'occurs twice, with different values' });
    found.set(key, row);
  }
  const rows: FeedLine[] = [];
  const gaps: Reading['gaps'] = [];
  for (const { place, span } of covers) {
    const absent: number[] = [];
    for (const day of daysIn(span)) {
      const cells = found.get(`${nameAtIem(place.station_id)} ${formatDate(day)}`);
      const row = cells && observation(place, cells, requested_ms, unusable);
      if (row !== undefined) rows.push(row);
      else if ((day + OVERLAP_DAYS) * DAY_MS < requested_ms) absent.push(day);
    }
    gaps.push(...daySpans(absent).map((span) => ({ place, span, reason: 'no values of its days' })));
  }
  const requested = new Set(covers.map(({ place }) => nameAtIem(place.station_id)));
  const others = new Set(
    [...found.values()].map(({ station }) => station).filter((id) => !requested.has(id)),
  );
  for (const unit of others) unusable.push({ unit, reason: 'was not requested' });
  if (others.size > 0 && rows.length === 0)
    throw new GapError(`the response is of ${plainText([...others].join(), 60)}, which was not requested`);
  return { rows, unusable, gaps };
}

/** @throws GapError when it is no table of daily summaries, or is cut off */
function parseCells(body: string, unusable: Reading['unusable']): Cells[] {
  const lines = body.replaceAll('\r\n', '\n').split('\n');
  const [header = ''] = lines;
  const names = header.split(',');
  if (/^\s*ERROR/.test(body)) throw new GapError(plainText(body));
  if (names.length !== COLUMNS.length || !COLUMNS.every((column) => names.includes(column))) {
    throw new GapError(`the header is not ${COLUMNS.join()}: ${plainText(header, 60)}`);
  }
  // Every line ends: 9 may be the beginning of 90.
  if (lines.pop() !== '') throw new GapError('the response is cut off');
  return lines.slice(1).flatMap((line) => {
    const cells = line.split(',');
    const row = Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) as Cells;
    const reason =
      cells.length !== names.length
        ? `${cells.length} cells instead of ${names.length}`
        : !isCalendarDate(row.day)
          ? 'no date'
          : undefined;
    if (reason === undefined) return [row];
    unusable.push({ unit: plainText(line, 60), reason });
    return [];
  });
}

const isMissing = (text: unknown): boolean => ['', 'None', 'M'].includes(text as string);

/** Undefined for a day without temperatures, and for one that is not over. */
function observation(
  place: StationPlace,
  { day, max_temp_f, min_temp_f, max_wind_speed_kts, max_wind_gust_kts }: Cells,
  requested_ms: number,
  unusable: Reading['unusable'],
): FeedLine | undefined {
  const unit = `${place.station_id} ${day}`;
  const { ends_ms } = localDay(day, place.timezone, place.day_boundary);
  if (ends_ms > requested_ms) return undefined;
  const [high_f, low_f] = [max_temp_f, min_temp_f].map((text) => {
    if (isMissing(text)) return '';
    if (/^-?\d{1,3}(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= WARMEST_F) {
      return `${Math.round(Number(text) * 100) / 100}`;
    }
    unusable.push({ unit, reason: `${plainText(text, 20)} is not a temperature` });
    return '';
  });
  if (high_f === undefined || low_f === undefined || (high_f === '' && low_f === '')) return undefined;
  if (high_f !== '' && low_f !== '' && Number(high_f) < Number(low_f)) {
    unusable.push({ unit, reason: `its maximum ${high_f} is below its minimum ${low_f}` });
    return undefined;
  }
  // Both follow from the date and the clock alone, so that what is read twice is the same.
  const final_ms = (dayNumber(day) + FINAL_DAYS) * DAY_MS;
  const isFinal = requested_ms >= final_ms;
  return {
    station_id: place.station_id,
    date: day,
    high_f,
    low_f,
    status: isFinal ? 'verified' : 'preliminary',
    observed_at: new Date(isFinal ? final_ms : ends_ms).toISOString(),
    ...readCells(
      { max_wind_kt: max_wind_speed_kts, max_gust_kt: max_wind_gust_kts },
      isMissing,
      unit,
      unusable,
    ),
  };
}
