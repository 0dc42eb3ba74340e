import { providerChoice, stationChoice } from './questions.js';
import type { Json, Source } from './sources.js';

// What a user chooses at the top of the accuracy dashboards.

export const METRIC: Json = {
  name: 'metric',
  label: 'Metric',
  type: 'custom',
  query: 'high,low',
  current: { text: 'high', value: 'high' },
  options: ['high', 'low'].map((metric) => ({ text: metric, value: metric, selected: metric === 'high' })),
};

/** Blank is all. A text box, as Grafana has no "all" that is sent as nothing. */
const textBox = (name: string, label: string): Json => ({
  name,
  label,
  type: 'textbox',
  query: '',
  current: { text: '', value: '' },
  options: [],
});

export const ANY_STATION = textBox('station', 'Station or city (blank: all)');

export const REGION = [
  textBox('country', 'Country (blank: all)'),
  textBox('climate_zone', 'Climate zone (blank: all)'),
];

export const THRESHOLD = textBox('threshold', 'Event, °F (blank: 90 or 32)');

export const oneStation = (source: Source): Json =>
  oneOf({
    name: 'station',
    label: 'Station',
    datasource: source.datasource,
    definition: 'stations/metadata',
    query: source.choice(stationChoice),
  });

/** Whose forecasts are judged: the default provider, until another is chosen. */
export const oneProvider = (source: Source): Json => ({
  ...oneOf({
    name: 'provider',
    label: 'Provider',
    datasource: source.datasource,
    definition: 'providers',
    query: source.choice(providerChoice),
  }),
  sort: 0, // as they come: Grafana chooses the first, which is the default provider
});

/** A choice of one of the values that a query gives, asked when the dashboard is opened. */
export function oneOf({ name, label, ...asked }: OneOf): Json {
  return {
    name,
    label,
    type: 'query',
    ...asked,
    refresh: 1,
    sort: 1,
    multi: false,
    includeAll: false,
    regex: '',
    current: {},
    options: [],
  };
}

interface OneOf {
  name: string;
  label: string;
  datasource: Json;
  definition: string;
  query: Json | string;
}
