import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Collector } from '../../../src/collect/collector.js';
import { runOnce } from '../../../src/collect/pass.js';
import { SOURCES } from '../../support/collect/collector.js';
import { stateFile } from '../../../src/collect/state.js';
import type { Store } from '../../../src/store/store.js';
import { type Facts, factsOf, testCollector, USUAL_SOURCES } from '../../support/collect/collector.js';
import { StubServer } from '../../support/collect/stub-server.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

// A pass that ends at any step, and another after it: the facts are those of one clean pass.

const NOW = Date.parse('2026-01-10T12:30:00Z');
const DAYS = { from: '2026-01-09' };
/** At least two loads, whichever host is faster. */
const ROWS_PER_LOAD = 120;

class Killed extends Error {}

/** Something that a pass does, and how often it has been done before the pass ends there. */
interface Step {
  what: 'before a request' | 'before a load' | 'after a load' | 'before the state is written';
  after: number;
}

describeInCi('npm run collect, ended at some step and run again', function () {
  let stub: StubServer;
  let clean: { facts: Facts; requests: number; loads: number };
  const clock = new VirtualClock(NOW);

  before(async () => {
    stub = await StubServer.start({ now: clock.now });
    const store = await openTestStore();
    const { loads } = await runOnce(collectorOf(store, temporaryFolder()));
    clean = { facts: await factsOf(store), requests: stub.log.length, loads: loads.length };
    await store.close();
  });
  after(() => stub.stop());
  beforeEach(() => {
    stub.log.length = 0;
  });

  const collectorOf = (store: Store, dataDir: string, rest: Partial<Collector> = {}): Collector =>
    testCollector(stub, clock, store, {
      dataDir,
      days: DAYS,
      wanted: { stations: ['KNYC'], states: [], countries: [] },
      sources: USUAL_SOURCES.filter(({ name }) => name !== 'iem-pfm'),
      rowsPerLoad: ROWS_PER_LOAD,
      ...rest,
    });

  /** Runs a pass that ends at a step. */
  async function runUntil({ what, after }: Step, store: Store, dataDir: string): Promise<void> {
    const stop = new AbortController();
    const collector = collectorOf(store, dataDir, { signal: stop.signal });
    let loads = 0;
    const { load } = collector;
    collector.load = async (files, collected) => {
      if (what === 'before a load' && loads === after) throw new Killed();
      const report = await load(files, collected);
      if (what === 'after a load' && loads === after) throw new Killed();
      // The next thing is the state: a folder in the place of its file cannot be written.
      if (what === 'before the state is written' && loads === after) mkdirSync(`${stateFile(dataDir)}.new`);
      loads += 1;
      return report;
    };
    stub.fault = (_, which) => {
      if (what === 'before a request' && which === after + 1) stop.abort(new Killed());
      return undefined;
    };
    const ended = await runOnce(collector).catch((error: unknown) => error);
    stub.fault = () => undefined;
    expect(ended).to.be.instanceOf(Error);
    expect(readdirSync(dataDir).filter((name) => /rows|lock/.test(name))).to.be.empty;
    rmSync(`${stateFile(dataDir)}.new`, { recursive: true, force: true });
  }

  // The first and the last are those of `make test`.
  const STEPS = (): Step[] => [
    ...(['after a load', 'before a load', 'before the state is written'] as const).flatMap((what) =>
      [0, 1].map((after) => ({ what, after })),
    ),
    ...Array.from({ length: clean.requests }, (_, after) => ({ what: 'before a request' as const, after })),
  ];

  it('given a pass that ends at any step, then the next resumes to the facts and pairs of a clean pass', async () => {
    expect(clean.loads).to.be.at.least(2);
    for (const step of range({ test: 1, ci: 2, stress: Infinity }, STEPS())) {
      const store = await openTestStore();
      try {
        const dataDir = temporaryFolder();
        await runUntil(step, store, dataDir);
        const { outcome } = await runOnce(collectorOf(store, dataDir));
        expect(outcome).to.equal('complete');
        expect(await factsOf(store), JSON.stringify(step)).to.deep.equal(clean.facts);
        expect(stub.log.length, JSON.stringify(step)).to.be.at.most(2 * clean.requests);
      } finally {
        await store.close();
        stub.log.length = 0;
      }
    }
  });

  itInCi(
    'given a state of a store that was emptied since, then all is asked for again, and nothing lacks',
    async () => {
      const sources = SOURCES.filter(({ name }) => name === 'iem-cli');
      const [first, second] = [await openTestStore(), await openTestStore()];
      const dataDir = temporaryFolder();
      await runOnce(collectorOf(first, dataDir, { sources }));
      const told: string[] = [];
      const { outcome } = await runOnce(
        collectorOf(second, dataDir, { sources, log: (line) => told.push(line) }),
      );
      expect(told).to.include(
        'the store is not the one that was filled before; everything is requested again',
      );
      expect(outcome).to.equal('complete');
      const { observations } = await factsOf(second);
      expect(observations).not.to.be.empty;
      expect(observations).to.deep.equal(clean.facts.observations);
      await first.close();
      await second.close();
    },
  );

  it('given a state whose stations lack what is asked by, then these are asked for again, nothing else', async () => {
    const dataDir = temporaryFolder();
    const store = await openTestStore();
    const sources = SOURCES.filter(({ name }) => name === 'iem-daily');
    await runOnce(collectorOf(store, dataDir, { sources }));
    const written = readFileSync(stateFile(dataDir), 'utf8');
    writeFileSync(stateFile(dataDir), written.replaceAll('"climate_report_id"', '"another_field"'));
    const asked = stub.log.length;
    await runOnce(collectorOf(store, dataDir, { sources, days: { from: '2026-01-09', to: '2026-01-09' } }));
    expect(stub.log.slice(asked).map(({ path }) => path)).to.include('/geojson/network.py?network=NWSCLI');
    expect(readFileSync(stateFile(dataDir), 'utf8')).to.include('"climate_report_id"');
    await store.close();
  });

  it('given a state of another store, or an invalid one, then the pass refuses and names the file', async () => {
    const dataDir = temporaryFolder();
    const store = await openTestStore();
    const fault = async (rest: Partial<Collector>): Promise<string> =>
      runOnce(collectorOf(store, dataDir, { sources: [], ...rest })).then(
        () => 'no fault',
        (error: Error) => error.message,
      );
    expect(await fault({})).to.equal('no fault');
    expect(await fault({ store: 'another' })).to.contain(
      `${join(dataDir, 'collect.json')} is about the store test`,
    );
    writeFileSync(stateFile(dataDir), '{"version": 2}');
    expect(await fault({})).to.contain(
      "collect.json is not the collector's state of this version; remove it",
    );
    await store.close();
  });
});
