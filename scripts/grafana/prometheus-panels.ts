import type { Panel } from './panels.js';
import type { Json } from './sources.js';

export const PROMETHEUS = { type: 'prometheus', uid: 'forecast-accuracy-prometheus' };

/** PromQL, and what to call its series. */
type Series = [expr: string, legend: string];

interface Graph {
  title: string;
  description: string;
  unit: string;
  series: Series[];
  width?: number;
}

const targets = (series: Series[], instant: boolean): Json[] =>
  series.map(([expr, legendFormat], index) => ({
    refId: 'ABCD'.charAt(index),
    datasource: PROMETHEUS,
    expr,
    legendFormat,
    editorMode: 'code',
    range: !instant,
    instant,
  }));

export const graph = ({ title, description, unit, series, width = 8 }: Graph): Panel => ({
  title,
  description,
  width,
  height: 8,
  make: () => ({
    type: 'timeseries',
    targets: targets(series, false),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        color: { mode: 'palette-classic' },
        custom: { drawStyle: 'line', fillOpacity: 10, showPoints: 'never', spanNulls: false },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  }),
});

interface Number extends Graph {
  /** From which value on it is a warning, or below which with `lowIsBad`. */
  warning?: number;
  lowIsBad?: boolean;
}

export const number = ({ title, description, unit, series, warning, lowIsBad = false }: Number): Panel => ({
  title,
  description,
  width: 4,
  height: 4,
  make: () => ({
    type: 'stat',
    targets: targets(series, true),
    fieldConfig: {
      defaults: {
        unit,
        color: { mode: 'thresholds' },
        thresholds: {
          mode: 'absolute',
          steps:
            warning === undefined
              ? [{ color: '#0072B2', value: null }]
              : [
                  { color: lowIsBad ? '#D55E00' : '#0072B2', value: null },
                  { color: lowIsBad ? '#0072B2' : '#D55E00', value: warning },
                ],
        },
        ...(unit === 'bool_on_off' && {
          mappings: [{ type: 'value', options: { 0: { text: 'down' }, 1: { text: 'up' } } }],
        }),
      },
      overrides: [],
    },
    options: {
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      colorMode: 'value',
      graphMode: 'none',
      textMode: 'auto',
    },
  }),
});
