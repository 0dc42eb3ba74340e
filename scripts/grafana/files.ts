import { ACCURACY_DASHBOARDS } from './accuracy.js';
import { OPERATIONS } from './operations.js';
import type { Panel } from './panels.js';
import { PROMETHEUS } from './prometheus-panels.js';
import { infinity, type Json, jsonApi, type Source } from './sources.js';
import { SERVICE, SERVICE_ADDRESS } from './variables.js';

// Its panels have their own queries: nothing of Infinity's but the shape of uids and titles.
const prometheus: Source = { ...infinity, datasource: PROMETHEUS, folder: 'prometheus' };

// Grafana's grid is 24 wide.
const GRID = 24;

/** Panels from left to right, then from top to bottom. */
function place(panels: Panel[], source: Source): Json[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map((panel, index) => {
    const { title, description, width: w, height: h, make } = panel;
    if (x + w > GRID) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const gridPos = { x, y, w, h };
    [x, rowHeight] = [x + w, Math.max(rowHeight, h)];
    return { id: index + 1, title, description, datasource: source.datasource, gridPos, ...make(source) };
  });
}

interface Parts {
  name: string;
  title: string;
  description: string;
  variables: Json[];
  panels: Panel[];
  time: Json;
  refresh: string;
  linked?: string;
}

function dashboard(source: Source, parts: Parts): Json {
  const words =
    source.folder === 'prometheus' ? '' : `?metric=\${metric}&provider=\${provider}${parts.linked ?? ''}`;
  return {
    uid: source.uidOf(parts.name),
    title: source.getTitle(parts.title),
    description: parts.description,
    tags: ['forecast-accuracy', source.folder],
    // A target date is a calendar day, and is shown at its midnight UTC.
    timezone: 'utc',
    editable: true,
    graphTooltip: 1,
    schemaVersion: 39,
    version: 1,
    refresh: parts.refresh,
    time: parts.time,
    timepicker: source.timepicker,
    links: [
      {
        title: 'Forecast accuracy',
        type: 'dashboards',
        tags: source.folder === 'prometheus' ? ['forecast-accuracy'] : ['forecast-accuracy', source.folder],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
        targetBlank: false,
        icon: 'external link',
        url: '',
      },
      {
        title: 'The page of the service',
        type: 'link',
        tags: [],
        asDropdown: false,
        includeVars: false,
        keepTime: false,
        targetBlank: true,
        icon: 'external link',
        url: `\${service}/${words}`,
      },
    ],
    annotations: { list: [] },
    templating: { list: [...parts.variables, SERVICE_ADDRESS] },
    panels: place(parts.panels, source),
  };
}

/** The dashboards of a source about accuracy, or of these names alone. */
function accuracyFiles(source: Source, names?: readonly string[]): [path: string, file: Json][] {
  return ACCURACY_DASHBOARDS.filter(({ name }) => names?.includes(name) ?? true).map((parts) => {
    const variables = [...source.variables, ...parts.variables(source)];
    // 90 days, as the API has it; they end today.
    const time = { from: 'now-89d/d', to: 'now' };
    return [
      `${source.folder}/${parts.name}.json`,
      dashboard(source, { ...parts, variables, time, refresh: '' }),
    ];
  });
}

const ofInfinity = accuracyFiles(infinity);
const ofPrometheus: [path: string, file: Json][] = [
  [
    'prometheus/operations.json',
    dashboard(prometheus, { ...OPERATIONS, time: { from: 'now-6h', to: 'now' }, refresh: '30s' }),
  ],
];

/** Every provisioned dashboard by its path below grafana/dashboards. */
export const dashboardFiles = (): Map<string, Json> =>
  new Map([
    ...ofInfinity,
    // The support of the JSON API plugin ends on 2027-02-01: for those who still have it, the two that people begin with.
    ...accuracyFiles(jsonApi, ['network', 'station']),
    ...ofPrometheus,
  ]);

/** The inputs that Grafana asks for when a file is imported. */
interface Plugin {
  datasource: { type: string; uid: string };
  input: string;
  name: string;
  /** The oldest one that the queries are written for. */
  version: string;
}

const INFINITY_PLUGIN: Plugin = {
  datasource: infinity.datasource,
  input: 'DS_FORECAST_ACCURACY',
  name: 'Infinity',
  version: '3.11.1',
};
const PROMETHEUS_PLUGIN: Plugin = {
  datasource: PROMETHEUS,
  input: 'DS_PROMETHEUS',
  name: 'Prometheus',
  version: '1.0.0',
};

/** A provisioned dashboard as a file to be imported, in the form of Grafana's own exports: its data source is chosen then. */
function toImport(file: Json, { datasource, input, name, version }: Plugin): Json {
  const { type, uid } = datasource;
  const text = JSON.stringify(file)
    .replaceAll(JSON.stringify(uid), JSON.stringify(`\${${input}}`))
    .replaceAll(JSON.stringify(SERVICE), JSON.stringify('${VAR_SERVICE}'));
  return {
    __inputs: [
      {
        name: input,
        label: `Forecast accuracy (${name})`,
        description: '',
        type: 'datasource',
        pluginId: type,
        pluginName: name,
      },
      {
        name: 'VAR_SERVICE',
        type: 'constant',
        label: 'Address of the service',
        value: SERVICE,
        description: 'Where a browser finds the page of the service, for the link to it',
      },
    ],
    __elements: {},
    __requires: [
      { type: 'grafana', id: 'grafana', name: 'Grafana', version: '11.6.0' },
      { type: 'datasource', id: type, name, version },
    ],
    id: null,
    ...(JSON.parse(text) as Json),
  };
}

/** Every dashboard to be imported by its path below grafana/import. */
export const importFiles = (): Map<string, Json> =>
  new Map([
    ...ofInfinity.map(([path, file]) => [path, toImport(file, INFINITY_PLUGIN)] as const),
    ...ofPrometheus.map(([path, file]) => [path, toImport(file, PROMETHEUS_PLUGIN)] as const),
  ]);
