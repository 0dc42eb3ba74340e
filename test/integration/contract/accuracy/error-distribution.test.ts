import { expect } from 'chai';
import { COMMON_METADATA, readCsv, restrictsToStation } from '../../../support/contract/cases.js';
import { WINDOW } from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';
import { MONTHS_WINDOW, twoMonths } from '../../../support/contract/months.js';

const PATH = '/api/v1/accuracy/error-distribution';

interface Bucket {
  range: string;
  count: number;
  pct: number;
  share: number;
  from_f: number;
  to_f: number | null;
}

interface Distribution {
  station_id: string;
  city_name: string;
  buckets: Bucket[];
  verification_pairs: number;
  unique_days: number;
}

describe('GET /api/v1/accuracy/error-distribution', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  restrictsToStation(PATH);

  it('given a window, then it has five degrees and what is beyond, and an error on a bound is in the upper one', async () => {
    // The 17 errors by size: 0 .5 .75 1 1 1.5 1.5 2 2 2 2 2 2 3 3 4 5.
    const { data, metadata } = await contract.ok<Distribution>(`${PATH}?${WINDOW}`);
    expect(data).to.deep.include({
      station_id: 'ALL',
      city_name: 'All stations',
      verification_pairs: 17,
      unique_days: 4,
    });
    expect(data.buckets.map(({ range, count, pct }) => [range, count, pct])).to.deep.equal([
      ['0-1°F', 3, 17.65],
      ['1-2°F', 4, 23.53],
      ['2-3°F', 6, 35.29],
      ['3-4°F', 2, 11.76],
      ['4-5°F', 1, 5.88],
      ['5+°F', 1, 5.88],
    ]);
    expect(metadata).to.have.all.keys(...COMMON_METADATA, 'total_records');
    expect(metadata.total_records).to.equal(17);
  });

  it('given signed=true, then the middle range is around 0, and a negative bound is in the upper range too', async () => {
    // 0 -1.5 of Portland: -1.5 is the lower bound of its range. -0.5 +2 of London: -0.5 is in the middle one.
    for (const [station, expected] of [
      [
        'KPWM',
        [
          ['-1.5 to -0.5°F', 1],
          ['-0.5 to 0.5°F', 1],
        ],
      ],
      [
        'EGLL',
        [
          ['-0.5 to 0.5°F', 1],
          ['0.5 to 1.5°F', 0],
          ['1.5 to 2.5°F', 1],
        ],
      ],
    ] as const) {
      const { data } = await contract.ok<Distribution>(`${PATH}?${WINDOW}&signed=true&station_id=${station}`);
      expect(data.buckets.map(({ range, count }) => [range, count])).to.deep.equal(expected);
    }
  });

  it('given two months, then every range of every width has the pairs that plain loops find', async () => {
    const months = await twoMonths();
    for (const width of [0.5, 1, 2, 5]) {
      for (const signed of [false, true]) {
        const { data } = await months.contract.ok<Distribution>(
          `${PATH}?${MONTHS_WINDOW}&bin_width=${width}&signed=${signed}`,
        );
        const { buckets } = data;
        expect(buckets.map(({ count }) => count).reduce((sum, count) => sum + count)).to.equal(
          months.pairs.length,
        );
        for (const [at, { from_f, to_f, count, pct, share, range }] of buckets.entries()) {
          const own = months.pairs.filter(({ error }) => {
            const value = (signed ? error : Math.abs(error)) / 100;
            return from_f <= value && value < (to_f ?? Infinity);
          });
          expect(count, range).to.equal(own.length);
          expect(share).to.equal(Math.round((count / months.pairs.length) * 1e4) / 1e4);
          expect(pct).to.be.closeTo(100 * share, 1e-9);
          if (to_f !== null) expect(to_f - from_f).to.equal(width);
          expect(to_f).to.equal(buckets[at + 1]?.from_f ?? (signed ? to_f : null));
        }
        if (signed) expect(buckets.map(({ from_f }) => from_f)).to.include(-width / 2);
        else
          expect(buckets.map(({ from_f }) => from_f)).to.deep.equal([0, 1, 2, 3, 4, 5].map((k) => k * width));
      }
    }
  });

  it('given no pairs, then there are no ranges; in CSV, the header alone', async () => {
    const { data } = await contract.ok<Distribution>(`${PATH}?${WINDOW}&station_id=KSEA`);
    expect(data).to.deep.equal({
      station_id: 'KSEA',
      city_name: '@Seattle',
      buckets: [],
      verification_pairs: 0,
      unique_days: 0,
    });
    const { header, rows } = await readCsv(contract, `${PATH}?${WINDOW}&station_id=KSEA`);
    expect(header.slice(3)).to.deep.equal([
      'station_id',
      'city_name',
      'range',
      'count',
      'pct',
      'share',
      'from_f',
      'to_f',
      'verification_pairs',
      'unique_days',
    ]);
    expect(rows).to.deep.equal([]);
  });

  it('given group_by of a past version, or of what was known, when that is all there is, then the groups are the same', async () => {
    for (const grouping of ['lead_time_bucket', 'forecast']) {
      const query = `${PATH}?${WINDOW}&group_by=${grouping}`;
      const { data } = await contract.ok<Record<string, unknown[]>>(query);
      const groups = data.quantiles_by_lead_time ?? data.quantiles_by_forecast;
      expect(groups, grouping).to.have.length.greaterThan(2);
      for (const then of ['as_of=v1', 'known_at=2024-03-20T15:00:00Z']) {
        expect((await contract.ok(`${query}&${then}`)).data, then).to.deep.equal(data);
      }
    }
  });

  it('given CSV with group_by, then it has a row per group in place of the ranges of errors', async () => {
    const columns = ['group_pairs', 'error_p05', 'error_p25', 'error_p50', 'error_p75', 'error_p95'];
    for (const [grouping, keys, rowsOf] of [
      ['lead_time_bucket', ['lead_time_bucket'], 6],
      ['forecast', ['range_low_f', 'range_high_f'], 2],
    ] as const) {
      const query = `${PATH}?${WINDOW}&station_id=KORD&range_width=50&group_by=${grouping}`;
      const { header, rows } = await readCsv(contract, query);
      expect(header.slice(3)).to.deep.equal([
        ...['station_id', 'city_name', 'verification_pairs', 'unique_days'],
        ...keys,
        ...columns,
      ]);
      expect(rows.length, grouping).to.be.at.least(1).and.at.most(rowsOf);
    }
  });

  it('given CSV, then it has a row per range', async () => {
    const { rows } = await readCsv(contract, `${PATH}?${WINDOW}&station_id=KPDX&bin_width=5`);
    expect(rows[0]?.slice(3)).to.deep.equal([
      'KPDX',
      'Portland',
      '0-5°F',
      '1',
      '100',
      '1',
      '0',
      '5',
      '1',
      '1',
    ]);
    expect(rows).to.have.length(6);
  });
});
