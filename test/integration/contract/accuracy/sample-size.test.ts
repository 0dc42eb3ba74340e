import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { WINDOW } from '../../../support/contract/data.js';
import { MONTHS_STATIONS, MONTHS_WINDOW, twoMonths } from '../../../support/contract/months.js';
import { itInCi } from '../../../support/runner/range.js';

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

  itInCi(
    'given 29 and 30 days with pairs, or 90 % of the days and less, then only both are enough',
    async () => {
      const months = await twoMonths();
      const { data: all } = await months.contract.ok<SampleSize[]>(
        `${PATH}?${MONTHS_WINDOW}&station_id=KORD`,
      );
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
    },
  );

  it('given min_samples, then stations with fewer pairs are left out', async () => {
    const { data, metadata } = await contract.ok<SampleSize[]>(`${PATH}?${WINDOW}&min_samples=2`);
    expect(data.map(({ station_id }) => station_id)).to.deep.equal(['EGLL', 'KORD', 'KPWM']);
    expect(metadata.total_records).to.equal(14);
  });
});
