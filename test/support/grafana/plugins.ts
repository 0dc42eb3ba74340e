import jsonata from 'jsonata';
import { JSONPath } from 'jsonpath-plus';
import type { Target } from './dashboards.js';

// The use of a target by Grafana and the two plugins: the URL that they ask for, and the frame that they build of the
// answer. Written after the plugins' sources: infinity-libs (gjson selectors, fields in order of their names, values of
// another type are null), and JSON API's datasource.ts, api.ts and parseValues.ts.

/** Times in Unix ms; a value is null where the answer has none. */
export interface Field {
  name: string;
  type: string;
  values: unknown[];
}

/** The state of a dashboard. */
export interface Moment {
  /** Variables by name. */
  variables: Record<string, string>;
  /** The time range, Unix ms. */
  from: number;
  to: number;
}

/** Grafana's templateSrv: variables that it knows; all others, and so the macros of plugins, stay as they are. */
export function interpolate(text: string, { variables }: Moment): string {
  return text.replace(/\$(?:\{(\w+)(?::\w+)?\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole;
  });
}

/** ${__timeFrom:date:YYYY-MM-DD} and ${__timeTo:...}, which Infinity's backend fills in, in UTC. */
function infinityMacros(text: string, { from, to }: Moment): string {
  const date = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return text
    .replaceAll('${__timeFrom:date:YYYY-MM-DD}', date(from))
    .replaceAll('${__timeTo:date:YYYY-MM-DD}', date(to));
}

interface InfinityTarget {
  type: string;
  source: string;
  format: string;
  parser: string;
  url: string;
  url_options: { method: string; params: { key: string; value: string }[] };
  root_selector: string;
  columns: { selector: string; text: string; type: string }[];
}

interface JsonApiTarget {
  method: string;
  urlPath: string;
  params: [string, string][];
  cacheDurationSeconds: number;
  fields: { name: string; jsonPath: string; language: 'jsonpath' | 'jsonata'; type?: string }[];
}

/** A data source: where it asks, and how it reads. */
export interface Plugin {
  /** The Accept header of its requests. */
  accept: string;
  /** The question of a target, below /api/v1, with variables as they are written. */
  questionOf: (target: Target) => { path: string; params: Record<string, string> };
  urlOf: (target: Target, moment: Moment, base: string) => string;
  read: (target: Target, answer: unknown) => Promise<Field[]>;
  /** The target within a variable's query. */
  choiceOf: (query: unknown) => Target;
}

const infinity: Plugin = {
  accept: 'application/json;q=0.9,text/plain',

  questionOf(target) {
    const { url, url_options } = target as unknown as InfinityTarget;
    const params = Object.fromEntries(url_options.params.map(({ key, value }) => [key, value]));
    return { path: url.replace(/^\/api\/v1/, ''), params };
  },

  urlOf(target, moment, base) {
    const { url, url_options } = target as unknown as InfinityTarget;
    const filled = (text: string): string => infinityMacros(interpolate(text, moment), moment);
    const query = new URLSearchParams();
    for (const { key, value } of url_options.params) query.append(key, filled(value));
    const search = query.toString();
    return base + filled(url) + (search === '' ? '' : `?${search}`);
  },

  async read(target, answer) {
    const { root_selector, columns } = target as unknown as InfinityTarget;
    const root = await rootOf(answer, root_selector);
    const rows = Array.isArray(root) ? root : [root];
    const fields = columns.map(({ selector, text, type }) => ({
      name: text,
      type: type === 'timestamp' ? 'time' : type,
      values: rows.map((row) => infinityValue(select(row, selector), type)),
    }));
    return fields.sort((a, b) => (a.name < b.name ? -1 : 1));
  },

  choiceOf: (query) => (query as { infinityQuery: Target }).infinityQuery,
};

/**
 * The root as the plugin looks for it: gjson first, and JSONata only where that finds nothing. gjson takes a leading bracket,
 * brace or @ and a dot, bar, star or question mark for its own words, so none of them may stand in JSONata.
 */
async function rootOf(answer: unknown, selector: string): Promise<unknown> {
  if (/^[\w.]*$/.test(selector)) return select(answer, selector);
  if (/^[[{@!]|[.|*?#\\]/.test(selector)) throw new Error(`gjson finds words of its own in: ${selector}`);
  return (await jsonata(selector).evaluate(answer)) as unknown;
}

/** gjson, as far as the dashboards go: names with dots between them. */
function select(value: unknown, selector: string): unknown {
  if (selector === '') return value;
  if (!/^\w+(\.\w+)*$/.test(selector)) throw new Error(`not a plain selector: ${selector}`);
  return selector
    .split('.')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], value);
}

function infinityValue(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'timestamp') {
    const ms = Date.parse(value as string); // a date alone is UTC, as it is in Go
    return Number.isNaN(ms) ? null : ms;
  }
  return typeof value === type ? value : null;
}

const jsonApi: Plugin = {
  accept: 'application/json, text/plain, */*',

  questionOf(target) {
    const { urlPath, params } = target as unknown as JsonApiTarget;
    return { path: urlPath, params: Object.fromEntries(params) };
  },

  urlOf(target, moment, base) {
    const { urlPath, params } = target as unknown as JsonApiTarget;
    const query = params
      .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(interpolate(value, moment))}`)
      .join('&');
    return base + interpolate(urlPath, moment) + (query === '' ? '' : `?${query}`);
  },

  async read(target, answer) {
    const { fields } = target as unknown as JsonApiTarget;
    const read: Field[] = [];
    for (const { name, jsonPath, language, type = '' } of fields) {
      if (language === 'jsonata') {
        const result = (await jsonata(jsonPath).evaluate(answer)) as unknown;
        read.push({ name, type, values: Array.isArray(result) ? [...(result as unknown[])] : [result] });
      } else {
        const values = JSONPath<unknown[]>({ path: jsonPath, json: answer as object, eval: false });
        read.push({ name, type, values: values.map((value) => jsonApiValue(value, type)) });
      }
    }
    return read;
  },

  choiceOf: (query) => query as Target,
};

function jsonApiValue(value: unknown, type: string): unknown {
  if (value === null) return null;
  // dayjs, unlike the language, takes a date alone for local time; the browser may be anywhere.
  if (type === 'time') {
    const text = value as string;
    return new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text).getTime();
  }
  if (type === 'number') return parseFloat(value as string);
  return value;
}

export const PLUGINS: Record<string, Plugin> = {
  'yesoreyeram-infinity-datasource': infinity,
  'marcusolsson-json-datasource': jsonApi,
};
