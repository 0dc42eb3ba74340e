import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { type Contract, contractOn } from '../../support/contract/contract.js';
import { plusDays } from '../../support/plain/oracle.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const TODAY = '2025-03-10';
const DAYS = 60;

/** In Phoenix, days begin at 07:00Z all year. */
const beginOf = (date: string): number => Date.parse(date) + 7 * HOUR;
const at = (hours: number, date = TODAY): string => new Date(beginOf(date) + hours * HOUR).toISOString();

interface Outlook {
  method?: string;
  forecast_f: number | null;
  issued_at: string | null;
  lead_time_bucket: string | null;
  lead_range: object | null;
  so_far?: {
    m: number | null;
    hour: number;
    gap: number | null;
    slope: number;
    cases: number;
    hours_reported: number;
  } | null;
  training: { from: string; to: string; station_days: number; network_days: number; weight_station: number };
  quantiles: Record<string, number | null>;
  thresholds: { at_or_above: number | null; low: number | null; high: number | null }[];
  reason: string | null;
  hint?: string | null;
}

/** 40 °F as the day begins, a degree more each hour until 15 h, and 4 °F more on every third day from then on. */
const tempAt = (hour: number, nth: number): number =>
  40 + Math.min(hour, 15) + (hour > 15 && nth % 3 === 0 ? 4 : 0);

/**
 * KAAA and KBBB have 60 days behind them, with hours, so there are 120 cases; KNEW has hours of today alone, and no forecast.
 * Of KDRY nothing within the day is reported, and today KBBB has been silent since 4 h.
 */
function feeds() {
  const [forecasts, observations, hours] = [[] as string[], [] as string[], [] as string[]];
  for (const id of ['KAAA', 'KBBB', 'KDRY', 'KNEW']) {
    for (let ago = DAYS; ago >= 0; ago -= 1) {
      const date = plusDays(TODAY, -ago);
      if (id === 'KNEW' && ago > 0) continue;
      if (id !== 'KNEW') forecasts.push(`${id},${at(-8, date)},${date},${tempAt(23, ago) - 1},30`);
      if (ago > 0) observations.push(`${id},${date},${tempAt(23, ago)},30,verified,${at(30, date)}`);
      for (let hour = 0; hour < 24 && id !== 'KDRY'; hour += 1) {
        if (id === 'KBBB' && ago === 0 && hour > 4) continue;
        hours.push(
          `${id},${new Date(beginOf(date) + hour * HOUR + 51 * MINUTE).toISOString()},${tempAt(hour, ago)}`,
        );
      }
    }
  }
  forecasts.push(`KAAA,${at(6.5)},${TODAY},64,30`);
  const stations = ['KAAA', 'KBBB', 'KDRY', 'KNEW'].map(
    (id) => `${id},${id},US,33.4,-112,America/Phoenix,BWh,true,,`,
  );
  return { stations, forecasts, observations, hours };
}

// The numbers: test/integration/truth/day-so-far.test.ts. Here: what a request may ask, and what it is told.
describe('the odds of a day that has begun (D57)', function () {
  this.timeout(120_000);
  let store: Store;
  let contract: Contract;
  let now = at(10);

  before(async () => {
    ({ store, contract } = await contractOn([feeds()], { now: () => new Date(now) }));
  });
  beforeEach(() => {
    now = at(10);
  });
  after(() => store.close());

  const pathOf = (query: string): string => `/api/v1/probability?target_date=${TODAY}&thresholds=56&${query}`;
  const ask = async (query: string): Promise<Outlook> => (await contract.ok<Outlook>(pathOf(query))).data;

  it('given hours of the day, then they are where the odds start, and the latest forecast is that of the day itself', async () => {
    const found = await ask('station_id=KAAA');
    expect(found).to.include({
      method: 'day_so_far',
      forecast_f: 64,
      issued_at: at(6.5).replace('.000', ''),
    });
    expect(found).to.include({ lead_time_bucket: null, lead_range: null, reason: null, hint: null });
    expect(found.so_far).to.include({ m: 49, hour: 10, gap: 15, cases: 120, hours_reported: 10 });
    expect(found.training).to.include({
      from: '2025-01-09',
      to: '2025-03-09',
      station_days: 60,
      network_days: 120,
    });
    expect(found.thresholds[0]).to.include({ low: null, high: null });
    // Each day ended 1 °F above its forecast, whatever its gap.
    expect(found.quantiles.p50).to.equal(65);
  });

  it('given so_far=ignore, a lead, or several providers, then the odds are those of the forecast', async () => {
    const ignored = await ask('station_id=KAAA&so_far=ignore');
    expect(ignored).to.include({ forecast_f: 58, lead_time_bucket: '6-12h' });
    expect(ignored).not.to.have.any.keys('method', 'so_far', 'hint');
    const led = await ask('station_id=KAAA&lead_time_bucket=6-12h');
    expect({ ...led, lead_range: null }).to.deep.equal({ ...ignored, lead_range: null });
    expect(await ask('station_id=KAAA&lead_hours=8')).not.to.have.any.keys('method', 'so_far', 'hint');
    const far = await contract.ok<Outlook>(
      `/api/v1/probability?target_date=${plusDays(TODAY, -2)}&thresholds=56&station_id=KAAA`,
    );
    expect(far.data).not.to.have.any.keys('method', 'so_far', 'hint');
  });

  it('given a forecast in the request, then it needs no lead once hours are there', async () => {
    const found = await ask('station_id=KAAA&forecast=60');
    expect(found).to.include({ method: 'day_so_far', forecast_f: 60, issued_at: null });
    expect(found.so_far?.gap).to.equal(11);
    const [fault] = await contract.faults(pathOf('station_id=KDRY&forecast=60'));
    expect(fault?.message).to.match(/had begun/);
  });

  it('given fewer than 120 cases, then there are no odds, and the reason says how many are known', async () => {
    const found = await ask('station_id=KAAA&window=59');
    expect(found.method).to.equal('day_so_far');
    expect(found.reason).to.match(/^118 earlier station days .* at least 120/);
    expect([found.thresholds[0]?.at_or_above, found.quantiles.p50]).to.deep.equal([null, null]);
  });

  it('given a station that has been silent for hours, then there are no odds, and the reason says which are reported', async () => {
    const found = await ask('station_id=KBBB');
    expect(found.reason).to.match(/temperature in 5 of the 10 that have passed/);
    expect(found.thresholds[0]?.at_or_above).to.equal(null);
    // Its newest report is 69 minutes old at 6 h, and 71 two minutes later.
    expect((await ask(`station_id=KBBB&known_at=${at(6)}`)).reason).to.equal(null);
    expect((await ask(`station_id=KBBB&known_at=${at(6 + 2 / 60)}`)).reason).to.match(/last 70 minutes/);
  });

  it('given a day of which nothing is reported, then the odds are those of the forecast, and a hint says so once it has had an hour', async () => {
    const found = await ask('station_id=KDRY');
    expect(found).to.include({ method: 'mixture', so_far: null });
    expect(found.hint).to.match(/has begun, and no temperature of it has been reported/);
    now = at(30);
    for (const moment of [at(0.9), at(-3), at(24.5)]) {
      expect(await ask(`station_id=KDRY&known_at=${moment}`), moment).to.include({
        method: 'mixture',
        hint: null,
      });
    }
  });

  it('given a report that is not known yet, then it does not count', async () => {
    now = at(13);
    const before = await ask(`station_id=KAAA&known_at=${at(12 + 53.9 / 60)}`);
    const after = await ask(`station_id=KAAA&known_at=${at(12 + 54 / 60)}`);
    expect([before.so_far?.m, after.so_far?.m]).to.deep.equal([51, 52]);
  });

  it('given a station without days or forecasts, then it has the rise by hour of the network', async () => {
    const found = await ask('station_id=KNEW');
    expect(found).to.include({ method: 'day_so_far', forecast_f: null, issued_at: null, reason: null });
    expect(found.so_far).to.include({ m: 49, gap: null, slope: 0, cases: 120 });
    expect(found.training).to.include({ station_days: 0, network_days: 120, weight_station: 0 });
    // From 49 the cases rise 6 °F, on every third day 10: (40 + 1/2) / 121 = 0.3347, whatever their weights.
    expect(found.thresholds[0]?.at_or_above).to.be.closeTo(1 / 3, 0.001);
  });

  it('when a minute passes, then the question is another one; not so with a lead', async () => {
    const tags = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (const seconds of [0, 59, 60]) {
        now = new Date(beginOf(TODAY) + 10 * HOUR + seconds * 1000).toISOString();
        found.push(await contract.tag(pathOf(query)));
      }
      return found;
    };
    const [first, sameMinute, next] = await tags('station_id=KAAA');
    expect(sameMinute).to.equal(first);
    expect(next).not.to.equal(first);
    expect(new Set(await tags('station_id=KAAA&lead_hours=8')).size).to.equal(1);
    expect(new Set(await tags('station_id=KAAA&so_far=ignore')).size).to.equal(1);
  });

  it('given hour, then reliability has the rivals of that hour alone; without it, none of them', async () => {
    const path = `/api/v1/probability/reliability?date_from=2025-03-01&date_to=2025-03-09`;
    const { data } = await contract.ok<Record<string, unknown>>(`${path}&hour=10`);
    expect(data)
      .to.include({ hour: 10, lead_time_bucket: null, lead_range: null })
      .and.include.keys('rise', 'mixture');
    expect(data).not.to.have.any.keys('normal_2f', 'network', 'station');
    const { data: usual } = await contract.ok<Record<string, unknown>>(path);
    expect(usual).not.to.have.any.keys('hour', 'rise', 'mixture');
    expect(usual).to.include.keys('normal_2f', 'network', 'station');
    for (const more of ['lead_time_bucket=6-12h', 'lead_hours=8', 'providers=default,other']) {
      const faults = await contract.faults(`${path}&hour=10&${more}`);
      expect(faults).to.deep.equal([
        {
          parameter: 'hour',
          message: 'is of days that had begun; leave out lead_time_bucket, lead_hours and providers',
        },
      ]);
    }
  });
});
