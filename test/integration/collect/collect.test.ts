import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { addDays, DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import type { FeedLine } from '../../../src/collect/source.js';
import { runOnce } from '../../../src/collect/pass.js';
import { type RunReport, formatRun, type SourceReport } from '../../../src/collect/pass/run-report.js';
import { audit } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { sql } from '../../../src/queries/sql.js';
import { type Facts, factsOf, rowsOf, testCollector } from '../../support/collect/collector.js';
import { StubServer } from '../../support/collect/stub-server.js';
import { asosRows } from '../../support/collect/stub/iem-asos.js';
import { reportOf } from '../../support/collect/stub/iem-cli.js';
import { nbmForecasts } from '../../support/collect/stub/iem-nbm.js';
import { isLostRun } from '../../support/collect/stub/openmeteo.js';
import { pfmIssues } from '../../support/collect/stub/iem-pfm.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { EGLL, forecastOf, KNYC, KORD, observed, windOf } from '../../support/collect/world.js';
import { dataOf } from '../../support/answers.js';
import { range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const NOW = Date.parse('2026-01-10T12:30:00Z');
const DAYS = range({ test: 3, ci: 6, stress: 60 });
const FROM = addDays('2026-01-10', -DAYS);
const FROM_MS = Date.parse(FROM);

const sourceOf = (report: RunReport, name: string): SourceReport =>
  report.sources.find(({ source }) => source === name) as SourceReport;

describe('npm run collect, from the hosts to the answers', function () {
  let stub: StubServer;
  let store: Store;
  let facts: Facts;
  let report: RunReport;
  const clock = new VirtualClock(NOW);
  const dataDir = temporaryFolder();
  /** The providers of each load, in the order of its rows. */
  const providers: string[][] = [];
  const hours: FeedLine[] = [];
  const pass = () => {
    const collector = testCollector(stub, clock, store, { dataDir, days: { from: FROM }, rowsPerLoad: 3000 });
    return runOnce({
      ...collector,
      async load(files, collected) {
        const rows = files.forecasts.flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1, -1));
        hours.push(...files.hours.flatMap(rowsOf));
        providers.push([...new Set(rows.map((row) => /\b(nws|nbm|ecmwf)\b/.exec(row)?.[0] ?? ''))]);
        return collector.load(files, collected);
      },
    });
  };

  before(async () => {
    stub = await StubServer.start({ now: clock.now });
    store = await openTestStore();
    report = await pass();
    facts = await factsOf(store);
  });
  after(async () => {
    await store.close();
    await stub.stop();
  });

  it('given stations of two countries, three providers, then each forecast is what the world says', () => {
    for (const { provider, station_id, issued_ms, date, metric, value } of facts.forecasts) {
      const { high_f, low_f } = forecastOf(provider, station_id, issued_ms, date);
      expect(value, `${provider} ${station_id} ${issued_ms} ${date}`).to.equal(
        metric === 'high' ? high_f : low_f,
      );
    }
    const ofNbm = facts.forecasts.filter(({ provider }) => provider === 'nbm');
    const values = [KNYC, KORD].flatMap((place) =>
      nbmForecasts(place, { from_ms: FROM_MS, to_ms: NOW }, NOW).flatMap(({ high_f, low_f }) => [
        high_f,
        low_f,
      ]),
    );
    expect(ofNbm).to.have.length(values.filter((value) => value !== '').length);
    const issuances = (one: string, station: string): number[] => [
      ...new Set(
        facts.forecasts
          .filter(({ provider, station_id }) => provider === one && station_id === station)
          .map(({ issued_ms }) => issued_ms),
      ),
    ];
    expect(issuances('nws', 'KORD')).to.have.members(pfmIssues('LOT', FROM_MS, NOW));
    const runs = Array.from({ length: 4 * DAYS + 3 }, (_, at) => FROM_MS + at * 6 * HOUR_MS);
    const issued = runs
      .filter((run) => run + 8 * HOUR_MS <= NOW && !isLostRun(run))
      .map((run) => run + 8 * HOUR_MS);
    expect(issuances('ecmwf', 'EGLL')).to.have.members(issued);
  });

  it('given providers in one load, then the official forecast is first, and so the default, then the blend', () => {
    const order = ['nws', 'nbm', 'ecmwf'];
    expect(new Set(providers.flat())).to.deep.equal(new Set(order));
    for (const names of providers) expect(names).to.deep.equal(order.filter((name) => names.includes(name)));
  });

  it('given observations, then each day has its last report: of the climate reports also preliminary ones', () => {
    for (const { station_id, date, metric, value, observed_ms, status } of facts.observations) {
      const said =
        station_id === 'EGLL'
          ? observed(station_id, date)
          : reportOf(station_id === 'KNYC' ? KNYC : KORD, date, NOW);
      expect(value, `${station_id} ${date}`).to.equal(metric === 'high' ? said?.high_f : said?.low_f);
      expect(observed_ms).to.be.at.most(NOW);
      if (station_id !== 'EGLL')
        expect({ status, observed_ms }).to.deep.include({
          status: (said as { status?: string }).status,
          observed_ms: (said as { issued_ms?: number }).issued_ms,
        });
    }
    for (const station of ['KNYC', 'KORD', 'EGLL'])
      expect(
        new Set(facts.observations.filter(({ station_id }) => station_id === station).map(({ date }) => date))
          .size,
        station,
      ).to.equal(DAYS);
  });

  it('given reports within the day, then each is loaded as the world says, in °C', () => {
    const span = { from_ms: FROM_MS, to_ms: NOW };
    const rows = [KNYC, KORD, EGLL].flatMap((place) => asosRows(place, span, NOW));
    const inOrder = (list: readonly FeedLine[]): string[] =>
      list.map((row) => JSON.stringify(Object.entries(row).filter(([, cell]) => cell !== ''))).sort();
    expect(inOrder(hours)).to.deep.equal(inOrder(rows));
  });

  // Guards the way of these columns into the store, in three units; unit tests hold what sources say.
  it('given winds in mph, kt and m/s and snow in two units, then the store has each day of them in its own', async () => {
    const row = z.object({ metric: z.string(), station_id: z.string(), date: z.string(), value: z.number() });
    const observations = await store.query(
      sql.rows(
        row,
      )`SELECT DISTINCT toString(metric) AS metric, station_id, toString(target_date) AS date, toFloat64(actual) AS value
        FROM observations WHERE metric IN ('snowfall', 'max_wind', 'max_gust')`,
    );
    const kt = (mph: number): number => Math.round((mph * 160934.4) / 1852) / 100;
    const metrics = (station: string): number =>
      observations.filter(({ station_id }) => station_id === station).length / DAYS;
    expect(['KNYC', 'KORD', 'EGLL'].map(metrics)).to.deep.equal([3, 3, 1]);
    for (const { metric, station_id, date, value } of observations) {
      const wind = windOf(station_id, date) + (metric === 'max_gust' ? 9 : 0);
      const said = station_id === 'EGLL' ? wind : kt(wind);
      expect(value, `${station_id} ${date} ${metric}`).to.equal(metric === 'snowfall' ? 0 : said);
    }
    const [forecast] = await store.query(
      sql.rows(z.object({ winds: z.number(), highest: z.number(), gusts: z.number() }))`
        SELECT countIf(metric = 'max_wind') AS winds, max(toFloat64(if(metric = 'max_wind', forecast, 0))) AS highest,
          countIf(metric = 'max_gust') AS gusts FROM forecasts WHERE provider = 'ecmwf'`,
    );
    // The last hour of the last day is behind some runs: then it has no gust.
    expect(forecast?.winds).to.be.above(forecast?.gusts ?? NaN);
    expect(forecast?.gusts).to.be.above(100);
    // 7.25 m/s.
    expect(forecast?.highest).to.equal(14.09);
  });

  it('given its report, then each station has all that is expected, and loads say the same', async () => {
    for (const { source, provider, stations, unusable } of report.sources) {
      expect(unusable, source).to.be.empty;
      for (const { station_id, expected, received, gaps, permanent_gaps } of stations) {
        expect(gaps, `${source} ${station_id}`).to.be.empty;
        if (provider !== 'nws')
          expect(received + permanent_gaps.length, `${source} ${station_id}`).to.equal(expected);
      }
    }
    const [point] = sourceOf(report, 'iem-pfm').stations;
    expect(point).to.deep.include({ station_id: 'KNYC', notes: ['New York City, 0.1 km away'] });
    expect(formatRun(report, 'x')).to.match(/KNYC: \d+ runs received; New York City, 0\.1 km away\n/);
    expect(report.stations_not_found).to.be.empty;
    expect(report.outcome).to.equal('complete');
    const [last] = await store.query(
      sql.rows(
        z.object({ report: z.string() }),
      )`SELECT report FROM loads WHERE event = 'finished' ORDER BY load_id DESC LIMIT 1`,
    );
    const { collected } = JSON.parse(last?.report ?? '') as {
      collected: { at: string; sources: Record<string, unknown>[] };
    };
    expect(collected.at).to.equal('2026-01-10T12:30:00.000Z');
    expect(collected.sources.map(({ source }) => source)).to.deep.equal(
      report.sources.map(({ source }) => source),
    );
    const { requests } = sourceOf(report, 'iem-nbm');
    expect(collected.sources[0]).to.deep.include({
      source: 'iem-nbm',
      feed: 'forecasts',
      provider: 'nbm',
      stations: 2,
      last_success_at: '2026-01-10T12:30:00.000Z',
      gaps: 0,
      permanent_gaps: 0,
      requests: { ok: requests.ok, no_answer: 0, refused: 0, failed: 0 },
    });
    expect(await audit(store)).to.be.empty;
  });

  it('given a server on the store, then all three providers stand in what it answers', async () => {
    const service = await startTestService(store, { now: '2026-01-10T13:00:00Z' });
    const { body } = (await service.get('/api/v1/providers')) as { body: { data: { provider: string }[] } };
    expect(body.data.map(({ provider }) => provider)).to.have.members(['nbm', 'nws', 'ecmwf']);
    const days = `date_from=${FROM}&date_to=2026-01-09`;
    const compared = await service.get(`/api/v1/accuracy/compare?station_id=KORD&${days}`);
    expect(compared.status, compared.text).to.equal(200);
    for (const provider of ['nbm', 'nws', 'ecmwf']) {
      expect(compared.text).to.contain(`"${provider}"`);
      const odds = await service.get(
        `/api/v1/probability?station_id=KORD&target_date=2026-01-11&provider=${provider}&thresholds=40`,
      );
      expect(odds.status, odds.text).to.equal(200);
    }
  });

  // Guards that a bulletin's columns and a report's groups are of one window: the store takes any hour.
  it('given chances of the blend and 0.10 inch in each six hours, then all windows of both were wet', async () => {
    const service = await startTestService(store, { now: new Date(NOW).toISOString() });
    for (const hours of [6, 12]) {
      const { verification_pairs, base_rate, brier_score } = await dataOf<Record<string, number>>(
        service,
        `accuracy/summary?provider=nbm&metric=wet_${hours}h`,
      );
      expect(verification_pairs, `${hours} hours`).to.be.above(20);
      expect(base_rate).to.equal(1);
      expect(brier_score).to.be.closeTo((1 - hours / 100) ** 2, 1e-6);
    }
  });

  it('given a second pass, then it asks for what may still change and nothing else, and changes nothing', async () => {
    const asked = stub.log.length;
    const again = await pass();
    const paths = stub.log.slice(asked).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('network.py'))).to.be.empty;
    const runs = paths.flatMap((path) => /run=([^&]+)/.exec(path)?.[1] ?? []);
    for (const run of runs) expect(Date.parse(`${run}Z`)).to.be.at.least(NOW - 2 * DAY_MS);
    const starts = paths.flatMap((path) => /(?:sts|sdate)=([^&]+)/.exec(path)?.[1] ?? []);
    for (const start of starts) expect(Date.parse(start)).to.be.at.least(NOW - 5 * DAY_MS);
    expect(new Set(paths).size).to.equal(paths.length);
    for (const { rows_new, rows_corrected } of again.loads.flatMap(({ feeds }) => Object.values(feeds)))
      expect([rows_new, rows_corrected]).to.deep.equal([0, 0]);
    expect(await factsOf(store)).to.deep.equal(facts);
  });
});
