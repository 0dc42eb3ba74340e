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
  EMPTY_STATS,
  KMDW_STATS,
  KORD_LOW_STATS,
  KORD_STATS,
  KPDX_STATS,
  KPWM_STATS,
  NETWORK_STATS,
  STATS_FIELDS,
  VIDP_STATS,
  WINDOW,
} from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';

const PATH = '/api/v1/accuracy/summary';
const METADATA = [...COMMON_METADATA, 'total_records', 'verification_coverage'];

describe('GET /api/v1/accuracy/summary', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  answersAsAccuracyEndpoint({
    path: PATH,
    parameters: { ...QUESTION_PARAMETERS, station_id: 'KORD', city: 'Chicago' },
    metadata: METADATA,
    misspelt: { station: 'station_id', stationId: 'station_id', cities: 'city' },
  });
  restrictsToStation(PATH);

  describe('the statistics', () => {
    it('given no station, then they are of all pairs of the window, flat in data', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}`);
      expect(data).to.deep.equal(NETWORK_STATS);
      expect(metadata.total_records).to.equal(17);
    });

    for (const [station, stats] of [
      ['KORD', KORD_STATS],
      ['KPWM', KPWM_STATS],
      ['EGLL', EGLL_STATS],
      ['KPDX', KPDX_STATS],
      ['VIDP', VIDP_STATS],
      ['KMDW', KMDW_STATS],
    ] as const) {
      it(`given ${station}, then they are of its pairs`, async () => {
        const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&station_id=${station}`);
        expect(data).to.deep.equal(stats);
        expect(metadata.total_records).to.equal(stats.verification_pairs);
      });
    }

    it('given metric=low, then they are of the lows, and ties round away from zero (D9)', async () => {
      const { data, metadata } = await contract.ok(`${PATH}?${WINDOW}&metric=low`);
      expect(data).to.deep.equal(KORD_LOW_STATS);
      expect(metadata.accuracy_metric).to.equal('low');
    });

    it('given the default window, then a pair of the day before it does not count', async () => {
      const pairs = async (days: number): Promise<unknown> =>
        (await contract.ok(`${PATH}?days=${days}`)).metadata.total_records;
      expect([await pairs(90), await pairs(91)]).to.deep.equal([17, 18]);
    });
  });

  describe('the metadata', () => {
    for (const [given, query, verified, preliminary, share] of [
      // KORD rests on a preliminary value on the 19th, and KPDX on the 18th, where KORD's is verified.
      ['days of which any pair is preliminary', '', 2, 2, 0.5],
      ['a station with one preliminary day of three', '&station_id=KORD', 2, 1, 0.6667],
      ['a station whose only day is preliminary', '&station_id=KPDX', 0, 1, 0],
      ['a station whose only day is verified', '&station_id=VIDP', 1, 0, 1],
      ['the lows, all verified', '&metric=low', 1, 0, 1],
      ['no pair', '&station_id=KSEA', 0, 0, null],
    ] as const) {
      it(`given ${given}, then verification_coverage is ${verified} + ${preliminary} days (D6)`, async () => {
        const { data, metadata } = await contract.ok<Record<string, number>>(`${PATH}?${WINDOW}${query}`);
        const coverage = metadata.verification_coverage as Record<string, number | null>;
        expect(coverage).to.have.all.keys('verified_days', 'preliminary_days', 'verified_pct');
        expect(coverage).to.include({ verified_days: verified, preliminary_days: preliminary });
        expect(verified + preliminary).to.equal(data.unique_days);
        if (share === null) expect(coverage.verified_pct).to.equal(null);
        else expect(coverage.verified_pct).to.be.closeTo(share, 0.0001);
      });
    }
  });

  describe('nothing to tell (D10)', () => {
    for (const [given, query] of [
      ['a window without a pair', 'date_from=2024-03-01&date_to=2024-03-10'],
      ['a window that lies ahead', 'date_from=2030-01-01&date_to=2030-12-31'],
      ['a station without a pair', `${WINDOW}&station_id=KSEA`],
      ['a station without lows', `${WINDOW}&metric=low&station_id=KPWM`],
    ] as const) {
      it(`given ${given}, then the counts are 0, the rest null, and all keys are there`, async () => {
        const { data, metadata } = await contract.ok(`${PATH}?${query}`);
        expect(data).to.deep.equal(EMPTY_STATS);
        expect(metadata).to.have.all.keys(...METADATA);
        expect(metadata.total_records).to.equal(0);
      });
    }
  });

  describe('the CSV (D17)', () => {
    for (const [of, query] of [
      ['all stations', ''],
      ['a station', '&station_id=KORD'],
      ['the lows', '&metric=low'],
    ] as const) {
      it(`has the columns and the values of the JSON, for ${of}`, async () => {
        const { rows } = await expectCsvLikeJson(contract, `${PATH}?${WINDOW}${query}`, STATS_FIELDS, [
          'station_id',
        ]);
        expect(rows).to.have.length(1);
      });
    }

    it('is this text: numbers with their sign, and unguarded', async () => {
      const { text } = await readCsv(contract, `${PATH}?${WINDOW}&station_id=KPWM`);
      expect(text).to.equal(
        'metric,period_start,period_end,station_id,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95\r\n' +
          'high,2024-03-16,2024-03-19,KPWM,2,1,-0.75,0.75,0.75,1.06,0.75,1.35,1.43\r\n',
      );
    });

    it('given no pair, then the counts are 0 and the other cells empty', async () => {
      const { rows } = await expectCsvLikeJson(contract, `${PATH}?station_id=KSEA`, STATS_FIELDS, [
        'station_id',
      ]);
      expect(rows).to.deep.equal([
        ['high', '2023-12-22', '2024-03-20', 'KSEA', '0', '0', '', '', '', '', '', '', ''],
      ]);
    });

    it('has a file name that tells the endpoint, the station, the metric and the window', async () => {
      const { fileName } = await readCsv(contract, `${PATH}?${WINDOW}&city=Windy%20City&metric=low`);
      for (const word of ['summary', 'KORD', 'low', '2024-03-16', '2024-03-19']) {
        expect(fileName).to.include(word);
      }
    });
  });
});
