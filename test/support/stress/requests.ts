import fc from 'fast-check';
import { words } from '../words.js';

// Requests of all kinds, on the data of the contract tests.

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

/** Windows of at most a year, in the ways to say one. */
const shortWindow: fc.Arbitrary<Parameters> = fc.oneof(
  fc.constant<Parameters>([]),
  fc.integer({ min: 1, max: 365 }).map<Parameters>((days) => [['days', `${days}`]]),
  fc
    .tuple(fc.constantFrom('date_from', 'date_to'), nearby, fc.integer({ min: 1, max: 365 }))
    .map<Parameters>(([bound, date, days]) => [
      [bound, date],
      ['days', `${days}`],
    ]),
);

/** Windows of any length. */
const validWindow: fc.Arbitrary<Parameters> = fc.oneof(
  weighted(3, shortWindow),
  fc.tuple(fc.oneof(nearby, dateBetween('1975', '2130')), fc.nat(3659)).map<Parameters>(([from, length]) => [
    ['date_from', from],
    ['date_to', new Date(Date.parse(from) + length * 86_400_000).toISOString().slice(0, 10)],
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

const joined = (...parts: fc.Arbitrary<Parameters>[]): fc.Arbitrary<Parameters> =>
  fc.tuple(...parts).map((all) => all.flat());

/** Right values in any form, by a name of their own; others are named with their values: `lead=0|24`. */
const RIGHT: Record<string, fc.Arbitrary<Parameters>> = {
  window: validWindow,
  year: shortWindow,
  station: validStation,
  stations: validStations,
  day: nearby.map((date) => [['forecast_for_date', date]]),
};
// Not before the first load: what stations are called belongs to a version, and that one has none (D31).
const FORM = 'metric=high|low| format=json|csv| as_of=v1';
const QUESTION = `window ${FORM}`;
const LEVEL = 'ci=0.8|0.9|0.95|0.99';
const LEAD = 'lead=0|24|72';
const COVERAGE = 'min_coverage=0.5|1';
const PAGES = 'limit=1|7|1000';
const VERSIONS = 'versions=latest|all';
const THRESHOLDS = 'thresholds=1|0.5,2|3,5,10.25';

/** Paths below /api/v1, one that ends in / for a station, and what each takes. */
const GENERATED: [path: string, ...parameters: string[]][] = [
  ['accuracy/by-date', QUESTION, 'station', COVERAGE, 'group_by=week|month|season|year'],
  ['accuracy/summary', QUESTION, 'station', COVERAGE, LEVEL],
  ['accuracy/by-lead-time', QUESTION, 'station', LEVEL, 'align=matched'],
  [
    'accuracy/by-city',
    QUESTION,
    'stations',
    LEVEL,
    'min_samples=0|1|3|1000000000 sort_by=mae|count|mean_error|city|rmse',
  ],
  ['accuracy/hit-rate', QUESTION, 'stations', LEVEL, LEAD],
  ['accuracy/revision-stats', QUESTION, 'stations', LEVEL],
  [
    'accuracy/events',
    QUESTION,
    'stations',
    LEVEL,
    LEAD,
    'cost_loss=0.1|0.2,0.5',
    'thresholds=32|-10.5,90 direction=at_or_above|at_or_below group_by=none|lead_time_bucket|station|month',
  ],
  ['accuracy/exceedance', QUESTION, 'station', LEVEL, THRESHOLDS],
  ['accuracy/exceedance-summary', QUESTION, THRESHOLDS],
  ['accuracy/error-distribution', QUESTION, 'station', 'signed=true|false'],
  ['accuracy/sample-size', QUESTION, 'stations'],
  ['accuracy/update-frequency', QUESTION, 'stations'],
  ['accuracy/by-bucket', 'metric=wet_day', LEVEL, LEAD],
  ['accuracy/by-bucket/', QUESTION, LEAD, 'range_width=1|2|5'],
  ['accuracy/skill', QUESTION, 'stations', LEVEL, 'reference=persistence|climatology'],
  [
    'accuracy/compare',
    QUESTION,
    'stations',
    LEVEL,
    'group_by=none|lead_time_bucket|month,country|season,station',
  ],
  ['accuracy/by-date/', QUESTION],
  ['accuracy/by-station/', QUESTION, LEVEL, 'include_raw=true|false'],
  ['data/forecast-actual', QUESTION, 'station', PAGES],
  ['data/observations', QUESTION, 'station', VERSIONS, PAGES],
  ['data/hours', 'station', PAGES],
  ['data/forecasts', `day ${FORM}`, VERSIONS, PAGES],
  ['probability/reliability', `year ${FORM}`, 'station', 'lead_time_bucket=0-6h|72h+ window=30'],
  ['loads', 'format=json|csv| limit=1|500 before=1|999999999 after=v0|7'],
  ['stations/metadata', 'format=json|csv|'],
];
const ENDPOINTS: fc.Arbitrary<{ path: string; parameters: Parameters }>[] = GENERATED.map(
  ([path, ...words]) => {
    const taken = words
      .flatMap((each) => each.split(' '))
      .map((word) => {
        const [name = '', values = ''] = word.split('=');
        return RIGHT[word] ?? optional(name, ...values.split('|'));
      });
    return fc
      .record({ station: fc.oneof(stationName, cityName), parameters: joined(...taken) })
      .map(({ station, parameters }) => ({
        path: `/api/v1/${path}${path.endsWith('/') ? enc(station) : ''}`,
        parameters,
      }));
  },
);

const queryOf = (parameters: Parameters): string =>
  parameters.length === 0 ? '' : `?${parameters.map(([name, value]) => `${name}=${value}`).join('&')}`;

/** Texts as they stand in a URL: boundaries, junk, unicode, bytes that are no text, huge ones. */
const HOSTILE = words(String.raw`0 1 365 366 -1 1e2 00 1.0 9007199254740993 NaN null true TRUE
  1970-01-01 1969-12-31 2149-06-06 2149-06-07 2026-02-30 2024-02-29 2023-02-29
  %00 % %zz %ff %C0%80 %ED%A0%80 + %20 %0d%0aX:%20y __proto__ %F0%9F%98%80
  KORD%00 Portland portland chicago KZZZ ALL .. %2e%2e%2f %2F ' " ${'`'} #
  {metric:String} %27%20OR%201=1 high,low High csv; \ [] a=b && == ;`);
const hostile = fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
  fc.constantFrom('', ...HOSTILE),
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

const NAMES = words(
  'days date_from date_to metric format station_id city stations group_by sort_by min_samples include_raw',
);
const WRONG_NAMES = words('date_form DAYS days[] city[$ne] __proto__ constructor limit api_key');
const anyName = fc.oneof(
  weighted(3, fc.constantFrom(...NAMES)),
  fc.constantFrom('', ...WRONG_NAMES),
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

const STRANGE_PATHS =
  words(`/ // /api /api/v1 /api/v1/ /api/v1/accuracy /api/v2/accuracy/summary /API/V1/accuracy/summary
  /api/v1/accuracy/by-station /api/v1/accuracy/by-station/ /api/v1/accuracy/by-station/KORD/x /favicon.ico
  /api/v1//accuracy/summary /api/v1/accuracy/summary/ /.env /api/v1/accuracy/summary%00 *`);
const strangePath = fc.oneof(
  fc
    .tuple(fc.constantFrom('by-station/', 'by-date/'), hostile)
    .map(([name, text]) => `/api/v1/accuracy/${name}${text}`),
  hostile.map((text) => `/${text}`),
  fc.tuple(fc.oneof(...ENDPOINTS), hostile).map(([{ path }, text]) => path + text),
  fc.constantFrom(...STRANGE_PATHS),
);

/** The routes beside the document, as they are for everybody. */
export const OPEN_PATHS = ['/', '/docs', '/docs/', '/healthz', '/readyz', '/openapi.json', '/api/v1/health'];

/** Any text that a header may have. */
const printable = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'binary-ascii', maxLength }).map((text) => text.replace(/[^ -~]/g, ''));
const accepts = [
  '*/*',
  'text/csv',
  'application/json',
  'text/html;q=0.3',
  'a/b;q=9',
  '',
  ',,,',
  'text/csv;q=0',
];

const headers = fc.record(
  {
    accept: fc.oneof(fc.constantFrom(...accepts), printable(30)),
    'if-none-match': fc.oneof(fc.constantFrom('*', 'W/"x"', '""', '"', 'W/'), printable(20)),
    'x-request-id': printable(200),
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
