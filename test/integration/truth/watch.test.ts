import { expect } from 'chai';
import { z } from 'zod';
import { addDays, DAY_MS } from '../../../src/statistics/time/calendar.js';
import { sql } from '../../../src/sql.js';
import type { Store } from '../../../src/store/store.js';
import { issuanceRepeats } from '../../../src/watch/issuance-repeats.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';
import { Random } from '../../support/random.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const FIRST = '2026-01-01';
const TODAY = '2026-05-20';
const TOMORROW = '2026-05-21';
const DAYS = 139; // from FIRST to the day before TODAY
const STATIONS = ['KAAA', 'KBBB', 'KCCC', 'KDDD', 'KEEE', 'KFFF'];
const PROVIDERS = ['one', 'three', 'two'] as const;
/** From here on `three` is 4 °F warmer than it was. */
const SHIFTED = 115;

interface Forecast {
  provider: string;
  station: string;
  issued_ms: number;
  date: string;
  metric: 'high' | 'low';
  /** Whole hundredths of a °F; undefined where it is withdrawn. */
  value: number | undefined;
}

const lineOf = ({ provider, station, issued_ms, date, metric, value }: Forecast): string => {
  const [high, low] = metric === 'high' ? [value, undefined] : [undefined, value];
  const text = (hundredths?: number): string => (hundredths === undefined ? '' : `${hundredths / 100}`);
  const withdrawn = value === undefined;
  return `${station},${new Date(issued_ms).toISOString()},${date},${text(high)},${text(low)},${provider},${withdrawn}`;
};

/** Whether each issuance of a station repeats the one before, by loops over single forecasts. */
function plainRepeats(forecasts: readonly Forecast[], provider: string, after_ms: number): unknown[] {
  return STATIONS.flatMap((station) => {
    const of = forecasts.filter(
      (each) =>
        each.provider === provider &&
        each.station === station &&
        each.issued_ms > after_ms &&
        each.value !== undefined,
    );
    const instants = [...new Set(of.map(({ issued_ms }) => issued_ms))].sort((a, b) => a - b);
    const steps = instants.flatMap((instant) => {
      const same = of
        .filter(({ issued_ms }) => issued_ms === instant)
        .flatMap((each) => {
          const earlier = of
            .filter(
              ({ date, metric, issued_ms }) =>
                date === each.date && metric === each.metric && issued_ms < instant,
            )
            .sort((a, b) => a.issued_ms - b.issued_ms)
            .at(-1);
          return earlier === undefined ? [] : [earlier.value === each.value];
        });
      return same.length === 0 ? [] : [{ instant, repeats: Number(same.every(Boolean)) }];
    });
    if (steps.length === 0) return [];
    return [
      {
        ...{ provider, station_id: station },
        issued: steps.map(({ instant }) => instant),
        repeated: steps.map(({ repeats }) => repeats),
      },
    ];
  });
}

const dataOnly = (body: unknown): unknown => {
  const { data, metadata } = body as { data: unknown; metadata: { hint?: string } };
  return { data, hint: metadata.hint };
};

describe('the watch over providers', () => {
  const random = new Random(43);
  const forecasts: Forecast[] = [];
  const actuals = new Map<string, number>();
  let store: Store;
  let service: TestService;
  let load: (lines: readonly Forecast[]) => Promise<Awaited<ReturnType<typeof loadLines>>>;

  const issue = (provider: string, day: number, hour: number): Forecast[] =>
    STATIONS.flatMap((station) =>
      [1, 2, 3].flatMap((ahead) =>
        (['high', 'low'] as const).flatMap((metric): Forecast[] => {
          if (random.next() < 0.05) return [];
          const date = addDays(FIRST, day + ahead);
          const shift = provider === 'three' && day + ahead >= SHIFTED ? 400 : 0;
          const value = (metric === 'high' ? 7000 : 5000) + shift + 100 * random.below(5);
          const issued_ms = Date.parse(FIRST) + day * DAY_MS + hour * 3_600_000;
          return [{ provider, station, issued_ms, date, metric, value }];
        }),
      ),
    );

  before(async () => {
    store = await openTestStore();
    for (let day = -2; day < DAYS; day += 1)
      for (const provider of PROVIDERS)
        for (const hour of [1, 13]) forecasts.push(...issue(provider, day, hour));
    const observations: string[] = [];
    for (let day = 0; day < DAYS; day += 1)
      for (const station of STATIONS) {
        if (random.next() < 0.1) continue;
        const [high, low] = [7000 + 100 * random.below(5), 5000 + 100 * random.below(5)];
        const date = addDays(FIRST, day);
        actuals.set(`high ${station} ${date}`, high).set(`low ${station} ${date}`, low);
        observations.push(
          `${station},${date},${high / 100},${low / 100},verified,${addDays(date, 1)}T12:00:00Z,false`,
        );
      }
    load = (lines) => loadLines(store, { columns: 'all', forecasts: lines.map(lineOf) });
    await loadLines(store, {
      stations: STATIONS.map((id, at) => `${id},City ${at},US,4${at},-87,UTC,Dfa,true,,`),
    });
    await loadLines(store, { columns: 'all', observations });
    await load(forecasts);
    // Some are corrected, and some taken back, in a second load.
    const changed = forecasts.flatMap((each, at) => {
      if (each.value === undefined || random.next() > 0.03) return [];
      if (random.next() < 0.7) return [(forecasts[at] = { ...each, value: each.value + 100 })];
      // A row that is withdrawn takes back the high and the low.
      const { provider, station, issued_ms, date } = each;
      const row = { provider, station, issued_ms, date };
      for (const [place, other] of forecasts.entries())
        if (Object.entries(row).every(([name, value]) => other[name as keyof Forecast] === value))
          forecasts[place] = { ...other, value: undefined };
      return [forecasts[at]!];
    });
    await load(changed);
    service = await startTestService(store, { now: () => new Date(`${TODAY}T12:00:00Z`) });
  });
  after(() => store.close());

  it('given corrected and withdrawn forecasts, then an issuance repeats the one before just where plain loops say so', async () => {
    const after_ms = Date.parse(FIRST) + 100 * DAY_MS;
    const found = await store.query(issuanceRepeats({ providers: ['two'], after_ms }));
    expect(found).to.deep.equal(plainRepeats(forecasts, 'two', after_ms));
    expect(found.flatMap(({ repeated }) => repeated)).to.include.members([0, 1]);
    const others = await store.query(
      issuanceRepeats({ providers: ['two'], others: true, after_ms, stations: ['KBBB'] }),
    );
    expect(others).to.deep.equal(
      ['one', 'three'].flatMap((provider) =>
        plainRepeats(forecasts, provider, after_ms).filter(
          (row) => (row as { station_id: string }).station_id === 'KBBB',
        ),
      ),
    );
  });

  it('given the pairs of all loads, then the days of the network are those of plain loops', async () => {
    const row = z.object({
      ...{ metric: z.string(), provider: z.string(), target_date: z.string(), station_days: z.number() },
      ...{ error: z.number(), compared_days: z.number(), departure: z.number() },
    });
    const found = await store.query(sql.rows(row)`
      SELECT metric, provider, target_date, station_days, error, compared_days, departure
      FROM network_days
      WHERE provider != ''
      ORDER BY target_date, metric, provider, load_id
      LIMIT 1 BY target_date, metric, provider
      `);
    const latest = await store.query(sql.rows(row)`
      SELECT metric, provider, target_date, station_days, error, compared_days, departure
      FROM network_days
      WHERE provider != '' AND (target_date, load_id) IN (SELECT target_date, max(load_id) FROM network_days GROUP BY target_date)
      ORDER BY target_date, metric, provider`);
    expect(latest).to.not.deep.equal(found); // corrections have changed some days
    const expected = [...Array(DAYS).keys()].flatMap((day) =>
      (['high', 'low'] as const).flatMap((metric) => {
        const date = addDays(FIRST, day);
        const chosen = STATIONS.map((station) =>
          PROVIDERS.map((provider) => {
            const actual = actuals.get(`${metric} ${station} ${date}`);
            const last = forecasts
              .filter(
                (each) =>
                  each.value !== undefined &&
                  each.provider === provider &&
                  each.station === station &&
                  each.date === date &&
                  each.metric === metric &&
                  each.issued_ms <= Date.parse(date),
              )
              .sort((a, b) => a.issued_ms - b.issued_ms)
              .at(-1);
            return actual === undefined || last === undefined ? undefined : last.value! - actual;
          }),
        );
        return PROVIDERS.flatMap((provider, at) => {
          const rows = chosen.flatMap((errors) => {
            const own = errors[at];
            const others = errors.filter((each, other) => each !== undefined && other !== at) as number[];
            return own === undefined ? [] : [{ own, others }];
          });
          const compared = rows.filter(({ others }) => others.length > 0);
          const mean = (values: number[]): number =>
            values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
          return rows.length === 0
            ? []
            : [
                {
                  ...{ metric, provider, target_date: date, station_days: rows.length },
                  error: mean(rows.map(({ own }) => own)),
                  compared_days: compared.length,
                  // The mean of two is their median, and of one it is that one.
                  departure: mean(compared.map(({ own, others }) => own - mean(others))),
                },
              ];
        });
      }),
    );
    const rounded = (rows: z.infer<typeof row>[]) =>
      rows.map((each) => ({
        ...each,
        error: Math.round(each.error * 1e6) / 1e6 + 0,
        departure: Math.round(each.departure * 1e6) / 1e6 + 0,
      }));
    expect(rounded(latest)).to.deep.equal(rounded(expected));
  });

  it('given a provider whose errors have changed, then /providers and /loads tell it, and the odds that rest on it', async () => {
    const providers = await dataOf<{ alarms: string[] }[]>(service, 'providers');
    const alarms = providers.flatMap((each) => each.alarms);
    expect(alarms).to.have.length(2);
    const since = /^three: its highs moved by \+[34]\.\d+ °F since ([\d-]+), against the other providers; /;
    const [, day = ''] = since.exec(alarms[0]!) ?? [];
    expect(alarms[1]).to.match(/^three: its lows moved by/);
    // Noise may make it begin some days too early.
    expect(day > addDays(FIRST, SHIFTED - 7) && day <= addDays(FIRST, SHIFTED), day).to.equal(true);
    const [latest, first] = await dataOf<{ alarms_raised: string[]; alarms_cleared: string[] }[]>(
      service,
      'loads',
    );
    expect(first?.alarms_raised[0]).to.match(since);
    expect([latest?.alarms_raised, latest?.alarms_cleared]).to.deep.equal([[], []]); // they were told before
    const hintOf = async (provider: string): Promise<string> => {
      const path = `probability?station_id=KAAA&forecast=72&target_date=${TOMORROW}&provider=${provider}`;
      const response = await service.get(`/api/v1/${path}`);
      return (response.body as { metadata: { hint?: string } }).metadata.hint ?? '';
    };
    expect(await hintOf('three')).to.include(
      `three has changed: the days before ${day} speak of another version`,
    );
    expect(await hintOf('two')).to.not.include('has changed');
    const listening = await Listening.start(service);
    const assistant = await Assistant.connect(listening.url, service.key);
    expect((await assistant.ask('data_status')).hints).to.include.members(alarms);
    await assistant.client.close();
    await listening.stop();
  });

  it('given issuances that repeat the one before at all stations, then an alarm begins; when they move, then it ends, and a past version stays as it was', async () => {
    const last = forecasts.filter(
      ({ provider, issued_ms }) =>
        provider === 'one' && issued_ms === Date.parse(FIRST) + (DAYS - 1) * DAY_MS + 13 * 3_600_000,
    );
    const again = (hours: number): Forecast[] =>
      last.map((each) => ({ ...each, issued_ms: each.issued_ms + hours * 3_600_000 }));
    const query =
      `/api/v1/accuracy/bias-correction?station_id=KAAA&forecast_temp=72&forecast_for_date=${TOMORROW}&lead_hours=11` +
      `&date_from=2026-04-01&date_to=2026-05-01&provider=three&as_of=v4`;
    const pinned = async (): Promise<unknown> => (await service.get(query)).body;
    const before = await pinned();
    expect((before as { metadata: { hint?: string } }).metadata.hint).to.include('three has changed');
    for (const provider of ['two', 'three'] as const) await load(issue(provider, DAYS, 7));
    const reports = [await load(again(12)), await load(again(24)), await load(again(36))];
    expect(reports.map(({ watch }) => watch?.raised.map(({ kind }) => kind))).to.deep.equal([
      [],
      ['frozen'],
      [],
    ]);
    const [frozen] = reports[1]!.watch!.raised;
    expect(frozen).to.include({ provider: 'one', station_id: null, since: '2026-05-20' });
    const { text } = await service.get('/metrics');
    expect(text).to.include('watch_alarms{kind="frozen",provider="one"} 1');
    expect(text).to.include('watch_alarms{kind="shifted",provider="three"} 2');
    expect(text).to.include('watch_alarms{kind="frozen",provider="two"} 0');
    const moved = await load(again(48).map((each) => ({ ...each, value: (each.value ?? 7000) + 300 })));
    expect(moved.watch?.cleared.map(({ kind }) => kind)).to.deep.equal(['frozen']);
    expect(moved.watch?.alarms.map(({ kind }) => kind)).to.deep.equal(['shifted', 'shifted']);
    expect(dataOnly(await pinned())).to.deep.equal(dataOnly(before));
  });

  it('given a load that brings nothing new, then it looks at nothing', async () => {
    const report = await load(forecasts.slice(-20));
    expect(report).to.not.have.property('watch');
  });
});
