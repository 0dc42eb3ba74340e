import { z } from 'zod';
import { type ParamIssue, readParameters, withoutBlanks } from '../api/parameters.js';
import type { ApiResponse, Query } from '../responses/local-client.js';
import { addDays, dateAt } from '../statistics/time/calendar.js';
import { parseJson } from './message.js';
import type { StationOfCall } from './station-search.js';

/** A fragment of a JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A parameter of a tool: its schema in the list, and who reads it. */
export interface Parameter {
  schema: Schema;
  /** The schema by which the tool itself reads its text; without it the API does. */
  own?: z.ZodType;
  /** A date, which may be a word; an instant, whose date is in UTC; or names, which may have blanks after commas. */
  kind?: 'date' | 'instant' | 'names';
}

/** A request of the API that a tool asks. */
export interface ToolRequest {
  /** Below /api/v1. */
  path: string;
  query: Query;
  /** The parameters of the tool that those of the query come from, where they have other names. */
  names?: Readonly<Record<string, string>>;
}

/** The values of a call: what the tool reads by itself, and the texts of what it passes on. */
export type Values = Readonly<Record<string, unknown>>;

/** The response of a tool, before it is cut to size. */
export interface ToolResponse {
  /** The request as it was understood: who, when, which version of the data. */
  params?: Record<string, unknown> | undefined;
  rows: readonly unknown[];
  /** The total of which `rows` are a part; as many as rows without it. */
  total_rows?: number;
  /** Reasons to doubt the rows, or ways to a better call. */
  hints: string[];
  /** Fields beside the rows. */
  more?: Record<string, unknown>;
  /** A file of the HTTP API with everything: path below its prefix, and query. */
  file?: string;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  parameters: Readonly<Record<string, Parameter>>;
  required?: readonly string[];
  /** Schemas of the fields beside the rows. */
  more?: Readonly<Record<string, Schema>>;
  /** The description of a row. */
  row: string;
  /** The parameter that decides which others have a meaning. */
  decides?: string;
  /** The requests of the API that a call needs, and the errors that the API cannot know of. */
  plan(values: Values): (ToolRequest | ParamIssue)[];
  /**
   * @param ask asks a request that depends on a response
   * @param place the station of the call, where it is about one
   */
  handle(
    values: Values,
    responses: readonly ApiResponse[],
    ask: (params: ToolRequest) => Promise<ApiResponse>,
    place: StationOfCall | undefined,
  ): ToolResponse | Promise<ToolResponse>;
}

export const isError = (part: ToolRequest | ParamIssue): part is ParamIssue => 'message' in part;
export const isToolRequest = (part: ToolRequest | ParamIssue): part is ToolRequest => 'path' in part;

/** Names of a place in the API and in other services: a model that knows them takes them for ours. */
const PLACE_NAMES = /^(other_)?(?:station(?:_id)?s?|city|location|places?)$/;

/** The name that a tool has for an argument. */
const getParameterName = (parameters: Tool['parameters'], name: string): string =>
  [name, name.replace(PLACE_NAMES, '$1place'), name.replace(PLACE_NAMES, '$1query')].find((each) =>
    Object.hasOwn(parameters, each),
  ) ?? name;

/**
 * Reads the arguments of a call: all errors at once, an unknown argument among them (D18). A number may come as a text; a
 * list as an array, as JSON text, or with blanks after its commas; null and '' count as absent.
 */
export function readArguments(
  { parameters, required = [] }: Pick<Tool, 'parameters' | 'required'>,
  given: Readonly<Record<string, unknown>>,
): { values: Values; issues: ParamIssue[] } {
  const query = new URLSearchParams();
  const misshapen: ParamIssue[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = getParameterName(parameters, key);
    const text = makeText(value);
    if (text === undefined) {
      misshapen.push({
        parameter: name.slice(0, 60),
        message: 'must be a text, a number, true, false or a list of them',
      });
    } else if (text !== '') {
      const isList = text.includes(',') && parameters[name]?.kind !== 'names';
      query.append(name, isList ? withoutBlanks(text) : text);
    }
  }
  const shape = Object.fromEntries(
    Object.entries(parameters).map(([name, { own }]) => [name, own ?? z.string().optional()]),
  );
  const { values, issues } = readParameters(shape, query);
  const missing = required
    .filter(
      (name) =>
        values[name] === undefined && ![...misshapen, ...issues].some((each) => each.parameter === name),
    )
    .map((parameter) => {
      const { enum: words } = parameters[parameter]?.schema ?? {};
      const wayOut = Array.isArray(words) ? `give one of ${words.join(', ')}` : 'give it';
      return { parameter, message: `is missing, but this tool needs it; ${wayOut}` };
    });
  return { values, issues: [...misshapen, ...issues, ...missing] };
}

function makeText(value: unknown, isInList = false): string | undefined {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && !isInList) {
    const texts = value.map((each) => makeText(each, true));
    return texts.includes(undefined) ? undefined : texts.join(',');
  }
  if (typeof value === 'string') {
    const list = !isInList && value.startsWith('[') ? parseJson(value) : undefined;
    return Array.isArray(list) ? makeText(list) : value;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : undefined;
}

const DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);

/**
 * Values with dates in place of the words for days, by the day of the station, without one in UTC. A request
 * without a day ends today, also for two places with different days.
 */
export function withDates(
  { parameters }: Tool,
  values: Values,
  place: StationOfCall | undefined,
  now: Date,
): Values {
  const inUtc = dateAt(now.getTime());
  const dates = Object.entries(values).map(([name, value]) => {
    const kind = parameters[name]?.kind;
    const days = DAYS.get(String(value).trim().toLowerCase());
    if (days === undefined || (kind !== 'date' && kind !== 'instant')) return [name, value];
    return [name, addDays(kind === 'date' ? (place?.today ?? inUtc) : inUtc, days)];
  });
  const last = ['target_date', 'date_to'].find((name) => name in parameters);
  const isSaid = ['target_date', 'date_from', 'date_to', 'as_of'].some((name) => values[name] !== undefined);
  return {
    ...Object.fromEntries(dates),
    ...(last !== undefined && !isSaid && place !== undefined && { [last]: place.today }),
  } as Values;
}

/** Errors of dates, with the words that stand for one: a model writes saturday, which the API does not know. */
export const withWordsOfDays = (
  { parameters }: Pick<Tool, 'parameters'>,
  issues: readonly ParamIssue[],
): ParamIssue[] =>
  issues.map(({ parameter, message }) => {
    const kind = parameters[parameter]?.kind;
    const isDay = (kind === 'date' || kind === 'instant') && /^must be a (?:calendar )?date\b/.test(message);
    return { parameter, message: isDay ? `${message}; or ${[...DAYS.keys()].join(', ')}` : message };
  });

/** Parameters of the API that are given, under its names. */
export function makeQuery(values: Values, names: Query): Query {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, requested]) => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? [[requested, value]] : [];
    }),
  );
}

/** A request with parameters of a tool, each under the name that the API has for it. */
export function makeRequest(path: string, values: Values, names: Query, always: Query = {}): ToolRequest {
  const ownNames = Object.fromEntries(Object.entries(names).map(([own, ofApi]) => [ofApi, own]));
  return { path, query: { ...always, ...makeQuery(values, names) }, names: ownNames };
}

/** The parameters of a tool that the API takes under the same name. */
export const same = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** Whether an error is of a parameter that a request does not have. */
export const isUnknown = ({ message }: Pick<ParamIssue, 'message'>): boolean =>
  message.startsWith('is not a parameter');

/** The errors of a request in the words of the tool: its parameters, and why one has no meaning. */
export function translated(
  issues: readonly ParamIssue[],
  { names = {} }: Pick<ToolRequest, 'names'>,
  mode: string | undefined,
): ParamIssue[] {
  return issues.map(({ parameter, message }) => ({
    parameter: names[parameter] ?? parameter,
    message: mode !== undefined && isUnknown({ message }) ? `has no meaning with ${mode}` : message,
  }));
}

/** Names in messages of the API and their words in tools, because a model knows no URL. */
const WORDS: readonly [of_api: string, of_tools: string][] = [
  ['GET /api/v1/stations/metadata', 'find_stations'],
  ['/data/suspects lists them', '`suspects` of data_status lists them'],
  ['GET /api/v1/loads lists all', 'data_status lists the last ones'],
  ['group_by=lead_time_bucket', 'by=lead_time'],
  [', and lead=0 without lead_time_bucket takes all', ''],
  [': lead=0 without lead_time_bucket takes all', ''],
  ['station_id', 'place'],
  ['this endpoint', 'this tool'],
];

export const textOfTools = (text: string): string =>
  WORDS.reduce((found, [ofApi, ofTools]) => found.replaceAll(ofApi, ofTools), text);
