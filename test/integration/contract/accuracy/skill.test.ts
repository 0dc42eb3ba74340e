import { expect } from 'chai';
import type { Store } from '../../../../src/store/store.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import { loadLines } from '../../../support/ingest/feeds.js';
import type { CasesQuestion } from '../../../support/plain/cases.js';
import { skillOf } from '../../../support/plain/comparison.js';
import {
  BUCKETS,
  type ForecastRow,
  linesOf,
  type Load,
  type NormalRow,
  type ObservationRow,
  plusDays,
  startOfDay,
  type StationRow,
} from '../../../support/plain/oracle.js';
import { Random } from '../../../support/random.js';
import { itInCi, range } from '../../../support/runner/range.js';

const HOUR = 3_600_000;
const FIRST = '2026-02-20';
const DAYS = 40;
const LAST = plusDays(FIRST, DAYS - 1);
const WINDOW = `date_from=${FIRST}&date_to=${LAST}`;

// Clocks change in Chicago on 8 March.
const STATIONS: StationRow[] = [
  ['EGLL', 'UTC'],
  ['KORD', 'America/Chicago'],
].map(([station_id = '', timezone = '']) => ({
  station_id,
  city_name: `${station_id} City`,
  timezone,
  iata: '',
}));

/** So many that a long window is read in parts. */
const WITHOUT_FORECASTS: StationRow[] = Array.from({ length: 98 }, (_, at) => ({
  station_id: `N${100 + at}`,
  city_name: `City ${at}`,
  timezone: 'UTC',
  iata: '',
}));
const DAYS_OF_A_PART = 600;

const REFERENCES = ['persistence', 'climatology'] as const;

/**
 * Forty days of forecasts at two stations, and seventy days before them: reports that come early or late, are verified,
 * corrected or missing. The same season of earlier years, around leap days; one year of Chicago becomes known in March.
 */
function feeds(): Load {
  const random = new Random(20_261_122);
  const forecasts: ForecastRow[] = [];
  const observations: ObservationRow[] = [];
  for (const { station_id, timezone } of STATIONS) {
    const report = (date: string, high: number, after: number, status: ObservationRow['status']): void => {
      const observed_at = startOfDay(date, timezone) + after * HOUR;
      observations.push({ station_id, date, high, low: undefined, status, observed_at });
    };
    for (let day = -70; day < DAYS; day += 1) {
      const date = plusDays(FIRST, day);
      const actual = 4000 + random.below(3000);
      if (random.below(12) === 0 && day < 0) continue;
      report(date, actual + 100 * random.below(3), random.of([20, 26, 40, 120]), 'preliminary');
      report(date, actual + 50 * random.below(2), random.of([44, 60, 90]), 'verified');
      if (random.below(4) === 0) report(date, actual, 240, 'verified');
      if (day < 0) continue;
      for (const hours of [80, 50, 30, 20, 8, 2]) {
        if (random.below(4) === 0) continue;
        const issued_at = startOfDay(date, timezone) - hours * HOUR;
        const high = actual + 25 * (random.below(33) - 16);
        forecasts.push({ station_id, issued_at, target_date: date, high, low: undefined });
      }
    }
    const years = station_id === 'KORD' ? [2023, 2024, 2025] : [1995, 1999, 2000, 2021, 2024];
    for (const year of years) {
      for (let date = `${year}-02-08`; date <= `${year}-04-12`; date = plusDays(date, 1)) {
        const late = year === 2023 ? (Date.parse('2026-03-10') - Date.parse(date)) / HOUR : 50;
        if (random.below(10) > 0) report(date, -500 + random.below(6000), late, 'verified');
      }
    }
  }
  return { stations: [...STATIONS, ...WITHOUT_FORECASTS], forecasts, observations };
}

type Row = Record<string, unknown>;

describe('GET /api/v1/accuracy/skill', () => {
  let store: Store;
  let contract: Contract;
  const load = feeds();

  before(async () => {
    ({ store, contract } = await contractOn([linesOf(load)], { now: '2026-06-01T00:00:00Z' }));
  });
  after(() => store.close());

  const ok = (query: string) => contract.ok<Row[]>(`/api/v1/accuracy/skill?${query}`);
  const expected = (reference: (typeof REFERENCES)[number], given: Partial<CasesQuestion> = {}) =>
    skillOf(
      [load],
      { metric: 'high', provider: 'default', first: FIRST, last: LAST, buckets: BUCKETS, ...given },
      reference,
    );

  for (const reference of range({ test: 1, ci: Infinity }, REFERENCES)) {
    it(`given ${reference}, then each lead time has the skill and the intervals of plain loops`, async () => {
      const { data } = await ok(`${WINDOW}&reference=${reference}`);
      expect(data).to.deep.equal(
        BUCKETS.map((bucket) => ({
          lead_time_bucket: bucket,
          ...expected(reference, { buckets: [bucket] }),
        })),
      );
      expect(data.some(({ skill_mae }) => (skill_mae as Row).low !== null)).to.equal(true);
    });

    itInCi(
      `given ${reference}, then stations and all as one count each day once, with its latest forecast`,
      async () => {
        const { data: stations } = await ok(`${WINDOW}&reference=${reference}&group_by=station`);
        expect(stations).to.deep.equal(
          STATIONS.map(({ station_id, city_name }) => ({
            station_id,
            city_name,
            ...expected(reference, { station: station_id }),
          })),
        );
        const { data, metadata } = await ok(`${WINDOW}&reference=${reference}&group_by=none&lead=24`);
        expect(data).to.deep.equal([expected(reference, { buckets: BUCKETS.slice(3) })]);
        expect(metadata.total_records).to.equal(
          Number(data[0]!.cases) + Number(data[0]!.cases_without_reference),
        );
      },
    );
  }

  itInCi('given a window of more days than are read at once, then the parts add up', async () => {
    const first = plusDays(FIRST, 20 - DAYS_OF_A_PART);
    for (const group_by of ['none', 'station'] as const) {
      const { data } = await ok(`date_from=${first}&date_to=${LAST}&group_by=${group_by}`);
      const stations = group_by === 'none' ? [undefined] : STATIONS.map(({ station_id }) => station_id);
      expect(data.map(({ station_id: _, city_name: __, ...record }) => record)).to.deep.equal(
        stations.map((station) => expected('persistence', { first, station })),
      );
    }
  });

  it('given more station days than an answer can read, then it is refused with as many as it can', async () => {
    const [fault] = await contract.faults(
      '/api/v1/accuracy/skill?reference=climatology&date_from=2017-01-01&date_to=2026-01-01',
    );
    expect(fault).to.deep.equal({
      parameter: 'days',
      message:
        'reads every day of 100 stations; name fewer of them, or ask for at most 2000 days instead of 3288',
    });
    await ok('reference=climatology&date_from=2017-01-01&date_to=2026-01-01&station_id=KORD');
  });

  itInCi(
    'given years that become known during the window, then days before that have no climatology',
    async () => {
      const [record] = (await ok(`${WINDOW}&reference=climatology&group_by=none&station_id=KORD`)).data;
      expect(record!.cases).to.be.above(10);
      expect(record!.cases_without_reference).to.be.above(10);
      const before = await ok(
        `date_from=${FIRST}&date_to=2026-03-10&reference=climatology&station_id=KORD&group_by=none`,
      );
      expect(before.data[0]).to.include({
        cases: 0,
        mae: null,
        reference_mae: null,
        mean_reference_lag_days: null,
      });
    },
  );

  it('given the lag of the reference, then it grows with the lead', async () => {
    const { data } = await ok(WINDOW);
    const [first, last] = [data[0], data.at(-1)].map((record) => Number(record!.mean_reference_lag_days));
    expect(last).to.be.above(first! + 2);
  });

  itInCi(
    'when normals are loaded, corrected and withdrawn, then days with one are held against it',
    async () => {
      const nothing: Load = { stations: [], forecasts: [], observations: [] };
      const normals: NormalRow[] = STATIONS.flatMap(({ station_id }) =>
        Array.from({ length: 15 }, (_, at) => ({
          station_id,
          month_day: plusDays(FIRST, at).slice(5),
          high: 3500 + 125 * at,
          low: undefined,
        })),
      );
      const later: NormalRow[] = [
        { ...normals[3]!, high: 9000 },
        { ...normals[20]!, withdrawn: true },
      ];
      const loads: Load[] = [load, { ...nothing, normals }, { ...nothing, normals: later }];
      const group = `${WINDOW}&reference=climatology&group_by=none`;
      const before = (await ok(group)).data;
      expect(before[0]).to.include({ cases_with_normals: 0 });
      for (const each of loads.slice(1)) await loadLines(store, linesOf(each));
      expect((await ok(`${group}&as_of=v1`)).data).to.deep.equal(before);
      for (const version of [2, 3]) {
        const { data } = await ok(`${group}&as_of=v${version}`);
        const question = {
          metric: 'high',
          provider: 'default',
          first: FIRST,
          last: LAST,
          buckets: BUCKETS,
        } as const;
        expect(data, `v${version}`).to.deep.equal([
          skillOf(loads.slice(0, version), question, 'climatology'),
        ]);
        expect(data[0]!.cases_with_normals).to.be.within(15, Number(data[0]!.cases) - 15);
        if (version === 3) expect((await ok(group)).data).to.deep.equal(data);
      }
    },
  );

  itInCi('when all that was reported after the last issuance changes, then no reference does', async () => {
    const answers = async (): Promise<Row[][]> => {
      const found: Row[][] = [];
      for (const reference of REFERENCES) found.push((await ok(`${WINDOW}&reference=${reference}`)).data);
      return found;
    };
    const before = await answers();
    // Verified in the end, of days that no forecast of the window is held against.
    const later = load.observations
      .filter(({ date }) => date < FIRST && date > '2025-01-01')
      .map((row, at) => ({
        ...row,
        high: 9000 + at,
        status: 'verified' as const,
        observed_at: Date.parse('2026-05-01') + 1000 * at,
      }));
    const report = await loadLines(store, linesOf({ stations: [], forecasts: [], observations: later }));
    expect([report.rejections.length, later.length > 100]).to.deep.equal([0, true]);
    expect(await answers()).to.deep.equal(before);
  });
});
