import { expect } from 'chai';
import { z } from 'zod';
import { type AskProbability, sealProbabilities, type SealOptions } from '../../../src/ingest/odds-load.js';
import { sql } from '../../../src/queries/sql.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import type { Store } from '../../../src/store/store.js';
import { ask, dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { UserError } from '../../../src/lib/user-error.js';
import { laterRefusalOf } from '../../support/refusal.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const STATIONS = [
  'KORD,Chicago,US,41.96,-87.93,America/Chicago',
  'KMDW,Chicago Midway,US,41.78,-87.75,America/Chicago',
  'KSTL,St. Louis,US,38.75,-90.37,America/Chicago',
  'RJTT,Tokyo,JP,35.55,139.78,Asia/Tokyo',
];
const IDS = STATIONS.map((line) => line.slice(0, 4));
const DAY = '2026-03-06';
const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10);
/** Another error each day. */
const errorOf = (day: number, place: number): number => ((day * 7 + place * 3) % 9) - 4;

const observation = (id: string, date: string, high: number): string =>
  `${id},${date},${high},${high - 15},verified,${date}T23:59:00Z`;
const forecast = (id: string, date: string, high: number, issued: string): string =>
  `${id},${issued},${date},${high},${high - 15}`;

interface Said {
  station_id: string;
  target_date: string;
  load_id: number;
  data_version: number;
  odds: { from: number | null; to: number | null; millionths: number }[];
}

interface Reliability {
  cases: number;
  brier: { value: number | null };
  log_score: { value: number | null };
  crps_f: { value: number | null };
  bins: { from: number; forecasts: number; observed: number | null }[];
  sealed_since: { version: number; recorded_at: string } | null;
}

// Odds that are sealed before their day, by the responses of the service itself at that time, and their reliability once the day is observed.
describe('sealed odds', () => {
  let store: Store;
  let service: TestService;
  let now = '2026-03-05T16:00:00Z';

  const askService: AskProbability = async (query) => {
    const response = await service.get(`/api/v1/probability?${new URLSearchParams(query).toString()}`);
    return { status: response.status, body: response.body as unknown };
  };
  const seal = (options: Partial<SealOptions> = {}) =>
    sealProbabilities(store, askService, {
      ...{ variables: ['high'], days: 1, parameters: {}, clock: () => new Date(now), ...options },
    });
  const readSaid = (): Promise<Said[]> =>
    store.query(sql.rows(z.custom<Said>())`
      SELECT station_id, target_date, load_id, data_version, odds FROM sealed_odds WHERE metric = 'high' ORDER BY load_id, station_id`);
  const PATH = `probability/reliability?sealed=true&date_from=${dayBefore(DAY, 3)}&date_to=${DAY}`;

  before(async () => {
    store = await openTestStore();
    const days = Array.from({ length: 70 }, (_, at) => ({ at, date: dayBefore(DAY, 70 - at) }));
    await loadLines(store, {
      stations: ['station_id,city_name,country,latitude,longitude,timezone', ...STATIONS],
      forecasts: [...days, { at: 70, date: DAY }].flatMap(({ at, date }) =>
        IDS.map((id, place) =>
          forecast(id, date, 50 + errorOf(at, place), `${dayBefore(date, 1)}T12:00:00Z`),
        ),
      ),
      observations: days.flatMap(({ date }) => IDS.map((id) => observation(id, date, 50))),
    });
    service = await startTestService(store, { now: () => new Date(now) });
  });
  after(() => store.close());

  it('given none yet, and a version of an older service, then reliability says so', async () => {
    await store.insert('loads', ['load_id', 'event', 'report'], [[1, 'finished', '{}']]);
    const { data, metadata } = (await ask(service, PATH)).body;
    expect(data).to.include({ cases: 0, sealed_since: null });
    expect(metadata.hint).to.match(/^There are no sealed odds of this subject and version yet/);
  });

  it('given a day that has begun at a station, then others are sealed, with the odds of the API', async () => {
    const { version, sealed, left_out } = await seal();
    expect(sealed, 'the next day of Tokyo has no forecast').to.equal(3);
    expect(left_out).to.have.length(1);
    expect(left_out[0]).to.match(/^RJTT high 2026-03-07: forecast is missing/);
    const said = await readSaid();
    expect(said.map(({ station_id, target_date }) => `${station_id} ${target_date}`)).to.deep.equal(
      ['KMDW', 'KORD', 'KSTL'].map((id) => `${id} ${DAY}`),
    );
    const { brackets } = await dataOf<{ brackets: { from_f: number; to_f: number; probability: number }[] }>(
      service,
      `probability?station_id=KORD&target_date=${DAY}&as_of=v${said[1]?.data_version}`,
    );
    expect(said[1]?.odds.map(({ from, to, millionths }) => [from, to, millionths / 1e6])).to.deep.equal(
      brackets.map(({ from_f, to_f, probability }) => [from_f, to_f, probability]),
    );
    expect(await checkSeals(store)).to.deep.equal([]);
    const { months } = await dataOf<{ months: unknown[] }>(service, `seals/v${version}`);
    expect(months).to.have.length(1);
    expect(months[0]).to.include({ feed: 'sealed_odds', month: DAY.slice(0, 7), rows: 3 });
  });

  it('given a day that begins meanwhile, then its odds are not sealed, and there is no load', async () => {
    const times = ['2026-03-06T05:59:59Z', '2026-03-06T06:00:00Z'];
    const clock = (): Date => new Date(times.shift() ?? now);
    expect(await laterRefusalOf(UserError, seal({ stations: ['KORD'], clock }))).to.match(
      /no odds to seal: KORD 2026-03-06: the day began meanwhile/,
    );
    expect(await readSaid()).to.have.length(3);
  });

  it('given odds of a later forecast, then the last before the day are scored, as an own loop does', async () => {
    now = '2026-03-05T18:00:00Z';
    await loadLines(store, { forecasts: [forecast('KORD', DAY, 56, '2026-03-05T17:00:00Z')] });
    const { version } = await seal({ stations: ['KORD', 'KMDW'] });
    // Nobody can have said these before the day: their version is of after it.
    const late = (await readSaid()).filter(({ station_id }) => station_id === 'KMDW').at(-1);
    await store.insertText(
      sql`INSERT INTO sealed_odds`,
      'JSONEachRow',
      JSON.stringify({
        ...late,
        ...{ metric: 'high', provider: 'default', lead_time_bucket: '12-24h', unit: 'fahrenheit' },
        ...{ issued_at: '2026-03-05 17:00:00', withdrawn: false, load_id: version + 1 },
        odds: [{ from: null, to: null, millionths: 999_999 }],
      }),
    );
    now = '2026-03-09T12:00:00Z';
    const highs: Record<string, number> = { KORD: 55, KMDW: 49, KSTL: 61, RJTT: 50 };
    await loadLines(store, { observations: IDS.map((id) => observation(id, DAY, highs[id] ?? 0)) });
    const said = (await readSaid()).filter(({ load_id }) => load_id <= version);
    const last = new Map(said.map((each) => [each.station_id, each]));
    expect(last.get('KORD')?.load_id, 'KORD has odds of both').to.equal(version);
    expect(last.get('KSTL')?.load_id, 'KSTL has the first').to.be.lessThan(version);
    let [brier, log] = [0, 0];
    for (const { station_id, odds } of last.values()) {
      for (const { from, to, millionths } of odds) {
        const isHit = (from ?? -999) <= (highs[station_id] ?? 0) && (to ?? 999) >= (highs[station_id] ?? 0);
        brier += (millionths / 1e6 - (isHit ? 1 : 0)) ** 2 / odds.length / last.size;
        if (isHit) log -= Math.log(millionths / 1e6) / last.size;
      }
    }
    const { data, metadata } = (await ask(service, PATH)).body as unknown as {
      data: Reliability;
      metadata: { hint: string };
    };
    expect(data.cases).to.equal(3);
    expect(data.brier.value).to.be.closeTo(brier, 1e-6);
    expect(data.log_score.value).to.be.closeTo(log, 1e-6);
    expect(data.bins.reduce((sum, { forecasts }) => sum + forecasts, 0)).to.equal(18);
    expect(data.crps_f.value).to.equal(null);
    expect(data).not.to.have.property('normal_2f');
    expect(data.sealed_since).to.deep.equal({ version: 2, recorded_at: '2026-03-05T16:00:00.000Z' });
    expect(metadata.hint).to.match(/^crps_f, pit and other methods need the whole distribution/);
  });

  it('given thresholds, another version or lead, then what is missing is null, and a hint says so', async () => {
    const own = await dataOf<Reliability>(service, `${PATH}&as_of=v1`);
    expect(own).to.include({ cases: 0, sealed_since: null });
    const { metadata } = (await ask(service, `${PATH}&lead_time_bucket=24-48h`)).body;
    expect(metadata.hint).to.match(/no day .+ 24-48h .+ lead times of sealed odds: 12-24h$/i);
    await loadLines(store, { forecasts: [forecast('KSTL', '2026-03-11', 50, '2026-03-10T12:00:00Z')] });
    now = '2026-03-10T18:00:00Z';
    await seal({ stations: ['KSTL'], parameters: { thresholds: '50,60' } });
    await loadLines(store, { observations: [observation('KSTL', '2026-03-11', 55)] });
    now = '2026-03-13T12:00:00Z';
    const path =
      'probability/reliability?sealed=true&station_id=KSTL&date_from=2026-03-11&date_to=2026-03-11';
    const found = await dataOf<Reliability>(service, path);
    expect(found).to.include({ cases: 1 });
    expect(found.log_score.value).to.equal(null);
    const odds = (await readSaid()).at(-1)?.odds.map(({ millionths }) => millionths / 1e6) ?? [];
    expect(found.brier.value).to.be.closeTo(((1 - (odds[0] ?? 0)) ** 2 + (odds[1] ?? 0) ** 2) / 2, 1e-6);
  });

  it('given sealed with hour or lead_hours, then it is refused', async () => {
    for (const name of ['hour', 'lead_hours'])
      expect((await service.get(`/api/v1/${PATH}&${name}=12`)).body).to.have.nested.property(
        'error.message',
        'sealed is of odds said before their day, by lead_time_bucket; leave out hour and lead_hours',
      );
  });
});
