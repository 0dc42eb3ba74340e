import type { Column, GrafanaQuery } from './queries.js';

export type Json = Record<string, unknown>;

/** How one data source writes queries down. */
export interface Source {
  /** The type is that of the data source's plugin, the uid that of grafana/provisioning/datasources. */
  datasource: { type: string; uid: string };
  /** The folder in grafana/dashboards, and what makes uids and titles differ. */
  folder: string;
  uidOf: (name: string) => string;
  getTitle: (title: string) => string;
  target: (query: GrafanaQuery, refId: string) => Json;
  /** The query of a variable; its columns are __text and __value. */
  choice: (query: GrafanaQuery) => Json;
  /** Variables of its own, before the others. */
  variables: Json[];
  /** Settings with which a panel over time shows the window that it asks for. */
  overTime: Json;
  timepicker: Json;
  /** Whether a person may choose any time range: the service refuses the longest. */
  isRangeFree: boolean;
  /** Variables that a link to another dashboard of this source hands over, beside the time range. */
  linked: string;
}

const INFINITY = { type: 'yesoreyeram-infinity-datasource', uid: 'forecast-accuracy-infinity' };

/**
 * The records of a query that follows the unit, each with its fields by their names without it, in JSONata. Without dots
 * and question marks: gjson, which Infinity tries first, has other meanings for them.
 */
const inUnit = (root: string, names: readonly string[]): string => {
  const records = root.split('.').reduce((from, name) => `$lookup(${from}, "${name}")`);
  const ending = (end: string) =>
    `{ ${names.map((name) => `"${name}": $lookup($r, "${name}_${end}")`).join(', ')} }`;
  // A record without a field in Celsius leaves the one in Fahrenheit, and one without degrees has a median in place of a list.
  return `$map(${records}, function($r) { $merge([$r, ${ending('median')}, ${ending('f')}, ${ending('c')}]) })`;
};

function makeRoot({ root, first, inUnit: names }: GrafanaQuery): string {
  if (names !== undefined) return inUnit(root, names);
  // An empty list keeps what is empty, or one record, a list.
  if (first !== undefined) return `$append($append([], ${root}[${first}]), ${root}[$not(${first})])`;
  return root;
}

function infinityQuery(query: GrafanaQuery, refId: string): Json {
  const { path, params, windowed, columns } = query;
  // The plugin's own macros: they go to its backend and give UTC dates. Grafana's ${__from:date:...} is filled in by the
  // browser, in the browser's time zone, and is a day off in half of the world for half of the day.
  const window: Record<string, string> = {
    ...(windowed === true && { date_from: '${__timeFrom:date:YYYY-MM-DD}' }),
    ...(windowed !== false && { date_to: '${__timeTo:date:YYYY-MM-DD}' }),
  };
  return {
    refId,
    type: 'json',
    source: 'url',
    format: 'table',
    parser: 'backend',
    url: `/api/v1${path}`,
    url_options: {
      method: 'GET',
      params: Object.entries({ ...window, ...params }).map(([key, value]) => ({ key, value })),
    },
    // JSONata, as its documents have it. The plugin tries gjson first, which takes a name and dotted names alike, and would
    // take a leading bracket for its own.
    root_selector: makeRoot(query),
    columns: columns.map(({ name, selector, type }) => ({ selector, text: name, type })),
    filters: [],
  };
}

export const infinity: Source = {
  datasource: INFINITY,
  folder: 'infinity',
  uidOf: (name) => `fas-${name}`,
  getTitle: (title) => title,
  target: (query, refId) => ({ ...infinityQuery(query, refId), datasource: INFINITY }),
  choice: (query) => ({ queryType: 'infinity', infinityQuery: infinityQuery(query, 'variable') }),
  variables: [],
  overTime: {},
  timepicker: {},
  isRangeFree: true,
  linked: '',
};

const JSON_API = { type: 'marcusolsson-json-datasource', uid: 'forecast-accuracy-json-api' };

function field({ root, many, first, inUnit: names }: GrafanaQuery, { name, selector, type }: Column): Json {
  if (names !== undefined)
    return { name, jsonPath: `[${inUnit(root, names)}.${selector}]`, language: 'jsonata', type };
  if (first !== undefined) {
    const jsonPath = `$append(${root}[${first}], ${root}[$not(${first})]).${selector}`;
    return { name, jsonPath, language: 'jsonata', type };
  }
  // The plugin reads a date without a time as local to the browser: a day early east of Greenwich. JSONata's $toMillis
  // takes it for UTC; the brackets keep an empty response empty.
  if (type === 'timestamp') {
    return { name, jsonPath: `[${root}.$toMillis(${selector})]`, language: 'jsonata', type: 'time' };
  }
  return { name, jsonPath: `$.${root}${many ? '[*]' : ''}.${selector}`, language: 'jsonpath', type };
}

function jsonApiQuery(query: GrafanaQuery, refId: string): Json {
  const { path, params, windowed, columns } = query;
  return {
    refId,
    method: 'GET',
    urlPath: path,
    // A length, as this plugin knows dates in the time zone of the browser only.
    params: Object.entries({ ...(windowed === true && { days: '${window}' }), ...params }),
    queryParams: '',
    headers: [],
    body: '',
    // The plugin's default keeps responses for 300 s in the browser; the service keeps them itself, until the data change.
    cacheDurationSeconds: 0,
    fields: columns.map((column) => field(query, column)),
  };
}

const WINDOWS = ['7', '30', '90', '180', '365'];

export const jsonApi: Source = {
  datasource: JSON_API,
  folder: 'json-api',
  uidOf: (name) => `fas-json-${name}`,
  getTitle: (title) => `${title} (JSON API)`,
  target: (query, refId) => ({ ...jsonApiQuery(query, refId), datasource: JSON_API }),
  choice: (query) => ({
    ...jsonApiQuery(query, 'variable'),
    experimentalVariableTextField: '__text',
    experimentalVariableValueField: '__value',
  }),
  variables: [
    {
      name: 'window',
      label: 'Window (days)',
      type: 'custom',
      query: WINDOWS.join(','),
      current: { text: '90', value: '90' },
      options: WINDOWS.map((days) => ({ text: days, value: days, selected: days === '90' })),
    },
  ],
  overTime: { timeFrom: '${window}d', hideTimeOverride: true },
  timepicker: { hidden: true },
  isRangeFree: false,
  linked: '&var-window=${window}',
};
