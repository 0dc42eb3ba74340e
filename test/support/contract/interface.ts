import { NEEDED } from './contract.js';
import { WINDOW } from './data.js';

// The parameters of the interface, written down once by hand: of each kind the schema that the document has, what it
// takes, what it refuses, and in which words. Which endpoint takes which is at the end.

type Schema = Record<string, unknown>;

/** What a query parameter may be. */
export interface Kind {
  schema: Schema;
  /** Values that are taken, in the contract data, beside those that the schema lists. */
  good: readonly string[];
  /** What a good value needs beside it. */
  beside?: string;
  /** The message of a fault, and the values that it is said of. */
  bad: readonly [message: string, values: readonly string[]][];
  /** Names that nothing has, and the error that they are. */
  unknown?: { code: string; names: readonly string[] };
}

const NO_NUMBERS = ['1.5', '1e2', ' 7', '7 ', '+7', '--1', 'abc', 'true', '0x10', 'NaN', '٧', '9'.repeat(30)];

const whole = (minimum: number, maximum: number, fallback: number): Kind => ({
  schema: { type: 'integer', minimum, maximum, default: fallback },
  good: [`${minimum}`, `${maximum}`, `00${maximum}`],
  bad: [
    [
      `must be a whole number from ${minimum} to ${maximum}`,
      [`${minimum - 1}`, `${maximum + 1}`, '-7', ...NO_NUMBERS],
    ],
  ],
});

const oneOf = (words: readonly string[], fallback?: string): Kind => ({
  schema: { type: 'string', enum: words, ...(fallback !== undefined && { default: fallback }) },
  good: [],
  bad: [
    [
      `must be one of ${words.join(', ')}`,
      ['x', '-1', `${words[0]} `, words.slice(0, 2).join(), `${words[0]}${words[0]}`, 'ÄÖ', 'toString'],
    ],
  ],
});

const FLAG: Kind = {
  schema: { type: 'boolean', default: false },
  good: ['true', 'false'],
  bad: [['must be true or false', ['TRUE', 'yes', '1', '0', 'on', 'true ', 'null']]],
};

const DATE: Kind = {
  schema: { type: 'string', format: 'date' },
  good: ['2024-03-17', '2024-02-29'],
  bad: [
    [
      'must be a calendar date, YYYY-MM-DD, from 1970-01-01 to 2149-06-06',
      [
        ...['2026-02-30', '2023-02-29', '2024-04-31', '2026-2-3', '1969-12-31', '2149-06-07', '2024-13-01'],
        ...['2024-00-10', '2024-01-00', '0000-00-00', '20240316', '2024-W11-1', '2024-03-16T00:00:00Z'],
        ...[' 2024-03-16', '2024-03-16\n', '16.03.2024', 'today', '1710547200'],
      ],
    ],
  ],
};

const NO_INSTANTS = ['yesterday', 'now', '2024-02-30', '2024-03-16T00:00:00', '2024-03-16 00:00:00Z'];

const INSTANT: Kind = {
  schema: { type: 'string' },
  good: ['2024-03-17', '2024-03-17T00:00:00Z', '2024-03-17T02:00:00+02:00'],
  bad: [
    [
      'must be a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z',
      [...NO_INSTANTS, '2024-02-30T00:00:00Z', '1969-12-31T00:00:00Z'],
    ],
  ],
};

const KNOWN_AT: Kind = {
  schema: { type: 'string' },
  good: ['2024-03-20T06:00:00+05:30', '2024-03-17', '2024-03-17T00:00:00.5Z'],
  bad: [
    [
      'must be a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z, from 1970-01-01 on',
      [...NO_INSTANTS, 'v1', '1969-12-31', '1969-12-31T23:59:59Z'],
    ],
    ['lies ahead: what will be known then is not known yet', ['2024-03-20T15:30:01Z', '2030-01-01']],
  ],
};

const AS_OF: Kind = {
  schema: { type: 'string' },
  good: ['v1', '2024-01-01', '2024-03-20T06:00:00+05:30'],
  bad: [
    [
      'must be a version such as v412 or v412.k7q2, a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z, from 1970-01-01 on',
      [
        ...[...NO_INSTANTS, '1', 'v0', 'V1', 'v1234567890', 'latest', '1969-12-31', '1969-12-31T23:59:59Z'],
        ...['v1.', 'v1.abc', 'v1.abcde', 'v1.ABCD', 'v1.k7_2', '2024-01-01.k7q2'],
      ],
    ],
    [
      'lies ahead: what the data will be is not known yet; leave it out for the latest',
      ['2024-03-20T15:30:01Z', '2030-01-01'],
    ],
  ],
};

const BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'];

const LEAD_TIMES: Kind = {
  schema: { type: 'string' },
  good: ['0-6h', '0-6h,72h+', 'same-day', '72h ', ' 6-12h, 72h , 0-6h '],
  bad: [
    [
      `must be one or several of same-day, ${BUCKETS.join(', ')}, with commas between them`,
      ['0-6', '0-6h,', ',', 'all', '0-6h;6-12h', 'same_day', '0-6H', '72h++', '0-6h 6-12h'],
    ],
  ],
};

const LEAD_TIME: Kind = {
  schema: { type: 'string', enum: BUCKETS },
  good: [],
  bad: [[`must be one of ${BUCKETS.join(', ')}`, ['same-day', '0-6h,6-12h', '1-2h', '72h++']]],
};

const LEAD_HOURS: Kind = {
  schema: { type: 'number' },
  good: ['12', '20.25', '20.123456789'],
  bad: [
    [
      'must be hours, 0 to 720: errors are learned up to 720 hours before the day',
      ['-1', '720.01', '721', '1e1', '1,5', 'x'],
    ],
  ],
};

const HOUR_OF_DAY: Kind = {
  schema: { type: 'integer', minimum: 1, maximum: 24 },
  good: ['1', '9', '24'],
  bad: [['must be a whole number from 1 to 24', ['0', '25', '-1', '1.5', '09', '1e1', 'noon']]],
};

const TEMPERATURE: Kind = {
  schema: { type: 'number' },
  good: ['72.5', '-0.5', '150', '70.555'],
  bad: [['must be a temperature from -150 to 150 °F', ['151', '-150.001', '1e2', '70.', 'warm', '--5']]],
};

const sizes = (fallback: string): Kind => ({
  schema: { type: 'string', default: fallback },
  good: ['0,2.5,50', '3', ' 1.234, 2 ,\u00a03'],
  bad: [
    [
      'must be 1 to 10 numbers from 0 to 50, with commas between them',
      [
        ...['x', '1,', ',1', '1;2', '-1', '51', '50.001', '1 2', '1e1', '1.', '1,,2'],
        '1,2,3,4,5,6,7,8,9,10,11',
      ],
    ],
  ],
});

const TEMPERATURES: Kind = {
  schema: { type: 'string' },
  good: ['32,-10.5,90.25', '-150', '150,0', '32, -1.234'],
  bad: [
    [
      'must be 1 to 10 temperatures from -150 to 150, with commas between them',
      [
        ...['x', '1,', ',1', '1;2', '--1', '151', '-150.001', '- 1', '1e1', '1 2', '1,,2', '+32', '0x20'],
        '1,2,3,4,5,6,7,8,9,10,11',
      ],
    ],
  ],
};

const DEGREES: Kind = {
  schema: { type: 'string' },
  good: ['60,-10,60', '150', ' 60, 70 '],
  bad: [
    [
      'must be 1 to 30 whole degrees from -150 to 150, with commas between them',
      ['80.5', '151', 'x', ',', '1,,2', Array.from({ length: 31 }, (_, at) => at).join()],
    ],
  ],
};

const BRACKETS: Kind = {
  schema: { type: 'string' },
  good: ['80-81,82-83', '..79,80-80,90..', '-5--4', '80-81, 82-83'],
  bad: [
    [
      'must be 1 to 30 ranges of whole degrees from -150 to 150, with commas between them: ' +
        '80-81, -5--4, ..79 for 79 or less, 90.. for 90 or more; the first degree of a range is not above the last',
      ['80', '81-80', '80-81,', 'a-b', '80-151', '1.5-2', '--'],
    ],
    ['overlap at 81; give each degree once', ['80-81,81-82']],
    ['overlap at 85 or less; give each degree once', ['..79,..85']],
    ['overlap at 95; give each degree once', ['90..,95-96']],
  ],
};

const CURSOR: Kind = {
  schema: { type: 'string' },
  good: ['1.0'],
  bad: [
    [
      'must be a version and a number of rows, such as 412-k7q2.150000',
      ['2', 'x', '2.-1', '-1.0', '1e3.0', '1-ABCD.0'],
    ],
    ['names version 999, and the latest is 1; leave it out to start again', ['999.0']],
  ],
};

const STATION: Kind = {
  schema: { type: 'string' },
  good: ['KORD', 'Windy City', ' windy\u2009\tcity\u00a0'],
  bad: [],
  unknown: { code: 'STATION_NOT_FOUND', names: ['KXYZ', ' ', 'ALL', '*', '%'] },
};

/** Beside a path as well, which names KORD. */
const CITY: Kind = {
  ...STATION,
  good: ['Chicago', 'windy city'],
  unknown: { code: 'STATION_NOT_FOUND', names: ['Atlantis', 'EGLL', 'LHR', ' '] },
};

/** The same where each station has a record: all stations of the city are meant (D44). */
const CITIES: Kind = { ...CITY };

const LIST: Kind = {
  ...STATION,
  good: ['KORD', " o'hare ,kpwm,ORD,KSEA,heathrow"],
  bad: [
    [
      'must be names of stations, with commas between them',
      [',', 'KORD,', ',KORD', 'KORD,,KPWM', 'KORD, ,KPWM'],
    ],
  ],
  unknown: { code: 'STATION_NOT_FOUND', names: ['KORD,KPWN', 'ALL'] },
};

const COUNTRY: Kind = {
  schema: { type: 'string' },
  good: ['US', 'us', ' us '],
  bad: [],
  unknown: { code: 'STATION_NOT_FOUND', names: ['FR', 'USA', '%'] },
};

const CLIMATE_ZONE: Kind = {
  schema: { type: 'string' },
  good: ['Dfa', 'dfa'],
  bad: [],
  unknown: { code: 'STATION_NOT_FOUND', names: ['Cwb', 'D', '*'] },
};

const NEAR: Kind = {
  schema: { type: 'string' },
  good: ['41.96,-87.93', '42,-88', '41.8812345, -87.931629798205'],
  bad: [
    [
      'must be latitude,longitude in degrees, such as 41.88,-87.63',
      [
        '41.88',
        '41.88,-87.63,1',
        '91,0',
        '0,181',
        '41.88;-87.63',
        'Chicago',
        '1e1,2',
        '41.88,-87.',
        ', ',
        '4,',
      ],
    ],
  ],
  unknown: { code: 'STATION_NOT_FOUND', names: ['0,0', '-41.96,-87.93'] },
};

const RADIUS: Kind = {
  schema: { type: 'number' },
  good: ['1', '499.99', '500', '50.123'],
  beside: 'near=41.9602,-87.9316',
  bad: [['must be a number of km from 1 to 500', ['0', '0.99', '500.01', '-5', '1e2', '50.', 'x', '50 km']]],
};

const BBOX: Kind = {
  schema: { type: 'string' },
  good: [
    '-90,40,-80,45',
    '170,-90,-80,90',
    '-87.9316,41.9602,-87.9316,41.9602',
    '-90, 40, -80, 45.123456789',
  ],
  bad: [
    [
      'must be west,south,east,north in degrees, such as -90,40,-80,45, with south not above north',
      ['-90,45,-80,40', '-90,40,-80', '-181,0,0,1', '0,-91,0,1', '-90,40,-80,45,1', 'a,b,c,d', ',,,'],
    ],
  ],
  unknown: { code: 'STATION_NOT_FOUND', names: ['0,0,0,0'] },
};

const HOURS: Kind = {
  schema: { type: 'string' },
  good: ['0', '05,23', '6,6', '0, 12'],
  bad: [
    [
      'must be one or several whole hours from 0 to 23, with commas between them',
      ['24', '-1', '6:00', '6,', ',', '1.5', '6 12', '123', 'x'],
    ],
  ],
};

const PROVIDER: Kind = {
  schema: { type: 'string' },
  good: ['default'],
  bad: [],
  unknown: { code: 'PROVIDER_NOT_FOUND', names: ['gfs', 'Default', 'ALL', ' ', "x' OR 1=1 --"] },
};

const PROVIDERS: Kind = {
  schema: { type: 'string' },
  good: [],
  bad: [
    [
      'must be 2 to 8 different providers, with commas between them',
      ['default', 'default,default', 'default,,noisy', ',', 'a,b,c,d,e,f,g,h,i', '\0'],
    ],
  ],
  unknown: { code: 'PROVIDER_NOT_FOUND', names: ['default,nobody'] },
};

const CELL_GROUPS: Kind = {
  schema: { type: 'string', default: 'none' },
  good: [
    'none',
    'lead_time_bucket',
    'lead_time_bucket,month',
    'season,country',
    ' month , season',
    'climate_zone',
    'station',
  ],
  bad: [
    [
      'must be none, or one or two of lead_time_bucket, month, season, country, climate_zone, station, with a comma between them',
      [
        ...['x', 'none,month', 'month,none', 'month,month', 'month,season,country', 'month,', ',month', ','],
        ...['month;season', 'Month', 'month season', 'station_id', 'toString', 'week'],
      ],
    ],
  ],
};

const WHOLE_FAHRENHEIT: Kind = {
  schema: { type: 'string', enum: ['fahrenheit'], default: 'fahrenheit' },
  good: [],
  bad: [['must be fahrenheit: this endpoint works in whole °F', ['celsius', 'F']]],
};

const VERSION: Kind = {
  schema: { type: 'integer', minimum: 1 },
  good: ['1', '999999999'],
  bad: [
    [
      'must be a version of the data, a whole number from 1 to 999999999',
      ['0', '1000000000', 'v3', ...NO_NUMBERS],
    ],
  ],
};

const WINDOW_DAYS = { days: whole(1, 365, 90), date_from: DATE, date_to: DATE };
/** Providers as one: a single one is itself. */
const BLENDED: Kind = {
  schema: { type: 'string' },
  good: ['default', 'default,default'],
  bad: [
    [
      'must be 1 to 5 different providers, with commas between them',
      ['default,,noisy', ',', 'a,b,c,d,e,f', ',x'],
    ],
  ],
  unknown: { code: 'PROVIDER_NOT_FOUND', names: ['nobody', 'Default'] },
};

const FORM = { format: oneOf(['json', 'csv']), bom: { ...FLAG, beside: 'format=csv' } };
const METRIC = oneOf(['high', 'low'], 'high');
const UNIT = { temp_unit: oneOf(['fahrenheit', 'celsius'], 'fahrenheit') };
const FAHRENHEIT = { temp_unit: WHOLE_FAHRENHEIT };
const EVERY_LEAD = { ...WINDOW_DAYS, metric: METRIC, provider: PROVIDER, as_of: AS_OF, ...FORM, ...UNIT };
const QUESTION = { ...EVERY_LEAD, lead_time_bucket: LEAD_TIMES, known_at: KNOWN_AT };
const PLACE = { station_id: STATION, city: CITY };
const REGION = {
  ...{ country: COUNTRY, climate_zone: CLIMATE_ZONE },
  ...{ near: NEAR, radius_km: RADIUS, bbox: BBOX },
};
const PLACES = { ...PLACE, stations: LIST, ...REGION };
const EACH_PLACE = { ...PLACES, city: CITIES };
const ISSUED = { issued_hour: HOURS };
const PERIODS = { group_by: oneOf(['week', 'month', 'season', 'year']) };
const PRELIMINARY = { show_preliminary: FLAG, include_preliminary: FLAG };
const LEAD = { lead: oneOf(['0', '6', '12', '24', '48', '72']) };
const LEVELS = ['0.8', '0.9', '0.95', '0.99'];
const CI = { ci: oneOf(LEVELS) };
const LEVEL = { ci: oneOf(LEVELS, '0.95') };
const RANGES = { range_width: whole(1, 50, 2), range_offset: whole(0, 49, 0) };
const MIN_SAMPLES = { min_samples: whole(0, 1_000_000_000, 0) };
const VERSIONS = { versions: oneOf(['latest', 'all'], 'latest') };
const pages = (fallback: number) => ({ limit: whole(1, 50_000, fallback), cursor: CURSOR });
const TRAINING = {
  // Without it as many days as are needed.
  window: { ...whole(30, 365, 60), schema: { type: 'integer', minimum: 30, maximum: 365 } },
  verified_only: { ...FLAG, schema: { type: 'boolean' } },
};
const ONE_LEAD_TIME = {
  lead_time_bucket: { ...LEAD_TIME, schema: { ...LEAD_TIME.schema, default: '12-24h' } },
  lead_hours: LEAD_HOURS,
};

const without = (parameters: Record<string, Kind>, name: string): Record<string, Kind> =>
  Object.fromEntries(Object.entries(parameters).filter(([each]) => each !== name));

/** Section 4 of the interface with D3, D14 and D16: the query parameters of each path. */
export const PARAMETERS: Record<string, Record<string, Kind>> = {
  '/api/v1/accuracy/by-date': { ...QUESTION, ...PLACES, ...PERIODS, ...PRELIMINARY },
  // A query may name the station of the path again; the document has the name once.
  '/api/v1/accuracy/by-date/{station_id}': {
    ...{ ...QUESTION, ...PERIODS, city: CITY, stations: LIST, ...REGION, ...PRELIMINARY },
  },
  '/api/v1/accuracy/by-station/{station_id}': { ...QUESTION, ...CI, include_raw: FLAG },
  '/api/v1/accuracy/summary': { ...QUESTION, ...PLACES, ...CI },
  '/api/v1/accuracy/by-lead-time': {
    ...{ ...QUESTION, ...PLACES, ...CI, include_same_day: FLAG },
    align: oneOf(['none', 'matched'], 'none'),
    select: { ...oneOf(['mean', 'latest'], 'mean'), beside: 'align=matched' },
  },
  '/api/v1/accuracy/by-city': {
    ...{ ...QUESTION, ...EACH_PLACE, ...CI, ...MIN_SAMPLES },
    sort_by: {
      ...oneOf(['mae', 'count', 'mean_error', 'city', 'rmse', 'distance']),
      beside: 'near=41.9602,-87.9316',
    },
  },
  '/api/v1/accuracy/by-weather-regime': { ...QUESTION, ...PLACES, ...CI, include_same_day: FLAG },
  '/api/v1/accuracy/hit-rate': { ...QUESTION, ...EACH_PLACE, ...ISSUED, ...FAHRENHEIT, ...LEAD, ...LEVEL },
  '/api/v1/accuracy/by-bucket/{station_id}': {
    ...{ ...QUESTION, ...ISSUED, ...FAHRENHEIT, ...LEAD, ...LEVEL, ...RANGES },
  },
  '/api/v1/accuracy/revision-stats': {
    ...{ ...without(QUESTION, 'lead_time_bucket'), ...EACH_PLACE, ...ISSUED, ...LEVEL },
    include_steps: { ...FLAG, beside: 'station_id=KORD' },
  },
  '/api/v1/accuracy/compare': {
    ...{ ...without(QUESTION, 'provider'), ...EACH_PLACE, ...ISSUED, ...LEAD, ...LEVEL },
    ...{ providers: PROVIDERS, reference: PROVIDER },
    group_by: CELL_GROUPS,
  },
  '/api/v1/accuracy/skill': {
    ...{ ...QUESTION, ...EACH_PLACE, ...LEAD, ...LEVEL },
    reference: oneOf(['persistence', 'recent', 'climatology'], 'persistence'),
    group_by: oneOf(['lead_time_bucket', 'station', 'none'], 'lead_time_bucket'),
  },
  '/api/v1/accuracy/spread-skill': { ...QUESTION, ...EACH_PLACE, ...LEAD, ...LEVEL },
  '/api/v1/accuracy/peak-timing/{station_id}': {
    ...{ ...without(EVERY_LEAD, 'provider'), known_at: KNOWN_AT },
    group_by: oneOf(['none', 'month'], 'none'),
  },
  '/api/v1/accuracy/exceedance': { ...QUESTION, ...PLACES, thresholds: sizes('1,2,3,5'), ...LEVEL },
  '/api/v1/accuracy/exceedance-summary': { ...QUESTION, ...PLACES, thresholds: sizes('2,3,5') },
  '/api/v1/accuracy/events': {
    ...{ ...QUESTION, ...EACH_PLACE, ...ISSUED, ...LEAD, ...LEVEL, thresholds: TEMPERATURES },
    direction: oneOf(['at_or_above', 'at_or_below']),
    group_by: oneOf(['none', 'lead_time_bucket', 'station', 'month'], 'none'),
  },
  '/api/v1/accuracy/error-distribution': {
    ...{ ...QUESTION, ...PLACES, ...RANGES, signed: FLAG },
    bin_width: {
      ...oneOf(['0.5', '1', '2', '5']),
      schema: { type: 'string', enum: ['1', '2', '5', '0.5'], default: '1' },
    },
    group_by: oneOf(['lead_time_bucket', 'forecast']),
  },
  '/api/v1/accuracy/sample-size': { ...QUESTION, ...EACH_PLACE, ...MIN_SAMPLES },
  '/api/v1/accuracy/update-frequency': { ...EVERY_LEAD, known_at: KNOWN_AT, ...EACH_PLACE },
  '/api/v1/accuracy/freshness': FORM,
  '/api/v1/accuracy/bias-correction': {
    ...{ ...QUESTION, ...PLACE, ...TRAINING, ...FAHRENHEIT, ...ONE_LEAD_TIME, ...LEVEL },
    forecast_for_date: DATE,
    forecast_temp: { ...TEMPERATURE, schema: { type: 'number', default: 75 } },
  },
  '/api/v1/probability': {
    providers: BLENDED,
    ...{ ...PLACE, ...TRAINING, ...FAHRENHEIT, ...LEVEL, ...FORM },
    ...{ forecast: TEMPERATURE, target_date: DATE, lead_time_bucket: LEAD_TIME, lead_hours: LEAD_HOURS },
    ...{ metric: METRIC, provider: PROVIDER, as_of: AS_OF, known_at: KNOWN_AT },
    ...{ thresholds: DEGREES, brackets: BRACKETS, so_far: oneOf(['use', 'ignore'], 'use') },
  },
  '/api/v1/probability/reliability': {
    providers: BLENDED,
    ...{ ...EVERY_LEAD, known_at: KNOWN_AT, ...PLACE, ...TRAINING, ...FAHRENHEIT, ...ONE_LEAD_TIME },
    ...{ ...LEVEL, hour: HOUR_OF_DAY },
  },
  '/api/v1/data/forecast-actual': { ...QUESTION, ...PLACES, ...ISSUED, ...pages(1000) },
  '/api/v1/data/forecasts': {
    ...{ ...PLACES, ...ISSUED, ...VERSIONS, ...UNIT, ...FORM, ...pages(100) },
    ...{ forecast_for_date: DATE, metric: oneOf(['high', 'low']), provider: PROVIDER, as_of: AS_OF },
  },
  '/api/v1/data/observations': {
    ...{ ...WINDOW_DAYS, ...PLACES, ...VERSIONS, ...UNIT, ...FORM, ...pages(1000) },
    ...{ metric: oneOf(['high', 'low']), as_of: AS_OF },
  },
  '/api/v1/data/hours': {
    ...{ ...PLACES, ...UNIT, ...FORM, ...pages(1000), as_of: AS_OF, start_time: INSTANT, end_time: INSTANT },
  },
  '/api/v1/data/run-stats': {
    ...{
      ...EACH_PLACE,
      ...ISSUED,
      as_of: AS_OF,
      provider: PROVIDER,
      start_time: INSTANT,
      end_time: INSTANT,
      ...FORM,
    },
  },
  '/api/v1/stations/metadata': { ...FORM, ...REGION },
  '/api/v1/providers': FORM,
  '/api/v1/loads': {
    ...{ limit: whole(1, 500, 100), before: VERSION, ...FORM },
  },
  '/api/v1/usage': FORM,
  '/api/v1': FORM,
  '/api/v1/export/pairs': {
    ...{ ...WINDOW_DAYS, ...PLACES, ...ISSUED, metric: oneOf(['high', 'low']), lead_time_bucket: LEAD_TIMES },
    ...{ provider: { ...PROVIDER, good: ['default', 'all'] }, as_of: AS_OF, include_same_day: FLAG },
    ...{ format: oneOf(['csv', 'ndjson', 'parquet']), cursor: CURSOR },
  },
};

/** Whether an answer has a record for each station, and so may be about all stations of a city. */
export const isOfEach = (path: string): boolean => PARAMETERS[path]?.city === CITIES;

export const PATHS = Object.keys(PARAMETERS);

/** A request to a path with what it needs and these parameters, encoded as they are; of one name, the last counts. */
export function urlOf(template: string, ...queries: readonly string[]): string {
  const pairs = [NEEDED[template] ?? '', ...queries].flatMap((query) => query.split('&'));
  const named = new Map(pairs.map((pair) => [pair.split('=', 1)[0], pair]));
  return `${template.replace('{station_id}', 'KORD')}?${[...named.values()].filter((pair) => pair !== '').join('&')}`;
}

const OWN_DAYS: Record<string, string> = {
  '/api/v1/accuracy/bias-correction': `${WINDOW}&forecast_for_date=2024-03-21`,
  '/api/v1/data/forecasts': 'forecast_for_date=2024-03-18',
  '/api/v1/data/run-stats': 'start_time=2024-03-01&end_time=2024-03-20',
  '/api/v1/data/hours': 'start_time=2024-03-01&end_time=2024-03-20',
};

/** The days of a path that have data. */
export const windowOf = (template: string): string =>
  OWN_DAYS[template] ?? ('date_from' in (PARAMETERS[template] ?? {}) ? WINDOW : '');
