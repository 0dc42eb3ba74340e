import { CHANCE_NAMES, METRICS, VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';
import { LEAD_TIME_BUCKETS } from '../../src/statistics/time/lead-time.js';
import { providerChoice, stationChoice } from './queries.js';
import type { Json, Source } from './sources.js';

// Choices of a user at the top of the accuracy dashboards.

/** One of some values, the first of them at first. In a query, ` : ` is between what is shown and what is sent. */
function oneOfThese(
  name: string,
  label: string,
  choices: readonly (readonly [text: string, value: string])[],
): Json {
  const [first] = choices;
  return {
    name,
    label,
    type: 'custom',
    query: choices
      .map(([text, value]) => [text, value].map((each) => each.replaceAll(',', '\\,')))
      .map(([text, value]) => (text === value ? text : `${text} : ${value}`))
      .join(),
    current: { text: first?.[0], value: first?.[1] },
    options: choices.map(([text, value]) => ({ text, value, selected: value === first?.[1] })),
  };
}

const same = (values: readonly string[]) => values.map((value) => [value, value] as const);

/** For dashboards with panels of highs and lows alone. */
export const METRIC = oneOfThese('metric', 'Metric', same(METRICS));

export const VARIABLE = oneOfThese(
  'metric',
  'Metric',
  VARIABLE_NAMES.map((name) => [VARIABLES[name].label, name]),
);

/** For panels about chances, whatever variable the others are about. */
export const CHANCE = oneOfThese(
  'chance',
  'Chance of rain',
  CHANCE_NAMES.map((name) => [VARIABLES[name].label, name]),
);

export const UNITS = oneOfThese('units', 'Units', [
  ['US', 'us'],
  ['Metric', 'metric'],
  ['SI', 'si'],
]);

/** Which forecasts are judged. All are named, as Grafana has no value that is sent as nothing. */
export const LEAD_TIME = oneOfThese('lead_time_bucket', 'Lead time', [
  ['all', LEAD_TIME_BUCKETS.join()],
  ...same([...LEAD_TIME_BUCKETS, 'same-day']),
]);

/** Over how many days odds are held against what happened: more than 365 are refused. */
export const PROBABILITY_DAYS = oneOfThese('odds_days', 'Odds over (days)', same(['90', '30', '180', '365']));

/** Where a browser finds the service: as docker-compose.yml publishes it. */
export const SERVICE = 'http://127.0.0.1:8080';

export const SERVICE_ADDRESS: Json = {
  name: 'service',
  label: 'Address of the service',
  type: 'constant',
  hide: 2,
  query: SERVICE,
  current: { text: SERVICE, value: SERVICE },
  options: [],
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

export const THRESHOLD = textBox('threshold', 'Event, degrees (blank: a hot day or a frost)');

export const PROBABILITY_DAY = textBox('odds_day', 'Odds of (YYYY-MM-DD, blank: today)');

export const oneStation = (source: Source): Json =>
  chooseOne({
    name: 'station',
    label: 'Station',
    datasource: source.datasource,
    definition: 'stations/metadata',
    query: source.choice(stationChoice),
  });

/** The provider to judge: the default one, until another is chosen. */
export const oneProvider = (source: Source): Json => ({
  ...chooseOne({
    name: 'provider',
    label: 'Provider',
    datasource: source.datasource,
    definition: 'providers',
    query: source.choice(providerChoice),
  }),
  sort: 0, // as they come: Grafana chooses the first, which is the default provider
});

/** A choice of one of the values that a query gives, asked when the dashboard is opened. */
export function chooseOne({ name, label, ...requested }: OneOf): Json {
  return {
    name,
    label,
    type: 'query',
    ...requested,
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
