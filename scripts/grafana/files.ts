import { ACCURACY_DASHBOARDS } from './accuracy.js';
import { OPERATIONS } from './operations.js';
import type { Panel } from './panels.js';
import { PROMETHEUS } from './prometheus-panels.js';
import { infinity, type Json, jsonApi, type Source } from './sources.js';

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
}

function dashboard(source: Source, parts: Parts): Json {
  return {
    uid: source.uidOf(parts.name),
    title: source.titleOf(parts.title),
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
        tags: source === prometheus ? ['forecast-accuracy'] : ['forecast-accuracy', source.folder],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
        targetBlank: false,
        icon: 'external link',
        url: '',
      },
    ],
    annotations: { list: [] },
    templating: { list: parts.variables },
    panels: place(parts.panels, source),
  };
}

/** Every dashboard by its path below grafana/dashboards. */
export function dashboardFiles(): Map<string, Json> {
  const files = new Map<string, Json>();
  // The support of the JSON API plugin ends on 2027-02-01: for those who still have it, the two that people begin with.
  const ofJsonApi = ACCURACY_DASHBOARDS.filter(({ name }) => ['network', 'station'].includes(name));
  for (const [source, dashboards] of [
    [infinity, ACCURACY_DASHBOARDS],
    [jsonApi, ofJsonApi],
  ] as const) {
    for (const parts of dashboards) {
      const variables = [...source.variables, ...parts.variables(source)];
      // 90 days, as the API has it; they end today.
      const time = { from: 'now-89d/d', to: 'now' };
      files.set(
        `${source.folder}/${parts.name}.json`,
        dashboard(source, { ...parts, variables, time, refresh: '' }),
      );
    }
  }
  const time = { from: 'now-6h', to: 'now' };
  files.set('prometheus/operations.json', dashboard(prometheus, { ...OPERATIONS, time, refresh: '30s' }));
  return files;
}
