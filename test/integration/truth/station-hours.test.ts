import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { expectSettled } from '../../support/ingest/ledger.js';
import {
  type Load,
  linesOf,
  offsetAt,
  type Pair,
  pairsOf,
  stationsOf,
  statisticsOf as errorsOf,
} from '../../support/plain/oracle.js';
import { hourlyWorld, hourPairs, type Known, withAllVariables } from '../../support/plain/station-hours.js';
import { AMOUNTS, HOURLY, WINDOWS } from '../../support/plain/variables.js';
import { brierOf } from '../../support/plain/wet-days.js';
import { Random } from '../../support/random.js';
import { type Compared, compareWithScript } from '../../support/recompute/compare.js';
import { COVERED_OF_HOURS, drawVariableRequest } from '../../support/recompute/requests.js';
import { isInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const NOW = '2098-06-01T00:00:00Z';
const WINDOW = 'date_from=2098-03-01&date_to=2098-05-01';
const ALL = `metric=temperature&${WINDOW}`;
/** The variables of hours, and those of days that no other test has. */
const VARIABLES = [...AMOUNTS, ...HOURLY] as const;

const utc = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z');

/** A pair as exports have it. */
const rowOf = (pair: Pair) => ({
  metric: pair.metric,
  station_id: pair.station_id,
  target_date: pair.target_date,
  valid_at: utc(pair.local_midnight),
  issued_at: utc(pair.issued_at),
  lead_time_hours: Math.floor((pair.local_midnight - pair.issued_at + 180) / 360) / 10_000,
  lead_time_bucket: pair.lead_time_bucket,
  forecast: pair.forecast / 100,
  actual: pair.actual / 100,
  error: pair.error / 100,
  observation_status: pair.observation_status,
  provider: pair.provider,
});

/** A load with those rows of days alone that are known by an instant. */
const knownOf = (load: Load, known?: Known): Load =>
  known === undefined
    ? load
    : {
        ...load,
        forecasts: load.forecasts.filter(known.forecasts),
        observations: load.observations.filter(known.reports),
      };

/** The statistics of pairs of a variable. */
const statisticsOf = (pairs: readonly Pair[]) => ({
  ...errorsOf(pairs),
  ...(WINDOWS.some((name) => name === pairs[0]?.metric) &&
    brierOf(pairs.map(({ forecast, actual }) => ({ chance: forecast / 100, wet: actual === 10_000 })))),
});

const keyOf = ({ target_date, station_id, issued_at, local_midnight, provider }: Pair): string =>
  [target_date, station_id, issued_at + 1e14, local_midnight, provider].join(' ');

// No other test holds the pairs of hours to own loops: the nearest report and the highest gust, the day and the status of an hour, and
// its versions; nor those of rain, snow and wind of days.
describe('all variables but highs and lows, given 9 stations in 7 zones and four loads', function () {
  this.timeout(3_600_000); // 500 scripts in stress
  let store: Store;
  let service: TestService;
  const days = range({ test: 2, ci: 4, stress: 8 });
  const loads = withAllVariables(hourlyWorld(1, days), 2, 4 * days);
  /** The pairs of all variables after these loads, as far as they are known. */
  const allPairs = (of: readonly Load[], known?: Known): Pair[] => [
    ...pairsOf(
      of.map((load) => knownOf(load, known)),
      AMOUNTS,
    ),
    ...hourPairs(of, known, HOURLY),
  ];
  const everyPair = allPairs(loads);
  const ofMetric = (all: readonly Pair[], name: string): Pair[] =>
    all.filter(({ metric }) => metric === name);
  const pairs = ofMetric(everyPair, 'temperature');
  let statistics = 0;

  before(async () => {
    store = await openTestStore();
    for (const [at, load] of loads.entries()) {
      await loadLines(store, linesOf(load));
      if (isInCi) await expectSettled(store, allPairs(loads.slice(0, at + 1)), `load ${at + 1}`);
    }
    if (!isInCi) await expectSettled(store, everyPair, 'the last load');
    service = await startTestService(store, { now: NOW });
  });
  after(async () => {
    console.log(`      ${everyPair.length} pairs and ${statistics} statistics compared`);
    await store.close();
  });

  const dataOf = async (path: string): Promise<unknown> => {
    const { status, text } = await service.get(`/api/v1/${path}`);
    expect(status, `${path}: ${text}`).to.equal(200);
    return (JSON.parse(text) as { data: unknown }).data;
  };
  const exported = async (query: string): Promise<unknown[]> => {
    const { status, text } = await service
      .get(`/api/v1/export/pairs?format=ndjson&provider=all&${WINDOW}&${query}`)
      .buffer(true);
    expect(status, text).to.equal(200);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  };
  const expectExport = async (query: string, expected: readonly Pair[]): Promise<void> => {
    const inTheirOrder = [...expected].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    expect(await exported(query), query).to.deep.equal(inTheirOrder.map(rowOf));
  };

  it('when pairs are exported as of each load, then they are those of own loops', async () => {
    for (const at of loads.keys()) {
      const all = allPairs(loads.slice(0, at + 1));
      for (const metric of range({ test: 3, ci: 9 }, HOURLY))
        await expectExport(`metric=${metric}&as_of=v${at + 1}`, ofMetric(all, metric));
    }
    expect(everyPair).to.have.length.above(range({ test: 8000, ci: 20_000 }));
  });

  it('when pairs of highs and lows are exported, then no pair of an hour is among them', async () => {
    const { text } = await service.get(`/api/v1/export/pairs?format=ndjson&${WINDOW}`).buffer(true);
    expect(text).to.equal('');
  });

  const GROUPS: Record<string, (pair: Pair, stations: ReturnType<typeof stationsOf>) => number> = {
    lead_hour: ({ local_midnight, issued_at }) => Math.floor((local_midnight - issued_at) / HOUR),
    valid_hour: ({ local_midnight }) => new Date(local_midnight).getUTCHours(),
    local_hour: ({ local_midnight, station_id }, stations) =>
      new Date(local_midnight + offsetAt(local_midnight, stations.get(station_id)!.timezone)).getUTCHours(),
  };
  /** Holds the statistics of a request by each group to own loops. */
  const expectByHour = async (
    query: string,
    chosen: readonly Pair[],
    of: readonly Load[] = loads,
  ): Promise<void> => {
    const stations = stationsOf(of);
    const metric = chosen[0]?.metric ?? 'temperature';
    for (const [group, hourOf] of Object.entries(GROUPS)) {
      const hours = [...new Set(chosen.map((pair) => hourOf(pair, stations)))].sort((a, b) => a - b);
      const found = await dataOf(`accuracy/by-hour?group_by=${group}&metric=${metric}&${WINDOW}${query}`);
      expect(found, `${group}${query}`).to.deep.equal(
        hours.map((hour) => ({
          hour,
          stats: statisticsOf(chosen.filter((pair) => hourOf(pair, stations) === hour)),
        })),
      );
      statistics += 9 * hours.length;
    }
  };
  const ofDefault = (all: readonly Pair[]): Pair[] => all.filter(({ provider }) => provider === 'default');
  const at = (all: readonly Pair[], ...ids: string[]): Pair[] =>
    all.filter(({ station_id }) => ids.includes(station_id));

  it('when errors are asked by hour, then each hour has the statistics of own loops, of all, some and past', async () => {
    for (const metric of range({ test: 3, ci: 9 }, HOURLY))
      await expectByHour('', ofDefault(ofMetric(everyPair, metric)));
    await expectByHour(
      '&provider=other',
      pairs.filter(({ provider }) => provider === 'other'),
    );
    await expectByHour('&station_id=VABB', at(ofDefault(pairs), 'VABB'));
    await expectByHour('&stations=PLCH,YLHI', at(ofDefault(pairs), 'PLCH', 'YLHI'));
    const early = ofDefault(pairs).filter(({ lead_time_bucket }) => lead_time_bucket === '6-12h');
    await expectByHour('&lead_time_bucket=6-12h', early);
    const first = loads.slice(0, 1);
    await expectByHour('&as_of=v1', ofDefault(hourPairs(first)), first);
  });

  it('asked as known at an instant, then they are made of what was issued and reported by then', async () => {
    for (const instant of range({ test: 1, ci: 3 }, [
      Date.parse('2098-03-08T10:05:00Z'),
      Date.parse('2098-04-05T01:00:00Z'),
      Date.parse('2098-03-08T11:56:00Z'),
    ])) {
      const known: Known = {
        forecasts: ({ issued_at }) => issued_at <= instant,
        reports: (report) => ('at' in report ? report.at + 180_000 : report.observed_at) <= instant,
      };
      const chosen = at(ofDefault(allPairs(loads, known)), 'KNYC', 'YLHI', 'VNKT');
      const query = `&known_at=${utc(instant)}&stations=KNYC,YLHI,VNKT`;
      for (const metric of range({ test: 3, ci: 9 }, HOURLY))
        await expectByHour(query, ofMetric(chosen, metric));
      for (const metric of range({ test: 1, ci: 4 }, AMOUNTS))
        await expectStatistics(metric, query, ofMetric(chosen, metric));
    }
  });

  /** The statistics of pairs, with the sums of amounts: each station day once, with the latest forecast of them. */
  const withSums = (of: readonly Pair[]) => {
    if (!['precip', 'snowfall'].includes(of[0]?.metric ?? '')) return statisticsOf(of);
    const latest = new Map<string, Pair>();
    for (const pair of [...of].sort((a, b) => a.issued_at - b.issued_at))
      latest.set(`${pair.station_id},${pair.target_date},${pair.local_midnight}`, pair);
    const sum = (side: 'forecast' | 'actual'): number =>
      [...latest.values()].reduce((all, pair) => all + pair[side], 0) / 100;
    return { ...statisticsOf(of), sum_forecast: sum('forecast'), sum_actual: sum('actual') };
  };

  /** Holds the statistics of a request about a variable, and those of its groups, to own loops. */
  const expectStatistics = async (metric: string, query: string, all: readonly Pair[]): Promise<void> => {
    // Forecasts of a day that has begun count where they are asked for.
    const chosen = all.filter(({ lead_time_bucket }) => lead_time_bucket !== 'same-day');
    const of = `metric=${metric}&${WINDOW}${query}`;
    const groupsOf = (key: (pair: Pair) => string, ofGroup: (of: readonly Pair[]) => unknown = withSums) =>
      [...new Set(chosen.map(key))]
        .sort()
        .map((name) => [name, ofGroup(chosen.filter((pair) => key(pair) === name))] as const);
    const shown = (records: unknown, name: string): unknown[] =>
      (records as Record<string, unknown>[])
        .filter(({ stats }) => (stats as Load & { verification_pairs: number }).verification_pairs > 0)
        .map(({ stats, sum_forecast, sum_actual, ...each }) => [
          each[name],
          { ...(stats as object), ...(sum_actual !== undefined && { sum_forecast, sum_actual }) },
        ]);
    expect(await dataOf(`accuracy/summary?${of}`), of).to.deep.equal(withSums(chosen));
    const groups = [
      ['by-date', 'date', groupsOf(({ target_date }) => target_date)],
      ['by-lead-time', 'lead_time_bucket', groupsOf(({ lead_time_bucket }) => lead_time_bucket)],
      ['by-city', 'station_id', groupsOf(({ station_id }) => station_id, statisticsOf)],
    ] as const;
    for (const [endpoint, name, expected] of groups) {
      expect(shown(await dataOf(`accuracy/${endpoint}?${of}`), name), of).to.have.deep.members(expected);
      statistics += 9 * expected.length;
    }
  };

  it('when statistics of days, lead times and cities are asked, then they are those of own loops', async () => {
    for (const metric of range({ test: 3, ci: 13 }, VARIABLES)) {
      await expectStatistics(metric, '', ofDefault(ofMetric(everyPair, metric)));
      const [first, second] = [loads.slice(0, 1), loads.slice(0, 2)].map((of) =>
        ofMetric(allPairs(of), metric),
      );
      await expectStatistics(metric, '&as_of=v1', ofDefault(first!));
      await expectStatistics(
        metric,
        '&as_of=v2&provider=other',
        second!.filter(({ provider }) => provider === 'other'),
      );
    }
    expect(everyPair.filter(({ metric }) => metric === 'precip')).to.have.length.above(100);
  });

  it('when providers are compared by lead hour, then each hour has the latest of both, by own loops', async () => {
    const latest = new Map<string, Pair>();
    for (const pair of pairs) {
      const key = [
        GROUPS.lead_hour!(pair, stationsOf(loads)),
        pair.provider,
        pair.station_id,
        pair.local_midnight,
      ].join();
      const known = latest.get(key);
      if (known === undefined || pair.issued_at > known.issued_at) latest.set(key, pair);
    }
    const hours = new Map<number, { one: Pair | undefined; other: Pair | undefined }[]>();
    for (const [key, pair] of latest) {
      const [hour, provider, ...place] = key.split(',');
      const beside = latest.get([hour, provider === 'default' ? 'other' : 'default', ...place].join());
      const both = provider === 'default' ? { one: beside, other: pair } : { one: pair, other: beside };
      // One that both have is met twice.
      if (provider === 'default' && beside !== undefined) continue;
      hours.set(Number(hour), [...(hours.get(Number(hour)) ?? []), both]);
    }
    const numbers = [...hours.entries()]
      .sort(([a], [b]) => a - b)
      .map(([lead_hour, cases]) => {
        const paired = cases.flatMap(({ one, other }) =>
          one === undefined || other === undefined ? [] : [{ one, other }],
        );
        const differences = paired.map(({ one, other }) => Math.abs(one.error) - Math.abs(other.error));
        const sum = differences.reduce((all, each) => all + each, 0);
        return {
          lead_hour,
          cases: paired.length,
          provider_only_cases: cases.filter(({ other }) => other === undefined).length,
          reference_only_cases: cases.filter(({ one }) => one === undefined).length,
          value: paired.length === 0 ? null : sum / paired.length / 100,
          wins: differences.filter((each) => each < 0).length,
          losses: differences.filter((each) => each > 0).length,
        };
      });
    const path = `accuracy/compare?${ALL}&providers=default,other&group_by=lead_hour`;
    const found = (await dataOf(path)) as ((typeof numbers)[number] & {
      identical: boolean;
      mae_difference: { value: number | null };
    })[];
    expect(found.map(({ lead_hour }) => lead_hour)).to.deep.equal(numbers.map(({ lead_hour }) => lead_hour));
    for (const [at, { value, ...counts }] of numbers.entries()) {
      const { mae_difference, ...record } = found[at]!;
      expect(record).to.include(counts);
      if (value === null) expect(mae_difference.value).to.equal(null);
      else expect(mae_difference.value).to.be.closeTo(value, 0.005 + 1e-9);
    }
    expect(numbers.filter(({ cases }) => cases > 0)).to.have.length.above(5);
  });

  it('asked of endpoints with scripts, then DuckDB makes every number anew from the export', async () => {
    const response = await service.get('/api/v1/accuracy/summary');
    const { data_version, timeline } = (
      response.body as { metadata: { data_version: number; timeline: string } }
    ).metadata;
    const random = new Random(Number(process.env.TEST_SEED ?? 0) + 7);
    const compared: Compared = { numbers: 0, differing: [], missing: new Set() };
    const requests = range({ test: 4, ci: 20, stress: 500 });
    // More cases in a range than days: the days alone decide whether there is an interval.
    await compareWithScript(service, `accuracy/by-bucket/KNYC?${ALL}&range_width=50`, compared);
    for (let at = 0; at < requests; at += 1) {
      const metric = VARIABLES[(3 * at) % VARIABLES.length]!;
      const dates = [...new Set(ofMetric(everyPair, metric).map(({ target_date }) => target_date))].sort();
      const path = drawVariableRequest(
        random,
        // recompute.test.ts begins with those before them.
        COVERED_OF_HOURS[(at + 4) % COVERED_OF_HOURS.length]!,
        { version: data_version, timeline },
        { days: dates, stations: [...stationsOf(loads).keys()], providers: ['other'] },
        metric,
      );
      await compareWithScript(service, path, compared);
    }
    expect(compared.differing.slice(0, 20)).to.deep.equal([]);
    expect(compared.numbers).to.be.above(10 * requests);
  });
});
