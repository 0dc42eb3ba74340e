import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import request from 'supertest';
import { type Answer, type Contract, sent, sharedContract, type SuccessAnswer } from './contract.js';
import { NOW, WINDOW } from './data.js';

// What several endpoints owe alike, as cases for a test file of each.

/** The metadata of every accuracy endpoint (section 1 of the interface, and what its numbers are about), but for total_records. */
export const COMMON_METADATA = [
  'generated_at',
  'days_analyzed',
  'period_start',
  'period_end',
  'station_id',
  'provider',
  'accuracy_metric',
  'error_convention',
  'data_version',
  'lineage',
  'query_time_ms',
];

export interface AccuracyPath {
  path: string;
  /** Every query parameter of the endpoint, each with a valid value. */
  parameters: Record<string, string>;
  /** The fields of `metadata`: these and no others. */
  metadata: readonly string[];
  /** Misspelt parameters with the name that is meant, beside those of every endpoint. */
  misspelt?: Record<string, string>;
}

/** The parameters that every accuracy endpoint takes. */
export const QUESTION_PARAMETERS = {
  days: '30',
  date_from: '2024-03-16',
  date_to: '2024-03-19',
  metric: 'high',
  provider: 'default',
  lead_time_bucket: '0-6h,72h+',
  as_of: 'v1',
  known_at: '2024-03-20T06:00:00+05:30',
  format: 'json',
  bom: 'false',
};

type Period = [start: string, end: string, days: number];

const WINDOWS: [given: string, query: string, period: Period][] = [
  ['nothing', '', ['2023-12-22', '2024-03-20', 90]],
  ['days=1', 'days=1', ['2024-03-20', '2024-03-20', 1]],
  ['days=4', 'days=4', ['2024-03-17', '2024-03-20', 4]],
  ['days=365', 'days=365', ['2023-03-22', '2024-03-20', 365]],
  ['both bounds', WINDOW, ['2024-03-16', '2024-03-19', 4]],
  ['both bounds on one day', 'date_from=2024-03-18&date_to=2024-03-18', ['2024-03-18', '2024-03-18', 1]],
  ['both bounds and days, which is ignored', `${WINDOW}&days=365`, ['2024-03-16', '2024-03-19', 4]],
  ['a window that lies ahead', 'date_from=2030-01-01&date_to=2030-01-02', ['2030-01-01', '2030-01-02', 2]],
  ['date_from alone', 'date_from=2024-01-01', ['2024-01-01', '2024-03-30', 90]],
  ['date_from and days, over a 29 February', 'date_from=2024-02-28&days=3', ['2024-02-28', '2024-03-01', 3]],
  ['date_to alone', 'date_to=2024-03-30', ['2024-01-01', '2024-03-30', 90]],
  ['date_to and days', 'date_to=2024-03-01&days=3', ['2024-02-28', '2024-03-01', 3]],
  ['date_to, 90 days after time begins', 'date_to=1970-03-31', ['1970-01-01', '1970-03-31', 90]],
  ['the very first day', 'date_from=1970-01-01&days=1', ['1970-01-01', '1970-01-01', 1]],
  ['date_from, 90 days before time ends', 'date_from=2149-03-09', ['2149-03-09', '2149-06-06', 90]],
  ['the very last day', 'date_to=2149-06-06&days=1', ['2149-06-06', '2149-06-06', 1]],
  // 2014 to 2023 are 3,652 days, and 8 of January 2024.
  ['3,660 days', 'date_from=2014-01-01&date_to=2024-01-08', ['2014-01-01', '2024-01-08', 3660]],
];

const BAD_DAYS = [
  '0',
  '366',
  '-1',
  '1.5',
  '1e2',
  ' 7',
  '7 ',
  '+7',
  'abc',
  '0x10',
  'NaN',
  '١',
  '9'.repeat(30),
];

const BAD_DATES = [
  '2026-02-30',
  '2023-02-29',
  '2024-04-31',
  '2026-2-3',
  '1969-12-31',
  '2149-06-07',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '0000-00-00',
  '20240316',
  '2024-W11-1',
  '2024-03-16T00:00:00Z',
  ' 2024-03-16',
  '2024-03-16\n',
  '16.03.2024',
  'today',
  '1710547200',
];

const IMPOSSIBLE_WINDOWS: [given: string, query: string, names: RegExp][] = [
  ['date_from after date_to', 'date_from=2024-03-19&date_to=2024-03-18', /2024-03-18|date_to/],
  ['3,661 days', 'date_from=2014-01-01&date_to=2024-01-09', /3,?660/],
  ['all of time', 'date_from=1970-01-01&date_to=2149-06-06', /3,?660/],
  ['date_to, 89 days after time begins', 'date_to=1970-03-30', /1970-01-01/],
  ['two days up to the first', 'date_to=1970-01-01&days=2', /1970-01-01/],
  ['date_from, 89 days before time ends', 'date_from=2149-03-10', /2149-06-06/],
  ['two days from the last', 'date_from=2149-06-06&days=2', /2149-06-06/],
];

const ACCEPTS: [accept: string, type: 'json' | 'csv'][] = [
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/json, text/csv', 'json'],
  ['text/csv', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['application/json;q=0.5, text/csv', 'csv'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['text/plain', 'json'],
  ['image/png', 'json'],
  ['application/json;q=0, text/csv;q=0', 'json'],
  ['no media type', 'json'],
];

/** The cases of window, parameters, format and method that every accuracy endpoint owes. */
export function answersAsAccuracyEndpoint({ path, parameters, metadata, misspelt = {} }: AccuracyPath): void {
  let contract: Contract;
  const answer = (query = ''): Promise<SuccessAnswer<unknown>> => contract.ok(withQuery(path, query));
  const names = Object.keys(parameters);

  before(async () => {
    contract = await sharedContract();
  });

  describe('the envelope', () => {
    it('has success, data and metadata, and metadata exactly the fields of the interface', async () => {
      const body = await answer();
      expect(body).to.have.all.keys('success', 'data', 'metadata');
      expect(body.metadata).to.have.all.keys(...metadata);
    });

    it('says what its numbers are about', async () => {
      const { metadata } = await answer('metric=low');
      expect(metadata).to.include({ accuracy_metric: 'low', error_convention: 'forecast_minus_actual' });
      expect(metadata.provider).to.equal('default');
      expect(metadata.data_version).to.equal(1);
      expect(metadata.station_id).to.equal(/KORD/.test(path) ? 'KORD' : 'ALL');
    });

    it('says when it was made, with fractions of a second, and how long the query took', async () => {
      const body = await answer();
      expect(body.metadata.generated_at).to.equal(NOW);
      expect(body.metadata.query_time_ms).to.be.a('number').that.is.within(0, 20_000);
    });
  });

  describe('the window (D1, D2, D3)', () => {
    for (const [given, query, [start, end, days]] of WINDOWS) {
      it(`given ${given}, then it is ${start}..${end}, ${days} days`, async () => {
        const { period_start, period_end, days_analyzed } = (await answer(query)).metadata;
        expect([period_start, period_end, days_analyzed]).to.deep.equal([start, end, days]);
      });
    }

    for (const days of BAD_DAYS) {
      it(`given days=${JSON.stringify(days)}, then it is a fault that tells the bounds`, async () => {
        const faults = await contract.faults(`${path}?days=${encodeURIComponent(days)}`);
        expect(faults).to.have.length(1);
        expect(faults[0]).to.include({ parameter: 'days' });
        expect(faults[0]?.message).to.match(/\b1\b.*\b365\b/);
      });
    }

    it('given both bounds and a bad days, then days is a fault though it would be ignored', async () => {
      const faults = await contract.faults(`${path}?${WINDOW}&days=366`);
      expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['days']);
    });

    for (const bound of ['date_from', 'date_to']) {
      it(`given a ${bound} that is no date, or none that can be, then it is a fault of ${bound}`, async () => {
        for (const date of BAD_DATES) {
          const faults = await contract.faults(`${path}?${bound}=${encodeURIComponent(date)}`);
          expect(
            faults.map(({ parameter }) => parameter),
            date,
          ).to.deep.equal([bound]);
        }
      });
    }

    for (const [given, query, message] of IMPOSSIBLE_WINDOWS) {
      it(`given ${given}, then it is a fault of a bound that says why`, async () => {
        const faults = await contract.faults(`${path}?${query}`);
        expect(faults).to.have.length(1);
        expect(faults[0]?.parameter).to.be.oneOf(['date_from', 'date_to']);
        expect(faults[0]?.message).to.match(message);
      });
    }
  });

  describe('the parameters (D18)', () => {
    it('given each of them with a valid value, then it is known', async () => {
      for (const [name, value] of Object.entries(parameters)) {
        const days = name.startsWith('da') ? '' : `${WINDOW}&`;
        await answer(`${days}${name}=${encodeURIComponent(value)}`);
      }
    });

    it('given blank ones, then the answer is the one without them', async () => {
      const blank = await answer(names.map((name) => `${name}=`).join('&'));
      expect(untimed(blank)).to.deep.equal(untimed(await answer()));
      for (const name of names) expect(untimed(await answer(name)), name).to.deep.equal(untimed(blank));
    });

    it('given one twice, even with the same value, then it is a fault', async () => {
      for (const [name, value] of Object.entries(parameters)) {
        const pair = `${name}=${encodeURIComponent(value)}`;
        const faults = await contract.faults(`${path}?${pair}&${pair}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal([name]);
      }
    });

    const slips = {
      date_form: 'date_from',
      'date-from': 'date_from',
      dateTo: 'date_to',
      day: 'days',
      metrics: 'metric',
      fromat: 'format',
      Days: 'days',
      DATE_FROM: 'date_from',
      METRIC: 'metric',
      DAYS: 'days',
      ...misspelt,
    };
    for (const [slip, meant] of Object.entries(slips)) {
      it(`given ${slip}, then it is refused with a hint at ${meant}`, async () => {
        const faults = await contract.faults(`${path}?${slip}=1`);
        expect(faults).to.have.length(1);
        expect(faults[0]?.parameter).to.equal(slip);
        expect(faults[0]?.message).to.match(new RegExp(`did you mean ${meant}\\b`));
      });
    }

    it('given a short name like none, then nothing is suggested', async () => {
      for (const name of ['units', 'unit', 'ci', 'tz', 'page']) {
        const faults = await contract.faults(`${path}?${name}=1`);
        expect(faults[0]?.message, name).not.to.include('did you mean');
      }
    });

    it('given a parameter like no other, then it is refused, and the known ones are told', async () => {
      const faults = await contract.faults(`${path}?utm_campaign_source=newsletter`);
      expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['utm_campaign_source']);
      for (const name of names) expect(faults[0]?.message).to.include(name);
    });

    it('given several faults, then all of them are listed at once', async () => {
      const query = 'days=0&date_from=2026-02-30&date_to=x&metric=mean&format=xml&nonsense=1&other=2';
      const { details, message } = await contract.refused(`${path}?${query}`, 400, 'INVALID_PARAMETER');
      const faulty = ['days', 'date_from', 'date_to', 'metric', 'format', 'nonsense', 'other'];
      expect(details?.map(({ parameter }) => parameter)).to.have.members(faulty);
      for (const name of faulty) expect(message).to.include(name);
    });

    it('given a bad days and bounds in the wrong order, then both are listed', async () => {
      const faults = await contract.faults(`${path}?days=0&date_from=2024-03-19&date_to=2024-03-18`);
      const parameters = faults.map(({ parameter }) => parameter);
      expect(parameters).to.have.length(2);
      expect(parameters).to.include('days');
    });

    it('given bounds in the wrong order and a bad metric, then both are listed', async () => {
      const faults = await contract.faults(`${path}?metric=mean&date_from=2024-03-19&date_to=2024-03-18`);
      const parameters = faults.map(({ parameter }) => parameter);
      expect(parameters).to.have.length(2);
      expect(parameters).to.include('metric');
    });
  });

  describe('the metric', () => {
    it('given none, then it is high', async () => {
      expect(untimed(await answer(WINDOW))).to.deep.equal(untimed(await answer(`${WINDOW}&metric=high`)));
    });

    it('given low, then the numbers are others', async () => {
      const high = await answer(`${WINDOW}&metric=high`);
      expect((await answer(`${WINDOW}&metric=low`)).data).not.to.deep.equal(high.data);
    });

    for (const metric of ['mean', 'HIGH', 'high ', 'high,low', '0']) {
      it(`given ${JSON.stringify(metric)}, then it is a fault that names high and low`, async () => {
        const faults = await contract.faults(`${path}?metric=${encodeURIComponent(metric)}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['metric']);
        expect(faults[0]?.message).to.match(/high.*low/);
      });
    }
  });

  answersInFormats(path);

  describe('the path and the method (D18)', () => {
    it('given a trailing slash, then the answer is the same', async () => {
      const body = await contract.ok(`${path}/?${WINDOW}`);
      expect(untimed(body)).to.deep.equal(untimed(await answer(WINDOW)));
    });

    it('given HEAD, then it is the status and the type of GET without a body', async () => {
      for (const [query, status, type] of [
        [WINDOW, 200, 'application/json; charset=utf-8'],
        ['format=csv', 200, CSV_TYPE],
        ['days=0', 400, 'application/json; charset=utf-8'],
        ['days=0&format=csv', 400, 'application/json; charset=utf-8'],
      ] as const) {
        const response = await head(contract, `${path}?${query}`);
        expect([response.status, response.headers['content-type']], query).to.deep.equal([status, type]);
        expect(response.text, query).to.equal('');
      }
    });
  });
}

/** The cases of `format` and `Accept` (D16, D22). */
export function answersInFormats(path: string): void {
  describe('the format (D16, D22)', () => {
    const type = async (query: string, accept?: string): Promise<string> => {
      const contract = await sharedContract();
      const response = await contract.get(
        withQuery(path, query),
        accept === undefined ? {} : { Accept: accept },
      );
      expect(response.status, response.text).to.equal(200);
      const header = response.headers['content-type'] ?? '';
      return /^(application|text)\/(json|csv);/.exec(header)?.[2] ?? header;
    };

    it('given format=json or format=csv, then that is what comes, whatever is accepted', async () => {
      expect(await type('format=json', 'text/csv')).to.equal('json');
      expect(await type('format=csv', 'application/json')).to.equal('csv');
      expect(await type('format=csv', 'image/png')).to.equal('csv');
    });

    for (const format of ['xml', 'CSV', 'json ', 'csv,json']) {
      it(`given ${JSON.stringify(format)}, then it is a fault that names json and csv`, async () => {
        const contract = await sharedContract();
        const faults = await contract.faults(`${path}?format=${encodeURIComponent(format)}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['format']);
        expect(faults[0]?.message).to.match(/json.*csv/);
      });
    }

    for (const [accept, expected] of ACCEPTS) {
      it(`given only Accept: ${accept}, then it is ${expected}`, async () => {
        expect(await type('', accept)).to.equal(expected);
        expect(await type('format=', accept)).to.equal(expected);
      });
    }

    it('given format=csv and a fault, then the error is JSON all the same', async () => {
      const contract = await sharedContract();
      await contract.refused(`${path}?format=csv&nonsense=1`, 400, 'INVALID_PARAMETER');
      const response = await contract.get(`${path}?nonsense=1`, { Accept: 'text/csv' });
      expect(response.status).to.equal(400);
    });
  });
}

/** Names that `station_id`, or a station in the path, may have (D15). */
export const STATION_NAMES: [name: string, stationId: string, why: string][] = [
  ['KORD', 'KORD', 'an ICAO id'],
  ['kOrD', 'KORD', 'an ICAO id in any case'],
  ['ORD', 'KORD', 'an IATA code'],
  ['ord', 'KORD', 'an IATA code in any case'],
  ['Chicago', 'KORD', 'a city name, before the same word as an alias of KMDW'],
  ['CHICAGO MIDWAY', 'KMDW', 'a city name in any case, of a station that is not active'],
  ['windy city', 'KORD', 'an alias in any case'],
  [`O'HARE`, 'KORD', 'an alias with a quote'],
  ['SÃO DELHI', 'VIDP', 'an alias beyond ASCII'],
  ['=delhi', 'VIDP', 'a name like a formula'],
  ['London, "Heathrow"', 'EGLL', 'a name with a comma and quotes'],
  ['KPDX', 'KPDX', 'an ICAO id, before the same word as an alias of KMDW'],
  ['pwm', 'KPWM', 'an IATA code, before the same word as an alias of KMDW'],
];

const CITY_NAMES: [name: string, stationId: string, why: string][] = [
  ['Chicago', 'KORD', 'a city name'],
  ['cHICAGO', 'KORD', 'a city name in any case'],
  ['Windy City', 'KORD', 'an alias'],
  ['heathrow', 'EGLL', 'an alias in any case'],
  ['=Delhi', 'VIDP', 'a name like a formula'],
  ['kpdx', 'KMDW', 'an alias that is the ICAO id of another'],
  ['PWM', 'KMDW', 'an alias that is the IATA code of another'],
];

/** The cases of `station_id` and `city` (D15). @param ambiguous those that mean one station */
export function restrictsToStation(
  path: string,
  ambiguous: ('station_id' | 'city')[] = ['station_id', 'city'],
): void {
  let contract: Contract;
  const data = async (query: string): Promise<unknown> =>
    (await contract.ok(`${path}?${WINDOW}&${query}`)).data;
  const queryOf = (parameter: string, name: string): string => `${parameter}=${encodeURIComponent(name)}`;

  before(async () => {
    contract = await sharedContract();
  });

  describe('the station (D15)', () => {
    it('given each station, then each answer is another', async () => {
      const ids = ['EGLL', 'KMDW', 'KORD', 'KPDX', 'KPWM', 'KSEA', 'VIDP'];
      const answers = await Promise.all(ids.map((id) => data(`station_id=${id}`)));
      answers.push(await data(''));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(ids.length + 1);
    });

    for (const [parameter, names] of [
      ['station_id', STATION_NAMES],
      ['city', CITY_NAMES],
    ] as const) {
      for (const [name, stationId, why] of names) {
        it(`given ${parameter}=${name}, ${why}, then it is ${stationId}`, async () => {
          expect(await data(queryOf(parameter, name))).to.deep.equal(await data(`station_id=${stationId}`));
        });
      }
    }

    for (const [parameter, name, either, other] of [
      ['station_id', 'Portland', 'KPDX', 'KPWM'],
      ['city', 'portland', 'KPDX', 'KPWM'],
      ['station_id', 'northwest', 'KPDX', 'KSEA'],
      ['city', 'NORTHWEST', 'KPDX', 'KSEA'],
    ] as const) {
      if (!ambiguous.includes(parameter)) continue;
      it(`given ${parameter}=${name}, then it is AMBIGUOUS_CITY and names ${either} and ${other}`, async () => {
        const { message } = await contract.refused(
          `${path}?${queryOf(parameter, name)}`,
          400,
          'AMBIGUOUS_CITY',
        );
        expect(message).to.include(either).and.include(other);
      });
    }

    it('given station_id and city of one station, then it is that one', async () => {
      const expected = await data('station_id=KORD');
      expect(await data('station_id=kord&city=Chicago')).to.deep.equal(expected);
      expect(await data('city=windy%20city&station_id=ORD')).to.deep.equal(expected);
    });

    it('given station_id and city of two stations, then it is a fault that names both', async () => {
      const faults = await contract.faults(`${path}?station_id=KORD&city=%3DDelhi`);
      expect(faults).to.have.length(1);
      expect(faults[0]?.parameter).to.be.oneOf(['station_id', 'city']);
      expect(faults[0]?.message).to.include('KORD').and.include('VIDP');
    });

    for (const query of [
      'station_id=KXYZ',
      'station_id=%20',
      'city=Atlantis',
      'city=EGLL',
      'city=LHR',
      'station_id=KORD&city=Atlantis',
      'station_id=KXYZ&city=Chicago',
      'station_id=ALL',
      'station_id=*',
      'station_id=%25',
    ]) {
      it(`given ${query}, then no station answers to it: STATION_NOT_FOUND`, async () => {
        await contract.refused(`${path}?${query}`, 404, 'STATION_NOT_FOUND');
      });
    }

    it('given each station and none, then the metadata say which', async () => {
      for (const station of ['KORD', 'KSEA']) {
        const { metadata } = await contract.ok(`${path}?${WINDOW}&station_id=${station}`);
        expect(metadata.station_id).to.equal(station);
      }
      expect((await contract.ok(`${path}?${WINDOW}`)).metadata.station_id).to.equal('ALL');
    });

    it('given a name with a slip, then the names that it may mean are told', async () => {
      const { message } = await contract.refused(`${path}?city=Chicgo`, 404, 'STATION_NOT_FOUND');
      expect(message).to.include('did you mean Chicago?');
      const { message: far } = await contract.refused(`${path}?city=Atlantis`, 404, 'STATION_NOT_FOUND');
      expect(far).not.to.include('did you mean');
    });

    it('given an unknown station and a bad parameter, then the parameter is refused', async () => {
      const faults = await contract.faults(`${path}?station_id=KXYZ&days=0`);
      expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['days']);
    });
  });
}

/** The cases of a station in the path (D15). @param prefix the path up to the station */
export function takesStationInPath(
  prefix: string,
  stationOf: (answer: SuccessAnswer<unknown>) => unknown,
): void {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  describe('the station in the path (D15)', () => {
    for (const [name, stationId, why] of STATION_NAMES) {
      it(`given ${name}, ${why}, then it is ${stationId}`, async () => {
        const body = await contract.ok(`${prefix}/${encodeURIComponent(name)}?${WINDOW}`);
        expect(stationOf(body)).to.equal(stationId);
      });
    }

    it('given a city of two stations, then it is AMBIGUOUS_CITY and names both', async () => {
      const { message } = await contract.refused(`${prefix}/PORTLAND`, 400, 'AMBIGUOUS_CITY');
      expect(message).to.include('KPDX').and.include('KPWM');
    });

    it('given a name that no station has, then it is STATION_NOT_FOUND', async () => {
      for (const name of ['KXYZ', 'Atlantis', '%20', 'K%2FORD', 'ALL', '*']) {
        await contract.refused(`${prefix}/${name}`, 404, 'STATION_NOT_FOUND');
      }
    });

    it('given an unknown station and a bad parameter, then the parameter is refused', async () => {
      const faults = await contract.faults(`${prefix}/KXYZ?days=0`);
      expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['days']);
    });
  });
}

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export interface Csv {
  header: string[];
  rows: string[][];
  fileName: string;
  text: string;
}

/** The CSV of a request, its form held to D17 and RFC 4180. */
export async function readCsv(contract: Contract, path: string): Promise<Csv> {
  const response = await contract.get(withQuery(path, 'format=csv'));
  expect(response.status, response.text).to.equal(200);
  expect(response.headers['content-type']).to.equal(CSV_TYPE);
  const fileName = /^attachment; filename="([\w.-]+\.csv)"$/.exec(
    response.headers['content-disposition'] ?? '',
  )?.[1];
  expect(fileName, 'name of the file').to.be.a('string');
  const { text } = response;
  expect(text.endsWith('\r\n'), 'ends in CRLF').to.equal(true);
  expect(text.replaceAll('\r\n', ''), 'every line ends in CRLF').not.to.match(/[\r\n]/);
  // Strict: a row with a cell too many or too few, or a quote out of place, is an error.
  const [header = [], ...rows] = parse(text, { record_delimiter: '\r\n' });
  return { header, rows, fileName: fileName ?? '', text };
}

/**
 * Holds the CSV of a request to its JSON: the columns, and in each row the same values.
 * @param said fields of the metadata that stand in every row, behind those of D17
 */
export async function expectCsvLikeJson(
  contract: Contract,
  path: string,
  columns: string[],
  said: string[] = [],
): Promise<Csv> {
  const csv = await readCsv(contract, path);
  const { data, metadata } = await contract.ok<unknown>(path);
  const metric = /[?&]metric=low\b/.test(path) ? 'low' : 'high';
  const constants = [
    metric,
    metadata.period_start,
    metadata.period_end,
    ...said.map((field) => metadata[field]),
  ] as string[];
  expect(csv.header).to.deep.equal(['metric', 'period_start', 'period_end', ...said, ...columns]);
  const records = Array.isArray(data) ? (data as unknown[]) : [data];
  expect(csv.rows).to.deep.equal(records.map((record) => [...constants, ...cells(record)]));
  return csv;
}

/** The cells of a JSON value as D17 wants them. */
export function cells(value: unknown): string[] {
  if (value === null) return [''];
  if (typeof value === 'string') return [/^[=+\-@\t\r]/.test(value) ? `'${value}` : value];
  if (typeof value === 'object') return Object.values(value).flatMap(cells);
  return [JSON.stringify(value)];
}

/** An answer without what time, and a load that changes nothing, do to it. */
export function untimed({ data, metadata }: SuccessAnswer<unknown>): unknown {
  return { data, metadata: { ...metadata, query_time_ms: 0, data_version: 0, lineage: '' } };
}

export function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** A HEAD with a valid key. */
export function head(contract: Contract, path: string): Promise<Answer> {
  const { app, key } = contract.service;
  return sent(request(app).head(path).set('Authorization', `Bearer ${key}`));
}
