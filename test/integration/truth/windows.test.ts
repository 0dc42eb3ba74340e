import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { expectSettled } from '../../support/ingest/ledger.js';
import { type Load, linesOf, type Pair, statisticsOf } from '../../support/plain/oracle.js';
import { countWindows, hourPairs, type Known } from '../../support/plain/station-hours.js';
import { WINDOWS } from '../../support/plain/variables.js';
import { brierOf } from '../../support/plain/wet-days.js';
import { windowsWorld } from '../../support/plain/windows.js';
import { sum } from '../../../src/statistics/statistics.js';
import { Random } from '../../support/random.js';
import {
  type Compared,
  compareWithScript,
  NOT_RECOMPUTED_OF_WINDOWS,
} from '../../support/recompute/compare.js';
import { COVERED_OF_CHANCES, drawChanceRequest } from '../../support/recompute/requests.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const WINDOW = `date_from=2098-03-06&date_to=2098-04-30`;
type Row = Record<string, unknown>;

const statsOf = (pairs: readonly Pair[]) => ({
  ...statisticsOf(pairs),
  ...brierOf(pairs.map(({ forecast, actual }) => ({ chance: forecast / 100, wet: actual === 10_000 }))),
});

// No other test holds windows to reports like those of ASOS (specials, sums that begin anew, groups, traces), to wet_at, and to a report
// that comes alone; station-hours.test.ts has reports at random.
describe('chances of rain in windows, given reports like those of ASOS and late ones', function () {
  this.timeout(3_600_000);
  let store: Store;
  let service: TestService;
  const random = new Random(Number(process.env.TEST_SEED ?? 0) + 5);
  const loads = windowsWorld(random, range({ test: 4, ci: 20 }));
  /** The pairs after these loads. */
  const pairsOf = (of: readonly Load[], known?: Known, wetAt = 1): Pair[] =>
    hourPairs(of, known, WINDOWS, wetAt);
  const everyPair = pairsOf(loads);
  let statistics = 0;

  before(async () => {
    store = await openTestStore();
    for (const [at, load] of loads.entries()) {
      await loadLines(store, linesOf(load));
      await expectSettled(store, pairsOf(loads.slice(0, at + 1)), `load ${at + 1}`);
    }
    service = await startTestService(store, { now: '2098-06-01T00:00:00Z' });
  });
  after(async () => {
    console.log(`      ${everyPair.length} pairs and ${statistics} statistics compared`);
    await store.close();
  });

  const dataOf = async (path: string): Promise<Row[]> => {
    const { status, text } = await service.get(`/api/v1/${path}`);
    expect(status, `${path}: ${text}`).to.equal(200);
    return [(JSON.parse(text) as { data: Row | Row[] }).data].flat();
  };

  /** Holds the statistics of a request, and those by lead hour, hour, day and bucket, to own loops. */
  const expectStatistics = async (query: string, pairs: readonly Pair[]): Promise<void> => {
    const [summary] = await dataOf(`accuracy/summary?${WINDOW}&${query}`);
    expect(summary, query).to.deep.include(statsOf(pairs));
    const groups: [path: string, key: string, of: (pair: Pair) => string | number][] = [
      [
        'by-hour?group_by=lead_hour',
        'hour',
        ({ local_midnight, issued_at }) => Math.floor((local_midnight - issued_at) / HOUR),
      ],
      ['by-hour?group_by=valid_hour', 'hour', ({ local_midnight }) => new Date(local_midnight).getUTCHours()],
      ['by-date?', 'date', ({ target_date }) => target_date],
      ['by-lead-time?', 'lead_time_bucket', ({ lead_time_bucket }) => lead_time_bucket],
    ];
    for (const [path, key, of] of groups) {
      const found = (await dataOf(`accuracy/${path}&${WINDOW}&${query}`)).filter(
        ({ stats }) => (stats as Row).verification_pairs !== 0,
      );
      const expected = [...new Set(pairs.map(of))].map((each) => ({
        [key]: each,
        stats: statsOf(pairs.filter((pair) => of(pair) === each)),
      }));
      expect(found, `${path} ${query}`).to.have.lengthOf(expected.length);
      for (const { stats, ...each } of expected)
        expect(found.find((record) => record[key] === each[key])?.stats, `${path} ${query}`).to.deep.equal(
          stats,
        );
      statistics += 14 * (expected.length + 1);
    }
  };
  const of = (pairs: readonly Pair[], metric: string, provider = 'default'): Pair[] =>
    pairs.filter((pair) => pair.metric === metric && pair.provider === provider);

  it('statistics: given each window, version, least amount and instant, then they are those of own loops', async () => {
    for (const metric of WINDOWS) {
      await expectStatistics(`metric=${metric}`, of(everyPair, metric));
      await expectStatistics(`metric=${metric}&provider=other`, of(everyPair, metric, 'other'));
      const [first, later] = [loads.slice(0, 1), loads.slice(0, 2)];
      await expectStatistics(`metric=${metric}&as_of=v1`, of(pairsOf(first), metric));
      for (const [written, wetAt] of [
        ['0.1in', 10],
        ['1mm', 4],
      ] as const) {
        await expectStatistics(
          `metric=${metric}&wet_at=${written}`,
          of(pairsOf(loads, undefined, wetAt), metric),
        );
        await expectStatistics(
          `metric=${metric}&wet_at=${written}&as_of=v2`,
          of(pairsOf(later, undefined, wetAt), metric),
        );
      }
      const instant = Date.parse('2098-03-10T12:01:00Z');
      const known: Known = {
        forecasts: ({ issued_at }) => issued_at <= instant,
        reports: (report) => 'at' in report && report.at + 180_000 <= instant,
      };
      const query = `metric=${metric}&known_at=2098-03-10T12:01:00Z&stations=KNYC,PLCH,EGLL,VNKT`;
      const near = (pairs: readonly Pair[]): Pair[] =>
        of(pairs, metric).filter(({ station_id }) => ['KNYC', 'PLCH', 'EGLL', 'VNKT'].includes(station_id));
      await expectStatistics(query, near(pairsOf(loads, known)));
      await expectStatistics(`${query}&wet_at=0.1in`, near(pairsOf(loads, known, 10)));
    }
    expect(everyPair).to.have.length.above(range({ test: 1500, ci: 10_000 }));
    expect(statistics).to.be.above(range({ test: 1000, ci: 5000 }));
  });

  it('reliability: given a window, then each bin has the cases and wet windows of own loops', async () => {
    for (const metric of WINDOWS)
      for (const [query, wetAt] of [
        ['', 1],
        ['&wet_at=0.1in', 10],
      ] as const) {
        const latest = new Map<string, Pair>();
        for (const pair of of(pairsOf(loads, undefined, wetAt), metric)) {
          const key = `${pair.station_id} ${pair.local_midnight}`;
          if ((latest.get(key)?.issued_at ?? -1) < pair.issued_at) latest.set(key, pair);
        }
        const cases = [...latest.values()];
        const found = await dataOf(`accuracy/by-bucket?bucket=forecast&metric=${metric}&${WINDOW}${query}`);
        const binOf = ({ forecast }: Pair): number => Math.min(90, Math.floor(forecast / 1000) * 10);
        const bins = [...new Set(cases.map(binOf))].sort((a, b) => a - b);
        expect(
          found.map(({ chance_low, cases: all, wet_days }) => [chance_low, all, wet_days]),
          `${metric}${query}`,
        ).to.deep.equal(
          bins.map((low) => {
            const ofBin = cases.filter((pair) => binOf(pair) === low);
            return [low, ofBin.length, ofBin.filter(({ actual }) => actual === 10_000).length];
          }),
        );
        statistics += 3 * bins.length;
      }
  });

  it('lost windows: given each window, then its forecasts without an amount are counted, with the reason', async () => {
    for (const metric of WINDOWS) {
      const expected = countWindows(loads, metric, 'default', ['2098-03-06', '2098-04-30']);
      const found = await dataOf(`accuracy/sample-size?metric=${metric}&${WINDOW}`);
      const counts = found.map(
        ({ station_id, windows_forecast, windows_without_report, windows_without_amount }) => [
          station_id,
          { windows_forecast, windows_without_report, windows_without_amount },
        ],
      );
      expect(Object.fromEntries(counts), metric).to.deep.equal(Object.fromEntries(expected));
      const pairs = new Set(
        of(everyPair, metric).map(({ station_id, local_midnight }) => `${station_id} ${local_midnight}`),
      );
      const lost = [...expected.values()].map(
        (each) => each.windows_without_report + each.windows_without_amount,
      );
      const all = [...expected.values()].map(({ windows_forecast }) => windows_forecast);
      expect(sum(all) - sum(lost), `${metric}: pairs`).to.equal(pairs.size);
      expect(lost.some((each) => each > 0)).to.equal(true);
    }
  });

  it('asked of endpoints with scripts, then DuckDB makes every number anew from the export', async () => {
    const { metadata } = (await service.get('/api/v1/accuracy/summary')).body as { metadata: Row };
    const version = { version: metadata.data_version as number, timeline: metadata.timeline as string };
    const compared: Compared = { numbers: 0, differing: [], missing: new Set() };
    const days = [...new Set(everyPair.map(({ target_date }) => target_date))].sort();
    const endpoints = [...COVERED_OF_CHANCES, 'accuracy/by-hour'];
    const requests = range({ test: 3, ci: 30, stress: 300 });
    for (let at = 0; at < requests; at += 1) {
      const path = drawChanceRequest(
        random,
        endpoints[at % endpoints.length]!,
        version,
        { days, stations: ['KNYC', 'PLCH', 'VNKT'], providers: ['other'] },
        WINDOWS[at % 3],
      );
      // All stations of this world are in one place of one country.
      const here = path.replace('%2C-112', '%2C-73').replace('country=JP', 'country=US');
      await compareWithScript(
        service,
        `${here}${random.of(['', '&wet_at=2.5mm', '&wet_at=0.1in'])}`,
        compared,
      );
    }
    console.log(`      ${requests} requests, ${compared.numbers} numbers made anew`);
    expect(compared.differing.slice(0, 20)).to.deep.equal([]);
    expect(NOT_RECOMPUTED_OF_WINDOWS).to.include.members([...compared.missing]);
  });
});
