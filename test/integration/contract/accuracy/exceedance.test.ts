import { expect } from 'chai';
import { contract } from '../../../support/contract/shared.js';
import { WINDOW } from '../../../support/contract/data.js';
import { MONTHS_WINDOW, type MonthsPair, twoMonths } from '../../../support/contract/months.js';
import { plainDays, plainRate } from '../../../support/plain/rate.js';

const PATH = '/api/v1/accuracy/exceedance';
const SUMMARY = '/api/v1/accuracy/exceedance-summary';

interface Threshold {
  threshold_f: number;
  exceedance_rate: number | null;
  within_rate: number | null;
  low: number | null;
  high: number | null;
  n_eff: number | null;
}

interface Exceedance {
  station_id: string;
  city_name: string;
  thresholds: Threshold[];
  verification_pairs: number;
  unique_days: number;
  level: number;
}

const daysOf = (pairs: readonly MonthsPair[]): number => new Set(pairs.map((pair) => pair.target_date)).size;

describe('GET /api/v1/accuracy/exceedance', () => {
  it('given errors that are exactly a threshold, then they are within it; thresholds come once, ascending', async () => {
    // The 17 errors by size: 0 .5 .75 1 1 1.5 1.5 2 2 2 2 2 2 3 3 4 5.
    const { data } = await contract.ok<Exceedance>(
      `${PATH}?${WINDOW}&thresholds=5, 2,1.99,0,1.999999,2.004,2.0`,
    );
    expect(
      data.thresholds.map((each) => [each.threshold_f, each.exceedance_rate, each.within_rate]),
    ).to.deep.equal([
      [0, 0.9412, 0.0588], // 16 of 17
      [1.99, 0.5882, 0.4118], // 10
      [1.999999, 0.5882, 0.4118], // the same, where rounded to 2 it would be 4
      [2, 0.2353, 0.7647], // 4
      [2.004, 0.2353, 0.7647],
      [5, 0, 1],
    ]);
    expect(data).to.include({
      station_id: 'ALL',
      city_name: 'All stations',
      verification_pairs: 17,
      unique_days: 4,
    });
  });

  it('given two months, then shares and intervals are those of plain loops over the pairs', async () => {
    const months = await twoMonths();
    for (const [query, chosen] of [
      ['', () => true],
      ['&station_id=KLAX', (pair) => pair.station_id === 'KLAX'],
      ['&lead_time_bucket=0-6h', (pair) => pair.lead_time_bucket === '0-6h'],
    ] as [string, (pair: MonthsPair) => boolean][]) {
      const pairs = months.pairs.filter(chosen);
      const { data } = await months.contract.ok<Exceedance>(`${PATH}?${MONTHS_WINDOW}${query}`);
      expect([data.verification_pairs, data.unique_days, data.level]).to.deep.equal([
        pairs.length,
        daysOf(pairs),
        0.95,
      ]);
      expect(data.thresholds.map(({ threshold_f }) => threshold_f)).to.deep.equal([1, 2, 3, 5]);
      for (const { threshold_f, exceedance_rate, within_rate, ...interval } of data.thresholds) {
        const exceeds = (error: number): boolean => Math.abs(error) > 100 * threshold_f;
        const above = pairs.filter(({ error }) => exceeds(error)).length;
        expect(exceedance_rate, query).to.equal(Math.round((above / pairs.length) * 1e4) / 1e4);
        expect((exceedance_rate ?? 0) + (within_rate ?? 0)).to.be.closeTo(1, 1e-12);
        expect(interval, `${query} ${threshold_f}`).to.deep.equal(plainRate(plainDays(pairs, exceeds)));
      }
    }
  });
});

describe('GET /api/v1/accuracy/exceedance-summary', () => {
  it("given a window, then it is the network's exceedance in percent, of 2, 3 and 5 °F by default", async () => {
    const months = await twoMonths();
    const { data } = await months.contract.ok<Exceedance>(`${SUMMARY}?${MONTHS_WINDOW}`);
    expect(data).to.deep.equal({
      thresholds: [2, 3, 5].map((threshold_f) => {
        const above = months.pairs.filter(({ error }) => Math.abs(error) > 100 * threshold_f).length;
        return { threshold_f, exceedance_rate: Math.round((above / months.pairs.length) * 1e4) / 100 };
      }),
      verification_pairs: months.pairs.length,
      unique_days: daysOf(months.pairs),
    });
  });
});
