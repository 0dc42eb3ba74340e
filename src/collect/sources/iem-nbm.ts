import {
  dateAt,
  formatDate,
  DAY_MS,
  HOUR_MS,
  isoInstant,
  MINUTE_MS,
} from '../../statistics/time/calendar.js';
import { readCells } from '../feed-cells.js';
import { minuteText, plainText } from '../plain-text.js';
import {
  type FeedLine,
  type Need,
  type StationPlace,
  type Reading,
  type Request,
  type CodeSource,
  type Span,
  GapError,
  isHourKept,
  type UnusablePart,
} from '../source.js';
import { daysIn, splitNeed } from '../collected-spans.js';
import { extremeAt, isInBlend } from './nbm/extremes.js';

// The National Blend of Models of the NWS at a station, from the archive of IEM (mos.py): the short-range text NBS, 4
// runs a day to 72 hours, and the extended NBE to 8 days and more. Both are asked for and read together.

/** The median run is out 44 minutes after its hour, and one in a hundred after more than two hours. */
const ISSUED_AFTER_MS = 75 * MINUTE_MS;

const EARLIEST = { NBS: '2018-11-07', NBE: '2020-07-23' } as const;
type Model = keyof typeof EARLIEST;
const MODELS = ['NBS', 'NBE'] as const satisfies readonly Model[];

/** IEM makes and sends some 5 MB for a station-year. */
const MAX_DAYS = 366;
const FARTHEST_MS = 12 * DAY_MS;

/**
 * The hours of the runs that the archive keeps, by the date of the run. Others come and go within a week: a backfill
 * must find what was collected while it was new, as loads never delete.
 */
function retainedHours(date: string): readonly number[] {
  if (date <= '2020-02-25') return [0, 7, 12, 19];
  // Version 5 began at noon.
  if (date === '2026-05-05') return [12, 18];
  return date <= '2026-05-04' ? [1, 7, 13, 19] : [0, 6, 12, 18];
}

/** The retained runs of a span. */
const retainedRuns = ({ from_ms, to_ms }: Span): number[] =>
  daysIn({ from_ms, to_ms })
    .flatMap((day) => retainedHours(formatDate(day)).map((hour) => day * DAY_MS + hour * HOUR_MS))
    .filter((run_ms) => run_ms >= from_ms && run_ms < to_ms);

export const iemNbm: CodeSource = {
  name: 'iem-nbm',
  feed: 'forecasts',
  provider: 'nbm',
  host: 'iem',
  earliest: EARLIEST.NBS,
  overlap_ms: 36 * HOUR_MS,
  schedule: [{ cron: '25 1,7,13,19 * * *', overlap_ms: 36 * HOUR_MS }],
  attribution:
    'National Blend of Models of NOAA/NWS (public domain), from the archive of the Iowa Environmental Mesonet of Iowa State University',
  serves: isInBlend,
  plan,
  read,
  expected: ({ from_ms, to_ms }, requested_ms) =>
    retainedRuns({ from_ms, to_ms: Math.min(to_ms, requested_ms - ISSUED_AFTER_MS + 1) }).length,
  estimatedBytes: ({ covers }) => {
    const runs = covers.reduce((sum, { span }) => sum + 4 * ((span.to_ms - span.from_ms) / DAY_MS), 0);
    return Math.ceil(runs) * 152 * (23 + 15); // a row, and the rows of NBS and of NBE
  },
};

function plan(needs: readonly Need[], requested_ms: number): Request[] {
  return needs
    .flatMap((need) => splitNeed(need, MAX_DAYS * DAY_MS))
    .sort((a, b) => b.span.to_ms - a.span.to_ms)
    .map((need) => ({
      paths: MODELS.flatMap((model) => makePath(model, need) ?? []),
      covers: [need],
      requested_ms,
    }))
    .filter(({ paths }) => paths.length > 0);
}

/** Undefined where the span ends before the model is in the archive. Both bounds that the archive takes are inclusive. */
function makePath(model: Model, { place, span }: Need): string | undefined {
  const first = Math.max(Math.ceil(span.from_ms / MINUTE_MS) * MINUTE_MS, Date.parse(EARLIEST[model]));
  const last = Math.ceil(span.to_ms / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  if (last < first) return undefined;
  const [sts, ets] = [first, last].map(minuteText);
  return `/cgi-bin/request/mos.py?station=${place.station_id}&model=${model}&sts=${sts}&ets=${ets}&format=csv`;
}

/** A maximum or a minimum of one run. */
interface Value {
  model: Model;
  degrees: string;
  /** Its standard deviation, °F; blank where the run says none. */
  spread: string;
}

/** The forecast of one run for one date. */
interface Day {
  issued_ms: number;
  date: string;
  high?: Value;
  low?: Value;
}

/** @throws GapError */
function read(bodies: readonly string[], request: Request): Reading {
  const days = new Map<string, Day>();
  const hourly_forecasts: FeedLine[] = [];
  const unusable: UnusablePart[] = [];
  const gaps: Reading['gaps'] = [];
  request.paths.forEach((path, at) => {
    const model = new URL(path, 'http://host').searchParams.get('model') === 'NBE' ? 'NBE' : 'NBS';
    const isEmpty =
      readResponse(bodies[at] ?? '', model, request, { days, hourly_forecasts, unusable }) === 0;
    for (const need of request.covers)
      if (isEmpty && isDue(model, need.span, request.requested_ms))
        gaps.push({ ...need, reason: `${model} has no rows of ${need.place.station_id}` });
  });
  if (gaps.length === request.paths.length) throw new GapError(gaps.map(({ reason }) => reason).join('; '));
  const [need] = request.covers;
  if (days.size === 0 && gaps.length === 0 && need && isDue('NBS', need.span, request.requested_ms))
    gaps.push({ ...need, reason: `no temperature in any row of ${need.place.station_id}` });
  const rows = [...days.values()].map(({ issued_ms, date, high, low }): FeedLine => ({
    station_id: need?.place.station_id ?? '',
    issued_at: isoInstant(issued_ms),
    target_date: date,
    high_f: high?.degrees ?? '',
    low_f: low?.degrees ?? '',
    high_sd_f: high?.spread ?? '',
    low_sd_f: low?.spread ?? '',
    provider: 'nbm',
  }));
  return { rows, hourly_forecasts, unusable, gaps };
}

/** Whether a model should have a run in a span by now. */
function isDue(model: Model, { from_ms, to_ms }: Span, requested_ms: number): boolean {
  const from = Math.max(from_ms, Date.parse(EARLIEST[model]));
  const to = Math.min(to_ms, requested_ms - ISSUED_AFTER_MS + 1);
  return retainedRuns({ from_ms: from, to_ms: to }).length > 0;
}

/**
 * Adds what a response says.
 * @returns how many rows it has, whatever they say
 * @throws GapError where it is cut off, or no response to this request
 */
function readResponse(
  body: string,
  model: Model,
  { covers: [need], requested_ms }: Request,
  {
    days,
    hourly_forecasts,
    unusable,
  }: { days: Map<string, Day>; hourly_forecasts: FeedLine[]; unusable: UnusablePart[] },
): number {
  if (need === undefined) return 0;
  const { place, span } = need;
  const lines = table(body, model, place);
  for (const cell of lines) {
    // NBM has its extremes under n_x before version 4.0, and under txn from then on.
    const degrees = [cell('txn'), cell('n_x')].find((text) => !isMissing(text));
    const [run_ms, valid_ms] = [utc(cell('runtime')), utc(cell('ftime'))];
    if (model === 'NBS')
      hourly_forecasts.push(...readHour(cell, run_ms, valid_ms, need, { requested_ms, unusable }));
    if (degrees === undefined || !isRetained(run_ms)) continue;
    const unit = plainText(`${place.station_id} ${model} ${cell('runtime')} for ${cell('ftime')}`);
    const extreme = extremeAt(valid_ms, place);
    const reason = failure(degrees, run_ms, valid_ms, span);
    if (reason !== undefined || extreme === undefined) {
      unusable.push({ unit, reason: reason ?? 'neither a maximum nor a minimum' });
      continue;
    }
    const issued_ms = run_ms + ISSUED_AFTER_MS;
    if (issued_ms > requested_ms) continue;
    const key = `${issued_ms} ${extreme.date}`;
    let day = days.get(key);
    if (day === undefined) days.set(key, (day = { issued_ms, date: extreme.date }));
    const spread = parseSpread(cell('xnd'));
    if (spread === undefined)
      unusable.push({
        unit,
        reason: `${plainText(cell('xnd'), 20)} is not a standard deviation in whole °F`,
      });
    const value = { model, degrees: `${Number(degrees)}`, spread: spread ?? '' };
    const known = day[extreme.kind];
    if (known === undefined) day[extreme.kind] = value;
    else if (known.model === model && known.degrees !== value.degrees)
      unusable.push({ unit, reason: `has ${value.degrees} after ${known.degrees}` });
  }
  return lines.length;
}

/**
 * The values of a line at its hour, if its temperature can be used: an extreme of it tells what is wrong. Winds are in kt. Chances
 * of rain are of the 12 and 6 hours that end there: a run has none of a window that began before it.
 */
function readHour(
  cell: Line,
  run_ms: number,
  valid_ms: number,
  { place: { station_id }, span }: Need,
  { requested_ms, unusable }: { requested_ms: number; unusable: UnusablePart[] },
): FeedLine[] {
  const issued_ms = run_ms + ISSUED_AFTER_MS;
  const degrees = cell('tmp');
  if (isMissing(degrees) || !isRetained(run_ms) || failure(degrees, run_ms, valid_ms, span) !== undefined)
    return [];
  if (issued_ms > requested_ms || !isHourKept(issued_ms, valid_ms)) return [];
  const [issued_at, valid_at] = [isoInstant(issued_ms), isoInstant(valid_ms)];
  const others = {
    dew_point_f: cell('dpt'),
    cloud_pct: cell('sky'),
    wind_kt: cell('wsp'),
    gust_kt: cell('gst'),
    precip_chance_12h: cell('p12'),
    precip_chance_6h: cell('p06'),
  };
  const unit = `${station_id} NBS ${minuteText(run_ms)} for ${minuteText(valid_ms)}`;
  const cells = readCells(others, (text) => isMissing(text as string), unit, unusable);
  return [{ station_id, issued_at, valid_at, temp_f: `${Number(degrees)}`, provider: 'nbm', ...cells }];
}

/** The cells of a line by name; blank where the response has no such column. */
type Line = (
  name: 'runtime' | 'ftime' | 'tmp' | 'txn' | 'n_x' | 'xnd' | 'dpt' | 'sky' | 'wsp' | 'gst' | 'p06' | 'p12',
) => string;

/** The lines of a response, which are whole and of one station and model. */
function table(body: string, model: Model, { station_id }: StationPlace): Line[] {
  const lines = body.split('\n').map((line) => line.replace(/\r$/, ''));
  const names = (lines.shift() ?? '').split(',');
  // Columns that are empty in the whole response are left out of it, these never.
  if (
    !['runtime', 'ftime', 'model', 'station'].every((name) => names.includes(name)) ||
    new Set(names).size < names.length
  )
    throw new GapError(`${model}: not a table of a model: ${plainText(body, 80)}`);
  // The last line ends too, or a 90 that is cut off is a 9.
  if (lines.pop() !== '') throw new GapError(`${model}: the response is cut off`);
  const [modelAt, stationAt] = [names.indexOf('model'), names.indexOf('station')];
  return lines.map((line, at) => {
    const cells = line.split(',');
    if (cells.length !== names.length)
      throw new GapError(`${model}: line ${at + 2} has ${cells.length} cells, not ${names.length}`);
    if (cells[stationAt] !== station_id || cells[modelAt] !== model)
      throw new GapError(`${model} of ${station_id}: line ${at + 2} is of another station or model`);
    return (name) => cells[names.indexOf(name)]?.trim() ?? '';
  });
}

/** Whether a run is read: one whose time cannot be read is, so that the report has it. */
const isRetained = (run_ms: number): boolean =>
  Number.isNaN(run_ms) ||
  retainedHours(formatDate(Math.floor(run_ms / DAY_MS))).includes((run_ms % DAY_MS) / HOUR_MS);

const isMissing = (cell: string): boolean => cell === '' || /^(-99|999)(\.0+)?$/.test(cell);

/** The standard deviation of an extreme; blank where it is missing, undefined where the cell is no number up to 50. */
function parseSpread(cell: string): string | undefined {
  if (isMissing(cell)) return '';
  return /^\d{1,2}(\.0*)?$/.test(cell) && Number(cell) <= 50 ? `${Number(cell)}` : undefined;
}

/** A time of the archive: UTC, without a zone; NaN for any other text. */
function utc(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return NaN;
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  // The 30th of February parses as the 2nd of March.
  return Number.isNaN(ms) || dateAt(ms) !== text.slice(0, 10) ? NaN : ms;
}

function failure(degrees: string, run_ms: number, valid_ms: number, span: Span): string | undefined {
  if (Number.isNaN(run_ms) || Number.isNaN(valid_ms)) return 'no time';
  if (run_ms < span.from_ms || run_ms >= span.to_ms) return 'a run that was not requested';
  if (valid_ms <= run_ms || valid_ms > run_ms + FARTHEST_MS) return 'not of the days after the run';
  if (!/^-?\d{1,3}(\.0*)?$/.test(degrees) || Math.abs(Number(degrees)) > 150)
    return `${plainText(degrees, 20)} is not a whole number of °F`;
  return undefined;
}
