import { HOURLY_NAMES } from '../../src/variables/variables.js';

// Queries of the panels to the API, without a word on how a data source writes them down.

/** A column of a response. Its name is the field's name in Grafana, so no two of a query are the same. */
export interface Column {
  name: string;
  /** From the record, dotted: `stats.mae`. */
  selector: string;
  type: 'string' | 'number' | 'boolean' | 'timestamp';
  /** Grafana's unit; none for text. */
  unit?: string;
  decimals?: number;
}

export interface GrafanaQuery {
  /** Below /api/v1. */
  path: string;
  /** Query parameters beside the window. */
  params: Record<string, string>;
  /** Whether the response is about a window of days: the time range, or days up to its end, of which `params` has the number. */
  windowed: boolean | 'end';
  /** Where the records are, dotted; blank for the whole response. */
  root: string;
  /** Whether there are many records, or one. */
  many: boolean;
  /** A field, true or false: the records where it is true come first. */
  first?: string;
  /** Names of fields that end in `_f`, without it: in Celsius each is the field in `_c` that is beside it then. */
  inUnit?: readonly string[];
  columns: Column[];
}

const text = (name: string, selector: string): Column => ({ name, selector, type: 'string' });
const day = (name: string, selector: string): Column => ({
  name,
  selector,
  type: 'timestamp',
  unit: 'time:YYYY-MM-DD',
});
const count = (name: string, selector: string): Column => ({
  name,
  selector,
  type: 'number',
  unit: 'locale',
  decimals: 0,
});
/** In the unit that is chosen, which Grafana's own units cannot follow: they would write °F behind °C. */
const degrees = (name: string, selector: string): Column => ({
  name,
  selector,
  type: 'number',
  unit: 'degree',
  decimals: 2,
});

/** The same, of whole degrees. */
const whole = (name: string, selector: string): Column => ({ ...degrees(name, selector), decimals: 0 });

/** The nine statistics by the names that the panels show, where `at` leads to them. */
function statistics(at: '' | 'stats.') {
  return {
    mae: degrees('MAE', `${at}mae`),
    bias: degrees('Bias', `${at}mean_error`),
    rmse: degrees('RMSE', `${at}rmse`),
    stdDev: degrees('Standard deviation', `${at}std_dev`),
    median: degrees('Median error', `${at}abs_error_p50`),
    p90: degrees('90th percentile', `${at}abs_error_p90`),
    p95: degrees('95th percentile', `${at}abs_error_p95`),
    pairs: count('Pairs', `${at}verification_pairs`),
    days: count('Days', `${at}unique_days`),
  };
}

export type Statistic = keyof ReturnType<typeof statistics>;

function pick(at: '' | 'stats.', names: readonly Statistic[]): Column[] {
  const known = statistics(at);
  return names.map((name) => known[name]);
}

/** The stations of a query: blank variables name no station, and mean the whole network (D18). */
export type Of = 'network' | 'region' | 'station';
const METRIC = { metric: '${metric}' };
const PROVIDER = '${provider}';
const CHOSEN = { ...METRIC, provider: PROVIDER };
const UNITS = { units: '${units}' };
const LEAD_TIME = { lead_time_bucket: '${lead_time_bucket}' };
const PLACES: Record<Of, Record<string, string>> = {
  network: {},
  region: { country: '${country}', climate_zone: '${climate_zone}' },
  station: { station_id: '${station}' },
};
const about = (of: Of): Record<string, string> => ({ ...PLACES[of], ...CHOSEN });
/** The same in degrees. */
const measured = (of: Of): Record<string, string> => ({ ...about(of), ...UNITS });

export const summary = (of: Of, statistic: Statistic): GrafanaQuery => ({
  path: '/accuracy/summary',
  params: { ...measured(of), ...LEAD_TIME },
  windowed: true,
  root: 'data',
  many: false,
  columns: pick('', [statistic]),
});

/** The coverage of the window, from the summary's metadata. */
export const coverage = (column: Column): GrafanaQuery => ({
  ...summary('station', 'days'),
  root: 'metadata',
  columns: [column],
});

export const COVERAGE = {
  days: count('Days in the window', 'days_analyzed'),
  verified: count('Verified days', 'verification_coverage.verified_days'),
  preliminary: count('Preliminary days', 'verification_coverage.preliminary_days'),
  share: {
    ...count('Verified share', 'verification_coverage.verified_pct'),
    unit: 'percentunit',
    decimals: 1,
  },
};

export const byDate = (of: Of, names: readonly Statistic[]): GrafanaQuery => ({
  path: '/accuracy/by-date',
  params: { ...measured(of), ...LEAD_TIME },
  windowed: true,
  root: 'data',
  many: true,
  columns: [day('Date', 'date'), ...pick('stats.', names)],
});

/** It is about temperatures at hours, whatever variable is chosen. */
export const byLeadHour = (of: Of, names: readonly Statistic[]): GrafanaQuery => ({
  path: '/accuracy/by-hour',
  params: { ...measured(of), metric: HOURLY_NAMES[0] },
  windowed: true,
  root: 'data',
  many: true,
  columns: [count('Lead hour', 'hour'), ...pick('stats.', names)],
});

export const byLeadTime = (of: Of, names: readonly Statistic[], more: Column[] = []): GrafanaQuery => ({
  path: '/accuracy/by-lead-time',
  params: measured(of),
  windowed: true,
  root: 'data',
  many: true,
  columns: [text('Lead time', 'lead_time_bucket'), ...more, ...pick('stats.', names)],
});

/** The statistics that have an interval: as the statistic, in `uncertainty`. */
const INTERVALS = { mae: 'mae', bias: 'mean_error', rmse: 'rmse' } as const;

/** The same with the bounds of an interval of 95%, for an axis that needs no text. */
export const byLeadTimeKnown = (
  of: Of,
  banded: readonly (keyof typeof INTERVALS)[],
  more: readonly Statistic[] = [],
): GrafanaQuery => ({
  ...byLeadTime(of, []),
  params: { ...measured(of), ci: '0.95' },
  columns: [
    ...pick('stats.', [...banded, ...more]),
    ...banded.flatMap((statistic) =>
      ['low', 'high'].map((bound) =>
        degrees(`${statistics('')[statistic].name} ${bound}`, `uncertainty.${INTERVALS[statistic]}.${bound}`),
      ),
    ),
  ],
});

const share = (name: string, selector: string): Column => ({
  name,
  selector,
  type: 'number',
  unit: 'percentunit',
  decimals: 1,
});

/** Every other provider against the one chosen, at each lead time, on the station days that both have. */
export const providersCompared: GrafanaQuery = {
  path: '/accuracy/compare',
  params: {
    station_id: '${station}',
    ...METRIC,
    ...UNITS,
    reference: PROVIDER,
    group_by: 'lead_time_bucket',
  },
  windowed: true,
  root: 'data',
  many: true,
  columns: [
    text('Lead time', 'lead_time_bucket'),
    text('Provider', 'provider'),
    text('Reference', 'reference'),
    ...['value', 'low', 'high'].map((each) =>
      degrees(`MAE difference${each === 'value' ? '' : ` ${each}`}`, `mae_difference.${each}`),
    ),
    share('Nearer', 'win_rate'),
    count('Station days', 'cases'),
    text('Unequal age', 'hint'),
  ],
};

/** The same by season, with what is significant among all cells. */
export const scorecard: GrafanaQuery = {
  ...providersCompared,
  params: { ...providersCompared.params, group_by: 'lead_time_bucket,season' },
  columns: [
    text('Lead time', 'lead_time_bucket'),
    text('Season', 'season'),
    text('Provider', 'provider'),
    degrees('MAE difference', 'mae_difference.value'),
    { name: 'Significant', selector: 'significant', type: 'boolean' },
    count('Station days', 'cases'),
    text('Unequal age', 'hint'),
  ],
};

/** How each provider did when it was far from the others. */
export const divergence: GrafanaQuery = {
  path: '/accuracy/divergence',
  params: { station_id: '${station}', ...METRIC, ...UNITS, group_by: 'provider' },
  windowed: true,
  root: 'data',
  many: true,
  columns: [
    text('Provider', 'provider'),
    count('Station days', 'station_days'),
    count('Departures', 'departures'),
    share('Nearer', 'nearer_rate'),
    share('Proved right', 'share_true'),
    share('Proved right low', 'share_true_low'),
    share('Proved right high', 'share_true_high'),
    text('Verdict', 'verdict'),
    text('Unequal age', 'hint'),
  ],
};

/** The forecasts of days to come that are far from the others, the farthest first. */
export const departuresToCome: GrafanaQuery = {
  path: '/data/departures',
  params: { station_id: '${station}', ...METRIC, ...UNITS },
  windowed: false,
  root: 'data',
  many: true,
  inUnit: ['forecast', 'others', 'expected'],
  columns: [
    day('Target date', 'target_date'),
    text('Station', 'station_id'),
    text('Provider', 'provider'),
    degrees('Forecast', 'forecast'),
    degrees('Others', 'others'),
    degrees('Departure', 'departure'),
    share('Proved right', 'share_true'),
    degrees('Expected', 'expected'),
  ],
};

/** How often temperatures at or beyond a threshold were forecast; blank: a hot day or a frost. */
export const events: GrafanaQuery = {
  path: '/accuracy/events',
  params: { ...measured('station'), thresholds: '${threshold}', group_by: 'lead_time_bucket' },
  windowed: true,
  root: 'data',
  many: true,
  inUnit: ['threshold'],
  columns: [
    text('Lead time', 'lead_time_bucket'),
    degrees('Threshold', 'threshold'),
    ...['pod', 'far', 'csi'].flatMap((name) => [
      share(name.toUpperCase(), name),
      share(`${name.toUpperCase()} low`, `${name}_low`),
      share(`${name.toUpperCase()} high`, `${name}_high`),
    ]),
    count('Hits', 'hits'),
    count('False alarms', 'false_alarms'),
    count('Misses', 'misses'),
  ],
};

/** Forecasts against the latest day that had been reported. */
export const skillByLeadTime: GrafanaQuery = {
  path: '/accuracy/skill',
  params: measured('station'),
  windowed: true,
  root: 'data',
  many: true,
  columns: [
    text('Lead time', 'lead_time_bucket'),
    ...['value', 'low', 'high'].map((each) =>
      share(`Skill${each === 'value' ? '' : ` ${each}`}`, `skill_mae.${each}`),
    ),
    degrees('MAE', 'mae'),
    degrees('Reference MAE', 'reference_mae'),
    count('Station days', 'cases'),
  ],
};

/** A list of the only record of a response, in JSONata, which Infinity alone takes. Without dots (inUnit in sources.ts). */
const joinNames = (...names: string[]): string =>
  names.reduce((from, name) => `$lookup(${from}, "${name}")`, 'data[0]');

const distribution = (root: string, columns: Column[]): GrafanaQuery => ({
  path: '/accuracy/distribution',
  params: measured('station'),
  windowed: true,
  root,
  many: true,
  columns,
});

/** How many observations fell below each quantile of the provider. */
export const quantilesHeld = distribution(joinNames('coverage'), [
  { ...count('Quantile', 'level'), unit: 'percent' },
  share('Below', 'observed'),
  share('Below low', 'low'),
  share('Below high', 'high'),
  text('Verdict', 'verdict'),
]);

/** How many observations were inside its central intervals. */
export const intervalsHeld = distribution(joinNames('intervals'), [
  { ...count('Interval', 'nominal'), unit: 'percent' },
  share('Inside', 'covered'),
  share('Inside low', 'covered_low'),
  share('Inside high', 'covered_high'),
  degrees('Mean width', 'mean_width'),
]);

/** How many observations fell between neighbouring quantiles: three lists as records. */
export const pit = distribution(
  `$map(${joinNames('pit', 'counts')}, function($count, $at) { ` +
    `{ "between": $append(0, ${joinNames('levels')})[$at] & "–" & $append(${joinNames('levels')}, 100)[$at] & "%", ` +
    `"observed": $count, "expected": ${joinNames('pit', 'expected')}[$at] } })`,
  [text('Between', 'between'), count('Observations', 'observed'), count('Promised', 'expected')],
);

// The days that end with the time range: more than 365 are refused, and a range may be of years.
const reliability = (root: string, many: boolean, columns: Column[]): GrafanaQuery => ({
  path: '/probability/reliability',
  params: { ...measured('station'), days: '${odds_days}' },
  windowed: 'end',
  root,
  many,
  columns,
});

/** Past odds, 12 to 24 h before the day, by what was said, and how often they came true (D36). */
export const probabilityByShare = reliability('data.bins', true, [
  share('Said', 'mean_probability'),
  share('Happened', 'observed'),
  share('Happened low', 'low'),
  share('Happened high', 'high'),
  count('Odds', 'forecasts'),
]);

export const probabilityScore = reliability('data', false, [
  share('Against a normal curve', 'normal_2f.crps_skill'),
]);

const ofChance = (path: string, columns: Column[]): GrafanaQuery => ({
  path,
  params: { ...measured('station'), metric: '${chance}', ci: '0.95' },
  windowed: true,
  root: 'data',
  many: true,
  columns,
});

/** Chances of rain by what was said, and how often it rained. */
export const rainByChance = ofChance('/accuracy/by-bucket', [
  { name: 'Said', selector: 'mean_chance', type: 'number', unit: 'percent', decimals: 0 },
  share('It rained', 'observed_share'),
  share('It rained low', 'observed_share_low'),
  share('It rained high', 'observed_share_high'),
  share('If reliable low', 'consistency_low'),
  share('If reliable high', 'consistency_high'),
  count('Forecasts', 'cases'),
]);

export const brierByLeadTime = ofChance('/accuracy/by-lead-time', [
  text('Lead time', 'lead_time_bucket'),
  { name: 'Brier score', selector: 'stats.brier_score', type: 'number', unit: 'none', decimals: 3 },
  share('Skill', 'stats.brier_skill_score'),
  share('It rained', 'stats.base_rate'),
  count('Pairs', 'stats.verification_pairs'),
]);

/** A day at one station: the forecast, or with a blank day today's, and how likely its settled value is what (D36). */
const probability = (root: string, many: boolean, columns: Column[]): GrafanaQuery => ({
  path: '/probability',
  params: { ...measured('station'), target_date: '${odds_day}' },
  windowed: false,
  root,
  many,
  columns,
});

export const probabilityOfDay: GrafanaQuery = {
  ...probability('data.brackets', true, [
    whole('From', 'from'),
    whole('To', 'to'),
    share('Probability', 'probability'),
    share('Probability low', 'low'),
    share('Probability high', 'high'),
  ]),
  inUnit: ['from', 'to'],
};

export const degreesOfDay = probability(
  'data.quantiles',
  false,
  ['05', '10', '25', '50', '75', '90', '95'].map((each) => whole(`${Number(each)}%`, `p${each}`)),
);

export const LEAD_TIME_DESCRIPTION = text('Meaning', 'description');

export const byCity = (of: Of, names: readonly Statistic[], sortBy: string): GrafanaQuery => ({
  path: '/accuracy/by-city',
  params: { ...measured(of), ...LEAD_TIME, sort_by: sortBy },
  windowed: true,
  root: 'data',
  many: true,
  columns: [text('Station', 'station_id'), text('City', 'city_name'), ...pick('stats.', names)],
});

export const sampleRecords: GrafanaQuery = {
  path: '/accuracy/by-station/${station}',
  params: { ...CHOSEN, ...UNITS, ...LEAD_TIME, include_raw: 'true' },
  windowed: true,
  root: 'data.sample_records',
  many: true,
  columns: [
    day('Target date', 'target_date'),
    { name: 'Issued at', selector: 'issued_at', type: 'timestamp', unit: 'time:YYYY-MM-DD HH:mm' },
    { name: 'Lead time', selector: 'lead_time_hours', type: 'number', unit: 'h', decimals: 1 },
    degrees('Forecast', 'forecast'),
    degrees('Actual', 'actual'),
    degrees('Error', 'error'),
    text('Observation', 'observation_status'),
  ],
};

const STATION = [text('Station', 'station_id'), text('City', 'city_name')];
const PLACE = [degrees('Latitude', 'latitude'), degrees('Longitude', 'longitude')];

const metadata = (columns: Column[]): GrafanaQuery => ({
  path: '/stations/metadata',
  params: {},
  windowed: false,
  root: 'data',
  many: true,
  columns,
});

export const stationPlaces = metadata([text('Station', 'station_id'), ...PLACE]);

/** Observations that look wrong, each with the first reason. */
export const suspects: GrafanaQuery = {
  path: '/data/suspects',
  params: { ...PLACES.station, ...METRIC, ...UNITS },
  windowed: true,
  root: 'data',
  many: true,
  inUnit: ['actual'],
  columns: [
    day('Date', 'date'),
    ...STATION,
    degrees('Actual', 'actual'),
    text('Reason', 'reasons.0'),
    text('Status', 'status'),
  ],
};

export const stations = metadata([
  ...STATION,
  text('Country', 'country'),
  text('Time zone', 'timezone'),
  text('Climate', 'climate_zone'),
  { name: 'Active', selector: 'data_active', type: 'boolean' },
  ...PLACE,
]);

// For a variable to choose from: what is shown, and what is sent.
export const stationChoice = metadata([text('__text', 'city_name'), text('__value', 'station_id')]);

export const providerChoice: GrafanaQuery = {
  path: '/providers',
  params: {},
  windowed: false,
  root: 'data',
  many: true,
  first: 'is_default',
  columns: [text('__text', 'provider'), text('__value', 'provider')],
};
