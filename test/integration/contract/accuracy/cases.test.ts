import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import {
  BUCKETS,
  type ForecastRow,
  linesOf,
  type Load,
  type ObservationRow,
  pairsOf,
  plusDays,
  type StationRow,
} from '../../../support/plain/oracle.js';
import {
  byBucketOf,
  type Case,
  casesOf,
  type CasesQuestion,
  hitRateOf,
  revisionStatsOf,
} from '../../../support/plain/cases.js';
import { Random } from '../../../support/random.js';
import { plainRate } from '../../../support/plain/rate.js';

const HOUR = 3_600_000;
const FIRST = '2026-03-04';
const DAYS = 60;
const WINDOW = `date_from=${FIRST}&date_to=${plusDays(FIRST, DAYS - 1)}`;

const STATIONS: StationRow[] = ['KORD', 'EGLL'].map((station_id) => ({
  station_id,
  city_name: `${station_id} City`,
  timezone: 'UTC',
  iata: '',
}));

/** Actuals beside halves of degrees and below zero; errors on and beside every bound of a grade. */
const ACTUALS = [-1250, -1251, -50, 0, 49, 50, 1250, 5049, 5050];
const SIZES = [0, 1, 49, 50, 99, 100, 101, 200, 201, 300, 301, 500, 999, 1000, 1500];

/** Two months of two stations: one to six forecasts a day, some of them repeated; days without any. */
function feeds(): Load {
  const random = new Random(20_261_122);
  const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value;
  const forecasts: ForecastRow[] = [];
  const observations: ObservationRow[] = [];
  for (const { station_id } of STATIONS) {
    for (let day = 0; day < DAYS; day += 1) {
      const target_date = plusDays(FIRST, day);
      const begins = Date.parse(target_date);
      const actual = pick(ACTUALS);
      observations.push({
        station_id,
        date: target_date,
        high: actual,
        low: undefined,
        status: day < 57 ? 'verified' : 'preliminary',
        observed_at: begins + 60 * HOUR,
      });
      let high = actual;
      for (const hours of day === 9 ? [] : [80, 50, 30, 20, 8, 2, -3].filter(() => random.below(2) === 0)) {
        if (random.below(3) > 0) high = actual + pick(SIZES) * pick([-1, 1]);
        forecasts.push({ station_id, issued_at: begins - hours * HOUR, target_date, high, low: undefined });
      }
    }
  }
  return { stations: STATIONS, forecasts, observations };
}

type Row = Record<string, unknown>;

describe('hit-rate, by-bucket and revision-stats, which count station days (D32)', () => {
  let store: Store;
  let contract: Contract;
  let cases: Case[];

  before(async () => {
    const load = feeds();
    ({ store, contract } = await contractOn([linesOf(load)], { now: '2026-06-01T00:00:00Z' }));
    cases = casesOf(pairsOf([load]));
  });
  after(() => store.close());

  const question = (given: Partial<CasesQuestion> = {}): CasesQuestion => ({
    metric: 'high',
    provider: 'default',
    first: FIRST,
    last: plusDays(FIRST, DAYS - 1),
    buckets: BUCKETS,
    ...given,
  });
  const ok = (path: string) => contract.ok<Row[]>(`/api/v1/accuracy/${path}`);

  const KORD = () => question({ station: 'KORD' });
  for (const [path, expected] of [
    [`hit-rate?${WINDOW}`, () => hitRateOf(cases, question())],
    [
      `hit-rate?${WINDOW}&lead=24&station_id=EGLL`,
      () => hitRateOf(cases, question({ buckets: ['24-48h', '48-72h', '72h+'], station: 'EGLL' })),
    ],
    [`by-bucket/KORD?${WINDOW}`, () => byBucketOf(cases, KORD(), 2, 0)],
    [`by-bucket/KORD?${WINDOW}&range_offset=1`, () => byBucketOf(cases, KORD(), 2, 1)],
    [`by-bucket/KORD?${WINDOW}&range_width=5&range_offset=3`, () => byBucketOf(cases, KORD(), 5, 3)],
    [`revision-stats?${WINDOW}`, () => revisionStatsOf(cases, question())],
    [`hit-rate?${WINDOW}&temp_unit=celsius`, () => hitRateOf(cases, question(), 'celsius')],
    [`by-bucket/KORD?${WINDOW}&temp_unit=celsius`, () => byBucketOf(cases, KORD(), 2, 0, 'celsius')],
    [
      `by-bucket/KORD?${WINDOW}&range_width=3&range_offset=1&temp_unit=celsius`,
      () => byBucketOf(cases, KORD(), 3, 1, 'celsius'),
    ],
  ] as [string, () => { data: Row[]; network?: Row }][]) {
    it(`given ${path}, then it is what plain loops over the station days find`, async () => {
      const { data, metadata } = await ok(path);
      const { data: records, network, ...counts } = expected();
      expect(data).not.to.be.empty;
      expect(data.map(withoutBounds)).to.deep.equal(records.map(withoutBounds));
      expect(metadata).to.deep.include(counts);
      if (network !== undefined)
        expect(withoutBounds(metadata.network as Row)).to.deep.equal(withoutBounds(network));
    });
  }

  it('given lead and lead times that have none in common, then it is refused', async () => {
    const faults = await contract.faults('/api/v1/accuracy/hit-rate?lead=24&lead_time_bucket=0-6h,same-day');
    expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['lead']);
  });

  it('given the days of a rate, then its bounds are those of plain loops over them', async () => {
    const { data, metadata } = await ok(`hit-rate?${WINDOW}`);
    for (const [record, station] of [
      [data[0], 'EGLL'],
      [data[1], 'KORD'],
      [metadata.network, undefined],
    ] as [Row, string | undefined][]) {
      const byDay = Array.from({ length: DAYS }, (_, day) => {
        const date = plusDays(FIRST, day);
        const { network } = hitRateOf(cases, question({ first: date, last: date, station }));
        return { n: network.total_days ?? 0, within: network.within_2 ?? 0, far: network.misses_10 ?? 0 };
      });
      const spanned = byDay.slice(
        byDay.findIndex(({ n }) => n > 0),
        byDay.findLastIndex(({ n }) => n > 0) + 1,
      );
      for (const [name, of] of Object.entries({ within_2_rate: 'within', misses_10_rate: 'far' } as const)) {
        const { low, high } = plainRate(spanned.map((day) => ({ n: day.n, hits: day[of] })));
        expect(low, name).to.be.within(0, Number(record[name]));
        const bounds = [record[`${name}_low`], record[`${name}_high`]];
        expect(bounds, `${station} ${name}`).to.deep.equal([low, high]);
      }
    }
  });

  it('given days with a single forecast alone, then no day is unchanged: rates of revisions have no days', async () => {
    const single = cases.find((each) => each.issuances === 1)!;
    const { data } = await ok(
      `revision-stats?station_id=${single.station_id}&date_from=${single.target_date}&days=1`,
    );
    expect(data[0]).to.include({
      station_days: 1,
      days_with_revisions: 0,
      improved_rate: null,
      unchanged_rate: null,
      miss_rate: Math.abs(single.first_forecast - single.actual) > 200 ? 1 : 0,
    });
  });
});

/** A record without the bounds of its intervals, which oracles of short windows do not know, and the city's name. */
function withoutBounds(record: Row): Row {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== 'city_name' && !/_(low|high)$/.test(name)),
  );
}
