import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { LEVELS } from '../../../../src/statistics/quantiles.js';
import { expectCsvLikeJson } from '../../../support/contract/cases.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import { CHICAGO, LONDON } from '../../../support/ingest/loads.js';
import { itInCi } from '../../../support/runner/range.js';

// Two stations and four days, small enough to work out by hand.

/** A line of forecasts: what is said of the high, or of the low, by level; at level 0 the standard deviation. */
function lineOf(
  [station, issued, target]: readonly [string, string, string],
  { high, low, provider = '' }: { high?: number; low?: number; provider?: string },
  said: Readonly<Record<number, number>> = {},
): string {
  const of = (level: number, value: number | undefined) => (value === undefined ? '' : said[level]);
  const quantiles = [high, low].flatMap((value) => LEVELS.map((level) => of(level, value) ?? ''));
  const cells = [station, `2026-01-${issued}Z`, `2026-01-${target}`, high ?? '', low ?? '', provider, ''];
  return [...cells, of(0, high) ?? '', of(0, low) ?? '', ...quantiles].join();
}

const CORRECTED = ['KORD', '06T00:00:00', '06'] as const;

// In the comments: error = forecast - actual, and how many quantiles are below the observation.
const FORECASTS = [
  lineOf(['KORD', '04T18:00:00', '05'], { high: 31 }), // not the latest
  lineOf(['KORD', '05T00:00:00', '05'], { high: 33 }, { 10: 30, 50: 33, 90: 36 }), // +3, and one is equal
  lineOf(CORRECTED, { high: 28 }, { 10: 26, 50: 28, 90: 30 }), // -1, two
  lineOf(['KORD', '06T00:00:00', '06'], { high: 29, provider: 'other' }, { 10: 27, 50: 29, 90: 31 }),
  lineOf(['KORD', '07T00:00:00', '07'], { high: 30 }, { 90: 33 }), // never observed
  lineOf(['EGLL', '05T12:00:00', '06'], { high: 50 }, { 10: 48, 50: 50, 90: 52 }), // -6, all three
  lineOf(['EGLL', '06T18:00:00', '07'], { high: 50 }, { 0: 2 }), // 0, a standard deviation alone
  lineOf(['EGLL', '07T18:00:00', '08'], { high: 50 }), // without any
  lineOf(['KORD', '05T00:00:00', '06'], { low: 20 }, { 0: 3 }), // 0
];
const OBSERVATIONS = [
  'KORD,2026-01-05,30,,verified,2026-01-06T18:00:00Z',
  'KORD,2026-01-06,29,20,verified,2026-01-07T18:00:00Z',
  'EGLL,2026-01-06,56,,verified,2026-01-07T18:00:00Z',
  'EGLL,2026-01-07,50,,preliminary,2026-01-08T00:00:00Z',
  'EGLL,2026-01-08,51,,verified,2026-01-09T18:00:00Z',
];
const WINDOW = 'date_from=2026-01-04&date_to=2026-01-08';
const URL = `/api/v1/accuracy/distribution?${WINDOW}`;

let store: Store;
let contract: Contract;

/** The store of a service that was told the forecasts twice, one of them wrongly at first. */
async function open(): Promise<void> {
  const columns = 'all';
  const mistaken = FORECASTS.map((line) =>
    line === FORECASTS[2] ? lineOf(CORRECTED, { high: 28 }, { 10: 29, 50: 30, 90: 31 }) : line,
  );
  const loads = [
    { stations: [CHICAGO, LONDON], observations: OBSERVATIONS },
    { forecasts: mistaken, columns },
    { forecasts: FORECASTS, columns },
  ] as const;
  ({ store, contract } = await contractOn(loads, { now: '2026-01-20T12:00:00Z' }));
}

interface Scores {
  provider: string;
  cases: number;
  levels: number[];
  coverage: { level: number; observed: number }[];
  intervals: { nominal: number; mean_width: number }[];
  pit: { counts: number[]; expected: number[] };
  crps_from_quantiles: number;
  against: { normal: { crps_from_quantiles: number } };
}

const scores = async (more = ''): Promise<Scores[]> => (await contract.ok<Scores[]>(`${URL}${more}`)).data;

/** The cases of each record, its levels, and the counts of its PIT. */
const shapes = async (more = '') =>
  (await scores(more)).map(({ cases, levels, pit }) => [cases, levels.length, pit.counts]);

describe('GET /api/v1/accuracy/distribution', () => {
  before(open);
  after(() => store.close());

  it('given quantiles, then each station day counts once, and a tie for both sides, by shares', async () => {
    const { data, metadata } = await contract.ok(URL);
    const ofLevel = (level: number, observed: number, pinball: number) => {
      return { level, observed, low: null, high: null, verdict: null, pinball };
    };
    expect(data).to.deep.equal([
      {
        provider: 'default',
        cases: 3,
        days: 2,
        levels: [10, 50, 90],
        coverage: [
          ofLevel(10, 0.1441, 0.366667), // its cell is 6.74 to 14.28%: 0.4322 of 3; (0 + 0.3 + 0.8) / 3
          ofLevel(50, 0.3333, 1.666667), // (1.5 + 0.5 + 3) / 3
          ofLevel(90, 0.6667, 1.433333), // (0.6 + 0.1 + 3.6) / 3
        ],
        intervals: [
          { nominal: 80, covered: 0.5226, covered_low: null, covered_high: null, mean_width: 4.67 },
        ],
        pit: { counts: [0.43, 0.57, 1, 1], expected: [0.3, 1.2, 1.2, 0.3] },
        shape: null,
        crps_from_quantiles: 2.311111,
        spread_to_error: 0.5, // the root of 68 / 2.563104^2 over 40.67
        against: {
          // Quantiles are 3.39 °F below the forecast, 1.33 above and 6.05 above.
          normal: {
            cases: 3,
            crps_from_quantiles: 1.666,
            difference: { value: 0.645111, low: null, high: null, p_value: null },
          },
        },
      },
    ]);
    expect(metadata).to.include({
      total_records: 3,
      cases_without_distribution: 1,
      cases_of_other_levels: 1,
      reason: null,
    });
  });

  it('given a standard deviation alone, then it stands for the 13 quantiles of a normal', async () => {
    const [found] = await scores('&metric=low');
    expect(found?.levels).to.deep.equal(LEVELS);
    expect(found?.pit.counts).to.deep.equal([0, 0, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]);
    expect(found?.intervals.map(({ nominal, mean_width }) => [nominal, mean_width])).to.deep.equal([
      [50, 4.04],
      [80, 7.68],
      [90, 9.86],
    ]);
    expect(found).to.include({ crps_from_quantiles: 0.742923, spread_to_error: null });
  });

  itInCi(
    'given group_by, then each group has its own most common levels; of two as common, those of more',
    async () => {
      expect(await shapes('&group_by=lead_time_bucket')).to.deep.equal([
        [2, 3, [0.43, 0.57, 1, 0]],
        [1, 3, [0, 0, 0, 1]],
      ]);
      expect(await shapes('&group_by=station')).to.deep.equal([
        [1, 13, [0, 0, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0, 0]],
        [2, 3, [0.43, 0.57, 1, 0]],
      ]);
      const { data, metadata } = await contract.ok<object[]>(`${URL}&group_by=month`);
      expect(data.map((each) => 'month' in each && each.month)).to.deep.equal(['2026-01-01']);
      expect(metadata).to.include({ total_records: 3, cases_of_other_levels: 1 });
    },
  );

  itInCi('given lead times, a station, a metric or providers, then they choose the cases', async () => {
    expect(await shapes('&lead=12')).to.deep.equal([[1, 3, [0, 0, 0, 1]]]);
    expect(await shapes('&station_id=KORD')).to.deep.equal([[2, 3, [0.43, 0.57, 1, 0]]]);
    expect(await shapes('&provider=other')).to.deep.equal([[1, 3, [0, 0.5, 0.5, 0]]]);
    const both = await scores('&providers=other,default');
    expect(both.map(({ provider, cases }) => [provider, cases])).to.deep.equal([
      ['default', 3],
      ['other', 1],
    ]);
  });

  it('given no distribution, or no case, then nothing counts, and the reason names what lacks', async () => {
    for (const [query, without, reason] of [
      ['date_from=2026-01-08&date_to=2026-01-08', 1, /^No forecast .+ such as high_p10_f or high_sd_f$/],
      [`${WINDOW}&metric=low&stations=EGLL`, 0, /^No station day of the window has a forecast of these/],
    ] as const) {
      const { data, metadata } = await contract.ok(`/api/v1/accuracy/distribution?${query}`);
      expect(data).to.deep.equal([]);
      expect(metadata).to.include({ total_records: 0, cases_without_distribution: without });
      expect(metadata.reason).to.match(reason);
    }
  });

  itInCi('given temp_unit=celsius, then losses and widths are in °C, and shares are the same', async () => {
    const [[found], [celsius]] = [await scores(), await scores('&temp_unit=celsius')];
    expect(celsius?.crps_from_quantiles).to.equal(1.283951); // 2.311111 * 5 / 9
    expect(celsius?.intervals[0]?.mean_width).to.equal(2.59);
    expect(celsius?.pit).to.deep.equal(found?.pit);
    expect(celsius?.against.normal.crps_from_quantiles).to.equal(0.925556);
  });

  itInCi('given format=csv, then it has the same records: a row for each level and interval', async () => {
    const { csv } = await expectCsvLikeJson(contract, URL);
    expect(csv.rows.map((cells) => cells[csv.header.indexOf('level')])).to.deep.equal([
      ...['10', '50', '90', ''],
    ]);
    expect(csv.rows.map((cells) => cells[csv.header.indexOf('nominal')])).to.deep.equal(['', '', '', '80']);
    expect(csv.rows[0]?.[csv.header.indexOf('counts')]).to.equal('0.43|0.57|1|1');
    await expectCsvLikeJson(
      contract,
      `${URL}&providers=default,other&group_by=lead_time_bucket&temp_unit=celsius`,
    );
  });

  itInCi(
    'given as_of, then a version has the distributions that it knew, and the first has none',
    async () => {
      expect(await shapes('&as_of=v1')).to.deep.equal([]);
      expect(await shapes('&as_of=v2')).to.deep.equal([[3, 3, [0.74, 1.26, 0, 1]]]);
      expect(await scores('&as_of=v3')).to.deep.equal(await scores());
    },
  );

  it('given distribution=true, then an export has what each forecast states, and null where it states none', async () => {
    const rows = async (more: string): Promise<Record<string, unknown>[]> => {
      const { text } = await contract.get(`/api/v1/export/pairs?${WINDOW}&distribution=true${more}`);
      return text
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const stated = async (more: string): Promise<unknown[]> =>
      (await rows(`&format=ndjson${more}`)).map(({ station_id, sd, p10, p25, p90 }) => [
        ...[station_id, sd, p10, p25, p90],
      ]);
    const highs = [
      ['KORD', null, null, null, null],
      ['KORD', null, 30, null, 36],
      ['EGLL', null, 48, null, 52],
      ['KORD', null, 26, null, 30],
      ['EGLL', 2, null, null, null],
      ['EGLL', null, null, null, null],
    ];
    expect(await stated('&metric=high')).to.deep.equal(highs);
    expect(await stated('')).to.deep.equal([
      ...highs.slice(0, 4),
      ['KORD', 3, null, null, null],
      ...highs.slice(4),
    ]);
    expect(await stated('&metric=high&provider=all&station_id=KORD')).to.deep.equal([
      ...[highs[0], highs[1], highs[3]],
      ['KORD', null, 27, null, 31],
    ]);
    // Version 2 has the mistake about 6 January; no feed has distributions of ranges.
    expect((await stated('&metric=high&as_of=v2'))[3]).to.deep.equal(['KORD', null, 29, null, 31]);
    expect(await stated('&metric=range')).to.deep.equal([]);
    const { text } = await contract.get(
      `/api/v1/export/pairs?${WINDOW}&distribution=true&metric=high&station_id=EGLL`,
    );
    expect(text.split('\r\n').map((line) => line.split(',').slice(9).join())).to.deep.equal([
      'observation_status,sd,p05,p10,p20,p25,p30,p40,p50,p60,p70,p75,p80,p90,p95',
      'verified,,,48,,,,,50,,,,,52,',
      'preliminary,2,,,,,,,,,,,,,',
      'verified,,,,,,,,,,,,,,',
      '',
    ]);
  });
});
