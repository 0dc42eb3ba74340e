import { expect } from 'chai';
import {
  answersAsAccuracyEndpoint,
  COMMON_METADATA,
  expectCsvLikeJson,
  QUESTION_PARAMETERS,
  readCsv,
  restrictsToStation,
} from '../../../support/contract/cases.js';
import {
  EGLL_STATS,
  KMDW_STATS,
  KORD_LOW_STATS,
  KORD_STATS,
  KPDX_STATS,
  KPWM_STATS,
  STATS_FIELDS,
  VIDP_STATS,
  WINDOW,
} from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';

const PATH = '/api/v1/accuracy/by-city';
const METADATA = [...COMMON_METADATA, 'total_records'];
const COLUMNS = ['station_id', 'city_name', 'sample_size', ...STATS_FIELDS];

interface CityRecord {
  station_id: string;
  city_name: string;
  sample_size: number;
  stats: Record<string, number | null>;
}

const record = (station_id: string, city_name: string, stats: Record<string, number | null>) => ({
  station_id,
  city_name,
  sample_size: stats.verification_pairs,
  stats,
});

describe('GET /api/v1/accuracy/by-city', () => {
  let contract: Contract;
  const stations = async (query: string): Promise<string[]> =>
    (await contract.ok<CityRecord[]>(`${PATH}?${WINDOW}&${query}`)).data.map(({ station_id }) => station_id);

  before(async () => {
    contract = await sharedContract();
  });

  answersAsAccuracyEndpoint({
    path: PATH,
    parameters: {
      ...QUESTION_PARAMETERS,
      station_id: 'KORD',
      stations: 'KORD,KMDW',
      city: 'Chicago',
      min_samples: '0',
      sort_by: 'city',
    },
    metadata: METADATA,
    misspelt: { 'sort-by': 'sort_by', sortBy: 'sort_by', min_sample: 'min_samples', station: 'station_id' },
  });
  restrictsToStation(PATH, ['station_id']);

  describe('the records (D14)', () => {
    it('given no station, then there is one a station that has a pair, by city name ignoring case', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}`);
      expect(data).to.deep.equal([
        record('VIDP', '=Delhi', VIDP_STATS),
        record('KORD', 'Chicago', KORD_STATS),
        record('KMDW', 'chicago midway', KMDW_STATS),
        record('EGLL', 'London, "Heathrow"', EGLL_STATS),
        record('KPDX', 'Portland', KPDX_STATS),
        record('KPWM', 'Portland', KPWM_STATS),
      ]);
      expect(metadata.total_records).to.equal(17);
    });

    it('given a station, then it is that one', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&city=Windy%20City`);
      expect(data).to.deep.equal([record('KORD', 'Chicago', KORD_STATS)]);
      expect(metadata.total_records).to.equal(10);
    });

    for (const [city, expected] of [
      ['portland', ['KPDX', 'KPWM']],
      ['NORTHWEST', ['KPDX']], // KSEA answers to it, too, and has no pair
      ['Chicago', ['KORD']], // an alias of KMDW, yet the name of KORD
    ] as const) {
      it(`given city=${city}, then it is every station of that city`, async () => {
        expect(await stations(`city=${city}`)).to.deep.equal(expected);
      });
    }

    it('given a city of two stations, then the metadata and the name of the file name both', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&city=Portland`);
      expect(data).to.deep.equal([
        record('KPDX', 'Portland', KPDX_STATS),
        record('KPWM', 'Portland', KPWM_STATS),
      ]);
      expect(metadata).to.include({ station_id: 'KPDX,KPWM', total_records: 3 });
      const { fileName, rows } = await readCsv(contract, `${PATH}?${WINDOW}&city=Portland`);
      expect(fileName).to.include('KPDX-KPWM');
      expect(rows).to.have.length(2);
    });

    it('given a city of two stations and one of them, then it is that one; given another, it is a fault', async () => {
      expect(await stations('city=portland&station_id=KPWM')).to.deep.equal(['KPWM']);
      const faults = await contract.faults(`${PATH}?city=portland&station_id=KORD`);
      expect(faults).to.deep.equal([
        { parameter: 'city', message: 'means KPDX,KPWM, but the request also names KORD; give one of them' },
      ]);
    });

    it('given stations by any of their names, then it is each of them once, and the metadata name them by station_id', async () => {
      const path = `${PATH}?${WINDOW}&stations=${encodeURIComponent(" o'hare ,kpwm,ORD,KSEA,heathrow")}`;
      const { data, metadata } = await contract.ok(path);
      expect(data).to.deep.equal([
        record('KORD', 'Chicago', KORD_STATS),
        record('EGLL', 'London, "Heathrow"', EGLL_STATS),
        record('KPWM', 'Portland', KPWM_STATS),
      ]);
      expect(metadata).to.include({ station_id: 'EGLL,KORD,KPWM,KSEA', total_records: 14 });
      const again = await contract.get(`${PATH}?${WINDOW}&stations=KSEA,KPWM,KORD,EGLL`);
      expect(again.headers.etag).to.equal((await contract.get(path)).headers.etag);
    });

    it('given stations beside a city or a station, then it is what all of them mean; if that is none, it is a fault', async () => {
      expect(await stations('stations=KORD,KPWM,KPDX&city=Portland')).to.deep.equal(['KPDX', 'KPWM']);
      expect(await stations('stations=KORD,KPWM,KPDX&city=Portland&station_id=PWM')).to.deep.equal(['KPWM']);
      const faults = await contract.faults(`${PATH}?stations=KORD,EGLL&station_id=KPWM`);
      const message = 'means EGLL,KORD, but the request also names KPWM; give one of them';
      expect(faults).to.deep.equal([{ parameter: 'stations', message }]);
    });

    it('given a name among them that no station has, or two have, then it is the error of that name', async () => {
      const unknown = await contract.refused(`${PATH}?stations=KORD,KPWN`, 404, 'STATION_NOT_FOUND');
      expect(unknown.message).to.include('"KPWN"; did you mean KPWM');
      const ambiguous = await contract.refused(`${PATH}?stations=KORD,Portland`, 400, 'AMBIGUOUS_CITY');
      expect(ambiguous.message).to.include('KPDX').and.include('KPWM');
    });

    for (const list of [',', 'KORD,', ',KORD', 'KORD,,KPWM', 'KORD, ,KPWM']) {
      it(`given stations=${list}, then the blank name is a fault`, async () => {
        const faults = await contract.faults(`${PATH}?stations=${encodeURIComponent(list)}`);
        const message = 'must be names of stations, with commas between them';
        expect(faults).to.deep.equal([{ parameter: 'stations', message }]);
      });
    }

    it('given metric=low, then it is the one station with lows', async () => {
      const { data } = await contract.ok(`${PATH}?${WINDOW}&metric=low`);
      expect(data).to.deep.equal([record('KORD', 'Chicago', KORD_LOW_STATS)]);
    });

    it('given the records, then their pairs add up to those of the summary', async () => {
      for (const query of ['', '?days=91', '?days=4']) {
        const cities = await contract.ok<CityRecord[]>(`${PATH}${query}`);
        const summary = await contract.ok(`/api/v1/accuracy/summary${query}`);
        expect(cities.metadata.total_records, query).to.equal(summary.metadata.total_records);
      }
    });

    for (const [given, query] of [
      ['a window without a pair', 'date_from=2024-03-01&date_to=2024-03-10'],
      ['a station without a pair', `${WINDOW}&station_id=KSEA`],
      ['more samples wanted than any station has', `${WINDOW}&min_samples=11`],
    ] as const) {
      it(`given ${given}, then data is [] and total_records 0 (D10)`, async () => {
        const { data, metadata } = await contract.ok(`${PATH}?${query}`);
        expect(data).to.deep.equal([]);
        expect(metadata.total_records).to.equal(0);
        expect(metadata).to.have.all.keys(...METADATA);
      });
    }
  });

  describe('min_samples', () => {
    for (const [value, expected] of [
      ['', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM']],
      ['0', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM']],
      ['1', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM']],
      ['2', ['KORD', 'EGLL', 'KPWM']],
      ['3', ['KORD']],
      ['10', ['KORD']],
      ['11', []],
    ] as const) {
      it(`given ${value || 'none'}, then ${expected.length} stations are left`, async () => {
        expect(await stations(`min_samples=${value}`)).to.deep.equal(expected);
      });
    }

    it('given 2, then total_records adds up what is returned', async () => {
      const { metadata } = await contract.ok(`${PATH}?${WINDOW}&min_samples=2`);
      expect(metadata.total_records).to.equal(14);
    });

    it('given a station that has too few, then it is left out', async () => {
      expect(await stations('min_samples=2&station_id=VIDP')).to.deep.equal([]);
    });

    for (const value of ['-1', '1.5', '1e2', ' 7', 'abc', '+7', '9'.repeat(30)]) {
      it(`given ${JSON.stringify(value)}, then it is a fault`, async () => {
        const faults = await contract.faults(`${PATH}?min_samples=${encodeURIComponent(value)}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['min_samples']);
      });
    }
  });

  describe('sort_by (D14)', () => {
    for (const [value, order, expected] of [
      ['', 'as city', ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM']],
      [
        'city',
        'up, ignoring case, the two Portlands by station',
        ['VIDP', 'KORD', 'KMDW', 'EGLL', 'KPDX', 'KPWM'],
      ],
      // 0.75 0.75 1.25 2 2 2.45
      ['mae', 'up, equal ones by station', ['KPWM', 'VIDP', 'EGLL', 'KMDW', 'KPDX', 'KORD']],
      // 0.75 1.06 1.46 2 2 2.74
      ['rmse', 'up, equal ones by station', ['VIDP', 'KPWM', 'EGLL', 'KMDW', 'KPDX', 'KORD']],
      // -2 -0.75 0.55 0.75 0.75 2
      ['mean_error', 'up, equal ones by station', ['KMDW', 'KPWM', 'KORD', 'EGLL', 'VIDP', 'KPDX']],
      // 10 2 2 1 1 1
      ['count', 'down, equal ones by station', ['KORD', 'EGLL', 'KPWM', 'KMDW', 'KPDX', 'VIDP']],
    ] as const) {
      it(`given ${value || 'none'}, then it goes ${order}`, async () => {
        expect(await stations(`sort_by=${value}`)).to.deep.equal(expected);
      });
    }

    it('given min_samples beside it, then both hold', async () => {
      expect(await stations('sort_by=mae&min_samples=2')).to.deep.equal(['KPWM', 'EGLL', 'KORD']);
    });

    for (const value of ['MAE', 'station_id', '-mae', 'mae desc', 'mae,rmse', 'std_dev', '1']) {
      it(`given ${JSON.stringify(value)}, then it is a fault that names the five`, async () => {
        const faults = await contract.faults(`${PATH}?sort_by=${encodeURIComponent(value)}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['sort_by']);
        for (const known of ['mae', 'count', 'mean_error', 'city', 'rmse']) {
          expect(faults[0]?.message).to.match(new RegExp(`\\b${known}\\b`));
        }
      });
    }
  });

  it('given all of its parameters bad, then all are listed at once (D18)', async () => {
    const faults = await contract.faults(
      `${PATH}?min_samples=x&sort_by=x&metric=x&days=x&date_from=x&date_to=x&format=x`,
    );
    expect(faults.map(({ parameter }) => parameter)).to.have.members([
      'min_samples',
      'sort_by',
      'metric',
      'days',
      'date_from',
      'date_to',
      'format',
    ]);
  });

  describe('the CSV (D17)', () => {
    for (const [of, query] of [
      ['all stations', ''],
      ['a station', '&station_id=KORD'],
      ['another order', '&sort_by=mean_error&min_samples=2'],
      ['the lows', '&metric=low'],
    ] as const) {
      it(`has the columns and the values of the JSON, for ${of}`, async () => {
        const { rows } = await expectCsvLikeJson(contract, `${PATH}?${WINDOW}${query}`, COLUMNS);
        expect(rows).not.to.have.length(0);
      });
    }

    it('is this text: formulas guarded, quotes doubled, numbers with their sign', async () => {
      const { text } = await readCsv(contract, `${PATH}?${WINDOW}`);
      expect(text.split('\r\n')).to.deep.equal([
        'metric,period_start,period_end,station_id,city_name,sample_size,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95',
        `high,2024-03-16,2024-03-19,VIDP,'=Delhi,1,1,1,0.75,0,0.75,0.75,0.75,0.75,0.75`,
        'high,2024-03-16,2024-03-19,KORD,Chicago,10,10,3,0.55,2.69,2.45,2.74,2,4.1,4.55',
        'high,2024-03-16,2024-03-19,KMDW,chicago midway,1,1,1,-2,0,2,2,2,2,2',
        'high,2024-03-16,2024-03-19,EGLL,"London, ""Heathrow""",2,2,1,0.75,1.25,1.25,1.46,1.25,1.85,1.93',
        'high,2024-03-16,2024-03-19,KPDX,Portland,1,1,1,2,0,2,2,2,2,2',
        'high,2024-03-16,2024-03-19,KPWM,Portland,2,2,1,-0.75,0.75,0.75,1.06,0.75,1.35,1.43',
        '',
      ]);
    });

    it('given no pair, then it is the header', async () => {
      const { text } = await expectCsvLikeJson(contract, `${PATH}?station_id=KSEA`, COLUMNS);
      expect(text).to.equal(`metric,period_start,period_end,${COLUMNS.join(',')}\r\n`);
    });

    it('has a file name that tells the endpoint, the metric and the window', async () => {
      const { fileName } = await readCsv(contract, `${PATH}?${WINDOW}&metric=low`);
      for (const word of ['by-city', 'low', '2024-03-16', '2024-03-19']) {
        expect(fileName).to.include(word);
      }
    });
  });
});
