import { expect } from 'chai';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  divergenceRecordOf,
  plainCases,
  type PlainForecast,
  plainShare,
} from '../../support/plain/divergence.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import type { Store } from '../../../src/store/store.js';
import { describeInCi } from '../../support/runner/range.js';

// Stations in UTC, so that a lead time is the time from issuance to midnight.

const FIRST = '2026-01-01';
const TODAY = '2026-04-01';
const LAST = '2026-03-31';
const WINDOW = { first: FIRST, last: LAST };
/** Days that have forecasts and no observation yet. */
const LAST_TO_COME = '2026-04-04';
const NOW = `${TODAY}T15:00:00Z`;
const HOUR_MS = 3_600_000;
const PROVIDERS = ['one', 'three', 'two'];
const STATIONS = ['KAAA', 'KBBB', 'KCCC'];
/** It has forecasts of days to come alone, and its days begin 14 hours before those of UTC. */
const EAST = 'NEAST';
const begins = (station: string, date: string): number =>
  Date.parse(date) - (station === EAST ? 14 * HOUR_MS : 0);

const issuedAt = ({ station, date, lead_ms }: Pick<PlainForecast, 'station' | 'date' | 'lead_ms'>): string =>
  new Date(begins(station, date) - lead_ms).toISOString().replace('.000', '');

/** Three providers of different habits, some days missing: each value in whole or half hundredths of an error. */
function drawn(): {
  lines: Parameters<typeof loadLines>[1];
  forecasts: PlainForecast[];
  toCome: PlainForecast[];
} {
  const random = new Random(44);
  const forecasts: PlainForecast[] = [];
  const toCome: PlainForecast[] = [];
  const observations: string[] = [];
  for (const station of [...STATIONS, EAST]) {
    for (let date = station === EAST ? TODAY : FIRST; date <= LAST_TO_COME; date = plusDays(date, 1)) {
      const actual = 3000 + Math.round(1500 * random.next());
      const isObserved = date <= LAST && random.next() < 0.95;
      if (!isObserved && date <= LAST) continue;
      if (isObserved)
        observations.push(`${station},${date},${actual / 100},,verified,${plusDays(date, 1)}T12:00:00Z,`);
      for (const [at, provider] of PROVIDERS.entries()) {
        if (random.next() < 0.15) continue;
        // Some are whole degrees, so that forecasts are equal, and departures just at the threshold.
        const off = (random.next() - 0.45) * (4 + 3 * at);
        const forecast =
          random.next() < 0.5 ? Math.round((actual + 100 * off) / 100) * 100 : Math.round(actual + 100 * off);
        // Forecasts for today were issued on the day itself.
        const last = date === TODAY ? -6 : 7 + at;
        for (const hours of date !== TODAY && random.next() < 0.5 ? [30 + 2 * at] : [30 + 2 * at, last]) {
          (isObserved ? forecasts : toCome).push({
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
    toCome,
    lines: {
      columns: 'all',
      stations: [...STATIONS, EAST].map(
        (id, at) => `${id},City ${id},US,${40 + at},-80,${id === EAST ? 'Pacific/Kiritimati' : 'Etc/UTC'}`,
      ),
      forecasts: [...forecasts, ...toCome].map(
        ({ station, date, provider, forecast, lead_ms }) =>
          `${station},${issuedAt({ station, date, lead_ms })},${date},${forecast / 100},,${provider},`,
      ),
      observations,
    },
  };
}

type Kept = Record<string, unknown>;

/** A record without what the loops leave out: p of tests, the threshold and words. */
const plain = (record: Kept): Kept =>
  JSON.parse(JSON.stringify(record), (name, value: unknown) =>
    ['p_value', 'threshold_f', 'threshold_c', 'hint', 'city_name'].includes(name) ? undefined : value,
  ) as Kept;

describeInCi('departures, given three providers with gaps', () => {
  let store: Store;
  let service: TestService;
  const { lines, forecasts, toCome } = drawn();
  before(async () => {
    store = await openTestStore();
    expect((await loadLines(store, lines)).outcome).to.equal('complete');
    service = await startTestService(store, { now: NOW });
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
  const recordsOf = (query: string): Promise<Kept[]> =>
    dataOf(service, `accuracy/divergence?date_from=${FIRST}&date_to=${LAST}&${query}`);

  for (const [query, threshold] of [
    ['', 3],
    ['threshold=1.25', 1.25],
    ['threshold=0.5', 0.5],
  ] as const) {
    it(`when ${query || 'nothing more'} is asked, then each provider has the record of plain loops`, async () => {
      const cases = plainCases(latest((lead_ms) => lead_ms >= 24 * HOUR_MS));
      expect((await recordsOf(query)).map(plain)).to.deep.equal(
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
    const [near, far] = [
      [7, 8, 9],
      [30, 32, 34],
    ].map((leads) => plainCases(forecasts.filter(({ lead_ms }) => leads.includes(lead_ms / HOUR_MS))));
    expect((await recordsOf('group_by=none&lead=0')).map(plain)).to.deep.equal([
      divergenceRecordOf(all, WINDOW, 3),
    ]);
    expect((await recordsOf('group_by=station,provider&lead=0')).map(plain)).to.deep.equal(
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
    expect((await recordsOf('group_by=lead_time_bucket')).map(plain)).to.deep.equal([
      { lead_time_bucket: '6-12h', ...divergenceRecordOf(near!, WINDOW, 3) },
      { lead_time_bucket: '24-48h', ...divergenceRecordOf(far!, WINDOW, 3) },
    ]);
    const march = { first: '2026-03-01', last: LAST };
    const records = await recordsOf('group_by=month,provider&lead=0');
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

  it('when two of them are named, or Celsius, then departures are between these, in hundredths of a °C', async () => {
    const cases = plainCases(
      latest((lead_ms) => lead_ms >= 24 * HOUR_MS).filter(({ provider }) => provider !== 'three'),
    ).filter(({ provider }) => provider === 'two');
    const [, record] = await recordsOf('providers=one,two&temp_unit=celsius&threshold=1');
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

  it('when two of them are asked as one, then a half comes true by construction, and a hint says so', async () => {
    const [both] = await recordsOf('providers=one,two&group_by=none');
    expect(both).to.include({ share_true: 0.5, nearer_rate: 0.5 });
    expect(both?.hint).to.match(/^Of two providers each departure counts from both sides/);
    const [each] = await recordsOf('providers=one,two');
    expect(each?.hint).not.to.match(/^Of two/);
    const [all] = await recordsOf('group_by=none');
    expect(all?.hint).to.equal(null);
  });

  it('when days to come are asked, then departures are of the latest forecasts, with shares come true', async () => {
    const due = toCome.filter(({ station, date }) => Date.parse(NOW) < begins(station, date) + 24 * HOUR_MS);
    const newest = due.filter(
      (each) =>
        !due.some(
          (other) =>
            other.station === each.station &&
            other.date === each.date &&
            other.provider === each.provider &&
            other.lead_ms < each.lead_ms,
        ),
    );
    const bucketOf = (lead_ms: number): string => {
      if (lead_ms < 0) return 'same-day';
      return lead_ms < 12 * HOUR_MS ? '6-12h' : '24-48h';
    };
    const past = ['6-12h', '24-48h'].flatMap((bucket) =>
      plainCases(forecasts.filter(({ lead_ms }) => bucketOf(lead_ms) === bucket)).map((each) => ({
        ...each,
        bucket,
      })),
    );
    const four = (value: number | undefined): number | null =>
      value === undefined ? null : Math.round(value * 1e4) / 1e4;
    const two = (value: number): number =>
      (Math.sign(value) * Math.floor(Math.abs(value) * 100 + 0.5 + 1e-9)) / 100 + 0;
    const expected = plainCases(newest)
      .filter(({ twice }) => Math.abs(twice) >= 600)
      .sort(
        (a, b) =>
          Math.abs(b.twice) - Math.abs(a.twice) ||
          (a.date + a.station + a.provider < b.date + b.station + b.provider ? -1 : 1),
      )
      .map((each) => {
        const bucket = bucketOf(each.lead_ms);
        const alike = past.filter(
          ({ twice, provider, bucket: of }) =>
            Math.abs(twice) >= 600 && provider === each.provider && of === bucket,
        );
        const own = alike.filter(({ station }) => station === each.station);
        const learned = own.length >= 30 ? own : alike;
        const share = learned.length === 0 ? undefined : plainShare(learned, WINDOW);
        return {
          station_id: each.station,
          city_name: `City ${each.station}`,
          target_date: each.date,
          provider: each.provider,
          forecast_f: each.forecast / 100,
          others_f: two(each.twiceOthers / 200),
          departure: two(each.twice / 200),
          issued_at: issuedAt(each),
          lead_time_hours: each.lead_ms / HOUR_MS,
          lead_time_bucket: bucket,
          share_true: four(share?.value),
          share_true_low: four(share?.interval?.low),
          share_true_high: four(share?.interval?.high),
          share_true_of: share === undefined ? null : own.length >= 30 ? 'station' : 'network',
          departures: learned.length,
          expected_f: share === undefined ? null : two((each.twiceOthers + share.value * each.twice) / 200),
          others: newest
            .filter(
              ({ station, date, provider }) =>
                station === each.station && date === each.date && provider !== each.provider,
            )
            .sort((a, b) => (a.provider < b.provider ? -1 : 1))
            .map((said) => ({
              other_provider: said.provider,
              other_forecast_f: said.forecast / 100,
              other_issued_at: issuedAt(said),
            })),
        };
      });
    expect(new Set(expected.map(({ share_true_of }) => String(share_true_of)))).to.have.all.keys(
      'station',
      'network',
      'null',
    );
    const asked = async (query: string) =>
      (await service.get(`/api/v1/data/departures?${query}`)).body as { data: unknown; metadata: Kept };
    const { data, metadata } = await asked('');
    expect(data).to.deep.equal(expected);
    expect(metadata).to.deep.include({ learned_from: FIRST, learned_to: LAST, truncated: false });
    const page = await asked('limit=2');
    expect(page.data).to.deep.equal(expected.slice(0, 2));
    const next = await asked(`limit=2&cursor=${String(page.metadata.next_cursor)}`);
    expect(next.data).to.deep.equal(expected.slice(2, 4));
  });
});
