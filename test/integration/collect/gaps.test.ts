import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import type { Collector } from '../../../src/collect/collector.js';
import { runOnce } from '../../../src/collect/pass.js';
import { type RunReport, formatRun, type StationReport } from '../../../src/collect/pass/run-report.js';
import { SOURCES } from '../../support/collect/collector.js';
import { watch } from '../../../src/collect/schedule.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { Store } from '../../../src/store/store.js';
import { factsOf, testCollector } from '../../support/collect/collector.js';
import { SAYS, StubServer } from '../../support/collect/stub-server.js';
import { iemStations } from '../../support/collect/stub/iem-stations.js';
import { pfmIssues } from '../../support/collect/stub/iem-pfm.js';
import { isLostRun, openMeteo } from '../../support/collect/stub/openmeteo.js';
import { KDEN, PLACES, type StubAnswer } from '../../support/collect/world.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';

const NOW = Date.parse('2026-01-10T12:30:00Z');
const only = (...names: string[]) => SOURCES.filter(({ name }) => names.includes(name));

/** Where facts are no matter: loads of many passes take no time. */
const loadNothing = (): Collector['load'] => {
  let load_id = 0;
  return async () => Promise.resolve({ load_id: (load_id += 1), outcome: 'complete' } as LoadReport);
};

const stationOf = (report: RunReport, source: string, station: string): StationReport =>
  report.sources
    .find((one) => one.source === source)
    ?.stations.find(({ station_id }) => station_id === station) as StationReport;

describeInCi('npm run collect, where something is missing', function () {
  let stub: StubServer;
  let store: Store;
  let clock: VirtualClock;

  before(async () => {
    stub = await StubServer.start({ now: () => clock.ms });
  });
  after(() => stub.stop());
  beforeEach(async () => {
    clock = new VirtualClock(NOW);
    stub.log.length = 0;
    stub.fault = () => undefined;
    store = await openTestStore();
  });
  afterEach(() => store.close());

  const collectorOf = (rest: Partial<Collector>): Collector =>
    testCollector(stub, clock, store, { days: { from: '2026-01-08', to: '2026-01-09' }, ...rest });

  it('given stations that are not there or say ERROR, then gaps are told, retried for a week, permanent', async () => {
    const collector = collectorOf({
      wanted: { stations: ['KNYC', 'KDEN', 'KXXX'], states: [], countries: [] },
      sources: only('iem-nbm'),
    });
    stub.fault = (path) => (/station=KDEN/.test(path) ? { answer: SAYS.notFound } : undefined);
    const passes: RunReport[] = [];
    for (const days of [0, 3, 4]) {
      clock.ms += days * DAY_MS;
      passes.push(await runOnce(collector));
    }
    const [first, , last] = passes as [RunReport, RunReport, RunReport];
    expect(first.outcome).to.equal('gaps');
    expect(first.stations_not_found.join()).to.contain('KXXX');
    expect(stationOf(first, 'iem-nbm', 'KNYC')).to.deep.include({ expected: 8, received: 8, gaps: [] });
    const { gaps } = stationOf(first, 'iem-nbm', 'KDEN');
    expect(gaps).to.have.length(1);
    expect(gaps[0]).to.include({ from: '2026-01-08', to: '2026-01-10', tries: 1 });
    expect(gaps[0]?.reason).to.contain('ERROR: station: X not found');
    expect(stationOf(last, 'iem-nbm', 'KDEN')).to.deep.include({
      received: 0,
      gaps: [],
      permanent_gaps: [{ ...gaps[0], tries: 3 }],
    });
    expect(formatRun(last, 'x')).to.contain(
      'permanent gap: KDEN 2026-01-08..2026-01-10: NBS: not a table of a model: ERROR',
    );
    const asked = stub.log.length;
    clock.ms += HOUR_MS;
    const { sources } = await runOnce(collector);
    expect(sources[0]?.requests).to.deep.equal({
      ok: 0,
      no_answer: 0,
      refused: 0,
      failed: 0,
      not_requested: 0,
    });
    expect(stub.log.slice(asked).map(({ path }) => path)).to.be.empty;
  });

  it('given runs that do not exist, then they are permanent gaps at once, for one place and for several', async () => {
    const lost =
      Array.from({ length: 200 }, (_, at) => Date.parse('2025-12-01') + at * 6 * HOUR_MS).find((run) =>
        isLostRun(run),
      ) ?? 0;
    const date = new Date(lost).toISOString().slice(0, 10);
    for (const stations of [['EGLL'], ['EGLL', 'KNYC']]) {
      const collector = collectorOf({
        wanted: { stations, states: [], countries: [] },
        days: { from: date, to: date },
        sources: only('openmeteo-ecmwf'),
      });
      const report = await runOnce(collector);
      const station = stationOf(report, 'openmeteo-ecmwf', 'EGLL');
      expect(station).to.deep.include({ expected: 4, received: 3, gaps: [] });
      expect(station.permanent_gaps[0]?.reason).to.match(/not available|modelRunUnavailable/);
      expect(report.sources[0]?.requests).to.include({ ok: 3, no_answer: 1 });
      const asked = stub.log.length;
      await runOnce(collector);
      expect(stub.log).to.have.length(asked);
    }
  });

  it('given a run that is a day late, then it comes in; one missing for 3 days is a permanent gap', async () => {
    const late = '2026-01-10T00:00';
    for (const hoursLate of [24, Infinity]) {
      clock.ms = NOW;
      stub.log.length = 0;
      const there_ms = NOW + hoursLate * HOUR_MS;
      stub.fault = (path) =>
        path.includes(`run=${late}`) && clock.ms < there_ms
          ? { answer: openMeteo(new URL(path, stub.url), Date.parse(`${late}Z`), []) as StubAnswer }
          : undefined;
      const collector = collectorOf({
        wanted: { stations: ['EGLL'], states: [], countries: [] },
        days: { from: '2026-01-10', to: '2026-01-10' },
        sources: only('openmeteo-ecmwf'),
        load: loadNothing(),
      });
      const seen: string[] = [];
      for (; clock.ms < NOW + 8 * DAY_MS; clock.ms += 6 * HOUR_MS) {
        const { gaps, permanent_gaps } = stationOf(await runOnce(collector), 'openmeteo-ecmwf', 'EGLL');
        const is = (list: readonly { from: string }[]): boolean =>
          list.some(({ from }) => from === late.slice(0, 10));
        const what = is(gaps) ? 'gap' : is(permanent_gaps) ? 'permanent' : 'read';
        if (what !== seen.at(-1)) seen.push(what);
      }
      expect(seen).to.deep.equal(['gap', hoursLate === 24 ? 'read' : 'permanent']);
      if (hoursLate === Infinity)
        expect(stub.log.filter(({ path }) => path.includes(`run=${late}`))).to.have.length(4);
    }
  });

  // collect.test.ts asks offices in `make test`.
  itInCi(
    'given a station without a point, when it is watched, then its office is asked once for each place',
    async () => {
      const elsewhere = PLACES.map((place) => (place === KDEN ? { ...place, latitude: 41 } : place));
      let isMoved = true;
      stub.fault = (path) =>
        isMoved && path.includes('network.py')
          ? { answer: iemStations(new URL(path, stub.url), clock.ms, elsewhere) as StubAnswer }
          : undefined;
      const stop = new AbortController();
      const collector = collectorOf({
        days: { from: '2026-01-08' },
        wanted: { stations: ['KNYC', 'KDEN'], states: [], countries: [] },
        sources: only('iem-pfm'),
        signal: stop.signal,
        load: loadNothing(),
      });
      const asked = (): number => stub.log.filter(({ path }) => path.includes('PFMBOU')).length;
      const counts = new Map<number, number>();
      await watch(collector, {
        jitter_ms: 0,
        onError: (error) => expect.fail(String(error)),
        onRun() {
          const day = Math.floor((clock.ms - NOW) / DAY_MS);
          counts.set(day, asked());
          isMoved = day < 6;
          if (day === 8) stop.abort();
        },
      });
      expect([0, 6].map((day) => counts.get(day))).to.deep.equal([1, 1]);
      expect(counts.get(8)).to.be.above(24);
    },
  );

  for (const [what, fault] of range({ test: 1, ci: 2 }, [
    ['takes the host too long', { answer: SAYS.tookTooLong }],
    ['is too large', 'large'],
  ] as const)) {
    it(`given that more than 3 days of an office ${what}, then it is asked in parts, and all of it comes in`, async () => {
      const days = ({ searchParams }: URL): number =>
        (Date.parse(searchParams.get('edate') ?? '') - Date.parse(searchParams.get('sdate') ?? '')) / DAY_MS;
      stub.fault = (path) => (days(new URL(path, stub.url)) > 3 ? fault : undefined);
      const from = '2026-01-02';
      const collector = collectorOf({
        wanted: { stations: ['KNYC'], states: [], countries: [] },
        days: { from, to: '2026-01-09' },
        sources: only('iem-pfm'),
      });
      const report = await runOnce(collector);
      expect(report.outcome).to.equal('complete');
      expect(stationOf(report, 'iem-pfm', 'KNYC').received).to.equal(
        pfmIssues('OKX', Date.parse(from), Date.parse('2026-01-10')).length,
      );
      expect(report.sources[0]?.requests).to.deep.include({ ok: 4, no_answer: 3, failed: 0 });
    });
  }

  // An office that takes too long stands for it in `make test`.
  itInCi(
    'given that even a day is too large, then that is a gap, and the rest of the host is asked for',
    async () => {
      stub.fault = (path) => (path.includes('PFM') ? { answer: SAYS.tookTooLong } : undefined);
      const report = await runOnce(
        collectorOf({
          wanted: { stations: ['KNYC'], states: [], countries: [] },
          sources: only('iem-pfm', 'iem-cli'),
        }),
      );
      expect(stationOf(report, 'iem-pfm', 'KNYC').gaps[0]?.reason).to.contain('took too long');
      expect(stationOf(report, 'iem-cli', 'KNYC')).to.deep.include({ received: 2, gaps: [] });
      expect(report.sources[0]?.requests).to.deep.include({ failed: 0, not_requested: 0 });
    },
  );

  itInCi(
    'given a host that is down, then its requests are gaps, and the other host is asked for all its own',
    async () => {
      stub.fault = (path) =>
        path.startsWith('/cgi-bin') || path.startsWith('/json') ? { answer: SAYS.overCapacity } : undefined;
      const collector = collectorOf({});
      const report = await runOnce(collector);
      expect(report.outcome).to.equal('gaps');
      const counts = report.sources.map(({ requests }) => requests);
      expect(counts.reduce((sum, { failed }) => sum + failed, 0)).to.equal(3);
      expect(counts.reduce((sum, { not_requested }) => sum + not_requested, 0)).to.be.above(1);
      expect(stationOf(report, 'openmeteo-ecmwf', 'KNYC').gaps).to.be.empty;
      expect(stationOf(report, 'iem-cli', 'KNYC').gaps[0]?.reason).to.contain('refusals in a row');
      stub.fault = () => undefined;
      clock.ms += HOUR_MS;
      const next = await runOnce(collector);
      for (const { stations } of next.sources) for (const { gaps } of stations) expect(gaps).to.be.empty;
    },
  );

  itInCi(
    'given two collectors of one folder, then one waits and says so, and nothing settled is asked twice',
    async () => {
      const told: string[] = [];
      const dataDir = temporaryFolder();
      const rest = {
        dataDir,
        log: (line: string) => told.push(line),
        sources: only('iem-nbm', 'iem-daily'),
      };
      const real = {
        now: () => NOW,
        sleep: async (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      };
      await Promise.all([1, 2].map(async () => runOnce(collectorOf({ ...rest, clock: real }))));
      expect(told.filter((line) => line.includes('another collector is at work'))).to.have.length(1);
      const nbm = stub.log.filter(({ path }) => path.includes('mos.py')).map(({ path }) => path);
      expect(new Set(nbm).size).to.equal(nbm.length);
      expect(Math.max(...stub.log.map(({ at_once }) => at_once))).to.equal(1);
    },
  );

  itInCi(
    'given --watch, then passes keep the schedules, a failed one is retried, and a new day comes in',
    async () => {
      clock.ms = Date.parse('2026-01-11T05:30:00Z');
      const stop = new AbortController();
      const passes: { at: string; sources: string[] }[] = [];
      const faults: unknown[] = [];
      const waits: string[] = [];
      const jitter_ms = 7 * 60_000;
      const collector = collectorOf({
        days: { from: '2026-01-10' },
        wanted: { stations: ['KNYC'], states: [], countries: [] },
        sources: only('iem-nbm', 'iem-cli'),
        signal: stop.signal,
      });
      const { load } = collector;
      collector.load = async (files, collected) => {
        if (passes.length === 1 && faults.length === 0) throw new Error('no store');
        // Also those that this pass does not ask.
        expect(collected.sources.map(({ source }) => source)).to.deep.equal(['iem-nbm', 'iem-cli']);
        return load(files, collected);
      };
      await watch(collector, {
        jitter_ms,
        onError: (error) => faults.push(error),
        onWait: (until_ms) => waits.push(new Date(until_ms).toISOString().slice(0, 16)),
        onRun(report) {
          passes.push({
            at: report.requested_at.slice(0, 16),
            sources: report.sources.map(({ source }) => source),
          });
          if (passes.length === 3) stop.abort();
        },
      });
      expect(passes).to.deep.equal([
        { at: '2026-01-11T05:30', sources: ['iem-nbm', 'iem-cli'] },
        { at: '2026-01-11T06:32', sources: ['iem-cli'] },
        { at: '2026-01-11T07:27', sources: ['iem-cli'] },
      ]);
      // The pass that had failed came first.
      expect(waits).to.deep.equal(['2026-01-11T06:27', '2026-01-11T07:27', '2026-01-11T07:32']);
      expect(faults).to.have.length(1);
      const { observations } = await factsOf(store);
      const days = observations.filter(({ status }) => status === 'verified').map(({ date }) => date);
      expect(days).to.include('2026-01-10');
    },
  );
});
