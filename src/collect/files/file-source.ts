import type { IncomingHttpHeaders } from 'node:http';
import { formatDate, DAY_MS, isoInstant } from '../../statistics/time/calendar.js';
import { localMidnight, dateIn } from '../../statistics/time/local-midnight.js';
import {
  batches,
  daysIn,
  daysOverBy,
  daySpans,
  groupBy,
  hull,
  listRuns,
  needsIn,
  planRuns,
  splitNeed,
} from '../collected-spans.js';
import { plainText } from '../plain-text.js';
import {
  type FeedLine,
  type Need,
  type PublicSource,
  type Reading,
  type Request,
  type Span,
  type StationPlace,
  GapError,
} from '../source.js';
import { computeRows } from './answers.js';
import { makeDays } from './days.js';
import { readPlaceRows } from './file-rows.js';
import { fillBody, fillPath, listPlaceholders } from './placeholders.js';
import { dayFeedOf, getOrigin, type SourceFile } from './source-file.js';

// A source file as a source of the collector. Its requests are of runs, of spans with {from} and {to}, or of now.
//
// The way of a file: find-files.ts reads it with source-file.ts, which has its fields; this module plans its requests, by
// placeholders.ts; answers.ts gives a response to answer-worker.ts, which computes cells; file-rows.ts makes rows of them, and
// days.ts days of rows of hours.

/** A span source without an overlap of its own reads so much again. */
const USUAL_OVERLAP_MS = 2 * DAY_MS;

type Shape = 'runs' | 'spans' | 'now';

function getShape({ runs, url, body }: SourceFile): Shape {
  if (runs !== undefined) return 'runs';
  return listPlaceholders(url, body).some(({ bare }) => ['from', 'to', 'last'].includes(bare))
    ? 'spans'
    : 'now';
}

export function toSource(file: SourceFile): PublicSource {
  const { kind, name, runs, countries, stations, licence, attribution } = file;
  const shape = getShape(file);
  const isForecast = dayFeedOf(kind) === 'forecasts';
  const overlap_ms = file.overlap ?? { runs: 2 * (runs?.every ?? 0), spans: USUAL_OVERLAP_MS, now: 0 }[shape];
  const firsts = new Map<string, string>();
  const isNamed = licence === undefined || attribution.includes(licence);
  return {
    name,
    feed: kind === 'hourly_forecasts' && Object.keys(file.days).length > 0 ? 'forecasts' : kind,
    ...(isForecast && { provider: file.provider ?? name }),
    host: getOrigin(file),
    headers: file.headers,
    isOff: file.off,
    isNonCommercial: file.non_commercial,
    // A path with the time is another each time.
    isConditional: shape === 'now' && !listPlaceholders(file.url).some(({ bare }) => bare.startsWith('now')),
    interval_ms: file.interval,
    earliest: file.since,
    overlap_ms,
    schedule: [{ cron: file.schedule, overlap_ms }],
    attribution: isNamed ? attribution : `${attribution} (${licence})`,
    serves: ({ country, station_id }) =>
      (countries?.includes(country) ?? true) &&
      (stations === undefined || Object.hasOwn(stations, station_id)),
    plan: (needs, requested_ms) => plan(file, shape, firsts, needs, requested_ms),
    next: (bodies, request) => findNext(file, firsts, bodies, request),
    read: (bodies, request, headers) => read(file, shape, bodies, request, headers),
    refusal: (_, body) => neverOf(file, body),
    expected: (span, requested_ms) => {
      if (runs !== undefined)
        return listRuns({ ...span, to_ms: Math.min(span.to_ms, requested_ms - runs.out + 1) }, runs.every)
          .length;
      return kind === 'observations' && shape === 'spans' ? daysOverBy(span, requested_ms).length : undefined;
    },
    estimatedBytes: ({ covers }) => file.bytes * covers.length,
  };
}

/** The requests for needs, newest first. */
function plan(
  file: SourceFile,
  shape: Shape,
  firsts: ReadonlyMap<string, string>,
  needs: readonly Need[],
  requested_ms: number,
): Request[] {
  const { runs, places, keeps = Infinity, span: longest_ms, url } = file;
  const since_ms = requested_ms - keeps;
  const kept = needs.flatMap((need) => needsIn(need, [{ from_ms: since_ms, to_ms: Infinity }]));
  const parts =
    runs !== undefined
      ? planRuns(kept, { every_ms: runs.every, out_ms: runs.out }, requested_ms)
      : shape === 'now'
        ? [{ covers: kept.filter(({ span }) => span.to_ms >= requested_ms) }]
        : kept.flatMap((need) => splitNeed(need, longest_ms).map((part) => ({ covers: [part] })));
  // A request has the elevations of all its places, or none; and of all its places one span.
  const units = parts.flatMap(({ covers }) => [
    ...groupBy(
      covers,
      ({ place }) => `${url.includes('{elevation') && place.elevation_m === undefined}`,
    ).values(),
  ]);
  return units
    .flatMap((covers) => batches(covers, places))
    .map((covers) => toRequest(file, firsts, { covers, requested_ms }))
    .sort((a, b) => hull(b.covers).to_ms - hull(a.covers).to_ms);
}

/** @param firsts the values of {first} that are known, by the path that they come from */
function toRequest(
  file: SourceFile,
  firsts: ReadonlyMap<string, string>,
  { covers, requested_ms }: Pick<Request, 'covers' | 'requested_ms'>,
): Request {
  const values = valuesOf(file, { covers, requested_ms });
  const first = file.first && fillPath(file.first.url, values);
  const value = firsts.get(first ?? '');
  const path = value === undefined ? first : undefined;
  const body = file.body !== undefined && { body: fillBody(file.body, values) };
  return { paths: [path ?? fillPath(file.url, { ...values, first: value })], ...body, covers, requested_ms };
}

/** The placeholders of a request, but for {first}. */
function valuesOf(
  { decimals, kind, days, runs, stations }: SourceFile,
  { covers, requested_ms }: Pick<Request, 'covers' | 'requested_ms'>,
): Record<string, string | number | undefined> {
  const each = (value: (place: StationPlace) => string | number | undefined): string =>
    covers.map(({ place }) => value(place)).join();
  const rounded = (degrees: number): number =>
    decimals === undefined ? degrees : Number(degrees.toFixed(decimals));
  const { from_ms, to_ms } = hull(covers);
  const [{ place }] = covers as [Need];
  // A day is made of all its hours.
  const isOfDays = kind === 'hours' && Object.keys(days).length > 0;
  const { timezone, day_boundary } = place;
  return {
    latitude: each(({ latitude }) => rounded(latitude)),
    longitude: each(({ longitude }) => rounded(longitude)),
    elevation: place.elevation_m === undefined ? undefined : each(({ elevation_m }) => elevation_m),
    station_id: each(({ station_id }) => station_id),
    id: each(({ station_id }) => stations?.[station_id]),
    timezone: each((one) => one.timezone),
    country: each(({ country }) => country),
    from: isOfDays ? localMidnight(dateIn(from_ms, timezone, day_boundary), timezone, day_boundary) : from_ms,
    to: to_ms,
    last: to_ms - 1,
    now: requested_ms,
    ...(runs && { run: runOf(runs.every, covers) }),
  };
}

/** The run that a part of a need is of: it begins there, or in the part before. */
const runOf = (every_ms: number, covers: readonly Need[]): number => {
  const { to_ms } = hull(covers);
  return (Math.ceil(to_ms / every_ms) - 1) * every_ms;
};

/** The path of the request behind the first one, where that is what has been answered. */
async function findNext(
  file: SourceFile,
  firsts: Map<string, string>,
  bodies: readonly string[],
  request: Request,
): Promise<string | undefined> {
  const { first, url } = file;
  const [body] = bodies;
  const [path = ''] = request.paths;
  if (first === undefined || bodies.length !== 1 || body === undefined) return undefined;
  const values = valuesOf(file, request);
  if (path !== fillPath(first.url, values)) return undefined;
  const task = {
    ...file,
    body,
    format: 'json' as const,
    each: undefined,
    rows: '$',
    checks: {},
    columns: [first.value],
  };
  const [part] = await computeRows({ ...task, variables: [{}] });
  const value = part !== undefined && 'cells' in part ? part.cells[0]?.[0] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw new GapError('first has no value');
  firsts.set(path, `${value}`);
  return fillPath(url, { ...values, first: value });
}

/** The gap of a response that says that it never comes: by its words, without what JSON has around them. */
function neverOf({ never }: SourceFile, body: string): GapError | undefined {
  const start = body.slice(0, 2000);
  const at = Math.max(-1, ...never.map((text) => start.toLowerCase().indexOf(text.toLowerCase())));
  const [words = ''] = start.slice(start.lastIndexOf('"', at) + 1).split('"');
  return at < 0 ? undefined : new GapError(plainText(words, 200), 'final');
}

async function read(
  file: SourceFile,
  shape: Shape,
  bodies: readonly string[],
  { covers, requested_ms }: Request,
  headers: IncomingHttpHeaders = {},
): Promise<Reading> {
  const body = bodies.at(-1) ?? '';
  const days = Object.entries(file.days);
  const modified_ms = Date.parse(`${headers['last-modified']}`);
  const run_ms = file.runs && runOf(file.runs.every, covers);
  const { format, delimiter, unended, rows, checks, each } = file;
  const parts = await computeRows({
    ...{ body, format, delimiter, unended, rows, checks, each },
    columns: [
      ...Object.values(file.columns),
      ...days.map(([, { max, min, sum }]) => max ?? min ?? sum ?? ''),
    ],
    variables: covers.map(({ place, span }) => ({
      place: { ...place },
      asked: isoInstant(requested_ms),
      ...(run_ms !== undefined && { run: isoInstant(run_ms) }),
      ...(Number.isNaN(modified_ms) ? {} : { modified: isoInstant(modified_ms) }),
      ...{ from: isoInstant(span.from_ms), to: isoInstant(span.to_ms), headers: { ...headers } },
    })),
  }).catch((error: unknown) => {
    throw neverOf(file, body) ?? error;
  });
  const unusable: Reading['unusable'] = [];
  const ofPlaces = covers.map((need, at) => {
    const part = parts[at] as (typeof parts)[number];
    if ('failure' in part) return { lines: [], made: [], gaps: [{ ...need, reason: part.failure }] };
    const time = { requested_ms, isSpan: shape === 'spans' };
    const { lines, hours } = readPlaceRows(file, need, part.cells, time, unusable);
    const made = makeDays(file, need.place, hours, requested_ms, unusable);
    return { lines, made, gaps: findGaps(file, shape, need, [...lines, ...made], requested_ms) };
  });
  const lines = ofPlaces.flatMap((one) => one.lines);
  const made = ofPlaces.flatMap((one) => one.made);
  const gaps = ofPlaces.flatMap((one) => one.gaps);
  if (covers.length > 0 && gaps.length === covers.length && lines.length + made.length === 0) {
    const [{ reason } = { reason: 'it has no rows' }] = [...unusable, ...gaps];
    throw neverOf(file, body) ?? new GapError(reason);
  }
  if (days.length === 0) return { rows: lines, unusable, gaps };
  return file.kind === 'hourly_forecasts'
    ? { rows: made, hourly_forecasts: lines, unusable, gaps }
    : { rows: lines, observations: made, unusable, gaps };
}

/** The gaps of a response: all of a need, or days of observations that should be there by now. */
function findGaps(
  { kind, overlap = USUAL_OVERLAP_MS }: SourceFile,
  shape: Shape,
  need: Need,
  lines: readonly FeedLine[],
  requested_ms: number,
): Reading['gaps'] {
  if (shape !== 'spans' || dayFeedOf(kind) === 'forecasts')
    return lines.length > 0 ? [] : [{ ...need, reason: 'it has no rows' }];
  const known = new Set(lines.map(({ date, at }) => date ?? at?.slice(0, 10)));
  const { from_ms, to_ms } = need.span;
  const whole: Span = {
    from_ms: Math.ceil(from_ms / DAY_MS) * DAY_MS,
    to_ms: Math.min(to_ms, requested_ms - overlap),
  };
  const absent = daysIn({ ...whole, to_ms: Math.floor(whole.to_ms / DAY_MS) * DAY_MS }).filter(
    (day) => !known.has(formatDate(day)),
  );
  return needsIn(need, daySpans(absent)).map((gap) => ({ ...gap, reason: 'it has no rows of its days' }));
}
