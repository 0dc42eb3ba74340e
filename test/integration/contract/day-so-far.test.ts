import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { type Contract, contractOn } from '../../support/contract/contract.js';
import { plusDays } from '../../support/plain/oracle.js';
import { itInCi, range } from '../../support/runner/range.js';

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

const STATIONS = ['KAAA', 'KBBB', 'KDRY', 'KNEW', 'KGAP', 'KVAL'];
const NEW = ['KNEW', 'KGAP', 'KVAL'];

/**
 * KAAA and KBBB have 60 days behind them, with hours, so there are 120 cases; KNEW has hours of today alone, and no forecast.
 * KDRY reports nothing within the day, and today KBBB has been silent since 4 h. KGAP and KVAL have hours and a forecast
 * of today alone: KGAP none of 4 to 7 h, and the value of KVAL is reported the next morning.
 */
function feeds() {
  const [forecasts, observations, hours] = [[] as string[], [] as string[], [] as string[]];
  for (const id of STATIONS) {
    for (let ago = DAYS; ago >= 0; ago -= 1) {
      const date = plusDays(TODAY, -ago);
      if (NEW.includes(id) && ago > 0) continue;
      if (id !== 'KNEW') forecasts.push(`${id},${at(-8, date)},${date},${tempAt(23, ago) - 1},30`);
      if (ago > 0 || id === 'KVAL')
        observations.push(`${id},${date},${tempAt(23, ago)},30,verified,${at(30, date)}`);
      for (let hour = 0; hour < 24 && id !== 'KDRY'; hour += 1) {
        if (id === 'KBBB' && ago === 0 && hour > 4) continue;
        if (id === 'KGAP' && hour > 3 && hour < 7) continue;
        hours.push(
          `${id},${new Date(beginOf(date) + hour * HOUR + 51 * MINUTE).toISOString()},${tempAt(hour, ago)}`,
        );
      }
    }
  }
  forecasts.push(`KAAA,${at(6.5)},${TODAY},64,30`);
  forecasts.push(`KAAA,${at(24.5)},${TODAY},70,30`);
  const stations = STATIONS.map((id) => `${id},${id},US,33.4,-112,America/Phoenix,BWh,true,,`);
  return { stations, forecasts, observations, hours };
}

// The numbers: test/integration/truth/day-so-far.test.ts. Here: what a request may ask, and what it is told.
describe('the odds of a day that has begun (D57)', function () {
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

  it('given hours of the day, then the odds start there, and the latest forecast is of the day itself', async () => {
    const found = await ask('station_id=KAAA');
    expect(found).to.include({
      method: 'day_so_far',
      forecast_f: 64,
      issued_at: at(6.5).replace('.000', ''),
    });
    expect(found).to.include({ lead_time_bucket: null, lead_range: null, reason: null });
    // The 20 of its 60 days on which it was warmer had the gap of 12, 3 less: 5/8 each of 20, beside 20 of the network's.
    expect(found.training.weight_station).to.equal(0.2);
    expect(found.hint).to.match(/own days weigh 0.2 beside those of others.* a longer window than 60 days/);
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

  itInCi(
    'given so_far=ignore, a lead, or several providers, then the odds are those of the forecast',
    async () => {
      const ignored = await ask('station_id=KAAA&so_far=ignore');
      expect(ignored).to.include({ forecast_f: 58, lead_time_bucket: '6-12h' });
      expect(ignored).not.to.have.any.keys('method', 'so_far', 'hint');
      const led = await ask('station_id=KAAA&lead_time_bucket=6-12h');
      expect({ ...led, lead_range: null }).to.deep.equal({ ...ignored, lead_range: null });
      expect(await ask('station_id=KAAA&lead_hours=8')).not.to.have.any.keys('method', 'so_far', 'hint');
      const far = await contract.ok<Outlook>(
        `/api/v1/probability?target_date=${plusDays(TODAY, -8)}&thresholds=56&station_id=KAAA`,
      );
      expect(far.data).not.to.have.any.keys('method', 'so_far', 'hint');
      expect(far.metadata.hint).to.match(
        /^2025-03-02 has ended at KAAA: \/data\/observations has its temperature/,
      );
    },
  );

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

  itInCi(
    "given a station silent for hours, then the odds are of its newest report's hour, and a hint says so",
    async () => {
      // The report of 4:51 is known at 4:54, so earlier days have it by their hour 5. It is 69 minutes old at 6 h, and 71
      // two minutes later.
      const oddsAt = async (hours: number): Promise<Outlook> => ask(`station_id=KBBB&known_at=${at(hours)}`);
      const [stillNew, old, later] = [
        await oddsAt(6),
        await oddsAt(6 + 2 / 60),
        await ask('station_id=KBBB'),
      ];
      expect(
        [stillNew, old, later].map(({ so_far, reason }) => [so_far?.m, so_far?.hour, reason]),
      ).to.deep.equal([
        [44, 6, null],
        [44, 5, null],
        [44, 5, null],
      ]);
      const since = `Nothing has been measured since ${at(4.85).replace('.000', '')}: these odds are those of hour 5`;
      for (const each of [old, later]) expect(each.hint).to.contain(since);
      expect(later.thresholds).to.deep.equal(old.thresholds);
      expect(stillNew.hint ?? '').not.to.contain('Nothing');
    },
  );

  itInCi(
    'given a gap within the day, then there are no odds, and the reason says where it is and what to do',
    async () => {
      const found = await ask('station_id=KGAP');
      expect(found.so_far).to.include({ hour: 10, hours_reported: 7 });
      expect(found.reason).to.match(
        /a temperature in 7 of the 10 up to the newest, where all but 2 are needed; load those .* so_far=ignore/,
      );
      expect(found.thresholds[0]?.at_or_above).to.equal(null);
    },
  );

  itInCi(
    'given a day that has ended, then its odds are of its end until its first value is reported',
    async () => {
      now = at(40);
      const oddsAt = async (hours: number, more = ''): Promise<Outlook> =>
        ask(`station_id=KAAA&known_at=${at(hours)}${more}`);
      const before = await oddsAt(24 - 1 / 60);
      expect([before.so_far?.hour, before.so_far?.m]).to.deep.equal([23, 59]);
      for (const hours of range({ test: 2, ci: 4 }, [24, 24.1, 29, 30 - 1 / 60])) {
        const found = await oddsAt(hours, '&metric=high');
        expect(found, `${hours}`).to.include({ method: 'day_so_far', reason: null });
        expect(found.so_far, `${hours}`).to.include({ m: 59, hour: 24, hours_reported: 24 });
        expect(found.hint, `${hours}`).to.match(/^The day has ended and its high is not reported yet/);
        // Every earlier day ended at the highest of its hours.
        expect(found.quantiles.p50).to.equal(59);
      }
      const low = await oddsAt(29, '&metric=low');
      expect(low.so_far).to.include({ m: 40, hour: 24 });
      expect(low.hint).to.match(/its low is not reported yet/);
      // Its value is in the feed as reported at 30 h.
      for (const hours of [30, 40]) {
        const found = await ask(`station_id=KVAL&known_at=${at(hours)}`);
        expect(found).to.include({ method: 'mixture', so_far: null });
        expect(found.hint).to.match(/has ended and its value is reported: .*\/data\/observations/);
      }
      expect((await ask(`station_id=KVAL&known_at=${at(30 - 1 / 60)}`)).method).to.equal('day_so_far');
      // A forecast that was issued after the day is not of that day.
      expect((await oddsAt(29)).forecast_f).to.equal(64);
    },
  );

  itInCi(
    "given a day of which nothing is reported, then the odds are the forecast's, with a hint in an hour",
    async () => {
      const found = await ask('station_id=KDRY');
      expect(found).to.include({ method: 'mixture', so_far: null });
      expect(found.hint).to.match(/has begun, but no temperature of it has been reported/);
      now = at(30);
      for (const moment of [at(0.9), at(-3)]) {
        expect(await ask(`station_id=KDRY&known_at=${moment}`), moment).to.include({
          method: 'mixture',
          hint: null,
        });
      }
      const ended = await ask(`station_id=KDRY&known_at=${at(24.5)}`);
      expect(ended).to.include({ method: 'mixture', so_far: null });
      expect(ended.hint).to.match(/has ended, but no temperature of it has been reported/);
    },
  );

  it('given a report that is not known yet, then it does not count', async () => {
    now = at(13);
    const before = await ask(`station_id=KAAA&known_at=${at(12 + 53.9 / 60)}`);
    const after = await ask(`station_id=KAAA&known_at=${at(12 + 54 / 60)}`);
    expect([before.so_far?.m, after.so_far?.m]).to.deep.equal([51, 52]);
  });

  itInCi(
    'given a station without days or forecasts, then it has the rise by hour of the network',
    async () => {
      const found = await ask('station_id=KNEW');
      expect(found).to.include({ method: 'day_so_far', forecast_f: null, issued_at: null, reason: null });
      expect(found.so_far).to.include({ m: 49, gap: null, slope: 0, cases: 120 });
      expect(found.training).to.include({ station_days: 0, network_days: 120, weight_station: 0 });
      // From 49 the cases rise 6 °F, on every third day 10: (40 + 1/2) / 121 = 0.3347, whatever their weights.
      expect(found.thresholds[0]?.at_or_above).to.be.closeTo(1 / 3, 0.001);
    },
  );

  itInCi('when a minute passes, then the question is another one; not so with a lead', async () => {
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

  itInCi(
    'given hour, then reliability has the rivals of that hour alone; without it, none of them',
    async () => {
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
    },
  );
});
