import { z } from 'zod';
import { dateAt, formatDate, DAY_MS, HOUR_MS, isCalendarDate } from '../../statistics/time/calendar.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { getColumn } from '../../feeds/feeds.js';
import { DECLARED } from '../../variables/declarations.js';
import { readCells } from '../feed-cells.js';
import { plainText } from '../plain-text.js';
import {
  type FeedLine,
  type Need,
  type StationPlace,
  type Reading,
  type Request,
  readJson,
  readPart,
  type CodeSource,
  type Span,
  GapError,
  type UnusablePart,
} from '../source.js';
import { calendarParts, daysIn, daysOverBy, daySpans, groupBy, hull, needsIn } from '../collected-spans.js';

// The daily climate reports (CLI) of NWS offices, as IEM reads them: one row for each station and date, of the last report
// so far. A year of one station is one response, and so is a day of all stations.

/** A day of all stations serves days as new as this; older ones come with years. */
const RECENT_DAYS = 8;

export const iemCli: CodeSource = {
  name: 'iem-cli',
  feed: 'observations',
  host: 'iem',
  earliest: '2003-01-01',
  overlap_ms: 7 * DAY_MS,
  schedule: [
    { cron: '20 * * * *', overlap_ms: DAY_MS },
    { cron: '40 10 * * *', overlap_ms: 7 * DAY_MS },
    { cron: '50 11 1 * *', overlap_ms: 60 * DAY_MS },
  ],
  attribution:
    'Climate reports of the National Weather Service (public domain), from the archive of the Iowa Environmental Mesonet of Iowa State University',
  serves: (place) => place.climate_report_id !== '',
  plan,
  read,
  expected: (span, requested_ms) => daysOverBy(span, requested_ms).length,
  // A report is some 1.2 kB, and there are some 570 of them a day.
  estimatedBytes: ({ paths }) => (isOfDay(paths) ? 570 * 1300 : 365 * 1200),
};

const isOfDay = (paths: readonly string[]): boolean => paths[0]?.startsWith('/geojson/') ?? false;

/** The dates of a span: those whose day in UTC it touches. */
const getDates = (span: Span): string[] => daysIn(span).map(formatDate);

const dayParts = (need: Need): Need[] => daysIn(need.span).flatMap((day) => needsIn(need, daySpans([day])));

/** Years of single stations, and days of all stations where these are fewer. */
function plan(needs: readonly Need[], requested_ms: number): Request[] {
  const years = groupBy(
    needs.flatMap((need) => calendarParts(need, 'year')),
    ({ place, span }) => `${dateAt(span.from_ms).slice(0, 4)} ${place.climate_report_id}`,
  );
  const firstRecent = formatDate(Math.floor(requested_ms / DAY_MS) - RECENT_DAYS + 1);
  const isRecent = (covers: readonly Need[]): boolean =>
    covers.every(({ span }) => (getDates(span)[0] ?? '') >= firstRecent);
  const recent = [...years].filter(([, covers]) => isRecent(covers));
  const days = groupBy(
    recent.flatMap(([, covers]) => covers.flatMap(dayParts)),
    ({ span }) => dateAt(span.from_ms),
  );
  const areDaysFewer = days.size < recent.length;
  const ofDays = [...days].map(([date, covers]) => ({ path: `/geojson/cli.py?dt=${date}`, covers }));
  const ofYears = [...years]
    .filter(([, covers]) => !areDaysFewer || !isRecent(covers))
    .map(([key, covers]) => {
      const [year, station] = key.split(' ');
      return { path: `/json/cli.py?station=${station}&year=${year}`, covers };
    });
  return [...(areDaysFewer ? ofDays : []), ...ofYears]
    .sort((a, b) => hull(b.covers).to_ms - hull(a.covers).to_ms)
    .map(({ path, covers }) => ({ paths: [path], covers, requested_ms }));
}

const REPORT = z.looseObject({ station: z.string(), valid: z.string(), product: z.string().nullable() });
const YEAR = z.object({ results: z.array(z.unknown()) });
const DAY = z.object({ features: z.array(z.looseObject({ properties: z.unknown() })) });

/** Columns of the feed, and their names in a report. Whole mph are of two minutes, and of three or five seconds for gusts. */
const OTHERS = { snow_in: 'snow', max_wind_mph: 'highest_wind_speed', max_gust_mph: 'highest_gust_speed' };

/** A report as far as it can be used: °F as in a feed, blank where missing. */
interface Report {
  date: string;
  product: string;
  issued_ms: number;
  high_f: string;
  low_f: string;
  /** Inches, T for a trace. */
  precip_in: string;
  others: FeedLine;
  normals: { high_f: string; low_f: string };
}

/** @throws GapError */
function read(bodies: readonly string[], request: Request): Reading {
  const places = new Map(request.covers.map(({ place }) => [place.climate_report_id, place]));
  const url = new URL(request.paths[0] ?? '', 'http://host');
  const isRequested = (date: string): boolean =>
    isOfDay(request.paths)
      ? date === url.searchParams.get('dt')
      : date.startsWith(`${url.searchParams.get('year')}-`);
  const unusable: UnusablePart[] = [];
  const reports = new Map<string, Report>();
  const responses = parseResponses(bodies[0] ?? '', isOfDay(request.paths));
  for (const response of responses) {
    const row = REPORT.safeParse(response).data;
    const place = row && places.get(row.station);
    // A day has all stations; a year is of one.
    if (row && place === undefined && isOfDay(request.paths)) continue;
    if (row && place === undefined)
      throw new GapError(`a year of ${plainText(row.station, 20)}, another station`);
    readPart(plainText(row ? `${row.station} ${row.valid}` : 'a report'), unusable, () => {
      if (row === undefined || place === undefined) throw new GapError('no station, date or product');
      if (!isRequested(row.valid)) throw new GapError('outside the requested dates');
      const report = parseReport(row, place, request.requested_ms, unusable);
      const key = `${place.station_id} ${row.valid}`;
      if (report.product >= (reports.get(key)?.product ?? '')) reports.set(key, report);
    });
  }
  const gaps = findGaps(request, (station_id, date) => reports.has(`${station_id} ${date}`));
  if (responses.length === 0 && gaps.length > 0)
    throw new GapError(`no report at all: ${plainText(url.search)}`);
  return { ...makeLines(request, reports), unusable, gaps };
}

const parseResponses = (body: string, isDay: boolean): unknown[] =>
  isDay
    ? readJson(body, DAY, 'climate reports').features.map(({ properties }) => properties)
    : readJson(body, YEAR, 'climate reports').results;

/** @param unusable receives values that cannot be read; the others stay @throws GapError */
function parseReport(
  row: z.infer<typeof REPORT>,
  place: StationPlace,
  requested_ms: number,
  unusable: UnusablePart[],
): Report {
  if (!isCalendarDate(row.valid)) throw new GapError('no date');
  if (row.product === null) throw new GapError('a report without a product name, so its time is unknown');
  const issued_ms = issuedAt(row.product);
  const { begins_ms } = localDay(row.valid, place.timezone, 'standard');
  if (issued_ms < begins_ms) throw new GapError('a report that is older than its day');
  // The newest report holds, so a report from the future would hold for ever.
  if (issued_ms > requested_ms + HOUR_MS) throw new GapError('a report from the future');
  const unit = `${row.station} ${row.valid}`;
  const read = (name: string): string | undefined => readPart(unit, unusable, () => degrees(row[name], name));
  const [high, low] = [read('high'), read('low')];
  if (high === undefined && low === undefined) throw new GapError('neither its high nor its low can be read');
  const [high_f, low_f] = [high ?? '', low ?? ''];
  // IEM takes numbers from other columns of some layouts: which of the two is right, nobody can tell.
  if (high_f !== '' && low_f !== '' && Number(high_f) < Number(low_f))
    throw new GapError(`its maximum ${high_f} is below its minimum ${low_f}`);
  return {
    date: row.valid,
    product: row.product,
    issued_ms,
    high_f,
    low_f,
    precip_in: readPart(unit, unusable, () => inches(row.precip)) ?? '',
    // No snow is more than a trace of it.
    others: readCells(
      Object.fromEntries(
        Object.entries(OTHERS).map(([column, name]) => [column, row[name] === 'T' ? 0 : row[name]]),
      ),
      isMissing,
      unit,
      unusable,
    ),
    normals: { high_f: read('high_normal') ?? '', low_f: read('low_normal') ?? '' },
  };
}

/**
 * When a product was issued, from its name: 202609150623-KOKX-CDUS41-CLINYC, with -CCA and the like for a correction.
 * @throws GapError
 */
function issuedAt(product: string): number {
  const [, year, month, day, hour, minute] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)-[A-Z0-9]{4}-[A-Z0-9]{4,6}-CLI[A-Z0-9]{1,3}(-[A-Z]{3})?$/.exec(
      product,
    ) ?? [];
  const time = `${year}-${month}-${day}T${hour}:${minute}:00.000Z`;
  const ms = Date.parse(time);
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== time)
    throw new GapError(`${plainText(product, 60)} is not a product name with a time`);
  return ms;
}

const isMissing = (value: unknown): boolean => ['M', 'MM', null, undefined].includes(value as string);

/** Whole °F; M and MM are missing. @throws GapError */
function degrees(value: unknown, name: string): string {
  if (isMissing(value)) return '';
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 150)
    throw new GapError(`${name} is not a whole number of °F: ${plainText(JSON.stringify(value), 20)}`);
  return `${value}`;
}

const [AMOUNT] = DECLARED.wet_day.of.amount;

/** Inches of the day; M and MM are missing. A trace is T, or a number that is read as 0: IEM stores 0.0001. @throws GapError */
function inches(value: unknown): string {
  if (isMissing(value)) return '';
  if (value === 'T') return 'T';
  if (typeof value !== 'number' || value < 0 || value > AMOUNT.limits.highest)
    throw new GapError(`precip is no amount of a day: ${plainText(JSON.stringify(value), 20)}`);
  return getColumn('observations', AMOUNT.name).read(value.toFixed(4), AMOUNT.name);
}

function makeLines(
  { covers }: Request,
  reports: ReadonlyMap<string, Report>,
): { rows: FeedLine[]; normals: FeedLine[] } {
  const rows = new Map<string, FeedLine>();
  for (const { place, span } of covers)
    for (const date of getDates(span)) {
      const key = `${place.station_id} ${date}`;
      const report = reports.get(key);
      if (report === undefined) continue;
      const { high_f, low_f, precip_in, others } = report;
      if ([high_f, low_f, precip_in, ...Object.values(others)].every((cell) => cell === '')) continue;
      const { ends_ms } = localDay(date, place.timezone, 'standard');
      rows.set(key, {
        station_id: place.station_id,
        date,
        high_f,
        low_f,
        precip_in,
        status: report.issued_ms >= ends_ms ? 'verified' : 'preliminary',
        observed_at: `${new Date(report.issued_ms).toISOString().slice(0, 16)}:00Z`,
        ...others,
      });
    }
  // All normals of the response, asked for or not: the next days' are those of last year.
  const normals = [...reports].flatMap(([key, { date, normals }]): FeedLine[] =>
    normals.high_f === '' && normals.low_f === ''
      ? []
      : [{ station_id: key.split(' ')[0] ?? '', month_day: date.slice(5), ...normals }],
  );
  return { rows: [...rows.values()], normals };
}

/** The days that are over since a day, and have no report. */
function findGaps(
  { covers, requested_ms }: Request,
  has: (station_id: string, date: string) => boolean,
): Reading['gaps'] {
  return covers.flatMap((need) => {
    const { station_id, timezone } = need.place;
    const isDue = (date: string): boolean =>
      localDay(date, timezone, 'standard').ends_ms + DAY_MS <= requested_ms;
    const absent = daysIn(need.span).filter(
      (day) => !has(station_id, formatDate(day)) && isDue(formatDate(day)),
    );
    const reason = `no climate report of ${station_id}`;
    return needsIn(need, daySpans(absent)).map((gap) => ({ ...gap, reason }));
  });
}
