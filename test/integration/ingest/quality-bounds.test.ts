import { expect } from 'chai';
import { checkDays, checkHourlyForecasts, checkNormals } from '../../../src/ingest/check/quality-control.js';
import { checkHours } from '../../../src/ingest/check/quality-within-day.js';
import type { SuspectRow } from '../../../src/ingest/check/suspect-rows.js';
import type { ValueFeed } from '../../../src/feeds/feeds.js';
import { valueColumns } from '../../../src/feeds/feeds.js';
import { raw } from '../../../src/queries/sql.js';
import type { Store } from '../../../src/store/store.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { openTestStore } from '../../support/store.js';

const LOAD = 1;
const FACTS = new Set(['forecasts', 'observations'] as const);
const HOUR_S = 3600;
const START_S = Date.parse('2026-06-10T00:00:00Z') / 1000;

/** A row of a staging table as JSON. */
type Row = Record<string, unknown> & { station_id: string };

/** A row as its table has it: its instants in milliseconds, its value beside none of the other variables of its feed. */
function asStaged(feed: ValueFeed, { metric = 'temperature', forecast, actual, normal, ...row }: Row): Row {
  for (const name of Object.keys(row).filter((column) => /^(at|\w+_at)$/.test(column))) {
    row[`${name.replace(/_at$/, '')}_ms`] = Date.parse(`${String(row[name]).replace(' ', 'T')}Z`);
    delete row[name];
  }
  if (feed === 'hours') return row;
  const value = forecast ?? actual ?? normal;
  return { ...row, values: valueColumns(feed).map(({ variable }) => (variable === metric ? value : null)) };
}

// Each case is a station of its own, and all of a kind are judged in one statement: a bound costs no statement.
describe('quality control: its bounds, from both sides', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  afterEach(() => emptyStore(store));

  /** Puts rows into a staging table, with numbers from 1. */
  const stage = async (table: ValueFeed, rows: readonly Row[]): Promise<void> => {
    const lines = rows.map((row, at) =>
      JSON.stringify({ row_number: at + 1, load_id: LOAD, ...asStaged(table, row) }),
    );
    await store.command(raw(`INSERT INTO staged_${table} FORMAT JSONEachRow ${lines.join('\n')}`));
  };
  /** The stations of suspect rows, each with how many it has. */
  const count = (suspects: readonly SuspectRow[], rows: readonly Row[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { row_number } of suspects) {
      const name = rows[row_number - 1]!.station_id;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };

  const dayOf = (day: number): string => `2026-06-${String(day).padStart(2, '0')}`;
  const observed = (station_id: string, day: number, actual: number): Row => ({
    ...{ station_id, metric: 'high', target_date: dayOf(day), actual },
    ...{ observation_status: 'verified', observed_at: `${dayOf(day)} 23:00:00.000` },
  });
  const predicted = (station_id: string, provider: string, forecast: number, lead = 1): Row => ({
    ...{ station_id, metric: 'high', target_date: dayOf(9), provider, forecast },
    issued_at: `${dayOf(9 - lead)} 00:00:00.000`,
  });

  it('days: given a value beside others of its day, or beyond the days around, then the bound decides', async () => {
    const forecasts: Row[] = [];
    const observations: Row[] = [];
    const around = (name: string, days: readonly number[]): void =>
      observations.push(...days.map((day) => observed(name, day, 70))) as unknown as void;
    /** Observations alone, of which day 9 is another. */
    const alone = (name: string, value: number, days: readonly number[]): void => {
      around(name, days);
      observations.push(observed(name, 9, value));
    };
    const [before, after] = [
      [2, 3, 4, 5, 6, 7, 8],
      [10, 11, 12, 13, 14, 15, 16],
    ];
    alone('alone, 25 above', 95, [...before, ...after]);
    alone('alone, less than 25 above', 94.99, [...before, ...after]);
    alone('alone, 25 below', 45, [...before, ...after]);
    alone('alone, less than 25 below', 45.01, [...before, ...after]);
    alone('alone, three days after it', 95, [...before, 10, 11, 12]);
    alone('alone, two days after it', 95, [...before, 10, 11]);
    alone('alone at the end, 40 above', 110, before);
    alone('alone at the end, less than 40 above', 109.99, before);
    alone('alone, six days around', 110, [3, 4, 5, 6, 7, 8]);
    alone('alone, five days around', 110, [4, 5, 6, 7, 8]);
    const beside = (name: string, value: number, others: readonly number[], lead = 1): void =>
      forecasts.push(
        predicted(name, 'one', value, lead),
        ...others.map((other, at) => predicted(name, `other-${at}`, other)),
      ) as unknown as void;
    beside('two others, 25 away', 95, [70, 70]);
    beside('two others, less than 25 away', 94.99, [70, 70]);
    beside('the nearest of three 15 away', 95, [70, 70, 80]);
    beside('the nearest of three less than 15 away', 95, [70, 70, 80.01]);
    beside('5 days ahead, 25 away', 95, [70, 70], 5);
    beside('6 days ahead, 25 away', 95, [70, 70], 6);
    beside('6 days ahead, 35 away', 105, [70, 70], 6);
    beside('6 days ahead, less than 35 away', 104.99, [70, 70], 6);
    beside('6 days ahead, the nearest 25 away', 105, [70, 70, 80], 6);
    beside('6 days ahead, the nearest less than 25 away', 105, [70, 70, 80.01], 6);
    beside('one other, 25 away: both', 95, [70]);
    beside('one other, less than 25 away', 94.99, [70]);
    for (const [name, value] of [
      ['two agree, 35 beyond the days around: both', 105],
      ['two agree, less than 35 beyond the days around', 104.99],
    ] as const) {
      around(name, [...before, ...after]);
      beside(name, value, [value]);
    }
    for (const [name, next] of [
      ['observed, 5 from the day after', 90],
      ['observed, more than 5 from the day after', 89.99],
    ] as const) {
      beside(name, 70, [70]);
      observations.push(observed(name, 9, 95), observed(name, 10, next));
    }
    await stage('forecasts', forecasts);
    await stage('observations', observations);
    const span = { first_date: '2026-06-01', last_date: '2026-06-01', row_count: 1 };
    const found = await checkDays(store, LOAD, span, FACTS);
    const of = (feed: string): SuspectRow[] => found.filter((each) => each.feed === feed);
    expect(count(of('observations'), observations)).to.deep.equal({
      'alone, 25 above': 1,
      'alone, 25 below': 1,
      'alone, three days after it': 1,
      'alone at the end, 40 above': 1,
      'alone, six days around': 1,
      'observed, more than 5 from the day after': 1,
    });
    expect(count(of('forecasts'), forecasts)).to.deep.equal({
      'two others, 25 away': 1,
      'the nearest of three 15 away': 1,
      '5 days ahead, 25 away': 1,
      '6 days ahead, 35 away': 1,
      '6 days ahead, the nearest 25 away': 1,
      'one other, 25 away: both': 2,
      'two agree, 35 beyond the days around: both': 2,
    });
    const large = { ...span, row_count: 1_000_000 };
    expect(await checkDays(store, LOAD, large, FACTS, 0)).to.have.deep.members(found);
  });

  it('forecasts of hours: given a value beside its hour or the hours around, then the bound decides', async () => {
    const forecasts: Row[] = [];
    const reports: Row[] = [];
    const at = (hour: number): string => `${dayOf(9)} ${String(hour).padStart(2, '0')}:00:00.000`;
    const predictedAt = (station_id: string, provider: string, hour: number, forecast: number): Row => ({
      ...{ station_id, provider, valid_at: at(hour), issued_at: at(0), forecast },
    });
    /** A forecast of noon, with those of the same run for hours around it. */
    const run = (name: string, noon: number, hours: readonly number[]): void => {
      forecasts.push(predictedAt(name, 'one', 12, noon));
      forecasts.push(...hours.map((hour) => predictedAt(name, 'one', hour, 70)));
    };
    run('one run, 25 above the hours around', 95, [8, 9, 10, 11, 13, 14, 15, 16]);
    run('one run, less than 25 above', 94.99, [8, 9, 10, 11, 13, 14, 15, 16]);
    run('one run, five hours around', 95, [9, 10, 11, 13, 14]);
    run('one run, two of six hours around 5 away', 95, [7, 9, 10, 14, 16, 17]);
    for (const [name, noon] of [
      ['a report and another provider, 25 away', 95],
      ['a report and another provider, less than 25 away', 94.99],
    ] as const) {
      forecasts.push(predictedAt(name, 'one', 12, noon), predictedAt(name, 'other', 12, 70));
      reports.push({ station_id: name, at: `${dayOf(9)} 11:30:00.000`, reading: { temp_f: 70 } });
    }
    await stage('hourly_forecasts', forecasts);
    await stage('hours', reports);
    const span = { first_date: '2026-06-01', last_date: '2026-06-01', row_count: 1 };
    const found = await checkHourlyForecasts(store, LOAD, span);
    expect(count(found, forecasts)).to.deep.equal({
      'one run, 25 above the hours around': 1,
      'a report and another provider, 25 away': 1,
    });
    expect(await checkHourlyForecasts(store, LOAD, span, 0)).to.deep.equal(found);
  });

  it('hours: given a report beside others, its day or extremes of six hours, then the bound decides', async () => {
    const rows: Row[] = [];
    const report = (station_id: string, at_s: number, reading: Record<string, number>): void => {
      const at = new Date((START_S + at_s) * 1000).toISOString().replace('T', ' ').replace('Z', '');
      rows.push({ station_id, at, reading: { sky: '', ...reading } });
    };
    const temps = (name: string, values: readonly number[], gap_s = HOUR_S): void =>
      values.forEach((temp_f, at) => report(name, at * gap_s, { temp_f }));
    temps('18 from both', [50, 68, 50]);
    temps('more than 18 from both', [50, 68.01, 50]);
    temps('30 at the end', [50, 80]);
    temps('more than 30 at the end: both', [50, 80.01]);
    temps('3 h apart', [50, 68.01, 50], 3 * HOUR_S);
    temps('more than 3 h apart', [50, 68.01, 50], 3 * HOUR_S + 1);
    temps('a front of 25', [50, 50, 50, 50, 75, 75]);
    temps('more than a front, far from the median of five', [50, 50, 50, 50, 75.01, 75.01]);
    temps('more than a front, far from the median of four', [50, 50, 50, 75.01]);
    const far = 3 * HOUR_S + 60;
    temps(
      'less than 36 from the mean',
      [...Array<number>(7).fill(0), 38.57, ...Array<number>(7).fill(0)],
      far,
    );
    temps(
      'more than 36 from the mean',
      [...Array<number>(7).fill(0), 38.58, ...Array<number>(7).fill(0)],
      far,
    );
    temps('far from the mean of twelve', [...Array<number>(6).fill(0), 40, ...Array<number>(5).fill(0)], far);
    temps('far from the mean of eleven', [...Array<number>(5).fill(0), 40, ...Array<number>(5).fill(0)], far);
    for (const [name, reading] of [
      ['25 above the reports', { max_6h_f: 75 }],
      ['more than 25 above the reports', { max_6h_f: 75.01 }],
      ['25 below the reports', { min_6h_f: 25 }],
      ['more than 25 below the reports', { min_6h_f: 24.99 }],
    ] as const)
      report(name, 0, { temp_f: 50, ...reading });
    const days: Row[] = [];
    for (const [name, temp_f] of [
      ['18 above the high', 78],
      ['more than 18 above the high', 78.01],
      ['18 below the low', 32],
      ['more than 18 below the low', 31.99],
    ] as const) {
      report(name, 12 * HOUR_S, { temp_f });
      days.push(observed(name, 10, 60), { ...observed(name, 10, 50), metric: 'low' });
    }
    await stage('hours', rows);
    await stage('observations', days);
    const found = await checkHours(store, LOAD, { first_date: '2026-06-01', last_date: '2026-06-01' });
    expect(count(found, rows)).to.deep.equal({
      'more than 18 from both': 1,
      'more than 30 at the end: both': 2,
      '3 h apart': 1,
      'more than a front, far from the median of five': 1,
      'more than 36 from the mean': 1,
      'far from the mean of twelve': 1,
      'more than 25 above the reports': 1,
      'more than 25 below the reports': 1,
      'more than 18 above the high': 1,
      'more than 18 below the low': 1,
    });
  });

  it('hours: given random reports, then the days that may have a suspect one have all of them', async () => {
    const random = new Random(66);
    const [rows, stored, days]: [Row[], Row[], Row[]] = [[], [], []];
    for (let station = 0; station < 300; station += 1) {
      const station_id = `station-${station}`;
      const from = random.below(60);
      const [gap, hours, staged] = [random.of([0, 0, 5]), random.of([1, 1, 4]), random.of([0.5, 0])];
      const by = random.of([-1, 1]) * (15 + random.below(40));
      for (let hour = 0; hour < 72; hour += 1) {
        const isOff = hour >= from && hour < from + hours;
        if (!isOff && hour >= from - gap && hour < from + hours + gap) continue;
        const off = random.next() < 0.01 ? random.of([-26, -20, 20, 26]) : 0;
        const temp_f = 50 + random.below(3) + (isOff ? by : 0);
        const six = { max_6h_f: temp_f + Math.max(off, 0), min_6h_f: temp_f + Math.min(off, 0) };
        const at = new Date((START_S + hour * HOUR_S) * 1000).toISOString().slice(0, -1);
        const reading = { temp_f: hour % 7 === 6 ? null : temp_f, ...(hour % 6 === 0 && six) };
        if (isOff || random.next() < staged) rows.push({ station_id, at, reading });
        else stored.push({ station_id, at, reading });
      }
      for (const day of [10, 11, 12])
        if (random.next() < 0.3)
          days.push(observed(station_id, day, 55 + random.of([0, 20])), {
            ...observed(station_id, day, 45 - random.of([0, 20])),
            metric: 'low',
          });
    }
    // Its low of the last day alone says that the cold evening before is right.
    for (let hour = 0; hour < 48; hour += 1) {
      const temp_f = hour === 5 ? 30 : 50 - 2 * Math.max(0, hour - 32);
      const at = new Date((START_S + hour * HOUR_S) * 1000).toISOString().slice(0, -1);
      rows.push({ station_id: 'a cold front', at, reading: { temp_f } });
    }
    for (const [day, low] of [
      [11, 45],
      [12, 15],
    ] as const)
      days.push(observed('a cold front', day, 55), { ...observed('a cold front', day, low), metric: 'low' });
    await stage('hours', rows);
    await stage('observations', days);
    await store.command(
      raw(`INSERT INTO hours FORMAT JSONEachRow ${stored.map((row) => JSON.stringify(row)).join('\n')}`),
    );
    const span = { first_date: '2026-06-10', last_date: '2026-06-12' };
    const found = await checkHours(store, LOAD, span);
    expect(found).to.deep.equal(await checkHours(store, LOAD, span, 0));
    expect(new Set(found.map(({ check, column }) => `${check} ${column}`))).to.have.lengthOf(6);
  });

  it('normals: given one beside those around it, or what its month has, then the bound decides', async () => {
    const rows: Row[] = [];
    const observations: Row[] = [];
    const normals = (station_id: string, values: readonly number[], first = 1): void =>
      values.forEach((normal, at) =>
        rows.push({
          station_id,
          metric: 'high',
          month_day: `06-${String(first + at).padStart(2, '0')}`,
          normal,
        }),
      );
    normals('15 from four others', [50, 50, 65, 50, 50]);
    normals('more than 15 from four others', [50, 50, 65.01, 50, 50]);
    normals('more than 15 from three others', [50, 50, 65.01, 50]);
    for (const [name, normal, days] of [
      ['25 from ten days of its month', 75, 10],
      ['more than 25 from ten days of its month', 75.01, 10],
      ['more than 25 from nine days of its month', 75.01, 9],
    ] as const) {
      normals(name, [normal]);
      for (let day = 1; day <= days; day += 1) observations.push(observed(name, day, 50));
    }
    await stage('normals', rows);
    await stage('observations', observations);
    expect(count(await checkNormals(store, LOAD), rows)).to.deep.equal({
      'more than 15 from four others': 1,
      'more than 25 from ten days of its month': 1,
    });
  });
});
