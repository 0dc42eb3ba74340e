import { Cron } from 'croner';
import jsonata from 'jsonata';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { FEEDS } from '../../feeds/feeds.js';
import { getUnreadColumns } from '../../feeds/file-columns.js';
import { UserError } from '../../lib/user-error.js';
import { DAY_MS, HOUR_MS, isCalendarDate, MINUTE_MS, SECOND_MS } from '../../statistics/time/calendar.js';
import { isZone } from '../../statistics/time/zone-name.js';
import { plainText } from '../plain-text.js';
import { listPlaceholders, PLACEHOLDERS } from './placeholders.js';

// A source as a file: which requests it takes, and what its responses say. docs/sources.md has the fields.

const MAX_FILE_CHARACTERS = 64 * 1024;
const UNITS_MS = { second: SECOND_MS, minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

const duration = z
  .string()
  .regex(/^\d{1,5} (second|minute|hour|day)s?$/, 'must be a duration, such as 6 hours')
  .transform((text) => {
    const [count, unit = ''] = text.split(' ');
    return Number(count) * UNITS_MS[unit.replace(/s$/, '') as keyof typeof UNITS_MS];
  });
/** A span or a run of no length would be parted into requests for ever. */
const period = duration.refine((ms) => ms >= HOUR_MS, 'must be 1 hour or more');

const text = (max: number): z.ZodString => z.string().trim().min(1).max(max);
const line = (max: number): z.ZodString => text(max).regex(/^\P{C}*$/u, 'must be one line');

/** An expression that the worker computes; a syntax error names the character. */
const expression = text(8000).superRefine((written, context) => {
  try {
    jsonata(written);
  } catch (error) {
    const { message, position } = error as Error & { position?: number };
    const at = position === undefined ? '' : ` (character ${position})`;
    context.addIssue(`not JSONata: ${plainText(message)}${at}`);
  }
});

const ascii = text(1000).regex(/^[\x20-\x7e]*$/, 'must be visible ASCII characters');
const expressions = z.record(line(200), expression);
const count = z.int().min(1);
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and -');
const HOURLY = ['hours', 'hourly_forecasts'];

/** The columns of a row's key; the last is the time of its values. */
export const KEYS = {
  forecasts: ['issued_at', 'target_date'],
  hourly_forecasts: ['issued_at', 'valid_at'],
  observations: ['date'],
  hours: ['at'],
} as const;
/** Headers that say who asks, and where a request ends. */
const OWN_HEADERS =
  /^(host|connection|te|trailer|upgrade|user-agent|accept-encoding|(content|transfer|if)-.+)$/i;
const OWN_COLUMNS = ['station_id', 'provider', 'withdrawn'];

const url = text(4000).superRefine((written, context) => {
  const bare = written.replaceAll(/\{[^{}]*\}/g, 'x');
  if (!URL.canParse(bare) || !/^https?:\/\/[^/{}?#@\\\s]+(\/|$)/.test(written))
    return context.addIssue('must be a URL, such as https://api.example.org/v1?lat={latitude}');
  const unknown = listPlaceholders(written).find(({ name }) => !PLACEHOLDERS.test(name));
  if (unknown)
    context.addIssue(`unknown placeholder {${plainText(unknown.name, 40)}}; docs/sources.md lists them`);
});

export const SOURCE_FILE = z
  .strictObject({
    name: name.meta({ description: 'Its name in reports and in --sources' }),
    attribution: line(300).meta({ description: 'The line to show beside its data' }),
    licence: line(100).optional(),
    terms: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({ description: 'The page of its terms of use' }),
    kind: z.enum(['forecasts', 'hourly_forecasts', 'observations', 'hours']),
    provider: name.optional().meta({ description: 'Of forecasts; the name, if not given' }),
    url: url.meta({ description: 'With placeholders, such as {latitude}' }),
    first: z.strictObject({ url, value: expression }).optional().meta({
      description: 'A request before it, once for each place: its value is the placeholder {first}',
    }),
    headers: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/), ascii).default({}),
    body: z.json().optional().meta({ description: 'JSON with placeholders; the request is a POST with it' }),
    decimals: z.int().min(0).max(6).optional().meta({ description: 'Of {latitude} and {longitude}' }),
    places: z.int().min(1).max(100).default(1).meta({ description: 'Places of one request, with each' }),
    each: expression.optional().meta({ description: 'The list of what is of each place, in their order' }),
    format: z.enum(['json', 'csv', 'ndjson', 'xml']).default('json'),
    delimiter: z.string().length(1).default(',').meta({ description: 'Of CSV' }),
    unended: z.boolean().default(false).meta({ description: 'The last line of CSV may have no end' }),
    rows: expression.default('$').meta({ description: 'The list of rows' }),
    columns: expressions.meta({ description: 'A value of a row for each column of the feed' }),
    missing: z.array(z.union([z.string(), z.number()])).default([]),
    days: z
      .record(
        z.string(),
        z.strictObject({
          ...{ max: expression.optional(), min: expression.optional(), sum: expression.optional() },
          at: z.enum(['begin', 'end']).default('begin'),
        }),
      )
      .default({})
      .meta({ description: 'Columns of days, made of rows of hours' }),
    checks: expressions
      .default({})
      .meta({ description: 'What must be true of a response, by the reason if not' }),
    never: z.array(text(200)).default([]).meta({ description: 'Texts that say: this never comes' }),
    zone: z.string().optional().meta({ description: 'Of times without one: an IANA zone, or station' }),
    stations: z
      .record(z.string().regex(/^[A-Z0-9][A-Z0-9-]{2,23}$/), text(200))
      .optional()
      .meta({ description: 'Its stations, and what {id} is of each' }),
    countries: z.array(z.string().regex(/^[A-Z]{2}$/)).optional(),
    since: z.string().refine(isCalendarDate, 'must be a date').default('1970-01-01'),
    keeps: duration.optional().meta({ description: 'How far back it has anything' }),
    runs: z.strictObject({ every: period, out: duration }).optional(),
    span: period.prefault('31 days').meta({ description: 'The longest from {from} to {to}' }),
    schedule: z.string().default('10 * * * *').meta({ description: 'Cron, UTC, for --watch' }),
    overlap: duration.optional().meta({ description: 'What each pass reads again' }),
    interval: duration.prefault('0 seconds').meta({ description: 'The least time between two responses' }),
    gap: duration.prefault('1 second').meta({ description: 'The least time between two requests' }),
    budget: z.strictObject({ minute: count, hour: count, day: count }).optional(),
    verified_after: duration.prefault('0 days').meta({ description: 'After the end of an observed day' }),
    bytes: count.default(20_000).meta({ description: 'Of a response for one place, roughly' }),
    non_commercial: z.boolean().default(false),
    off: z.boolean().default(false).meta({ description: 'Asked only where a command names it' }),
    local: z.boolean().default(false).meta({ description: 'May be in a private network, and without TLS' }),
  })
  .superRefine((file, context) => {
    if (context.issues.length > 0) return;
    for (const [path, message] of listConflicts(file)) context.addIssue({ code: 'custom', path, message });
  });

export type SourceFile = z.infer<typeof SOURCE_FILE>;
type Kind = SourceFile['kind'];

/** The feed of the days that are made of hours. */
export const dayFeedOf = (kind: Kind): 'forecasts' | 'observations' =>
  kind === 'hours' || kind === 'observations' ? 'observations' : 'forecasts';

/** Scheme, host and port of its requests. */
export const getOrigin = ({ url }: Pick<SourceFile, 'url'>): string =>
  new URL(url.replaceAll(/[{}]/g, '')).origin;

const isCron = (written: string): boolean => {
  try {
    return /^\S+( \S+){4}$/.test(written) && new Cron(written, { timezone: 'UTC' }).nextRun() !== null;
  } catch {
    return false;
  }
};

/** A field, and the way out. */
type Conflict = [path: string[], message: string];

/** The fields of a file that do not go together. */
function* listConflicts(file: SourceFile): Generator<Conflict> {
  const { kind, columns, days, url, first, body, headers, places } = file;
  for (const key of KEYS[kind])
    if (!Object.hasOwn(columns, key)) yield [['columns', key], `is missing: ${kind} have it`];
  yield* listColumnConflicts('columns', kind, columns);
  yield* listColumnConflicts('days', dayFeedOf(kind), days);
  if (!HOURLY.includes(kind) && Object.keys(days).length > 0) yield [['days'], 'are made of hours alone'];
  for (const [column, { max, min, sum }] of Object.entries(days))
    if ([max, min, sum].filter((one) => one !== undefined).length !== 1)
      yield [['days', column], 'must have one of max, min and sum'];
  for (const [path, written] of Object.entries({ url, ...(first && { first: first.url }) })) {
    if (written.startsWith('http:') && !file.local) yield [[path], 'must be https, or give local: true'];
    if (getOrigin({ url: written }) !== getOrigin(file)) yield [[path], `must be at ${getOrigin(file)}`];
  }
  for (const [header, value] of Object.entries(headers)) {
    if (OWN_HEADERS.test(header)) yield [['headers', header], 'is set by the collector'];
    if (listPlaceholders(value).some(({ name, bare }) => bare !== 'key' || !PLACEHOLDERS.test(name)))
      yield [['headers', header], 'must have no placeholder but {key:NAME}'];
  }
  for (const { name, bare } of listPlaceholders('', body))
    if (bare === 'key' || !PLACEHOLDERS.test(name))
      yield [['body'], `unknown placeholder {${plainText(name, 40)}}`];
  const used = new Set(listPlaceholders(url, body).map(({ bare }) => bare));
  if (used.has('run') !== (file.runs !== undefined)) yield [['url'], '{run} and runs need each other'];
  if (used.has('first') !== (first !== undefined)) yield [['url'], '{first} and first need each other'];
  if (used.has('id') && file.stations === undefined) yield [['url'], '{id} needs stations'];
  if (body !== undefined && first !== undefined) yield [['body'], 'goes with no first'];
  if (places > 1 && (file.each === undefined || first !== undefined))
    yield [['places'], 'more than one need each, and no first'];
  if (file.gap < SECOND_MS && !file.local) yield [['gap'], 'must be 1 second or more'];
  if (file.zone !== undefined && file.zone !== 'station' && !isZone(file.zone))
    yield [['zone'], 'must be an IANA zone, such as Europe/Berlin, or station'];
  if (!isCron(file.schedule)) yield [['schedule'], 'must be cron, such as 10 * * * *'];
}

function* listColumnConflicts(field: 'columns' | 'days', feed: Kind, given: object): Generator<Conflict> {
  for (const { name, nearest } of getUnreadColumns(feed, Object.keys(given)))
    yield [[field, name], `unknown column of ${feed}${nearest === undefined ? '' : `; is it ${nearest}?`}`];
  for (const { name, kind } of FEEDS[feed].columns)
    if (Object.hasOwn(given, name) && (field === 'days' ? kind !== 'number' : OWN_COLUMNS.includes(name)))
      yield [[field, name], 'is filled in by the collector'];
}

/**
 * Reads a source file.
 * @param path as messages name it
 * @throws UserError that names file, line and field
 */
export function parseSourceFile(written: string, path: string): SourceFile {
  const lines = new LineCounter();
  const fail = (offset: number, message: string): never => {
    throw new UserError(`${plainText(path, 300)}:${lines.linePos(offset).line || 1}: ${message}`);
  };
  if (written.length > MAX_FILE_CHARACTERS) fail(0, `must have at most ${MAX_FILE_CHARACTERS} characters`);
  const document = parseDocument(written, { lineCounter: lines });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) fail(error.pos[0], `not YAML: ${plainText(error.message)}`);
  visit(document, {
    Alias: (_, { range }) => fail(range?.[0] ?? 0, 'aliases are not read'),
    Pair: (_, { key }) => {
      if (!isScalar(key) || typeof key.value !== 'string' || key.value === '__proto__')
        fail((isScalar(key) && key.range?.[0]) || 0, 'a key must be a plain name');
    },
  });
  const { data, error: failure } = SOURCE_FILE.safeParse(document.toJS());
  if (data !== undefined) return data;
  const issues = failure.issues.map((issue) => {
    const keys = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
    const { offset, isThere } = locate(document.contents, keys);
    const message =
      issue.code === 'unrecognized_keys' ? 'unknown field' : isThere ? issue.message : missing(issue.message);
    return { offset, text: `${plainText(keys.join('.') || 'the file', 80)}: ${plainText(message, 300)}` };
  });
  const [first] = issues.sort((a, b) => a.offset - b.offset);
  return fail(first?.offset ?? 0, first?.text ?? 'not a source');
}

const missing = (message: string): string => (message.startsWith('is ') ? message : 'is missing');

/** Where a field is in its file, or what should have it. */
function locate(root: unknown, keys: readonly PropertyKey[]): { offset: number; isThere: boolean } {
  let [node, offset] = [root, 0];
  for (const key of keys) {
    const pair = isMap(node)
      ? node.items.find((one) => isScalar(one.key) && one.key.value === key)
      : undefined;
    const next = isSeq(node) ? node.items[Number(key)] : pair?.value;
    const at = isScalar(pair?.key) ? pair.key.range : isScalar(next) ? next.range : undefined;
    if (next === undefined && at === undefined) return { offset, isThere: false };
    offset = at?.[0] ?? offset;
    node = next;
  }
  return { offset, isThere: true };
}
