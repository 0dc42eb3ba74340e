import { expect } from 'chai';
import { addDays, DAY_MS } from '../../../src/statistics/time/calendar.js';
import type { Store } from '../../../src/store/store.js';
import { issuanceRepeats } from '../../../src/monitoring/issuance-repeats.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';
import { Random } from '../../support/random.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

const FIRST = '2026-01-01';
const TODAY = '2026-05-20';
const DAYS = 139; // from FIRST to the day before TODAY
const STATIONS = ['KAAA', 'KBBB', 'KCCC', 'KDDD', 'KEEE', 'KFFF'];
const PROVIDERS = ['one', 'three', 'two'] as const;

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

describeInCi('the watch over providers', () => {
  const random = new Random(43);
  const forecasts: Forecast[] = [];
  const observed: { station: string; date: string; high: number; low: number }[] = [];
  let store: Store;
  let service: TestService;
  let load: (lines: readonly Forecast[]) => Promise<Awaited<ReturnType<typeof loadLines>>>;

  const issue = (provider: string, day: number, hour: number): Forecast[] =>
    STATIONS.flatMap((station) =>
      [1, 2, 3].flatMap((ahead) =>
        (['high', 'low'] as const).flatMap((metric): Forecast[] => {
          if (random.next() < 0.05) return [];
          const date = addDays(FIRST, day + ahead);
          const value = (metric === 'high' ? 7000 : 5000) + 100 * random.below(5);
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
        observed.push({ station, date, high, low });
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

  it('given corrected and withdrawn forecasts, then an issuance repeats where plain loops say so', async () => {
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

  it('given issuances that repeat at all stations, then an alarm begins, is told, and ends when they move', async () => {
    const last = forecasts.filter(
      ({ provider, issued_ms }) =>
        provider === 'one' && issued_ms === Date.parse(FIRST) + (DAYS - 1) * DAY_MS + 13 * 3_600_000,
    );
    const again = (hours: number): Forecast[] =>
      last.map((each) => ({ ...each, issued_ms: each.issued_ms + hours * 3_600_000 }));
    for (const provider of ['two', 'three'] as const) await load(issue(provider, DAYS, 7));
    const reports = [await load(again(12)), await load(again(24)), await load(again(36))];
    expect(reports.map(({ watch }) => watch?.raised.map(({ kind }) => kind))).to.deep.equal([
      [],
      ['stale'],
      [],
    ]);
    const [stale] = reports[1]!.watch!.raised;
    expect(stale).to.include({ provider: 'one', station_id: null, since: '2026-05-20' });
    const loads = await dataOf<{ alarms_raised: string[] }[]>(service, 'loads');
    expect(loads[1]?.alarms_raised).to.deep.equal([stale?.message]);
    const providers = await dataOf<{ alarms: string[] }[]>(service, 'providers');
    expect(providers.map(({ alarms }) => alarms)).to.deep.equal([[stale?.message], [], []]);
    const listening = await Listening.start(service);
    const assistant = await Assistant.connect(listening.url, service.key);
    expect((await assistant.ask('data_status')).hints).to.include(stale?.message);
    await assistant.client.close();
    await listening.stop();
    const { text } = await service.get('/metrics');
    expect(text).to.include('watch_alarms{kind="stale",provider="one"} 1');
    expect(text).to.include('watch_alarms{kind="stale",provider="two"} 0');
    const moved = await load(again(48).map((each) => ({ ...each, value: (each.value ?? 7000) + 300 })));
    expect(moved.watch?.cleared.map(({ kind }) => kind)).to.deep.equal(['stale']);
    expect(moved.watch?.alarms).to.deep.equal([]);
  });

  it('given a provider with the values of another, then an alarm of each names the other until they part', async () => {
    const copies = forecasts
      .filter(({ provider, date }) => provider === 'three' && date >= addDays(TODAY, -40))
      .map((each) => ({ ...each, provider: 'copy', issued_ms: each.issued_ms + 3_600_000 }));
    const identical = (alarms: readonly { kind: string; provider: string | null }[] = []) =>
      alarms.filter(({ kind }) => kind === 'identical').map(({ provider }) => provider);
    const { watch } = await load(copies);
    expect(identical(watch?.raised)).to.have.members(['copy', 'three']);
    const [alarm] = watch!.raised.filter(({ provider }) => provider === 'three');
    expect(alarm?.message).to.match(
      /^three: the same values as copy in all \d+ common forecasts of the last 30 days; it may be/,
    );
    const providers = await dataOf<{ provider: string; alarms: string[] }[]>(service, 'providers');
    expect(providers.find(({ provider }) => provider === 'three')?.alarms).to.include(alarm?.message);
    expect(providers.find(({ provider }) => provider === 'one')?.alarms).to.be.empty;
    expect((await service.get('/metrics')).text).to.include(
      'watch_alarms{kind="identical",provider="copy"} 1',
    );

    const last = copies.findLast(({ date, value }) => date === addDays(TODAY, -3) && value !== undefined);
    const again = await load([{ ...last!, issued_ms: last!.issued_ms + 1000, value: last!.value! + 100 }]);
    expect(identical(again.watch?.cleared)).to.have.members(['copy', 'three']);
  });

  it('given a provider with the values of another in tenths of °C, then an alarm of each names the other', async () => {
    const inCelsius = (value: number): number => 18 * Math.round((value - 3200) / 18) + 3200;
    const copies = forecasts.flatMap((each) =>
      each.provider === 'two' && each.date >= addDays(TODAY, -40) && each.value !== undefined
        ? [{ ...each, provider: 'celsius', value: inCelsius(each.value) }]
        : [],
    );
    const { watch } = await load(copies);
    const raised = watch!.raised.filter(({ kind }) => kind === 'identical');
    expect(raised.map(({ provider }) => provider)).to.have.members(['celsius', 'two']);
    expect(raised[0]!.message).to.match(
      /the same values as (two|celsius), to 0.0\d °F, in all \d+ common forecasts .* it may be one source under two names, one of them in other degrees$/,
    );
    const last = copies.findLast(({ date }) => date === addDays(TODAY, -3))!;
    const again = await load([{ ...last, issued_ms: last.issued_ms + 1000, value: last.value + 20 }]);
    expect(again.watch?.cleared.filter(({ kind }) => kind === 'identical')).to.have.lengthOf(2);
  });

  it('given observed highs under the name of a forecast, then an alarm tells them until 3% differ', async () => {
    const leaks = observed
      .filter(({ date }) => date >= addDays(TODAY, -40))
      .flatMap(({ station, date, high, low }): Forecast[] => {
        const row = { provider: 'leaky', station, date, issued_ms: Date.parse(date) - 3_600_000 };
        return [
          { ...row, metric: 'high', value: high },
          { ...row, metric: 'low', value: low + 200 },
        ];
      });
    const { watch } = await load(leaks);
    expect(watch?.raised.map(({ kind, provider, metric }) => [kind, provider, metric])).to.deep.equal([
      ['leak', 'leaky', 'high'],
    ]);
    expect(watch?.raised[0]?.message).to.match(
      /^leaky: (\d+) of \1 forecasts made before the day equal the observed high in the last 30 days; they may be/,
    );
    expect((await service.get('/metrics')).text).to.include('watch_alarms{kind="leak",provider="leaky"} 1');

    const later = leaks.filter(({ metric }) => metric === 'high').slice(-5);
    const again = await load(
      later.map((each) => ({ ...each, issued_ms: each.issued_ms + 1000, value: each.value! + 100 })),
    );
    expect(again.watch?.cleared.map(({ kind }) => kind)).to.deep.equal(['leak']);
  });

  it('given a load that brings nothing new, then it looks at nothing', async () => {
    const report = await load(forecasts.slice(-20));
    expect(report).to.not.have.property('watch');
  });
});
