import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import {
  type ForecastRow,
  linesOf,
  type Load,
  type ObservationRow,
  type Pair,
  pairsOf,
  plusDays,
  type StationRow,
} from '../../../support/plain/oracle.js';
import { expectScript } from '../../../support/recompute/compare.js';
import { Random } from '../../../support/random.js';
import { itInCi, range } from '../../../support/runner/range.js';

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
  const load = feeds();

  before(async () => {
    ({ store, contract } = await contractOn([linesOf(load)], { now: '2026-06-01T00:00:00Z' }));
  });
  after(() => store.close());

  const ok = (path: string) => contract.ok<Row[]>(`/api/v1/accuracy/${path}`);

  for (const path of range({ test: 3, ci: Infinity }, [
    'hit-rate?',
    'hit-rate?lead=24&station_id=EGLL',
    'by-bucket/KORD?',
    'by-bucket/KORD?range_offset=1',
    'by-bucket/KORD?range_width=5&range_offset=3',
    'revision-stats?',
    'hit-rate?temp_unit=celsius',
    'by-bucket/KORD?temp_unit=celsius',
    'by-bucket/KORD?range_width=3&range_offset=1&temp_unit=celsius',
  ])) {
    it(`given ${path}, then it is what its script makes of the pairs`, async () => {
      await expectScript(contract.service, `accuracy/${path}&${WINDOW}`);
      expect((await ok(`${path}&${WINDOW}`)).data).not.to.be.empty;
    });
  }

  it('given lead and lead times that have none in common, then it is refused', async () => {
    const faults = await contract.faults('/api/v1/accuracy/hit-rate?lead=24&lead_time_bucket=0-6h,same-day');
    expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['lead']);
  });

  itInCi(
    'given days with a single forecast alone, then no day is unchanged: rates of revisions have no days',
    async () => {
      const pairs = pairsOf([load]).filter(({ lead_time_bucket }) => lead_time_bucket !== 'same-day');
      const isOfDay = (one: Pair, other: Pair): boolean =>
        one.station_id === other.station_id && one.target_date === other.target_date;
      const single = pairs.find((one) => pairs.filter((other) => isOfDay(one, other)).length === 1)!;
      const { data } = await ok(
        `revision-stats?station_id=${single.station_id}&date_from=${single.target_date}&days=1`,
      );
      expect(data[0]).to.include({
        station_days: 1,
        days_with_revisions: 0,
        improved_rate: null,
        unchanged_rate: null,
        miss_rate: Math.abs(single.error) > 200 ? 1 : 0,
      });
    },
  );
});
