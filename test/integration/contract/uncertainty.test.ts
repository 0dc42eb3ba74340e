import { expect } from 'chai';
import { Contract } from '../../support/contract/contract.js';
import { readCsv } from '../../support/contract/cases.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { plusDays } from '../../support/oracle.js';
import { Random } from '../../support/random.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { type PlainPair, plainUncertaintyByDay, plainUncertaintyByWeek } from '../../support/uncertainty.js';
import type { Store } from '../../../src/store/store.js';

const STATIONS = ['KORD', 'KLAX', 'EGLL'];
const FIRST = '2026-03-04'; // a Wednesday; the first whole week begins on the 9th
const DAYS = 61;
const WINDOW = `date_from=${FIRST}&date_to=${plusDays(FIRST, DAYS - 1)}`;
const MONDAYS = Array.from({ length: 8 }, (_, week) => plusDays('2026-03-09', 7 * week)); // the last whole one ends on 3 May

interface Known {
  uncertainty?: Record<string, unknown>;
}

/** Two months of three stations: errors that last from day to day, days without forecasts, one to three a day. */
function feeds(): { stations: string[]; forecasts: string[]; observations: string[] } {
  const random = new Random(20_261_124);
  const found = { stations: [] as string[], forecasts: [] as string[], observations: [] as string[] };
  for (const station of STATIONS) {
    found.stations.push(`${station},${station} City,US,40,-90,UTC,Cfa,true,,`);
    let weather = 0;
    for (let day = 0; day < DAYS; day += 1) {
      const date = plusDays(FIRST, day);
      weather = 0.5 * weather + 2 * random.gaussian();
      found.observations.push(`${station},${date},60,40,verified,${plusDays(date, 2)}T00:00:00Z`);
      for (const hours of [3, 20, 30]) {
        if (random.below(4) === 0 || day === 17) continue;
        const issued = new Date(Date.parse(date) - hours * 3_600_000).toISOString();
        const [high, low] = [60 + weather + random.gaussian(), 40 - weather + random.gaussian()];
        found.forecasts.push(`${station},${issued},${date},${high.toFixed(2)},${low.toFixed(2)}`);
      }
    }
  }
  return found;
}

describe('ci, how far statistics are known (D29)', () => {
  let store: Store;
  let contract: Contract;
  /** By station, with the lead-time bucket. */
  const pairs = new Map<string, (PlainPair & { bucket: string })[]>();

  before(async () => {
    store = await openTestStore();
    const { rejections } = await loadLines(store, feeds());
    expect(rejections).to.deep.equal([]);
    contract = await Contract.of(await startTestService(store, { now: '2026-06-01T00:00:00Z' }));
    for (const station of STATIONS) {
      const { data } = await contract.ok<{
        sample_records: { target_date: string; error: number; lead_time_bucket: string }[];
      }>(`/api/v1/accuracy/by-station/${station}?${WINDOW}&include_raw=true`);
      pairs.set(
        station,
        data.sample_records.map(({ target_date, error, lead_time_bucket }) => ({
          target_date,
          error: Math.round(error * 100),
          bucket: lead_time_bucket,
        })),
      );
    }
  });
  after(() => store.close());

  const all = () => [...pairs.values()].flat();
  const ok = <Data>(path: string) => contract.ok<Data>(`/api/v1/accuracy/${path}${WINDOW}&ci=0.95`);

  it('given a network or a station, then it is what plain loops over its pairs find', async () => {
    const network = await ok<Known>('summary?');
    expect(network.data.uncertainty).to.deep.equal(plainUncertaintyByDay(all()));
    for (const path of [
      'summary?station_id=KLAX&',
      'by-station/KLAX?',
      'by-station/KLAX?include_raw=true&',
    ]) {
      const { data } = await ok<Known>(path);
      expect(data.uncertainty, path).to.deep.equal(plainUncertaintyByDay(pairs.get('KLAX') ?? []));
    }
  });

  it('given lead times, then each has its own', async () => {
    const { data } = await ok<({ lead_time_bucket: string } & Known)[]>('by-lead-time?');
    for (const { lead_time_bucket, uncertainty } of data) {
      const own = all().filter(({ bucket }) => bucket === lead_time_bucket);
      expect(uncertainty, lead_time_bucket).to.deep.equal(plainUncertaintyByDay(own));
    }
    const known = data.filter(({ uncertainty }) => Number(uncertainty?.degrees_of_freedom) > 0);
    expect(known.map((each) => each.lead_time_bucket)).to.deep.equal(['0-6h', '12-24h', '24-48h']);
  });

  it('given stations, then each has its own by weeks, from whatever table it is read', async () => {
    const shown = new Map<string, unknown>();
    for (const path of ['by-city?', 'by-city?lead_time_bucket=0-6h,12-24h,24-48h&']) {
      const { data } = await ok<({ station_id: string } & Known)[]>(path);
      for (const { station_id, uncertainty } of data) {
        const plain = plainUncertaintyByWeek(pairs.get(station_id) ?? [], MONDAYS);
        expect(uncertainty, `${path} ${station_id}`).to.deep.equal(plain);
        shown.set(station_id, uncertainty);
      }
    }
    expect([...shown.keys()].sort()).to.deep.equal([...STATIONS].sort());
    const one = await ok<Known[]>('by-city?station_id=EGLL&');
    expect(one.data[0]?.uncertainty).to.deep.equal(shown.get('EGLL'));
  });

  it('given another level, then intervals are wider or narrower, and nothing else changes', async () => {
    const widths: number[] = [];
    for (const level of ['0.8', '0.9', '0.95', '0.99']) {
      const { data } = await contract.ok<{
        uncertainty: { level: number; mae: { low: number; high: number; std_error: number } };
      }>(`/api/v1/accuracy/summary?${WINDOW}&ci=${level}`);
      expect(data.uncertainty.level).to.equal(Number(level));
      widths.push(data.uncertainty.mae.high - data.uncertainty.mae.low);
    }
    expect(widths).to.deep.equal([...widths].sort((a, b) => a - b));
    expect(new Set(widths).size).to.equal(4);
  });

  it('given a window of 13 days, or without pairs, then there is no interval, and every field is there', async () => {
    const none = { low: null, high: null, std_error: null, n_eff: null };
    for (const [window, days] of [
      [`date_from=${FIRST}&days=13`, 13],
      ['date_from=2020-01-01&days=30', 0],
    ] as const) {
      const { data } = await contract.ok<Known>(`/api/v1/accuracy/summary?${window}&ci=0.9`);
      expect(data.uncertainty).to.deep.equal({
        level: 0.9,
        method: 'day_ewc',
        days,
        degrees_of_freedom: 0,
        mean_error: none,
        mae: none,
        rmse: none,
      });
    }
  });

  it('given CSV, then it has the columns where the request asks for them, and no others otherwise', async () => {
    for (const path of ['summary?', 'by-station/KORD?', 'by-lead-time?', 'by-city?']) {
      const plain = await readCsv(contract, `/api/v1/accuracy/${path}${WINDOW}`);
      const known = await readCsv(contract, `/api/v1/accuracy/${path}${WINDOW}&ci=0.95`);
      expect(known.header.slice(0, plain.header.length), path).to.deep.equal(plain.header);
      const fields = ['low', 'high', 'std_error', 'n_eff'];
      expect(known.header.slice(plain.header.length), path).to.deep.equal([
        ...['level', 'method', 'days', 'degrees_of_freedom'],
        ...['mean_error', 'mae', 'rmse'].flatMap((name) => fields.map((field) => `${name}_${field}`)),
      ]);
    }
  });
});
