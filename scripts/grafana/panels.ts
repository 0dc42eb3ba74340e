import { MAX_WINDOW_DAYS } from '../../src/statistics/time/window.js';
import { ORIENTATIONS, type Orientation } from '../../src/statistics/orientation.js';
import type { Column, GrafanaQuery } from './queries.js';
import type { Json, Source } from './sources.js';

/** A panel without its place; one that has no source of its own gets that of its dashboard. */
export interface Panel {
  title: string;
  description: string;
  width: number;
  height: number;
  make: (source: Source) => Json;
}

// Okabe and Ito's blue and vermilion are told apart by everybody; between them is as good as no bias.
const BIAS = {
  mode: 'absolute',
  steps: [
    { color: '#0072B2', value: null },
    { color: '#999999', value: -0.5 },
    { color: '#D55E00', value: 0.5 },
  ],
};
const PLAIN = { mode: 'absolute', steps: [{ color: '#0072B2', value: null }] };

export const targets = (source: Source, queries: GrafanaQuery[]): Json[] =>
  queries.map((params, index) => source.target(params, 'ABC'.charAt(index)));

/** The words of an empty panel, and so of one that the service rejects: a range may be too long. */
export const whenEmpty = (source: Source, { windowed }: GrafanaQuery): Json => ({
  noValue:
    windowed === true && source.isRangeFree
      ? `no data, or a range of more than ${MAX_WINDOW_DAYS} days: choose a shorter one`
      : 'no data',
});

/** The unit and decimals of a column, where they differ from the panel's default. */
function overrides(columns: Column[], more: Record<string, Json[]> = {}): Json[] {
  return columns
    .map(({ name, unit, decimals }) => ({
      matcher: { id: 'byName', options: name },
      properties: [
        ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
        ...(decimals === undefined ? [] : [{ id: 'decimals', value: decimals }]),
        ...(more[name] ?? []),
      ],
    }))
    .filter(({ properties }) => properties.length > 0);
}

/** Whether zero is the best value of a column, so that a chart is centred on it and colours both sides. */
export const isCentred = (column: Column | undefined): boolean => {
  const known: Partial<Record<string, Orientation>> = ORIENTATIONS;
  return known[column?.selector.split('.').at(-1) ?? '']?.orientation === 'zero_is_best';
};

/** How values of a column are written and coloured in a chart. */
export const getValues = (column: Column | undefined, bias = isCentred(column)): Json => ({
  unit: column?.unit,
  decimals: column?.decimals,
  color: { mode: bias ? 'thresholds' : 'palette-classic' },
  thresholds: bias ? BIAS : PLAIN,
});

/** The legend of a chart: names below it if there are several, and all values where the pointer is. */
export const legend = (isShown: boolean): Json => ({
  legend: { displayMode: 'list', placement: 'bottom', showLegend: isShown, calcs: [] },
  tooltip: { mode: 'multi', sort: 'none' },
});

interface Common {
  title: string;
  description: string;
}

/** One number. `calc` reduces many records; the first column is shown, or `show`. */
export function stat(common: Common & { params: GrafanaQuery; show?: string; calc?: string }): Panel {
  const { title, description, params, calc = 'lastNotNull' } = common;
  const column = params.columns.find(({ name }) => name === (common.show ?? params.columns[0]?.name));
  if (column === undefined) throw new Error(`${title}: no column ${common.show}`);
  const unit = calc === 'count' ? { unit: 'locale', decimals: 0 } : column;
  return {
    title,
    description,
    width: 4,
    height: 4,
    make: (source) => ({
      type: 'stat',
      targets: targets(source, [params]),
      fieldConfig: {
        defaults: {
          unit: unit.unit,
          ...(unit.decimals !== undefined && { decimals: unit.decimals }),
          color: { mode: 'thresholds' },
          thresholds: isCentred(column) ? BIAS : PLAIN,
          ...whenEmpty(source, params),
        },
        overrides: [],
      },
      options: {
        reduceOptions: { calcs: [calc], fields: `/^${column.name}$/`, values: false },
        colorMode: 'value',
        graphMode: 'none',
        textMode: 'value',
      },
    }),
  };
}

/** Days along the x axis. */
export function overTime(common: Common & { params: GrafanaQuery; width?: number; bars?: boolean }): Panel {
  const { title, description, params, width = 12, bars = false } = common;
  const [, first] = params.columns;
  const bias = isCentred(first);
  return {
    title,
    description,
    width,
    height: 8,
    make: (source) => ({
      type: 'timeseries',
      targets: targets(source, [params]),
      fieldConfig: {
        defaults: {
          ...whenEmpty(source, params),
          ...getValues(first),
          custom: {
            drawStyle: bars || bias ? 'bars' : 'line',
            fillOpacity: bars || bias ? 80 : 0,
            showPoints: 'auto',
            // A day without a pair is a gap, not a line across it.
            spanNulls: false,
            insertNulls: 86_400_000,
            axisCenteredZero: bias,
            ...(bias && { gradientMode: 'scheme' }),
          },
        },
        overrides: [],
      },
      options: legend(!bias && !bars),
      ...source.overTime,
    }),
  };
}

/** Groups of bars, one group a record. */
export function bars(common: Common & { params: GrafanaQuery; width?: number }): Panel {
  const { title, description, params, width = 12 } = common;
  const [group, first] = params.columns;
  const bias = isCentred(first);
  return {
    title,
    description,
    width,
    height: 8,
    make: (source) => ({
      type: 'barchart',
      targets: targets(source, [params]),
      fieldConfig: {
        defaults: {
          ...whenEmpty(source, params),
          ...getValues(first),
          custom: {
            fillOpacity: 80,
            lineWidth: 1,
            gradientMode: bias ? 'scheme' : 'none',
            axisCenteredZero: bias,
          },
        },
        overrides: [],
      },
      options: {
        xField: group?.name,
        orientation: 'vertical',
        showValue: 'auto',
        stacking: 'none',
        groupWidth: 0.7,
        barWidth: 0.9,
        ...legend(!bias),
      },
    }),
  };
}

/** Rows; columns in the order of the query, which Infinity would sort by name. */
export function table(
  common: Common & {
    params: GrafanaQuery;
    width?: number;
    height?: number;
    sortBy?: string;
    descending?: boolean;
    /** Links of columns, by name. */
    links?: (source: Source) => Record<string, { title: string; url: string }>;
  },
): Panel {
  const { title, description, params, width = 24, height = 10, sortBy, descending = false, links } = common;
  return {
    title,
    description,
    width,
    height,
    make: (source) => ({
      type: 'table',
      targets: targets(source, [params]),
      fieldConfig: {
        defaults: { ...whenEmpty(source, params), custom: { align: 'auto', filterable: true } },
        overrides: overrides(
          params.columns,
          Object.fromEntries(
            Object.entries(links?.(source) ?? {}).map(([name, link]) => [
              name,
              [{ id: 'links', value: [{ ...link, targetBlank: false }] }],
            ]),
          ),
        ),
      },
      options: {
        showHeader: true,
        cellHeight: 'sm',
        sortBy: sortBy === undefined ? [] : [{ displayName: sortBy, desc: descending }],
      },
      transformations: [
        {
          id: 'organize',
          options: {
            indexByName: Object.fromEntries(params.columns.map(({ name }, index) => [name, index])),
            excludeByName: {},
            renameByName: {},
          },
        },
      ],
    }),
  };
}

/** Markers, where a station's record and its place are joined by `by`. */
export function map(
  common: Common & { queries: [records: GrafanaQuery, places: GrafanaQuery]; by: string; colour: string },
): Panel {
  const { title, description, queries, by, colour } = common;
  return {
    title,
    description,
    width: 12,
    height: 12,
    make: (source) => ({
      type: 'geomap',
      targets: targets(source, queries),
      transformations: [{ id: 'joinByField', options: { byField: by, mode: 'inner' } }],
      fieldConfig: {
        defaults: { ...whenEmpty(source, queries[0]), color: { mode: 'thresholds' }, thresholds: BIAS },
        overrides: overrides(queries.flatMap(({ columns }) => columns)),
      },
      options: {
        view: { id: 'fit', allLayers: true, lat: 0, lon: 0, zoom: 4, padding: 10 },
        basemap: { type: 'default', name: 'Base', config: {} },
        controls: { showZoom: true, mouseWheelZoom: true, showAttribution: true, showScale: false },
        layers: [
          {
            type: 'markers',
            name: 'Stations',
            tooltip: true,
            location: { mode: 'coords', latitude: 'Latitude', longitude: 'Longitude' },
            config: {
              showLegend: true,
              style: {
                color: { field: colour, fixed: '#0072B2' },
                opacity: 0.8,
                size: { fixed: 6, min: 2, max: 15 },
                symbol: { fixed: 'img/icons/marker/circle.svg', mode: 'fixed' },
              },
            },
          },
        ],
        tooltip: { mode: 'details' },
      },
    }),
  };
}
