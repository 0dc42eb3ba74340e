import { readFileSync } from 'node:fs';
import { type OpenApiDocument, withoutComponents } from '../../../scripts/openapi/components.js';
import { type Document, NEEDED } from './contract.js';
import { WINDOW } from './data.js';

// The query parameters of each path as openapi.json has them, and of each what it takes, what it refuses, and in which
// words: made of its schema, and written down for texts, which a schema does not describe.

/** A query parameter: its schema, and its good and bad values. */
export interface Kind {
  schema: { type?: string; enum?: string[]; minimum?: number; maximum?: number; default?: unknown };
  /** Values that are taken, in the contract data. */
  good: readonly string[];
  /** The parameter that a good value needs beside it. */
  beside?: string;
  /** The message of a fault, and the values that it is said of. */
  bad: readonly [message: string, values: readonly string[]][];
  /** Names that nothing has, and the error that they are. */
  unknown?: { code: string; names: readonly string[] };
}

type Text = Omit<Kind, 'schema'>;

const NO_NUMBERS = ['1.5', '1e2', ' 7', '7 ', '+7', '--1', 'abc', 'true', '0x10', 'NaN', '٧', '9'.repeat(30)];

/** The values that the schema alone tells: one of its words, a flag, a whole number within its bounds, a date. */
function ofSchema({ type, enum: words, minimum = NaN, maximum = NaN }: Kind['schema']): Text {
  if (words !== undefined) {
    const [first = ''] = words;
    const bad = [
      'x',
      '-1',
      `${first} `,
      [first, words[1] ?? first].join(),
      first + first,
      'ÄÖ',
      'toString',
      'same-day',
    ];
    // The document has numbers in an order of its own.
    const told = words.toSorted((a, b) => Number(a) - Number(b)).join(', ');
    return { good: words, bad: [[`must be ${words.length === 1 ? '' : 'one of '}${told}`, bad]] };
  }
  if (type === 'boolean') {
    const bad = ['TRUE', 'yes', '1', '0', 'on', 'true ', 'null'];
    return { good: ['true', 'false'], bad: [['must be true or false', bad]] };
  }
  if (type === 'integer') {
    const bad = [`${minimum - 1}`, `${maximum + 1}`, '-7', ...NO_NUMBERS];
    return {
      good: [`${minimum}`, `${maximum}`, `00${maximum}`],
      bad: [[`must be a whole number from ${minimum} to ${maximum}`, bad]],
    };
  }
  return {
    good: ['2024-03-17', '2024-02-29'],
    bad: [
      [
        'must be a calendar date, YYYY-MM-DD, from 1970-01-01 to 2149-06-06',
        [
          ...['2026-02-30', '2023-02-29', '2024-04-31', '2026-2-3', '1969-12-31', '2149-06-07', '2024-13-01'],
          ...['2024-00-10', '2024-01-00', '0000-00-00', '20240316', '2024-W11-1', '2024-03-16T00:00:00Z'],
          ...[' 2024-03-16', '2024-03-16\n', '16.03.2024', 'now', '1710547200'],
        ],
      ],
      ...['today', 'Tomorrow'].map((day): [string, string[]] => [
        `must be the date itself, YYYY-MM-DD: ${day} is another day from one time zone to the next`,
        [day],
      ]),
    ],
  };
}

const NO_INSTANTS = ['yesterday', 'now', '2024-02-30', '2024-03-16T00:00:00', '2024-03-16 00:00:00Z'];
const AN_INSTANT = 'a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z';
const AHEAD = ['2024-03-20T15:30:01Z', '2030-01-01'];
const BEFORE_TIME = ['1969-12-31', '1969-12-31T23:59:59Z'];

const INSTANT: Text = {
  good: ['2024-03-17', '2024-03-17T00:00:00Z', '2024-03-17T02:00:00+02:00'],
  bad: [[`must be ${AN_INSTANT}`, [...NO_INSTANTS, '2024-02-30T00:00:00Z', '1969-12-31T00:00:00Z']]],
};

const TEMPERATURE: Text = {
  good: ['72.5', '-0.5', '140', '-130', '70.555'],
  bad: [
    ['must be a temperature, °F, or °C with temp_unit=celsius, such as 83.5', ['1e2', '70.', 'warm', '--5']],
    ['must be from -130 to 140 °F, the limits of highs', ['140.01', '-130.01', '999']],
  ],
};

/** A temperature with the letter of its unit. */
const WITH_UNIT: Text = {
  good: ['55f', '65.25F', '18c', '18.5C'],
  bad: [
    [
      'must be a number with its unit, 32f to 104f or 0c to 40c; write it as in 18c',
      ['65', '18.33c', '31.9f', '104.1f', '40.1c', '-1c', '18k', '6e1f', '18 c', 'c'],
    ],
  ],
};

const ELEVEN = '1,2,3,4,5,6,7,8,9,10,11';
const noStation = (...names: string[]) => ({ code: 'STATION_NOT_FOUND', names });

const NO_UNITS =
  'must be us, metric, si, or units with commas between them: temperature=f|c, speed=kt|mph|ms|kmh, length=in|mm|cm';

/** Values that are written down, by name. */
const TEXTS: Record<string, Text> = {
  base: WITH_UNIT,
  cap: WITH_UNIT,
  wet_at: {
    good: ['1mm', '0.2mm', '0.1in', '2.54MM'],
    bad: [
      [
        'must be a number with its unit, 0.01in to 20in or 0.2mm to 500mm; write it as in 1mm',
        ['1', '0.1mm', '0.009in', '20.5in', '501mm', '1cm', '1 mm', '1e1mm', 'T'],
      ],
    ],
  },
  after: {
    good: ['v0', 'v1', '0', '999999999'],
    bad: [
      [
        'must be a version of the data, such as v412 or v412.k7q2, or v0 for all loads',
        ['V1', 'v01', 'v1234567890', '-1', 'latest', 'v1.', 'v1.abc', 'v1.ABCD', '2024-01-01'],
      ],
    ],
  },
  as_of: {
    good: ['v1', '2024-01-01', '2024-03-20T06:00:00+05:30'],
    bad: [
      [
        `must be a version such as v412 or v412.k7q2, ${AN_INSTANT}, from 1970-01-01 on`,
        [
          ...[...NO_INSTANTS, ...BEFORE_TIME, '1', 'v0', 'V1', 'v1234567890', 'latest', 'v1.', 'v1.abc'],
          ...['v1.abcde', 'v1.ABCD', 'v1.k7_2', '2024-01-01.k7q2'],
        ],
      ],
      ['is in the future; leave it out for the latest data', AHEAD],
    ],
  },
  bbox: {
    good: [
      ...['-90,40,-80,45', '170,-90,-80,90', '-87.9316,41.9602,-87.9316,41.9602'],
      '-90, 40, -80, 45.123456789',
    ],
    bad: [
      [
        'must be west,south,east,north in degrees, such as -90,40,-80,45, with south not above north',
        ['-90,45,-80,40', '-90,40,-80', '-181,0,0,1', '0,-91,0,1', '-90,40,-80,45,1', 'a,b,c,d', ',,,'],
      ],
    ],
    unknown: noStation('0,0,0,0'),
  },
  before: {
    good: ['1', '999999999'],
    bad: [
      [
        'must be a version of the data, a whole number from 1 to 999999999',
        ['0', '1000000000', 'v3', ...NO_NUMBERS],
      ],
    ],
  },
  brackets: {
    good: ['80-81,82-83', '..79,80-80,90..', '-5--4', '80-81, 82-83'],
    bad: [
      [
        'must be 1 to 30 ranges of whole degrees, with commas between them: ' +
          '80-81, -5--4, ..79 for 79 or less, 90.. for 90 or more; the first degree of a range is not above the last',
        ['80', '81-80', '80-81,', 'a-b', '80-1000', '1.5-2', '--'],
      ],
      ['must be from -130 to 140 °F, the limits of highs', ['80-141', '-131--130', '..200']],
      ['overlap at 81; give each degree once', ['80-81,81-82']],
      ['overlap at 85 or less; give each degree once', ['..79,..85']],
      ['overlap at 95; give each degree once', ['90..,95-96']],
    ],
  },
  city: { good: ['Chicago', 'windy city'], bad: [], unknown: noStation('Atlantis', 'EGLL', 'LHR', ' ') },
  climate_zone: { good: ['Dfa', 'dfa'], bad: [], unknown: noStation('Cwb', 'D', '*') },
  country: { good: ['US', 'us', ' us '], bad: [], unknown: noStation('FR', 'USA', '%') },
  days: {
    good: ['1', '365', '00365'],
    bad: [
      [
        'must be a whole number from 1 to 365; use date_from and date_to for a longer window',
        ['0', '366', '-7', ...NO_NUMBERS],
      ],
    ],
  },
  cursor: {
    good: ['1.0'],
    bad: [
      [
        'must be a version and a number of rows, such as 412-k7q2.150000',
        ['2', 'x', '2.-1', '-1.0', '1e3.0', '1-ABCD.0'],
      ],
      ['names version 999, but the latest is 1; leave it out to start again', ['999.0']],
    ],
  },
  end_time: INSTANT,
  forecast: TEMPERATURE,
  forecast_temp: TEMPERATURE,
  group_by: {
    good: [
      ...['none', 'lead_time_bucket', 'lead_time_bucket,month', 'season,country', ' month , season'],
      ...['climate_zone', 'station'],
    ],
    bad: [
      [
        'must be none, or one or two of lead_time_bucket, lead_hour, month, season, country, climate_zone, station, with a comma between them',
        [
          ...[
            'x',
            'none,month',
            'month,none',
            'month,month',
            'month,season,country',
            'month,',
            ',month',
            ',',
          ],
          ...['month;season', 'Month', 'month season', 'station_id', 'toString', 'week'],
        ],
      ],
    ],
  },
  hour: {
    good: ['1', '9', '24'],
    bad: [['must be a whole number from 1 to 24', ['0', '25', '-1', '1.5', '09', '1e1', 'noon']]],
  },
  issued_hour: {
    good: ['0', '05,23', '6,6', '0, 12'],
    bad: [
      [
        'must be one or several whole hours from 0 to 23, with commas between them',
        ['24', '-1', '6:00', '6,', ',', '1.5', '6 12', '123', 'x'],
      ],
    ],
  },
  known_at: {
    good: ['2024-03-20T06:00:00+05:30', '2024-03-17', '2024-03-17T00:00:00.5Z'],
    bad: [
      [`must be ${AN_INSTANT}, from 1970-01-01 on`, [...NO_INSTANTS, ...BEFORE_TIME, 'v1']],
      ['is in the future; give an instant up to now', AHEAD],
    ],
  },
  lead_hours: {
    good: ['12', '20.25', '20.123456789'],
    bad: [
      [
        'must be hours, 0 to 720: errors are learned up to 720 hours before the day',
        ['-1', '720.01', '721', '1e1', '1,5', 'x'],
      ],
    ],
  },
  lead_time_bucket: {
    good: ['0-6h', '0-6h,72h+', 'same-day', '72h ', ' 6-12h, 72h , 0-6h '],
    bad: [
      [
        'must be one or several of same-day, 0-6h, 6-12h, 12-24h, 24-48h, 48-72h, 72h+, with commas between them',
        ['0-6', '0-6h,', ',', 'all', '0-6h;6-12h', 'same_day', '0-6H', '72h++', '0-6h 6-12h'],
      ],
    ],
  },
  min_coverage: {
    good: ['0.9', '.05', '1', '1.00', '0.1234'],
    bad: [
      [
        'must be a number above 0 and at most 1, such as 0.9',
        ['0', '0.0', '1.1', '90', '-0.9', '90%', '0.12345', '1e-1', 'x'],
      ],
    ],
  },
  near: {
    good: ['41.96,-87.93', '42,-88', '41.8812345, -87.931629798205'],
    bad: [
      [
        'must be latitude,longitude in degrees, such as 41.88,-87.63',
        [
          ...['41.88', '41.88,-87.63,1', '91,0', '0,181', '41.88;-87.63', 'Chicago', '1e1,2', '41.88,-87.'],
          ...[', ', '4,'],
        ],
      ],
    ],
    unknown: noStation('0,0', '-41.96,-87.93'),
  },
  provider: {
    good: ['default'],
    bad: [],
    unknown: { code: 'PROVIDER_NOT_FOUND', names: ['gfs', 'Default', 'ALL', ' ', "x' OR 1=1 --"] },
  },
  // Providers as one: a single one is itself.
  providers: {
    good: ['default', 'default,default'],
    bad: [
      [
        'must be 1 to 5 different providers, with commas between them',
        ['default,,noisy', ',', 'a,b,c,d,e,f', ',x'],
      ],
    ],
    unknown: { code: 'PROVIDER_NOT_FOUND', names: ['nobody', 'Default'] },
  },
  radius_km: {
    good: ['1', '499.99', '500', '50.123'],
    bad: [
      ['must be a number of km from 1 to 500', ['0', '0.99', '500.01', '-5', '1e2', '50.', 'x', '50 km']],
    ],
  },
  start_time: INSTANT,
  station_id: {
    good: ['KORD', 'Windy City', ' windy\u2009\tcity\u00a0'],
    bad: [],
    unknown: noStation('KXYZ', ' ', 'ALL', '*', '%'),
  },
  stations: {
    good: ['KORD', " o'hare ,kpwm,ORD,KSEA,heathrow"],
    bad: [
      [
        'must be names of stations, with commas between them',
        [',', 'KORD,', ',KORD', 'KORD,,KPWM', 'KORD, ,KPWM'],
      ],
    ],
    unknown: noStation('KORD,KPWN', 'ALL'),
  },
  threshold: {
    good: ['0.5', '30', '2.75'],
    bad: [
      [
        'must be a number from 0.5 to 30, with two decimals at most',
        ['0.49', '30.01', '1.234', '-3', '1e1', 'x', '3 ', '3.', '100'],
      ],
    ],
  },
  thresholds: {
    good: ['0,2.5,50', '3', ' 1.234, 2 ,\u00a03'],
    bad: [
      [
        'must be 1 to 10 numbers of 0 or more, with commas between them',
        ['x', '1,', ',1', '1;2', '-1', '1 2', '1e1', '1.', '1,,2', ELEVEN],
      ],
      ['must be from 0 to 50 °F for errors of highs', ['51', '50.001', '3,999']],
    ],
  },
  units: {
    good: ['us', 'metric', 'si', 'speed=kt,length=mm', ' temperature=c , speed=kmh'],
    bad: [
      [
        NO_UNITS,
        [
          ...[
            'US',
            'imperial',
            'us,metric',
            'kt',
            'speed',
            'speed=',
            'speed=knots',
            'speed=kt,',
            'speed=kt=kt',
          ],
          ...['wind=kt', 'speed=mm', 'speed=kt,speed=ms', 'temperature=k', 'percent=1', 'speed=toString'],
        ],
      ],
    ],
  },
  version: {
    good: ['v1'],
    bad: [
      [
        'must be a version of the data, such as v412 or v412.k7q2',
        ['1', 'v0', 'V1', 'v01', 'v1234567890', '-1', 'latest', 'v1.', 'v1.abc', 'v1.ABCD', '2024-01-01'],
      ],
    ],
  },
};

/** Providers that are compared. */
const COMPARED: Text = {
  good: [],
  bad: [
    [
      'must be 2 to 8 different providers, with commas between them',
      ['default', 'default,default', 'default,,noisy', ',', 'a,b,c,d,e,f,g,h,i', '\0'],
    ],
  ],
  unknown: { code: 'PROVIDER_NOT_FOUND', names: ['default,nobody'] },
};

/** Where a name means something else. */
const ELSEWHERE: Record<string, Record<string, Text>> = {
  '/api/v1/accuracy/compare': { providers: COMPARED, reference: TEXTS.provider! },
  '/api/v1/accuracy/divergence': {
    providers: COMPARED,
    group_by: {
      good: ['none', 'provider', 'station,lead_time_bucket', ' month , provider'],
      bad: [
        [
          'must be none, or one or two of provider, station, lead_time_bucket, month, with a comma between them',
          ['x', 'none,month', 'month,month', 'season', 'provider,station,month', ','],
        ],
      ],
    },
  },
  '/api/v1/data/departures': { providers: COMPARED },
  '/api/v1/accuracy/events': {
    cost_loss: {
      good: ['0.1', '.2,0.1', '0.000001, 0.999999'],
      bad: [
        [
          'must be 1 to 10 numbers above 0 and below 1, with commas between them',
          ['0', '0.0', '1', '1.0', '-0.1', '0.1;0.2', '1e-1', '0.1,', 'x', '10%', '0.0000001', ELEVEN],
        ],
      ],
    },
    thresholds: {
      good: ['32,-10.5,90.25', '-130', '140,0', '32, -1.234'],
      bad: [
        [
          'must be 1 to 10 numbers below 1000, with commas between them',
          [...['x', '1,', ',1', '1;2', '--1', '- 1', '1e1', '1 2', '1,,2', '+32', '0x20'], ELEVEN],
        ],
        ['must be from -130 to 140 °F, the limits of highs', ['140.001', '-130.01', '0,151']],
      ],
    },
  },
  '/api/v1/data/forecast-actual': {
    sort_by: {
      good: ['target_date', 'abs_error'],
      bad: [['must be one of target_date, abs_error', ['x', 'error', ' ']]],
    },
  },
  '/api/v1/export/pairs': { provider: { ...TEXTS.provider!, good: ['default', 'all'] } },
  '/api/v1/probability': {
    thresholds: {
      good: ['60,-10,60', '140', ' 60, 70 '],
      bad: [
        ['must be from -130 to 140 °F, the limits of highs', ['141', '-131,60']],
        [
          'must be 1 to 30 whole degrees, with commas between them',
          ['80.5', 'x', ',', '1,,2', Array.from({ length: 31 }, (_, at) => at).join()],
        ],
      ],
    },
  },
};

/** The parameter that a good value needs beside it. */
const BESIDE: Record<string, string> = {
  base: 'metric=hdd',
  cap: 'metric=gdd',
  method: 'metric=cdd',
  wet_at: 'metric=wet_day',
  bom: 'format=csv',
  radius_km: 'near=41.9602,-87.9316',
  sort_by: 'near=41.9602,-87.9316',
};

const FILE = new URL('../../../openapi.json', import.meta.url);
const { paths } = withoutComponents(
  JSON.parse(readFileSync(FILE, 'utf8')) as OpenApiDocument,
) as unknown as Document;
const queryOf = (path: string) => (paths[path]?.get?.parameters ?? []).filter((each) => each.in === 'query');

// A stream of events has no answer: test/integration/events. The log of versions: test/integration/seals.
export const PATHS = Object.keys(paths).filter(
  (path) => !['/api/v1/health', '/api/v1/events'].includes(path) && !path.startsWith('/api/v1/seals'),
);

/** The query parameters of each path. Where a path names the station, a query may name it again. */
export const PARAMETERS: Record<string, Record<string, Kind>> = Object.fromEntries(
  PATHS.map((path) => {
    const kinds = queryOf(path).map(({ name, schema }): [string, Kind] => {
      const written = ELSEWHERE[path]?.[name] ?? (schema.enum === undefined ? TEXTS[name] : undefined);
      const beside = BESIDE[name];
      return [name, { schema, ...(written ?? ofSchema(schema)), ...(beside !== undefined && { beside }) }];
    });
    return [path, Object.fromEntries(kinds)];
  }),
);

/** Whether an answer has a record for each station, and so may be about all stations of a city. */
export const isOfEach = (path: string): boolean =>
  queryOf(path).some(({ schema }) => /^Restrict to the stations of a city/.test(String(schema.description)));

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
