import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import type { Collector } from '../../../src/collect/collector.js';
import { dryRun } from '../../../src/collect/pass/dry-run.js';
import { runOnce } from '../../../src/collect/pass.js';
import { SOURCES } from '../../support/collect/collector.js';
import { audit } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { factsOf, testCollector } from '../../support/collect/collector.js';
import { StubServer } from '../../support/collect/stub-server.js';
import { nbpForecasts } from '../../support/collect/stub/noaa-nbp.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { KNYC, KORD, USUAL } from '../../support/collect/world.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

const NOW = Date.parse('2026-01-10T15:35:00Z');
const FROM = '2026-01-08';
const LOST = Date.parse('2026-01-09T13:00Z');

describeInCi('npm run collect, the probabilistic text of the National Blend', function () {
  let stub: StubServer;
  let store: Store;
  let clock: VirtualClock;
  let isLost: boolean;

  before(async () => {
    const lateness = (source: string, unit: string, of_ms: number): number =>
      isLost && source === 'noaa-nbp' && of_ms === LOST ? Infinity : USUAL(source, unit, of_ms);
    stub = await StubServer.start({ now: () => clock.ms, lateness });
  });
  after(() => stub.stop());
  beforeEach(async () => {
    clock = new VirtualClock(NOW);
    isLost = false;
    stub.log.length = 0;
    store = await openTestStore();
  });
  afterEach(() => store.close());

  const collectorOf = (...names: string[]): Collector =>
    testCollector(stub, clock, store, {
      days: { from: FROM },
      sources: SOURCES.filter(({ name }) => names.includes(name)),
    });
  const texts = (): string[] =>
    stub.log.flatMap(({ path }) => /^\/blend\.(\d{8}\/\d\d)\//.exec(path)?.[1] ?? []);

  it('given days, then each has one text for all stations with means as forecasts, asked for once', async () => {
    const collector = collectorOf('noaa-nbp');
    expect((await dryRun(collector)).sources).to.deep.equal([
      {
        ...{ source: 'noaa-nbp', feed: 'forecasts', provider: 'nbp' },
        ...{ stations: 2, requests: 3, estimated_bytes: 105e6 },
      },
    ]);
    const report = await runOnce(collector);
    expect(report.outcome).to.equal('complete');
    for (const station of report.sources[0]?.stations ?? [])
      expect(station).to.deep.include({ expected: 3, received: 3, gaps: [], permanent_gaps: [] });
    expect(texts()).to.deep.equal(['20260110/13', '20260109/13', '20260108/13']);

    const wanted = [KNYC, KORD].flatMap((place) =>
      nbpForecasts(place, { from_ms: Date.parse(FROM), to_ms: NOW }).flatMap(
        ({ station_id, issued_at, target_date, high_f, low_f }) =>
          [`high ${high_f}`, `low ${low_f}`].map(
            (value) => `${station_id} ${issued_at} ${target_date} ${value}`,
          ),
      ),
    );
    const { forecasts } = await factsOf(store);
    expect(
      forecasts.map(({ provider, station_id, issued_ms, date, metric, value }) => {
        expect(provider).to.equal('nbp');
        const issued_at = `${new Date(issued_ms).toISOString().slice(0, 19)}Z`;
        return `${station_id} ${issued_at} ${date} ${metric} ${value}`;
      }),
    ).to.have.members(wanted);
    expect(await audit(store)).to.be.empty;

    clock.ms += HOUR_MS;
    await runOnce(collector);
    expect(texts()).to.have.length(3);
    clock.ms = NOW + DAY_MS;
    await runOnce(collector);
    expect(texts().slice(3)).to.deep.equal(['20260111/13']);
  });

  it('given a pass before the run of a day is out, then the next one asks for it', async () => {
    const collector = collectorOf('noaa-nbp');
    clock.ms = Date.parse('2026-01-10T13:30Z');
    await runOnce(collector);
    expect(texts()).to.have.length(2);
    clock.ms = NOW;
    await runOnce(collector);
    expect(texts().slice(2)).to.deep.equal(['20260110/13']);
  });

  it('given a run that the archive lacks, then it is a gap, retried, and permanent after three days', async () => {
    isLost = true;
    const collector = collectorOf('noaa-nbp');
    const gapsOf = async (at_ms: number) => {
      clock.ms = at_ms;
      const { outcome, sources } = await runOnce(collector);
      const { gaps = [], permanent_gaps = [] } = sources[0]?.stations[0] ?? {};
      return [outcome, gaps.map(({ reason }) => reason), permanent_gaps.length];
    };
    const reason = 'the archive does not have this run';
    expect(await gapsOf(NOW)).to.deep.equal(['gaps', [reason], 0]);
    expect(await gapsOf(NOW + 3 * DAY_MS)).to.deep.equal(['complete', [], 1]);
    const asked = texts().length;
    expect(await gapsOf(NOW + 3 * DAY_MS + HOUR_MS)).to.deep.equal(['complete', [], 1]);
    expect(texts()).to.have.length(asked);
  });

  it('given several providers, then the file of each has the columns of its source alone', async () => {
    const headers: string[] = [];
    const collector = collectorOf('noaa-nbp', 'iem-nbm', 'iem-pfm', 'openmeteo-ecmwf');
    await runOnce({
      ...collector,
      async load(files, collected) {
        headers.push(...files.forecasts.map((file) => readFileSync(file, 'utf8').split('\n')[0] ?? ''));
        return collector.load(files, collected);
      },
    });
    const columns = 'station_id,issued_at,target_date,high_f,low_f,provider';
    const [nws, nbm, ecmwf, nbp = ''] = headers;
    expect(nws).to.equal(columns);
    expect(ecmwf).to.match(new RegExp(`^${columns},.*snow_cm,max_wind_ms,max_gust_ms$`));
    expect(nbm).to.equal(`${columns},high_sd_f,low_sd_f`);
    expect(nbp.startsWith(`${columns},high_sd_f,low_sd_f`)).to.be.true;
  });
});
