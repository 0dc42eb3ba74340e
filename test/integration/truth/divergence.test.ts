import { expect } from 'chai';
import { ask } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { divergenceRecordOf, plainCases, type PlainForecast } from '../../support/plain/divergence.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import type { Store } from '../../../src/store/store.js';

// Stations in UTC, so that a lead time is the time from issuance to midnight.

const FIRST = '2026-01-01';
const LAST = '2026-03-31';
const WINDOW = { first: FIRST, last: LAST };
const HOUR_MS = 3_600_000;
const PROVIDERS = ['one', 'three', 'two'];
const STATIONS = ['KAAA', 'KBBB', 'KCCC'];

/** Three providers of different habits, some days missing: each value in whole or half hundredths of an error. */
function drawn(): { lines: Parameters<typeof loadLines>[1]; forecasts: PlainForecast[] } {
  const random = new Random(43);
  const forecasts: PlainForecast[] = [];
  const observations: string[] = [];
  for (const station of STATIONS) {
    for (let date = FIRST; date <= LAST; date = plusDays(date, 1)) {
      const actual = 3000 + Math.round(1500 * random.next());
      if (random.next() < 0.95)
        observations.push(`${station},${date},${actual / 100},,verified,${plusDays(date, 1)}T12:00:00Z,`);
      else continue;
      for (const [at, provider] of PROVIDERS.entries()) {
        if (random.next() < 0.15) continue;
        // Some are whole degrees, so that forecasts are equal, and departures just at the threshold.
        const off = (random.next() - 0.45) * (4 + 3 * at);
        const forecast =
          random.next() < 0.5 ? Math.round((actual + 100 * off) / 100) * 100 : Math.round(actual + 100 * off);
        for (const hours of random.next() < 0.5 ? [30] : [30, 7 + at]) {
          forecasts.push({
            station,
            date,
            provider,
            forecast: forecast + (hours < 12 ? 40 : 0),
            actual,
            lead_ms: hours * HOUR_MS,
          });
        }
      }
    }
  }
  return {
    forecasts,
    lines: {
      columns: 'all',
      stations: [...STATIONS.map((id, at) => `${id},City ${id},US,${40 + at},-80,Etc/UTC`)],
      forecasts: [
        ...forecasts.map(
          ({ station, date, provider, forecast, lead_ms }) =>
            `${station},${new Date(Date.parse(date) - lead_ms).toISOString()},${date},${forecast / 100},,${provider},`,
        ),
      ],
      observations: observations,
    },
  };
}

type Kept = Record<string, unknown>;

/** A record without what the loops leave out: p of tests, the threshold and words. */
const plain = (record: Kept): Kept =>
  JSON.parse(JSON.stringify(record), (name, value: unknown) =>
    ['p_value', 'threshold_f', 'threshold_c', 'hint', 'city_name'].includes(name) ? undefined : value,
  ) as Kept;

describe('departures, given three providers with gaps', () => {
  let store: Store;
  let service: TestService;
  const { lines, forecasts } = drawn();
  before(async () => {
    store = await openTestStore();
    expect((await loadLines(store, lines)).outcome).to.equal('complete');
    service = await startTestService(store, { now: `${LAST}T15:00:00Z` });
  });
  after(() => store.close());

  /** The latest of each provider with at least so long a lead. */
  const latest = (isWanted: (lead_ms: number) => boolean): PlainForecast[] =>
    forecasts.filter(
      (each) =>
        isWanted(each.lead_ms) &&
        !forecasts.some(
          (other) =>
            other.station === each.station &&
            other.date === each.date &&
            other.provider === each.provider &&
            isWanted(other.lead_ms) &&
            other.lead_ms < each.lead_ms,
        ),
    );
  const dataOf = async (query: string): Promise<Kept[]> =>
    ((await ask(service, `divergence?date_from=${FIRST}&date_to=${LAST}&${query}`)).body as { data: Kept[] })
      .data;

  for (const [query, threshold] of [
    ['', 3],
    ['threshold=1.25', 1.25],
    ['threshold=0.5', 0.5],
  ] as const) {
    it(`when ${query || 'nothing more'} is asked, then each provider has the record of plain loops`, async () => {
      const cases = plainCases(latest((lead_ms) => lead_ms >= 24 * HOUR_MS));
      expect((await dataOf(query)).map(plain)).to.deep.equal(
        PROVIDERS.map((provider) => ({
          provider,
          ...divergenceRecordOf(
            cases.filter((each) => each.provider === provider),
            WINDOW,
            threshold,
          ),
        })),
      );
    });
  }

  it('when groups are asked, then the records are those of their cases, in order', async () => {
    const all = plainCases(latest(() => true));
    const [near, far] = [[7, 8, 9], [30]].map((leads) =>
      plainCases(forecasts.filter(({ lead_ms }) => leads.includes(lead_ms / HOUR_MS))),
    );
    expect((await dataOf('group_by=none&lead=0')).map(plain)).to.deep.equal([
      divergenceRecordOf(all, WINDOW, 3),
    ]);
    expect((await dataOf('group_by=station,provider&lead=0')).map(plain)).to.deep.equal(
      STATIONS.flatMap((station_id) =>
        PROVIDERS.map((provider) => ({
          provider,
          station_id,
          ...divergenceRecordOf(
            all.filter((each) => each.station === station_id && each.provider === provider),
            WINDOW,
            3,
          ),
        })),
      ),
    );
    expect((await dataOf('group_by=lead_time_bucket')).map(plain)).to.deep.equal([
      { lead_time_bucket: '6-12h', ...divergenceRecordOf(near!, WINDOW, 3) },
      { lead_time_bucket: '24-48h', ...divergenceRecordOf(far!, WINDOW, 3) },
    ]);
    const march = { first: '2026-03-01', last: LAST };
    const records = await dataOf('group_by=month,provider&lead=0');
    expect(records).to.have.length(9);
    expect(plain(records.at(-1)!)).to.deep.equal({
      provider: 'two',
      month: march.first,
      ...divergenceRecordOf(
        all.filter(({ date, provider }) => date >= march.first && provider === 'two'),
        march,
        3,
      ),
    });
  });

  it('when two of them are named, or Celsius, then departures are between these, in whole hundredths of a °C', async () => {
    const cases = plainCases(
      latest((lead_ms) => lead_ms >= 24 * HOUR_MS).filter(({ provider }) => provider !== 'three'),
    ).filter(({ provider }) => provider === 'two');
    const [, record] = await dataOf('providers=one,two&temp_unit=celsius&threshold=1');
    const { departures, share_true, share_true_low, verdict } = divergenceRecordOf(cases, WINDOW, 1.8);
    expect(record).to.deep.include({
      provider: 'two',
      departures,
      share_true,
      share_true_low,
      verdict,
      threshold_c: 1,
      threshold_f: 1.8,
    });
  });
});
