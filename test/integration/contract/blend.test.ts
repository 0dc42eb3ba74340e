import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { readCsv } from '../../support/contract/cases.js';
import { type Contract, contractOn } from '../../support/contract/contract.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { itInCi } from '../../support/runner/range.js';

const HOUR = 3_600_000;
const TODAY = '2025-03-20';
const NOW = `${TODAY}T10:00:00Z`;
const STATIONS = Array.from({ length: 6 }, (_, at) => `K00${at}`);
/** In Phoenix, days begin at 07:00Z: at NOW the one after tomorrow is 45 hours away. */
const DAY_AFTER = plusDays(TODAY, 2);
const PATH = `/api/v1/probability?station_id=K001&window=40`;

interface Blend {
  forecast_f: number;
  issued_at: string;
  lead_time_bucket: string;
  lead_range: object;
  weights: Record<string, number>;
  excluded: Record<string, string>;
  members: Record<string, { forecast_f: number; issued_at: string; bias_f: number | null }>;
  quantiles: Record<string, number>;
  training: Record<string, unknown>;
}

/** Forecasts of 50 days and two more at leads of 20 and 46 hours: `steady` is always 2 °F too warm, the others err at random. */
function feeds() {
  const random = new Random(54);
  const stations = STATIONS.map((id) => `${id},${id},US,33.4,-112,America/Phoenix,BWh,true,,,civil,false`);
  const [forecasts, observations] = [[] as string[], [] as string[]];
  for (const id of STATIONS) {
    for (let ago = 50; ago >= -2; ago -= 1) {
      const date = plusDays(TODAY, -ago);
      const begins = Date.parse(date) + 7 * HOUR;
      const high = 70 + random.below(10);
      for (const lead of [20, 46]) {
        const issued = begins - lead * HOUR;
        if (issued > Date.parse(NOW)) continue;
        const row = (provider: string, value: number): string =>
          `${id},${new Date(issued).toISOString()},${date},${value},,${provider},false`;
        forecasts.push(row('steady', high + 2), row('noisy', high + random.below(9) - 4));
        forecasts.push(row('windy', high + random.below(19) - 9));
        if (ago < 12) forecasts.push(row('young', high));
      }
      if (ago > 0)
        observations.push(
          `${id},${date},${high},,verified,${new Date(begins + 26 * HOUR).toISOString()},false`,
        );
    }
  }
  return { columns: 'all' as const, stations, forecasts, observations };
}

// The numbers: test/integration/truth/blend.test.ts. Here: what a request may ask, and what it is told.
describe('several providers as one', function () {
  let store: Store;
  let contract: Contract;

  before(async () => {
    ({ store, contract } = await contractOn([feeds()], { now: NOW }));
  });
  after(() => store.close());

  const asked = (query: string): Promise<Blend> =>
    contract.ok<Blend>(`${PATH}&${query}`).then(({ data }) => data);

  it('given one that is always 2 °F too warm, then it has all weight, and its forecast less 2 °F is sure', async () => {
    const found = await asked(`target_date=${TODAY}&lead_hours=20&providers=noisy,steady`);
    expect(found.weights).to.deep.equal({ noisy: 0, steady: 1 });
    expect(Object.keys(found.weights)).to.deep.equal(['noisy', 'steady']);
    expect(found.excluded).to.deep.equal({});
    const { steady } = found.members;
    expect(steady?.bias_f).to.equal(2);
    expect(found.forecast_f).to.equal(steady!.forecast_f - 2);
    expect(found.quantiles).to.include({ p10: found.forecast_f, p90: found.forecast_f });
    expect(found.training).to.include({
      station_days: 40,
      network_days: 6 * 39, // the last was reported after any station may issue such a forecast
      bias_f: 0,
      std_dev_f: 0,
      mean_lead_hours: 20,
    });
    expect(found.issued_at).to.equal('2025-03-19T11:00:00Z');
  });

  itInCi('given two that err alike, then both have weight, to 0.0001, and it adds up to 1', async () => {
    const { weights, forecast_f } = await asked(`target_date=${TODAY}&lead_hours=20&providers=noisy,windy`);
    expect(Object.values(weights).reduce((sum, each) => sum + Math.round(each * 1e4), 0)).to.equal(1e4);
    for (const weight of Object.values(weights)) expect(weight).to.be.within(0.01, 0.99);
    expect(forecast_f).to.equal(Math.round(forecast_f * 10) / 10);
  });

  itInCi(
    'given no lead, then it runs from the question to the day, and each provider has its nearest forecast',
    async () => {
      const found = await asked(`target_date=${DAY_AFTER}&providers=noisy,windy`);
      expect([found.lead_time_bucket, found.lead_range]).to.deep.equal([
        '24-48h',
        { nearest_lead_hours: 45, from_lead_hours: 24, to_lead_hours: 48 },
      ]);
      expect(found.members.noisy?.issued_at).to.equal('2025-03-20T09:00:00Z');
      const [fault] = await contract.faults(`${PATH}&target_date=${TODAY}&providers=noisy,windy`);
      expect(fault?.parameter).to.equal('lead_hours');
    },
  );

  it('given a provider with few days, or without a forecast, then it is left out, and the answer says why', async () => {
    const found = await asked(`target_date=${TODAY}&lead_hours=20&providers=noisy,young,windy`);
    expect(Object.keys(found.weights)).to.deep.equal(['noisy', 'windy']);
    expect(found.excluded).to.deep.equal({
      young:
        'too few training days in common, 54 on 9 dates where 200 on 30 are needed; this provider has the fewest, 54',
    });
    const { weights: w, excluded, ...rest } = found;
    const { excluded: none, ...without } = await asked(
      `target_date=${TODAY}&lead_hours=20&providers=noisy,windy`,
    );
    expect({ ...rest, weights: w }).to.deep.equal(without);
    expect([Object.keys(excluded), none]).to.deep.equal([['young'], {}]);
    const old = await asked(`target_date=${plusDays(TODAY, -15)}&lead_hours=20&providers=noisy,young`);
    expect(old.excluded).to.deep.equal({
      young: `no forecast for ${plusDays(TODAY, -15)} was issued 12 to 24 hours before it`,
    });
  });

  itInCi('given names in another order, or twice, then it is the same question', async () => {
    const tagOf = (providers: string): Promise<string> =>
      contract.tag(`${PATH}&target_date=${TODAY}&lead_hours=20&providers=${providers}`);
    expect(await tagOf('windy,noisy')).to.equal(await tagOf('noisy,windy'));
    expect(await tagOf('windy,noisy,windy')).to.equal(await tagOf('noisy,windy'));
    expect(await tagOf('noisy,noisy')).to.equal(await tagOf('noisy'));
    expect(await tagOf('noisy')).not.to.equal(await tagOf('noisy,windy'));
  });

  for (const path of ['probability', 'probability/reliability']) {
    it(`given one name alone, then ${path} is answered as with provider, to the byte`, async () => {
      const url = `/api/v1/${path}?station_id=K001&lead_hours=20${path === 'probability' ? `&target_date=${TODAY}` : ''}`;
      const [alone, named] = await Promise.all(
        ['provider=noisy', 'providers=noisy'].map((name) => contract.ok(`${url}&${name}`)),
      );
      expect(JSON.stringify(named?.data)).to.equal(JSON.stringify(alone?.data));
      expect(named?.metadata.provider).to.equal('noisy');
      const { metadata } = await contract.ok(`${url}&providers=windy,noisy`);
      expect(metadata.provider).to.equal('noisy,windy');
    });

    it(`given provider as well, or a name that nothing has, then ${path} is refused`, async () => {
      const url = `/api/v1/${path}?station_id=K001&lead_hours=20`;
      expect(await contract.faults(`${url}&provider=noisy&providers=noisy,windy`)).to.deep.equal([
        { parameter: 'providers', message: 'cannot be combined with provider; give one of them' },
      ]);
      await contract.refused(`${url}&providers=noisy,nobody`, 404, 'PROVIDER_NOT_FOUND');
    });
  }

  it('given a forecast, no station, or a day without one, then the request is refused with what to do', async () => {
    const none = /no forecast for 2025-06-01 was issued 12 to 24 hours before it for K001 by any of them/;
    for (const [query, parameter, says] of [
      ['station_id=K001&forecast=70', 'forecast', /whose stored forecasts are blended; leave out one/],
      ['', 'providers', /name one in the data/],
      ['station_id=K001&target_date=2025-06-01', 'providers', none],
      [`station_id=K001&target_date=${TODAY}&known_at=2025-03-19T10:59:59Z`, 'providers', /no forecast for/],
    ] as const) {
      const path = `/api/v1/probability?providers=noisy,windy&lead_hours=20&${query}`;
      const [fault, ...others] = await contract.faults(path);
      expect(others).to.deep.equal([]);
      expect(fault?.parameter).to.equal(parameter);
      expect(fault?.message).to.match(says);
    }
  });

  itInCi(
    'given CSV, then weights, members and who is left out have a column each; given one provider, none',
    async () => {
      const query = `target_date=${TODAY}&lead_hours=20&thresholds=70,75`;
      const { header, rows } = await readCsv(contract, `${PATH}&${query}&providers=noisy,windy`);
      expect(header).to.include.members(['weights', 'excluded', 'members']);
      expect(rows).to.have.lengthOf(2);
      const { data } = await contract.ok<Blend>(`${PATH}&${query}&providers=noisy,windy`);
      expect(JSON.parse(rows[0]![header.indexOf('weights')]!)).to.deep.equal(data.weights);
      const alone = await readCsv(contract, `${PATH}&${query}&providers=noisy`);
      expect(alone.header).not.to.include('weights');
    },
  );

  itInCi(
    'given a window, then reliability compares with each provider, and claims nothing below 180 days',
    async () => {
      const path = `/api/v1/probability/reliability?lead_hours=20&window=36&days=8&providers=windy,noisy`;
      const { data } = await contract.ok<{ cases: number; blend: Record<string, unknown> }>(path);
      expect(data.cases).to.be.greaterThan(0);
      expect(data.blend).to.include({
        verdict: 'too_few_days',
        note: 'Too few days (under 180) to say which is better',
      });
      expect(Object.keys(data.blend.members as object)).to.deep.equal(['noisy', 'windy']);
      const { header, rows } = await readCsv(contract, path);
      expect(header).to.include.members(['mae_f', 'members', 'best_crps_f', 'verdict']);
      expect(rows).to.have.lengthOf(20);
    },
  );

  itInCi(
    'given days before there is anything to blend, then reliability counts them as without training',
    async () => {
      const { data } = await contract.ok<Record<string, unknown> & { blend: Record<string, unknown> }>(
        `/api/v1/probability/reliability?lead_hours=20&date_from=2025-02-10&date_to=2025-02-12&providers=noisy,windy`,
      );
      expect(data).to.include({ cases: 0, cases_without_training: 18 });
      expect(data.blend).to.deep.include({ mae_f: null, compared_days: 0, verdict: 'too_few_days' });
      expect(data.blend.members).to.have.property('noisy').that.includes({ mae_f: null, crps_f: null });
      expect(data.blend.best).to.deep.include({ crps_f: null });
    },
  );
});
