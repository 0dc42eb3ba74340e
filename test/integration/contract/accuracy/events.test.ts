import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import {
  forecastOf,
  linesOf,
  type Load,
  observationOf,
  plusDays,
  type StationRow,
} from '../../../support/plain/oracle.js';
import { expectScript } from '../../../support/recompute/compare.js';
import { Random } from '../../../support/random.js';
import { itInCi, range } from '../../../support/runner/range.js';

const PATH = '/api/v1/accuracy/events';
const HOUR = 3_600_000;
const FIRST = '2026-02-20'; // a Friday
const DAYS = 72;
const LAST = plusDays(FIRST, DAYS - 1);
const WINDOW = `date_from=${FIRST}&date_to=${LAST}`;
const LEADS = [80, 50, 30, 20, 8, 2, -3];

/** After the window: what was observed, and said, of days on either side of 0 °C, 32.01 and 32.02 °F among them. */
const COLD_DAY = plusDays(LAST, 10);
const COLD = [
  [3201, 3202],
  [3202, 3201],
  [3200, 3200],
  [3202, 3202],
] as const;
const COLD_WINDOW = `date_from=${COLD_DAY}&days=${COLD.length}`;

/** A day of KORD whose only forecast is taken back. */
const WITHDRAWN_DAY = plusDays(COLD_DAY, COLD.length);

const STATIONS: StationRow[] = ['EGLL', 'KORD'].map((station_id) => ({
  station_id,
  city_name: `${station_id} City`,
  timezone: 'UTC',
  iata: '',
}));

/** Ten weeks around 60 °F, of days that resemble the ones before; half of all values are whole degrees. */
function feeds(): Load {
  const random = new Random(20_261_123);
  const load = { stations: STATIONS, forecasts: [], observations: [] } as Load & {
    forecasts: Load['forecasts'][number][];
    observations: Load['observations'][number][];
  };
  const shown = (value: number): number =>
    random.below(2) === 0 ? 100 * Math.round(value / 100) : Math.round(value);
  for (const station of STATIONS) {
    let weather = 0;
    for (let day = 0; day < DAYS; day += 1) {
      const date = plusDays(FIRST, day);
      weather = 0.6 * weather + 400 * random.gaussian();
      load.observations.push({
        ...observationOf(station, date, shown(6000 + weather)),
        status: day < DAYS - 4 ? 'verified' : 'preliminary',
      });
      for (const lead of day === 9 ? [] : LEADS.filter(() => random.below(2) === 0))
        load.forecasts.push(
          forecastOf(station, date, lead * HOUR, shown(6000 + weather + 250 * random.gaussian())),
        );
    }
  }
  for (const [day, [actual, forecast]] of COLD.entries()) {
    const [station, date] = [STATIONS[0]!, plusDays(COLD_DAY, day)];
    load.observations.push(observationOf(station, date, actual));
    load.forecasts.push(forecastOf(station, date, 3 * HOUR, forecast));
  }
  return load;
}

type Row = Record<string, unknown>;

describe('GET /api/v1/accuracy/events', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    const load = feeds();
    const known = forecastOf(STATIONS[1]!, WITHDRAWN_DAY, 3 * HOUR, 3100);
    const told = {
      stations: [],
      forecasts: [known],
      observations: [observationOf(STATIONS[1]!, WITHDRAWN_DAY, 3100)],
    };
    const loads = [load, told, { ...told, forecasts: [{ ...known, withdrawn: true }] }];
    ({ store, contract } = await contractOn(loads.map(linesOf), { now: '2026-06-01T00:00:00Z' }));
  });
  after(() => store.close());

  const ok = (query: string) => contract.ok<Row[]>(`${PATH}?${query}`);
  for (const group_by of range({ test: 1, ci: Infinity }, ['none', 'lead_time_bucket', 'station', 'month'])) {
    for (const direction of ['at_or_above', 'at_or_below']) {
      it(`given ten weeks, group_by=${group_by} and ${direction}, then scores and bounds are those that the script makes`, async () => {
        const query = `${WINDOW}&thresholds=55,60,64.5&direction=${direction}&group_by=${group_by}`;
        await expectScript(contract.service, `accuracy/events?${query}`);
        const { data } = await ok(query);
        const bounded = data.filter(({ pod_low, ets_low }) => pod_low !== null && ets_low !== null);
        if (group_by !== 'month') expect(bounded).not.to.be.empty;
      });
    }
  }

  itInCi(
    'given lead or lead times, then a day counts with the last forecast of these, or is left out',
    async () => {
      for (const leads of ['lead=24', 'lead_time_bucket=same-day,12-24h'])
        for (const group_by of ['none', 'lead_time_bucket'])
          await expectScript(
            contract.service,
            `accuracy/events?${WINDOW}&${leads}&thresholds=60&group_by=${group_by}&stations=KORD,EGLL`,
          );
    },
  );

  it('given no threshold and direction, then the event is a hot day of highs, a frost of lows', async () => {
    const tag = (query: string): Promise<string> => contract.tag(`${PATH}?${WINDOW}&${query}`);
    for (const [plain, written] of [
      ['', 'thresholds=90&direction=at_or_above'],
      ['metric=low', 'metric=low&thresholds=32&direction=at_or_below'],
      ['temp_unit=celsius', 'temp_unit=celsius&thresholds=32&direction=at_or_above'],
      ['temp_unit=celsius&metric=low', 'temp_unit=celsius&metric=low&thresholds=0&direction=at_or_below'],
    ] as const) {
      expect(await tag(plain), written).to.equal(await tag(written));
      expect(await tag(plain)).not.to.equal(await tag(`${plain}&thresholds=31`));
    }
    const other = await tag('direction=at_or_below');
    expect(await tag('')).not.to.equal(other);
    expect(await tag('thresholds=90&direction=at_or_below')).to.equal(other);
  });

  it('given thresholds in any order and twice, then they come once, ascending, below zero as well', async () => {
    const { data } = await ok(`${WINDOW}&thresholds=60,-10.5,55.0,55,60.25`);
    expect(data.map(({ threshold_f }) => threshold_f)).to.deep.equal([-10.5, 55, 60, 60.25]);
  });

  itInCi(
    'given cost/loss ratios, then each threshold has a record a ratio, with its value; without, none',
    async () => {
      const plain = await ok(`${WINDOW}&thresholds=55,60`);
      const valued = await ok(`${WINDOW}&thresholds=55,60&cost_loss=0.5,.2`);
      const fields = ({
        cost_loss,
        economic_value,
        economic_value_low,
        economic_value_high,
        ...scores
      }: Row) => [scores, [cost_loss, economic_value, economic_value_low, economic_value_high]] as const;
      expect(valued.data.map((row) => fields(row)[0])).to.deep.equal(plain.data.flatMap((row) => [row, row]));
      expect(valued.metadata).to.deep.include({ total_records: (plain.metadata as Row).total_records });
      expect(plain.data.some((row) => 'economic_value' in row || 'cost_loss' in row)).to.equal(false);
      for (const [at, row] of valued.data.entries()) {
        const [, [costLoss, value, low, high]] = fields(row);
        const { cases, hits, false_alarms, misses } = row as Record<string, number>;
        const ratio = [0.2, 0.5][at % 2]!;
        const without = Math.min(ratio * cases!, hits! + misses!);
        const expense = ratio * (hits! + false_alarms!) + misses!;
        const perfect = ratio * (hits! + misses!);
        expect([costLoss, value]).to.deep.equal([
          ratio,
          Math.round(((without - expense) / (without - perfect)) * 1e4) / 1e4,
        ]);
        expect(low).to.be.below(value as number);
        expect(high).to.be.within(value as number, 1);
      }
    },
  );

  itInCi('given °C, then a temperature of 0.01 °F is at a threshold or beyond it exactly', async () => {
    const outcomes = async (query: string) => {
      const { data } = await ok(`${COLD_WINDOW}&temp_unit=celsius&${query}`);
      return data.map((row) => [
        ...[row.threshold_f, row.threshold_c, row.hits, row.false_alarms, row.misses, row.correct_negatives],
      ]);
    };
    // 0.01 °C is 32.018 °F, -0.01 °C 31.982; COLD has actuals and forecasts.
    expect(await outcomes('direction=at_or_above&thresholds=-0.01,0,0.01')).to.deep.equal([
      [31.98, -0.01, 4, 0, 0, 0],
      [32, 0, 4, 0, 0, 0],
      [32.02, 0.01, 1, 1, 1, 1],
    ]);
    expect(await outcomes('direction=at_or_below&thresholds=-0.01,0,0.01')).to.deep.equal([
      [31.98, -0.01, 0, 0, 0, 4],
      [32, 0, 1, 0, 0, 3],
      [32.02, 0.01, 1, 1, 1, 1],
    ]);
  });

  it('given a station whose only case is withdrawn, then it has no record, and no part in coverage', async () => {
    const { data, metadata } = await ok(`date_from=${COLD_DAY}&date_to=${WITHDRAWN_DAY}&group_by=station`);
    expect(data.map(({ station_id, cases }) => [station_id, cases])).to.deep.equal([['EGLL', COLD.length]]);
    expect(metadata).to.deep.include({
      total_records: COLD.length,
      verification_coverage: { verified_days: COLD.length, preliminary_days: 0, verified_pct: 1 },
    });
    const before = await ok(`date_from=${WITHDRAWN_DAY}&days=1&group_by=station&as_of=v2`);
    expect(before.data.map(({ station_id, cases }) => [station_id, cases])).to.deep.equal([['KORD', 1]]);
  });
});
