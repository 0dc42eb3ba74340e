import { expect } from 'chai';
import { COMMON_METADATA, readCsv, restrictsToStation } from '../../../support/contract/cases.js';
import { WINDOW } from '../../../support/contract/data.js';
import { type Contract, sharedContract } from '../../../support/contract/contract.js';
import { MONTHS_STATIONS, MONTHS_WINDOW, twoMonths } from '../../../support/contract/months.js';

const PATH = '/api/v1/accuracy/sample-size';

interface SampleSize {
  station_id: string;
  city_name: string;
  verification_pairs: number;
  unique_days: number;
  preliminary_pairs: number;
  first_date: string | null;
  last_date: string | null;
  days_expected: number;
  coverage: number;
  n_eff_mae: number | null;
  sufficient: boolean;
}

describe('GET /api/v1/accuracy/sample-size', () => {
  let contract: Contract;

  before(async () => {
    contract = await sharedContract();
  });

  restrictsToStation(PATH, ['station_id']);

  it('given a window, then it has every station, also those without pairs, by station_id', async () => {
    const { data, metadata } = await contract.ok<SampleSize[]>(`${PATH}?${WINDOW}`);
    expect(data.map((each) => [each.station_id, each.verification_pairs, each.unique_days])).to.deep.equal([
      ['EGLL', 2, 1],
      ['KMDW', 1, 1],
      ['KORD', 10, 3],
      ['KPDX', 1, 1],
      ['KPWM', 2, 1],
      ['KSEA', 0, 0],
      ['VIDP', 1, 1],
    ]);
    expect(data[2]).to.deep.equal({
      station_id: 'KORD',
      city_name: 'Chicago',
      verification_pairs: 10,
      unique_days: 3,
      preliminary_pairs: 2,
      first_date: '2024-03-17',
      last_date: '2024-03-19',
      days_expected: 4,
      coverage: 0.75,
      n_eff_mae: null,
      sufficient: false,
    });
    expect(data[5]).to.include({ first_date: null, last_date: null, coverage: 0, n_eff_mae: null });
    expect(metadata).to.have.all.keys(...COMMON_METADATA, 'total_records');
    expect(metadata.total_records).to.equal(17);
  });

  it('given two months, then the numbers are those of plain loops, and n_eff is the one of by-city', async () => {
    const months = await twoMonths();
    for (const [query, keeps] of [
      ['', () => true],
      ['&lead_time_bucket=0-6h', (bucket) => bucket === '0-6h'],
    ] as [string, (bucket: string) => boolean][]) {
      const { data } = await months.contract.ok<SampleSize[]>(`${PATH}?${MONTHS_WINDOW}${query}`);
      const cities = await months.contract.ok<
        { station_id: string; uncertainty: { mae: { n_eff: number } } }[]
      >(`/api/v1/accuracy/by-city?${MONTHS_WINDOW}&ci=0.9${query}`);
      expect(data.map(({ station_id }) => station_id)).to.deep.equal([...MONTHS_STATIONS]);
      for (const each of data) {
        const own = months.pairs.filter(
          (pair) => pair.station_id === each.station_id && keeps(pair.lead_time_bucket),
        );
        const days = [...new Set(own.map(({ target_date }) => target_date))].sort();
        expect(each, query).to.include({
          verification_pairs: own.length,
          unique_days: days.length,
          first_date: days[0],
          last_date: days.at(-1),
          days_expected: 61,
          coverage: Math.round((days.length / 61) * 1e4) / 1e4,
          n_eff_mae: cities.data.find(({ station_id }) => station_id === each.station_id)?.uncertainty.mae
            .n_eff,
          sufficient: days.length >= 0.9 * 61,
        });
      }
    }
  });

  it('given 29 and 30 days with pairs, or 90 % of the days and less, then only both are enough', async () => {
    const months = await twoMonths();
    const { data: all } = await months.contract.ok<SampleSize[]>(`${PATH}?${MONTHS_WINDOW}&station_id=KORD`);
    const [first = '', days] = [all[0]?.first_date ?? '', all[0]?.unique_days ?? 0];
    const sufficient = async (length: number) => {
      const { data } = await months.contract.ok<SampleSize[]>(
        `${PATH}?date_from=${first}&days=${length}&station_id=KORD`,
      );
      return [data[0]?.unique_days, data[0]?.sufficient];
    };
    const own = new Set(
      months.pairs.filter((pair) => pair.station_id === 'KORD').map((pair) => pair.target_date),
    );
    const until = (count: number): number =>
      (Date.parse([...own].sort()[count - 1] ?? '') - Date.parse(first)) / 86_400_000 + 1;
    expect(await sufficient(until(29))).to.deep.equal([29, false]);
    expect(await sufficient(until(30))).to.deep.equal([30, true]);
    // From the 3rd of May no day has a pair.
    expect(await sufficient(Math.floor(days / 0.9))).to.deep.equal([days, true]);
    expect(await sufficient(Math.floor(days / 0.9) + 1)).to.deep.equal([days, false]);
  });

  it('given min_samples, then stations with fewer pairs are left out', async () => {
    const { data, metadata } = await contract.ok<SampleSize[]>(`${PATH}?${WINDOW}&min_samples=2`);
    expect(data.map(({ station_id }) => station_id)).to.deep.equal(['EGLL', 'KORD', 'KPWM']);
    expect(metadata.total_records).to.equal(14);
  });

  it('given CSV, then it has a row per station, and blanks where there is nothing', async () => {
    const { header, rows } = await readCsv(contract, `${PATH}?${WINDOW}&station_id=KSEA`);
    expect(header.slice(3)).to.deep.equal(Object.keys((await contract.ok<SampleSize[]>(PATH)).data[0] ?? {}));
    expect(rows.map((cells) => cells.slice(3))).to.deep.equal([
      ['KSEA', "'@Seattle", '0', '0', '0', '', '', '4', '0', '', 'false'],
    ]);
  });
});
