import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { type Contract, contractOn } from '../../support/contract/contract.js';
import { plusDays } from '../../support/plain/oracle.js';
import { describeInCi, range } from '../../support/runner/range.js';

const HOUR = 3_600_000;
const TODAY = '2025-03-10';
const DAYS = 80;
const STATIONS = ['KNYC', 'KORD', 'KDEN'];

const beginOf = (date: string): number => Date.parse(date) + 7 * HOUR;
const at = (hours: number, date = TODAY): string => new Date(beginOf(date) + hours * HOUR).toISOString();

/** As many stations as the live demo has. Each day has forecasts of 20, 28 and 192 hours; each twentieth day is not reported. */
function feeds() {
  const [forecasts, observations] = [[] as string[], [] as string[]];
  for (const id of STATIONS) {
    for (let ago = DAYS; ago >= -9; ago -= 1) {
      const date = plusDays(TODAY, -ago);
      for (const [lead, high] of [
        [20, 60],
        [28, 61],
        [192, 64],
      ] as const)
        if (lead === 192 || ago >= -1)
          forecasts.push(`${id},${at(-lead, date)},${date},${high + (ago % 4)},30`);
      if (ago > 0 && ago % 20 !== 0)
        observations.push(`${id},${date},${60 + (ago % 7)},30,verified,${at(25, date)}`);
    }
  }
  const stations = STATIONS.map((id) => `${id},${id},US,33.4,-112,America/Phoenix,BWh,true,,`);
  return { stations, forecasts, observations };
}

interface Odds {
  forecast_f: number;
  lead_range: { nearest_lead_hours: number; from_lead_hours: number; to_lead_hours: number };
  training: { from: string; to: string; network_days: number };
  thresholds: { at_or_above: number | null }[];
  reason: string | null;
  /** The hint of the metadata. */
  hint: string | null;
  training_window: number | null;
}

/**
 * The shortest window from 60 on whose reported days, of three stations each, are 200 station days. The last day is not
 * over when the earliest station on Earth may issue such a forecast.
 */
function windowNeeded(lastAgo: number): number {
  let [window, days] = [0, 0];
  for (let ago = lastAgo; window < 60 || days < 200; ago += 1) {
    window += 1;
    if (ago > lastAgo && ago % 20 !== 0) days += STATIONS.length;
  }
  return window;
}

describeInCi('odds of few stations (D36)', function () {
  let store: Store;
  let contract: Contract;

  before(async () => {
    ({ store, contract } = await contractOn([feeds()], { now: () => new Date(at(-10)) }));
  });
  after(() => store.close());

  const ask = async (query: string): Promise<Odds> => {
    const { data, metadata } = await contract.ok<Odds>(`/api/v1/probability?${query}`);
    const { hint = null, training_window = null } = metadata as Partial<Odds>;
    return { ...data, hint, training_window };
  };
  const SUBJECT = `station_id=KORD&target_date=${TODAY}&thresholds=60`;

  it('given no window, then as many days are learned from as it takes; given one, it is kept', async () => {
    const found = await ask(`${SUBJECT}&lead_hours=20`);
    const window = windowNeeded(2);
    expect(window).to.be.within(70, 72);
    expect(found.reason).to.equal(null);
    expect(found.thresholds[0]?.at_or_above).to.be.within(0.01, 0.99);
    expect(found.training).to.include({
      from: plusDays(TODAY, -1 - window),
      to: plusDays(TODAY, -2),
    });
    expect(found.training.network_days).to.be.within(200, 202);
    expect(found.hint).to.equal(
      `60 days have too few station days, so ${window} are learned from; window=60 keeps to these`,
    );
    expect(found.training_window).to.equal(window);
    const kept = await ask(`${SUBJECT}&lead_hours=20&window=${window}`);
    expect({ ...kept, hint: found.hint, training_window: window }).to.deep.equal(found);
    expect([kept.hint, kept.training_window]).to.deep.equal([null, null]);
    const usual = await ask(`${SUBJECT}&lead_hours=20&window=60`);
    expect(usual.training.network_days).to.equal(168);
    expect(usual.reason).to.match(/has 168 station days/);
    expect(usual.hint).to.equal(null);
    const first = await ask(`${SUBJECT}&lead_hours=20&as_of=v1`);
    // The present of a version is when it was loaded: long after that day.
    const ended = `${TODAY} has ended at KORD: /data/observations has its temperature once it is reported`;
    expect(first).to.deep.equal({ ...found, hint: `${ended}. ${found.hint}` });
  });

  it('then so is the correction of a bias, and reliability has cases', async () => {
    const path = `accuracy/bias-correction?station_id=KORD&forecast_temp=60&forecast_for_date=${TODAY}`;
    const days = `date_from=${plusDays(TODAY, -3)}&date_to=${plusDays(TODAY, -1)}`;
    const bias = await contract.ok<{ training_from: string }>(`/api/v1/${path}&${days}`);
    expect(bias.data.training_from).to.equal(plusDays(TODAY, -1 - windowNeeded(2)));
    expect(bias.metadata.hint).to.match(/so 7\d are learned from/);
    const judged = `/api/v1/probability/reliability?lead_hours=20&${days}`;
    type Judged = { cases: number; cases_without_training: number };
    const found = await contract.ok<Judged>(judged);
    expect(found.data).to.include({ cases: 9, cases_without_training: 0 });
    expect(found.metadata.hint).to.match(/so 7\d are learned from/);
    const kept = await contract.ok<Judged>(`${judged}&window=60`);
    expect(kept.data).to.include({ cases: 0, cases_without_training: 9 });
    expect(kept.metadata).not.to.have.any.keys('hint', 'training_window');
  });

  it('given a lead, then the stored forecast is of the range that is learned from', async () => {
    for (const [lead, forecast, leads] of range({ test: 3, ci: Infinity }, [
      [24, 60, [12, 24]],
      [20, 60, [12, 24]],
      [24.5, 61, [24, 48]],
      [48, 61, [24, 48]],
      [192, 64, [168, 192]],
    ] as const)) {
      const found = await ask(`${SUBJECT}&lead_hours=${lead}`);
      // Today is 0 of 4.
      expect(found.forecast_f, `${lead}`).to.equal(forecast);
      expect([found.lead_range.from_lead_hours, found.lead_range.to_lead_hours]).to.deep.equal(leads);
    }
  });

  it('given a lead that no forecast has, then beyond three days the nearest one answers, with a hint', async () => {
    const far = await ask(`${SUBJECT}&lead_hours=400`);
    expect(far.forecast_f).to.equal(64);
    expect(far.lead_range.nearest_lead_hours).to.equal(192);
    expect(far.hint).to.match(
      /^No forecast was issued 384 to 408 hours before the day: these odds are of the nearest one, issued 192 hours before/,
    );
    const [fault] = await contract.faults(`/api/v1/probability?${SUBJECT}&lead_hours=60`);
    expect(fault?.message).to.match(
      /the store has no forecast issued 48 to 72 hours before the day for KORD/,
    );
  });
});
