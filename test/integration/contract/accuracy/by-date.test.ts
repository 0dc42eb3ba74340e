import { expect } from 'chai';
import {
  answersAsAccuracyEndpoint,
  COMMON_METADATA,
  expectCsvLikeJson,
  QUESTION_PARAMETERS,
  readCsv,
  restrictsToStation,
  takesStationInPath,
} from '../../../support/contract/cases.js';
import {
  KORD_18_STATS,
  KORD_19_STATS,
  KORD_LOW_STATS,
  KORD_STATS,
  NETWORK_18_STATS,
  NETWORK_STATS,
  oneError,
  STATS_FIELDS,
  statsOf,
  WINDOW,
} from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';

const PATH = '/api/v1/accuracy/by-date';
const PARAMETERS = {
  ...QUESTION_PARAMETERS,
  station_id: 'KORD',
  city: 'Chicago',
  show_preliminary: 'true',
  group_by: 'month',
};
const METADATA = [...COMMON_METADATA, 'total_records'];
const COLUMNS = ['date', 'station_id', 'city_name', ...STATS_FIELDS, 'sample_size'];

interface DateRecord {
  date: string;
  station_id: string;
  city_name: string;
  stats: Record<string, number | null>;
  sample_size: number;
}

const record = (date: string, station: [string, string], stats: Record<string, number | null>) => ({
  date,
  station_id: station[0],
  city_name: station[1],
  stats,
  sample_size: stats.verification_pairs,
});

const ALL: [string, string] = ['ALL', 'All stations'];
// All stations on 18 and 19 March: NETWORK_18_STATS, -3 and +2. Sum 6.25, absolute sum 29.25, squares 82.3125; variance
// 5.4875 - 0.1736 = 5.3139; sizes 0 .5 .75 1 1 1.5 1.5 2 2 2 2 3 3 4 5: p50 at 7 = 2, p90 at 12.6 = 3.6, p95 at 13.3 = 4.3.
const WEEK_STATS = statsOf(15, 2, 0.42, 2.31, 1.95, 2.34, 2, 3.6, 4.3);

const CHICAGO: [string, string] = ['KORD', 'Chicago'];

describe('GET /api/v1/accuracy/by-date', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  answersAsAccuracyEndpoint({
    path: PATH,
    parameters: PARAMETERS,
    metadata: METADATA,
    misspelt: { station: 'station_id', stationid: 'station_id', STATION_ID: 'station_id', CITY: 'city' },
  });
  restrictsToStation(PATH);

  describe('the records (D11)', () => {
    it('given no station, then there is one a day over all stations, ascending, under the name ALL', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}`);
      expect(data).to.deep.equal([
        record('2024-03-16', ALL, oneError(-2)),
        record('2024-03-17', ALL, oneError(2)),
        record('2024-03-18', ALL, NETWORK_18_STATS),
        record('2024-03-19', ALL, KORD_19_STATS),
      ]);
      expect(metadata.total_records).to.equal(17);
    });

    it('given a station, then its days that have a pair, under its own name', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&station_id=KORD`);
      expect(data).to.deep.equal([
        record('2024-03-17', CHICAGO, oneError(2)),
        record('2024-03-18', CHICAGO, KORD_18_STATS),
        record('2024-03-19', CHICAGO, KORD_19_STATS),
      ]);
      expect(metadata.total_records).to.equal(10);
    });

    it('given metric=low, then only the day that has lows', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&metric=low`);
      expect(data).to.deep.equal([record('2024-03-18', ALL, KORD_LOW_STATS)]);
      expect(metadata.total_records).to.equal(2);
    });

    it('given a window that ends today, then it begins on the day that days says, and not one earlier', async () => {
      const dates = async (days: number): Promise<string[]> =>
        (await contract.ok<DateRecord[]>(`${PATH}?days=${days}`)).data.map(({ date }) => date);
      expect(await dates(4)).to.deep.equal(['2024-03-17', '2024-03-18', '2024-03-19']);
      expect(await dates(5)).to.include('2024-03-16');
      expect(await dates(90)).to.have.length(4);
      expect(await dates(91)).to.include('2023-12-21');
    });

    it('given a station that is not active, then its history counts (D7)', async () => {
      const { data } = await contract.ok(`${PATH}?${WINDOW}&station_id=KMDW`);
      expect(data).to.deep.equal([record('2024-03-16', ['KMDW', 'chicago midway'], oneError(-2))]);
    });

    for (const [given, query] of [
      ['a window without a pair', 'date_from=2024-03-01&date_to=2024-03-10'],
      ['a station without a pair', `${WINDOW}&station_id=KSEA`],
      ['a station without lows', `${WINDOW}&station_id=KPWM&metric=low`],
    ] as const) {
      it(`given ${given}, then data is [] and total_records 0 (D10)`, async () => {
        const { data, metadata } = await contract.ok(`${PATH}?${query}`);
        expect(data).to.deep.equal([]);
        expect(metadata.total_records).to.equal(0);
        expect(metadata).to.have.all.keys(...METADATA);
      });
    }
  });

  describe('include_preliminary (D6)', () => {
    it('given true, then each day tells how many of its pairs rest on a preliminary observation', async () => {
      const { data } = await contract.ok<(DateRecord & { preliminary_pairs: number })[]>(
        `${PATH}?${WINDOW}&include_preliminary=true`,
      );
      expect(data.map(({ date, preliminary_pairs }) => [date, preliminary_pairs])).to.deep.equal([
        ['2024-03-16', 0],
        ['2024-03-17', 0],
        ['2024-03-18', 1], // that of KPDX
        ['2024-03-19', 2], // both of KORD
      ]);
    });

    it('given true by its better name, show_preliminary, then the answer is the same; and no value filters', async () => {
      const ask = (query: string) => contract.ok<DateRecord[]>(`${PATH}?${WINDOW}${query}`);
      const shown = (await ask('&include_preliminary=true')).data;
      expect((await ask('&show_preliminary=true')).data).to.deep.equal(shown);
      expect((await ask('&show_preliminary=false&include_preliminary=true')).data).to.deep.equal(shown);
      const without = (await ask('&show_preliminary=false')).data;
      expect(without.map(({ sample_size }) => sample_size)).to.deep.equal(
        shown.map(({ sample_size }) => sample_size),
      );
    });

    it('given true, then the days that have such a pair are as many as the preliminary days of the summary', async () => {
      for (const station of ['', '&station_id=KORD', '&station_id=EGLL']) {
        const { data } = await contract.ok<{ preliminary_pairs: number }[]>(
          `${PATH}?${WINDOW}${station}&include_preliminary=true`,
        );
        const { metadata } = await contract.ok(`/api/v1/accuracy/summary?${WINDOW}${station}`);
        expect(metadata.verification_coverage).to.include({
          preliminary_days: data.filter(({ preliminary_pairs }) => preliminary_pairs > 0).length,
        });
      }
    });

    it('given nothing, false or a blank, then the records have the fields of the interface and no others', async () => {
      for (const query of [
        '',
        '&include_preliminary=false',
        '&show_preliminary=false',
        '&include_preliminary=',
      ]) {
        const { data } = await contract.ok<DateRecord[]>(`${PATH}?${WINDOW}${query}`);
        for (const each of data) expect(each).not.to.have.property('preliminary_pairs');
      }
    });

    it('given true, then the CSV has the column, as its last', async () => {
      const query = `${WINDOW}&include_preliminary=true`;
      const { rows } = await expectCsvLikeJson(contract, `${PATH}?${query}`, [
        ...COLUMNS,
        'preliminary_pairs',
      ]);
      expect(rows).to.have.length(4);
    });
  });

  describe('group_by (D44)', () => {
    for (const [period, ...expected] of [
      [
        'week',
        record('2024-03-11', ALL, statsOf(2, 2, 0, 2, 2, 2, 2, 2, 2)),
        record('2024-03-18', ALL, WEEK_STATS),
      ],
      ['month', record('2024-03-01', ALL, NETWORK_STATS)],
      ['year', record('2024-01-01', ALL, NETWORK_STATS)],
    ] as const) {
      it(`given ${period}, then each has its first day as date, and the days of the window that have a pair`, async () => {
        const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&group_by=${period}`);
        expect(data).to.deep.equal(expected);
        expect(metadata).to.include({ group_by: period, total_records: 17 });
      });
    }

    it('given include_preliminary, then the pairs of all days of the period count', async () => {
      const { data } = await contract.ok<DateRecord[]>(
        `${PATH}/KORD?${WINDOW}&group_by=year&include_preliminary=true`,
      );
      expect(data).to.deep.equal([{ ...record('2024-01-01', CHICAGO, KORD_STATS), preliminary_pairs: 2 }]);
    });

    it('given CSV, then the file name has it', async () => {
      const { rows } = await expectCsvLikeJson(contract, `${PATH}?${WINDOW}&group_by=week`, COLUMNS);
      expect(rows).to.have.length(2);
      const { fileName } = await readCsv(contract, `${PATH}?${WINDOW}&group_by=week`);
      expect(fileName).to.match(/by-date-high-.*-by-week\.csv$/);
    });

    for (const value of ['day', 'weeks', 'Month', 'week,month', '7', 'quarter']) {
      it(`given ${value}, then it is a fault that names the three`, async () => {
        const faults = await contract.faults(`${PATH}?group_by=${value}`);
        expect(faults).to.deep.equal([
          { parameter: 'group_by', message: 'must be one of week, month, year' },
        ]);
      });
    }
  });

  describe('the CSV (D17)', () => {
    for (const [of, query] of [
      ['all stations', ''],
      ['a station', '&station_id=KORD'],
      ['a station with quotes and a comma in its name', '&station_id=EGLL'],
      ['the lows', '&metric=low'],
    ] as const) {
      it(`has the columns and the values of the JSON, for ${of}`, async () => {
        const { rows } = await expectCsvLikeJson(contract, `${PATH}?${WINDOW}${query}`, COLUMNS);
        expect(rows).not.to.have.length(0);
      });
    }

    it('given no pair, then it is the header', async () => {
      const { text } = await expectCsvLikeJson(contract, `${PATH}?station_id=KSEA`, COLUMNS);
      expect(text).to.equal(`metric,period_start,period_end,${COLUMNS.join(',')}\r\n`);
    });

    it('is this text: numbers with their sign, text quoted where it must be, or guarded', async () => {
      const [, london] = (await readCsv(contract, `${PATH}/EGLL?${WINDOW}`)).text.split('\r\n');
      expect(london).to.equal(
        'high,2024-03-16,2024-03-19,2024-03-18,EGLL,"London, ""Heathrow""",2,1,0.75,1.25,1.25,1.46,1.25,1.85,1.93,2',
      );
      const [, delhi] = (await readCsv(contract, `${PATH}/VIDP?${WINDOW}`)).text.split('\r\n');
      expect(delhi).to.equal(
        `high,2024-03-16,2024-03-19,2024-03-18,VIDP,'=Delhi,1,1,0.75,0,0.75,0.75,0.75,0.75,0.75,1`,
      );
      const [, midway] = (await readCsv(contract, `${PATH}/KMDW?${WINDOW}`)).text.split('\r\n');
      expect(midway).to.equal(
        'high,2024-03-16,2024-03-19,2024-03-16,KMDW,chicago midway,1,1,-2,0,2,2,2,2,2,1',
      );
    });

    it('has a file name that tells the endpoint, the station, the metric and the window', async () => {
      const { fileName } = await readCsv(contract, `${PATH}?${WINDOW}&city=windy%20city&metric=low`);
      for (const word of ['by-date', 'KORD', 'low', '2024-03-16', '2024-03-19']) {
        expect(fileName).to.include(word);
      }
    });
  });
});

describe('GET /api/v1/accuracy/by-date/:station_id', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  answersAsAccuracyEndpoint({ path: `${PATH}/KORD`, parameters: PARAMETERS, metadata: METADATA });
  takesStationInPath(PATH, ({ data }) => (data as DateRecord[])[0]?.station_id);

  describe('the path beside station_id and city (D15)', () => {
    it('given the path form, then the answer is that of station_id', async () => {
      const { data } = await contract.ok(`${PATH}/KORD?${WINDOW}`);
      expect(data).to.deep.equal((await contract.ok(`${PATH}?${WINDOW}&station_id=KORD`)).data);
    });

    it('given others that agree with the path, then it is that station', async () => {
      const expected = (await contract.ok(`${PATH}/KORD?${WINDOW}`)).data;
      for (const query of [
        'station_id=ORD',
        'station_id=chicago',
        'city=Windy%20City',
        'station_id=kord&city=chicago',
      ]) {
        expect((await contract.ok(`${PATH}/Chicago?${WINDOW}&${query}`)).data, query).to.deep.equal(expected);
      }
    });

    for (const [query, other] of [
      ['station_id=KPWM', 'KPWM'],
      ['city=%3DDelhi', 'VIDP'],
      ['station_id=KORD&city=%3DDelhi', 'VIDP'],
    ] as const) {
      it(`given ${query} beside KORD in the path, then it is a fault that names both`, async () => {
        const faults = await contract.faults(`${PATH}/KORD?${query}`);
        expect(faults).to.have.length(1);
        expect(faults[0]?.message).to.include('KORD').and.include(other);
      });
    }
  });
});
