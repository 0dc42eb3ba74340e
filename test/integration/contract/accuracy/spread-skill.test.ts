import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { expectCsvLikeJson } from '../../../support/contract/cases.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import { CHICAGO, LONDON } from '../../../support/ingest/loads.js';

// Two stations and four days, small enough to work out by hand. In the comments: spread, and error = forecast - actual.
const FEEDS = {
  stations: [CHICAGO, LONDON],
  forecasts: [
    'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18,,,2,3', // not the latest
    'KORD,2026-01-05T00:00:00Z,2026-01-05,33,,,,1.5,', // 1.5, +3
    'KORD,2026-01-06T00:00:00Z,2026-01-06,28,,,,2,', // 2, -1
    'EGLL,2026-01-05T18:00:00Z,2026-01-06,50,,,,4,', // 4, -6
    'EGLL,2026-01-06T18:00:00Z,2026-01-07,50,,,,,', // none, 0
    'EGLL,2026-01-07T02:00:00Z,2026-01-07,50,,,,0,', // same-day: 0, 0
  ],
  observations: [
    'KORD,2026-01-05,30,17,verified,2026-01-06T18:00:00Z,',
    'KORD,2026-01-06,29,17,verified,2026-01-07T18:00:00Z,',
    'EGLL,2026-01-06,56,,verified,2026-01-07T18:00:00Z,',
    'EGLL,2026-01-07,50,,preliminary,2026-01-08T00:00:00Z,',
  ].map((line) => line.replace(/,$/, '')),
};
const WINDOW = 'date_from=2026-01-04&date_to=2026-01-08';
const URL = `/api/v1/accuracy/spread-skill?${WINDOW}`;

describe('GET /api/v1/accuracy/spread-skill', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    const { forecasts, ...others } = FEEDS;
    const columns = 'all and spreads';
    // One spread is corrected, its forecast is not.
    const mistaken = forecasts.map((line) => line.replace('28,,,,2,', '28,,,,5,'));
    const loads = [others, { forecasts: mistaken, columns }, { forecasts, columns }] as const;
    ({ store, contract } = await contractOn(loads, { now: '2026-01-20T12:00:00Z' }));
  });
  after(() => store.close());

  type Bin = Record<string, unknown>;
  const bins = async (more = ''): Promise<unknown[][]> =>
    (await contract.ok<Bin[]>(`${URL}${more}`)).data.map((bin) =>
      ['spread_from_f', 'spread_to_f', 'cases', 'days', 'mean_spread', 'mae', 'rmse', 'rmse_to_spread'].map(
        (name) => bin[name],
      ),
    );

  it('given cases with spreads, then each counts once in the bin of its spread, and one without is counted', async () => {
    expect(await bins()).to.deep.equal([
      [1.5, 2.5, 2, 2, 1.75, 2, 2.24, 1.28],
      [3.5, 4.5, 1, 1, 4, 6, 6, 1.5],
    ]);
    const { metadata } = await contract.ok(URL);
    // Ranks of spreads 1 2 3, of sizes 2 1 3.
    expect(metadata).to.include({
      total_records: 3,
      cases_without_spread: 1,
      rank_correlation: 0.5,
      reason: null,
    });
    const none = { value: null, low: null, high: null };
    expect(metadata.crps).to.deep.equal({
      ...{ cases: 0, days: 0, cases_without_training: 3 },
      ...{ spread_f: none, mixture_f: none, difference_f: none },
    });
  });

  it('given lead times, a station, a metric or a level, then they choose the cases', async () => {
    expect(await bins('&lead=12')).to.deep.equal([[1.5, 2.5, 1, 1, 2, 1, 1, 0.5]]);
    expect(await bins('&lead_time_bucket=same-day')).to.deep.equal([[0, 0.5, 1, 1, 0, 0, 0, null]]);
    expect(await bins('&stations=EGLL')).to.deep.equal([[3.5, 4.5, 1, 1, 4, 6, 6, 1.5]]);
    expect(await bins('&metric=low')).to.deep.equal([[2.5, 3.5, 1, 1, 3, 1, 1, 0.33]]);
    const { data } = await contract.ok<Bin[]>(`${URL}&ci=0.8`);
    expect(data[0]?.uncertainty).to.include({ level: 0.8, days: 2 });
  });

  it('given no spread, or no case, then nothing counts, and the reason names the columns, or the lack of station days', async () => {
    for (const [query, without, reason] of [
      ['date_from=2026-01-07&date_to=2026-01-07', 1, /^No forecast .+ column high_sd_f, or high_sd_c$/],
      [
        `${WINDOW}&metric=low&stations=EGLL`,
        0,
        /^No station day of the window has a forecast of these lead times/,
      ],
    ] as const) {
      const { data, metadata } = await contract.ok<Bin[]>(`/api/v1/accuracy/spread-skill?${query}`);
      expect(data).to.deep.equal([]);
      expect(metadata).to.include({
        total_records: 0,
        cases_without_spread: without,
        rank_correlation: null,
      });
      expect(metadata.reason).to.match(reason);
    }
  });

  it('given more than 366 days, then it is refused', async () => {
    const faults = await contract.faults(
      '/api/v1/accuracy/spread-skill?date_from=2024-01-01&date_to=2025-01-01',
    );
    expect(faults).to.have.length(1);
    expect(faults[0]?.parameter).to.equal('date_from');
  });

  it('given format=csv, then it has the same records, in Celsius as well', async () => {
    await expectCsvLikeJson(contract, URL);
    const { csv } = await expectCsvLikeJson(contract, `${URL}&temp_unit=celsius`);
    expect(csv.header.slice(3, 9)).to.deep.equal([
      ...['temp_unit', 'spread_from_f', 'spread_from_c', 'spread_to_f', 'spread_to_c', 'cases'],
    ]);
    expect(csv.rows[0]?.slice(4, 12)).to.deep.equal(['1.5', '0.83', '2.5', '1.39', '2', '2', '0.97', '0.56']);
  });

  it('given as_of, then a version has the spreads that it knew, and the list before the first is empty', async () => {
    const { metadata } = await contract.ok(`${URL}&as_of=v1`);
    expect(metadata).to.include({ total_records: 0, cases_without_spread: 0 });
    expect((await bins('&as_of=v2')).map(([from, , cases]) => [from, cases])).to.deep.equal([
      [1.5, 1],
      [3.5, 1],
      [4.5, 1],
    ]);
    expect(await bins('&as_of=v3')).to.deep.equal(await bins());
  });
});
