import fc from 'fast-check';

// Requests of all kinds, on the data of contract-data.ts.

export interface GeneratedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Whether it carries a valid key. */
  keyed: boolean;
  /** Nothing in it can be a fault: it must be answered with 200, or 304. */
  valid: boolean;
}

type Parameters = [name: string, value: string][];

const enc = encodeURIComponent;

const weighted = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });

/** A date as text, between two years. */
const dateBetween = (from: string, to: string) =>
  fc
    .date({ min: new Date(`${from}-01-01`), max: new Date(`${to}-12-31`), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

const nearby = dateBetween('2023', '2024');

/** Windows that are right, in all the ways to say one. */
const validWindow: fc.Arbitrary<Parameters> = fc.oneof(
  fc.constant<Parameters>([]),
  fc.integer({ min: 1, max: 365 }).map<Parameters>((days) => [['days', `${days}`]]),
  fc.tuple(fc.oneof(nearby, dateBetween('1975', '2130')), fc.nat(3659)).map<Parameters>(([from, length]) => [
    ['date_from', from],
    ['date_to', new Date(Date.parse(from) + length * 86_400_000).toISOString().slice(0, 10)],
  ]),
  fc
    .tuple(fc.constantFrom('date_from', 'date_to'), nearby, fc.integer({ min: 1, max: 365 }))
    .map<Parameters>(([bound, date, days]) => [
      [bound, date],
      ['days', `${days}`],
    ]),
);

const stationName = fc.constantFrom('KORD', 'kord', 'EGLL', 'LHR', 'VIDP', 'KSEA', 'kPwM', 'KMDW', 'PDX');
const cityName = fc.constantFrom('Windy City', "O'Hare", 'Portland OR', 'são delhi', 'Heathrow', '-Dilli');

const validStation: fc.Arbitrary<Parameters> = fc.oneof(
  weighted(2, fc.constant<Parameters>([])),
  stationName.map<Parameters>((name) => [['station_id', name]]),
  cityName.map<Parameters>((name) => [['city', name]]),
);

const validStations = fc.oneof(
  weighted(3, validStation),
  fc
    .array(stationName, { minLength: 1, maxLength: 4 })
    .map<Parameters>((names) => [['stations', names.join(',')]]),
);

const optional = (name: string, ...values: string[]): fc.Arbitrary<Parameters> =>
  fc.oneof(
    weighted(2, fc.constant<Parameters>([])),
    fc.constantFrom(...values).map<Parameters>((value) => [[name, value]]),
  );

const metric = optional('metric', 'high', 'low', '');
const format = optional('format', 'json', 'csv', '');

const joined = (...parts: fc.Arbitrary<Parameters>[]): fc.Arbitrary<Parameters> =>
  fc.tuple(...parts).map((all) => all.flat());

// Not before the first load: what stations are called belongs to a version, and that one has none (D31).
const asOf = optional('as_of', 'v1');
const question = [validWindow, metric, format, asOf];
const level = optional('ci', '0.8', '0.9', '0.95', '0.99');
const lead = optional('lead', '0', '24', '72');
const pages = optional('limit', '1', '7', '1000');
const versions = optional('versions', 'latest', 'all');
const thresholds = optional('thresholds', '1', '0.5,2', '3,5,10.25');
/** Paths below /api/v1, one that ends in / for a station, and what each takes. */
const GENERATED: [path: string, parameters: fc.Arbitrary<Parameters>][] = [
  ['accuracy/by-date', joined(...question, validStation, optional('group_by', 'week', 'month', 'year'))],
  ['accuracy/summary', joined(...question, validStation, level)],
  ['accuracy/by-lead-time', joined(...question, validStation, level, optional('align', 'matched'))],
  [
    'accuracy/by-city',
    joined(
      ...question,
      validStations,
      level,
      optional('min_samples', '0', '1', '3', '1000000000'),
      optional('sort_by', 'mae', 'count', 'mean_error', 'city', 'rmse'),
    ),
  ],
  ['accuracy/hit-rate', joined(...question, validStations, level, lead)],
  ['accuracy/revision-stats', joined(...question, validStations, level)],
  ['accuracy/exceedance', joined(...question, validStation, level, thresholds)],
  ['accuracy/exceedance-summary', joined(...question, thresholds)],
  ['accuracy/error-distribution', joined(...question, validStation, optional('signed', 'true', 'false'))],
  ['accuracy/sample-size', joined(...question, validStations)],
  ['accuracy/update-frequency', joined(...question, validStations)],
  ['accuracy/by-bucket/', joined(...question, lead, optional('range_width', '1', '2', '5'))],
  [
    'accuracy/skill',
    joined(...question, validStations, level, optional('reference', 'persistence', 'recent', 'climatology')),
  ],
  [
    'accuracy/compare',
    joined(...question, validStations, level, optional('group_by', 'none', 'lead_time_bucket')),
  ],
  ['accuracy/by-date/', joined(...question)],
  ['accuracy/by-station/', joined(...question, level, optional('include_raw', 'true', 'false'))],
  ['data/forecast-actual', joined(...question, validStation, pages)],
  ['data/observations', joined(validWindow, metric, format, asOf, validStation, versions, pages)],
  [
    'data/forecasts',
    joined(
      nearby.map<Parameters>((date) => [['forecast_for_date', date]]),
      metric,
      format,
      asOf,
      versions,
      pages,
    ),
  ],
];
const ENDPOINTS: fc.Arbitrary<{ path: string; parameters: Parameters }>[] = GENERATED.map(
  ([path, parameters]) =>
    fc.record({ station: fc.oneof(stationName, cityName), parameters }).map(({ station, parameters }) => ({
      path: `/api/v1/${path}${path.endsWith('/') ? enc(station) : ''}`,
      parameters,
    })),
);
ENDPOINTS.push(
  joined(format, optional('limit', '1', '500'), optional('before', '1', '999999999')).map((parameters) => ({
    path: '/api/v1/loads',
    parameters,
  })),
);
ENDPOINTS.push(
  joined(
    ...question,
    validStation,
    optional('lead_time_bucket', '0-6h', '72h%2B'),
    optional('window', '30'),
  ).map((parameters) => ({ path: '/api/v1/probability/reliability', parameters })),
);
ENDPOINTS.push(format.map((parameters) => ({ path: '/api/v1/stations/metadata', parameters })));

const queryOf = (parameters: Parameters): string =>
  parameters.length === 0 ? '' : `?${parameters.map(([name, value]) => `${name}=${value}`).join('&')}`;

/** Texts as they stand in a URL: boundaries, junk, unicode, bytes that are no text, huge ones. */
const hostile = fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
  fc.constantFrom(
    ...['0', '1', '365', '366', '-1', '1e2', '00', '1.0', '9007199254740993', 'NaN', 'null', 'true', 'TRUE'],
    ...['1970-01-01', '1969-12-31', '2149-06-06', '2149-06-07', '2026-02-30', '2024-02-29', '2023-02-29'],
    ...[
      '%00',
      '%',
      '%zz',
      '%ff',
      '%C0%80',
      '%ED%A0%80',
      '+',
      '%20',
      '%0d%0aX:%20y',
      '__proto__',
      '%F0%9F%98%80',
    ],
    ...[
      'KORD%00',
      'Portland',
      'portland',
      'chicago',
      'KZZZ',
      'ALL',
      '..',
      '%2e%2e%2f',
      '%2F',
      "'",
      '"',
      '`',
      '#',
      '',
    ],
    ...['{metric:String}', '%27%20OR%201=1', 'high,low', 'High', 'csv;', '\\', '[]', 'a=b', '&&', '==', ';'],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => enc(Buffer.from(text).toString())),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => enc(Buffer.from(text).toString())),
  fc
    .uint8Array({ maxLength: 20 })
    .map((bytes) => `%${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('%')}`),
  // As it stands, but for what ends a request line.
  fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replace(/[^!-~]/g, '')),
  fc.integer().map(String),
  fc.double().map(String),
  weighted(
    1,
    fc
      .tuple(
        fc.constantFrom('a', '9', '%27', '%00', '%F0%9F%98%80', '%ff', ',', '%', '0'),
        fc.integer({ min: 100, max: 4000 }),
      )
      .map(([text, times]) => text.repeat(times)),
  ),
);

const anyName = fc.oneof(
  weighted(
    3,
    fc.constantFrom(
      'days',
      'date_from',
      'date_to',
      'metric',
      'format',
      'station_id',
      'city',
      'stations',
      'group_by',
      'sort_by',
      'min_samples',
      'include_raw',
    ),
  ),
  fc.constantFrom(
    'date_form',
    'DAYS',
    'days[]',
    'city[$ne]',
    '__proto__',
    'constructor',
    'limit',
    'api_key',
    '',
  ),
  hostile,
);

/** A right question with faults put in: other values, more parameters, the same one again. */
const faulty = fc
  .tuple(
    fc.oneof(...ENDPOINTS),
    fc.array(fc.tuple(anyName, hostile), { minLength: 1, maxLength: 4 }),
    fc.nat(5),
  )
  .map(([{ path, parameters }, more, kind]) => {
    if (kind === 0 && parameters[0] !== undefined)
      return path + queryOf([...parameters, parameters[0]].map(([name, value]) => [name, enc(value)]));
    if (kind === 1) {
      const values = more.map(([, value]) => value);
      return path + queryOf(parameters.map(([name, value], at) => [name, values[at] ?? enc(value)]));
    }
    return (
      path + queryOf([...parameters.map(([name, value]): [string, string] => [name, enc(value)]), ...more])
    );
  });

const strangePath = fc.oneof(
  fc
    .tuple(fc.constantFrom('by-station/', 'by-date/'), hostile)
    .map(([name, text]) => `/api/v1/accuracy/${name}${text}`),
  hostile.map((text) => `/${text}`),
  fc.tuple(fc.oneof(...ENDPOINTS), hostile).map(([{ path }, text]) => path + text),
  fc.constantFrom(
    '/', '//', '/api', '/api/v1', '/api/v1/', '/api/v1/accuracy', '/api/v2/accuracy/summary', '/API/V1/accuracy/summary',
    '/api/v1/accuracy/by-station', '/api/v1/accuracy/by-station/', '/api/v1/accuracy/by-station/KORD/x', '/favicon.ico',
    '/api/v1//accuracy/summary', '/api/v1/accuracy/summary/', '/.env', '/api/v1/accuracy/summary%00', '*',
  ), // prettier-ignore
);

/** The routes beside the document, as they are for everybody. */
export const OPEN_PATHS = ['/', '/docs', '/docs/', '/healthz', '/readyz', '/openapi.json', '/api/v1/health'];

const headers = fc.record(
  {
    accept: fc.oneof(
      fc.constantFrom(
        '*/*',
        'text/csv',
        'application/json',
        'text/html;q=0.3',
        'a/b;q=9',
        '',
        ',,,',
        'text/csv;q=0',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((text) => text.replace(/[^ -~]/g, '')),
    ),
    'if-none-match': fc.oneof(
      fc.constantFrom('*', 'W/"x"', '""', '"', 'W/'),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replace(/[^ -~]/g, '')),
    ),
    'x-request-id': fc
      .string({ unit: 'binary-ascii', maxLength: 200 })
      .map((text) => text.replace(/[^ -~]/g, '')),
    range: fc.constant('bytes=0-1'),
    'accept-encoding': fc.constantFrom('gzip', 'br', 'identity;q=0', '*'),
    'x-http-method-override': fc.constant('DELETE'),
    cookie: fc.constant('a=b; __proto__=1'),
  },
  { requiredKeys: [] },
);

const noHeaders = fc.constant<Record<string, string>>({});
const get = fc.oneof(weighted(9, fc.constant('GET')), fc.constant('HEAD'));

const validRequest: fc.Arbitrary<GeneratedRequest> = fc.record({
  method: get,
  path: fc
    .tuple(fc.oneof(...ENDPOINTS), fc.boolean())
    .map(
      ([{ path, parameters }, slash]) =>
        path + (slash ? '/' : '') + queryOf(parameters.map(([name, value]) => [name, enc(value)])),
    ),
  headers: noHeaders,
  keyed: fc.constant(true),
  valid: fc.constant(true),
});

const strangeRequest: fc.Arbitrary<GeneratedRequest> = fc.record({
  method: fc.oneof(
    weighted(20, get),
    fc.constantFrom('POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'),
  ),
  path: fc.oneof(
    weighted(8, faulty),
    weighted(4, strangePath),
    weighted(1, fc.constantFrom(...OPEN_PATHS, '/metrics')),
  ),
  headers: fc.oneof(weighted(2, noHeaders), headers),
  keyed: fc.oneof(weighted(9, fc.constant(true)), fc.constant(false)),
  valid: fc.constant(false),
});

/** Four of ten are valid. */
export const requests: fc.Arbitrary<GeneratedRequest> = fc.oneof(
  weighted(4, validRequest),
  weighted(6, strangeRequest),
);
