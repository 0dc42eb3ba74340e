import { dateAt, formatDate, DAY_MS, HOUR_MS, MINUTE_MS } from '../../statistics/time/calendar.js';
import { nameAtIem } from '../catalogue.js';
import { minuteText, plainText } from '../plain-text.js';
import {
  type FeedLine,
  type Need,
  type Reading,
  type Request,
  type CodeSource,
  GapError,
  readPart,
} from '../source.js';
import { batches, calendarParts, daysIn, daySpans, groupBy, hull, needsIn } from '../collected-spans.js';
import { parseCorrection, readMetar } from './asos/metar.js';

// Reports of airports of the world within the day, routine and special, as they were sent; from the archive of IEM.

const HEADER = 'station,valid,metar';
/** Routine reports, and specials. High-frequency ones, every five minutes, are of whole °C and would be 300 rows a day. */
const REPORT_TYPES = '3,4';

/** A day with any report is no gap: what comes late of it is found only while the day is read again. */
const OVERLAP_MS = 4 * DAY_MS;
/** A span that is all of this time is asked for with those of other stations, as the archive wishes. */
const NEW_MS = OVERLAP_MS + DAY_MS;
/** The address stays below 1,000 characters. */
const MAX_STATIONS = 100;
/** A report with its remarks, and now and then a special. */
const BYTES_PER_HOUR = 130;
export const iemAsos: CodeSource = {
  name: 'iem-asos',
  feed: 'hours',
  host: 'iem',
  // Since then the United States report in this form.
  earliest: '1996-07-01',
  overlap_ms: OVERLAP_MS,
  // Routine reports are of :51 to :56. iem-pfm is asked then as well: a pass for both is one load.
  schedule: [
    { cron: '10 * * * *', overlap_ms: 6 * HOUR_MS },
    { cron: '40 3 * * *', overlap_ms: OVERLAP_MS },
  ],
  attribution:
    'Airport weather reports (METAR), from the archive of the Iowa Environmental Mesonet of Iowa State University',
  serves: () => true,
  plan,
  read: ([body = ''], request) => read(body, request),
  expected: ({ from_ms, to_ms }) => Math.floor((to_ms - from_ms) / HOUR_MS),
  estimatedBytes: ({ covers }) =>
    covers.reduce(
      (bytes, { span }) => bytes + Math.ceil((span.to_ms - span.from_ms) / HOUR_MS) * BYTES_PER_HOUR,
      100,
    ),
};

/** A request for a station and up to a year; or for up to 100 stations and the last days, or one day. */
function plan(needs: readonly Need[], requested_ms: number): Request[] {
  const parts = needs.flatMap((need) => calendarParts(need, 'year'));
  const units = groupBy(parts, ({ place, span: { from_ms, to_ms } }) => {
    if (from_ms >= requested_ms - NEW_MS) return 'the last days';
    return to_ms - from_ms > DAY_MS ? `${place.station_id} ${from_ms}` : dateAt(from_ms);
  });
  return [...units.values()]
    .flatMap((covers) => batches(covers, MAX_STATIONS))
    .map((covers) => ({ covers, ...hull(covers) }))
    .sort((a, b) => b.to_ms - a.to_ms)
    .map(({ covers, from_ms, to_ms }) => {
      const stations = new Set(covers.map(({ place }) => nameAtIem(place.station_id)));
      return {
        paths: [
          `/cgi-bin/request/asos.py?station=${[...stations].join()}&data=metar&report_type=${REPORT_TYPES}` +
            `&sts=${minuteText(from_ms)}&ets=${minuteText(Math.ceil(to_ms / MINUTE_MS) * MINUTE_MS)}` +
            '&tz=UTC&format=onlycomma&missing=M',
        ],
        covers,
        requested_ms,
      };
    });
}

/** @throws GapError */
function read(body: string, { covers }: Request): Reading {
  const byStation = groupBy(covers, ({ place }) => nameAtIem(place.station_id));
  const unusable: Reading['unusable'] = [];
  const reports = new Map<string, FeedLine>();
  const corrections = new Map<string, number>();
  const others = new Set<string>();
  for (const [station = '', valid = '', text = '', ...more] of parseLines(body)) {
    const key = `${station} ${valid}`;
    const needs = byStation.get(station);
    if (needs === undefined) {
      others.add(plainText(station, 20));
      continue;
    }
    readPart(plainText(key, 60), unusable, () => {
      const at_ms = Date.parse(`${valid}Z`);
      if (more.length > 0 || Number.isNaN(at_ms) || minuteText(at_ms).replace('T', ' ') !== `${valid}Z`)
        throw new GapError('not a report with its time');
      const need = needs.find(({ span }) => span.from_ms <= at_ms && at_ms < span.to_ms);
      const report = readMetar(text);
      const correction = parseCorrection(text);
      // In the archive, reports of the same time have no order: the last correction counts.
      if (need === undefined || report === undefined || correction < (corrections.get(key) ?? 0)) return;
      reports.set(key, { station_id: need.place.station_id, at: minuteText(at_ms), ...report });
      corrections.set(key, correction);
    });
  }
  for (const unit of others) unusable.push({ unit, reason: 'was not requested' });
  if (others.size > 0 && reports.size === 0)
    throw new GapError(`the response is of ${plainText([...others].join(), 60)}, which was not requested`);
  const rows = [...reports.values()];
  return { rows, unusable, gaps: findGaps(covers, rows) };
}

/** The cells of each line. @throws GapError when it is no table of reports, or is cut off */
function parseLines(body: string): string[][] {
  const [header = '', ...lines] = body.replaceAll('\r\n', '\n').split('\n');
  if (header !== HEADER) throw new GapError(`the header is not ${HEADER}: ${plainText(header, 60)}`);
  if (lines.pop() !== '') throw new GapError('the response is cut off');
  return lines.map((line) => line.split(','));
}

/** The whole days of a station without a report: hours without one are seen in the number that came. */
function findGaps(covers: readonly Need[], rows: readonly FeedLine[]): Reading['gaps'] {
  const reported = new Set(rows.map(({ station_id, at = '' }) => `${station_id} ${at.slice(0, 10)}`));
  return covers.flatMap((need) => {
    const { station_id } = need.place;
    const { from_ms, to_ms } = need.span;
    const days = daysIn({ from_ms: Math.ceil(from_ms / DAY_MS) * DAY_MS, to_ms: to_ms - (to_ms % DAY_MS) });
    const absent = days.filter((day) => !reported.has(`${station_id} ${formatDate(day)}`));
    const reason = `no airport report of ${station_id}`;
    return needsIn(need, daySpans(absent)).map((gap) => ({ ...gap, reason }));
  });
}
