import { z } from 'zod';
import { nearest } from '../lib/nearest.js';
import { isCalendarDate } from '../statistics/time/calendar.js';
import { clip } from '../lib/text.js';
import { VARIABLE_NAMES, VARIABLES } from '../variables/variables.js';

/** An error of one request parameter. */
export interface ParamIssue {
  parameter: string;
  message: string;
}

/** A request with bad parameters; lists every error (D18). */
export class InvalidParamsError extends Error {
  readonly apiCode = 'INVALID_PARAMETER';

  constructor(readonly issues: ParamIssue[]) {
    super(issues.map(({ parameter, message }) => `${parameter} ${message}`).join('; '));
  }
}

/** A whole number within bounds. `z.coerce` would accept a blank, `1e2` and ` 7`. */
export function wholeNumber(minimum: number, maximum: number, wayOut = '') {
  const error = `must be a whole number from ${minimum} to ${maximum}${wayOut}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, error);
}

/** Such a number, with a default. */
export function integer(
  minimum: number,
  maximum: number,
  fallback: number,
  description: string,
  wayOut?: string,
) {
  return wholeNumber(minimum, maximum, wayOut)
    .default(fallback)
    .meta({ type: 'integer', minimum, maximum, default: fallback, description });
}

/** Makes a transform of a parser: a text that it makes nothing of is an error. */
export const parseBy =
  <Value>(parse: (text: string) => Value | undefined, message: string) =>
  (text: string, context: z.RefinementCtx): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };

/** A list with commas; blanks beside its members count for nothing. */
export const listText = () => z.string().overwrite(withoutBlanks);

/** A list without the blanks beside its members. */
export const withoutBlanks = (list: string): string =>
  list
    .split(',')
    .map((member) => member.trim())
    .join(',');

/** `true` or `false`, in these words. */
export function flag(fallback: boolean, description: string) {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .default(fallback)
    .meta({ type: 'boolean', default: fallback, description });
}

/** Words of other services for those of a list. */
const OTHER_WORDS: Partial<Record<string, string>> = {
  ...Object.fromEntries(
    VARIABLE_NAMES.flatMap((name) => (VARIABLES[name].otherNames ?? []).map((other) => [other, name])),
  ),
  c: 'celsius',
  f: 'fahrenheit',
};

/**
 * One of these words.
 * @param elsewhere by word that others take: where it is answered
 */
export function word<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
  elsewhere: Readonly<Record<string, string>> = {},
) {
  const taken = `must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}`;
  const explain = (input: unknown): string => {
    if (typeof input !== 'string' || input.length > MAX_SUGGESTED) return taken;
    const text = input.toLowerCase();
    const known = [...words, ...Object.keys(elsewhere)];
    const other = Object.hasOwn(OTHER_WORDS, text) ? OTHER_WORDS[text] : undefined;
    const close = known.find((each) => each === other) ?? nearest(text, known, 1)[0];
    if (close === undefined) return taken;
    return Object.hasOwn(elsewhere, close)
      ? `${taken}; ${elsewhere[close]}`
      : `${taken}; did you mean ${close}?`;
  };
  return z.enum(words, { error: ({ input }) => explain(input) }).meta({ description });
}

/** A longer text is no slip of a word. */
const MAX_SUGGESTED = 40;

/** A lead time whose + in 72h+ is unencoded in the URL: that arrives as a blank. */
export const withBucketPlus = (text: string): string => text.replaceAll('72h ', '72h+');

/** A text whose offset, as in +02:00, has an unencoded + in the URL: that arrives as a blank. */
export const withPlus = (text: string): string => text.replace(/ (?=\d\d:\d\d$)/, '+');

/** An instant in Unix ms: a calendar date (00:00Z of it), or ISO 8601 with Z or an offset; undefined for any other text. */
export function parseInstant(text: string): number | undefined {
  const isInstant = isCalendarDate(text) || z.iso.datetime({ offset: true }).safeParse(text).success;
  return isInstant ? Date.parse(text) : undefined;
}

/** The query of a URL. A second `?` is a sign like any other; at the beginning of a text, URLSearchParams would leave it out. */
export function parseQuery(url: string): URLSearchParams {
  const search = url.indexOf('?');
  return new URLSearchParams(search === -1 ? '' : `&${url.slice(search + 1)}`);
}

/** The parameters of a request by name; in `values` a bad one has its default, or is not there. */
interface ReadParameters {
  values: Record<string, unknown>;
  issues: ParamIssue[];
}

/**
 * Reads the query parameters of a request (D18): a blank one counts as absent; each unknown, repeated or bad one is a
 * error.
 */
export function readParameters(shape: z.ZodRawShape, query: URLSearchParams): ReadParameters {
  const issues: ParamIssue[] = [];
  const given = new Map<string, string>();
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name);
    if (!Object.hasOwn(shape, name)) {
      issues.push({ parameter: clip(name, 60), message: unknownParameter(name, Object.keys(shape)) });
    } else if (texts.length > 1) {
      issues.push({ parameter: name, message: `is given ${texts.length} times; give it once` });
    } else if (texts[0] !== undefined && texts[0] !== '') {
      given.set(name, texts[0]);
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const parsed = (schema as z.ZodType).safeParse(given.get(name));
    if (parsed.success) values[name] = parsed.data;
    else {
      issues.push({ parameter: name, message: parsed.error.issues[0]?.message ?? 'is invalid' });
      const fallback = (schema as z.ZodType).safeParse(undefined).data;
      if (fallback !== undefined) values[name] = fallback;
    }
  }
  return { values, issues };
}

/** Names of other services, and those of ours that may be meant: the first that an endpoint has. */
const OTHER_NAMES: Partial<Record<string, readonly string[]>> = {
  // The day of a forecast has two names: clients of each endpoint are published.
  forecast_for_date: ['target_date'],
  target_date: ['forecast_for_date'],
  date: ['target_date', 'forecast_for_date', 'date_from'],
  day: ['target_date', 'forecast_for_date', 'date_from'],
  start: ['date_from'],
  start_date: ['date_from'],
  from: ['date_from'],
  end: ['date_to'],
  end_date: ['date_to'],
  to: ['date_to'],
  until: ['date_to'],
  base_f: ['base'],
  base_c: ['base'],
  base_temp: ['base'],
};

function unknownParameter(name: string, names: string[]): string {
  const known = names.length === 0 ? 'this endpoint has no parameters' : `available: ${names.join(', ')}`;
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  const close = other?.find((each) => names.includes(each)) ?? nearest(name, names, 1)[0];
  return `is not a parameter${close === undefined ? '' : `; did you mean ${close}?`} (${known})`;
}

/** The names of a list with commas, each once. */
export const listedNames = (text: string): string[] => [
  ...new Set(text.split(',').map((each) => each.trim())),
];

/** The numbers of such a list, each once, in order. */
export const listedNumbers = (text: string): number[] =>
  [...new Set(text.split(',').map(Number))].sort((a, b) => a - b);
