import { expect } from 'chai';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import { Host } from '../../../src/collect/host/host.js';
import { runOnce } from '../../../src/collect/pass.js';
import { audit } from '../../../src/ingest/audit.js';
import { factsOf, hoursIn, OPEN_METEO_HOST, testCollector } from '../../support/collect/collector.js';
import { type Fault, SAYS, StubServer } from '../../support/collect/stub-server.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { CLEAN } from '../../support/collect/watched/archives.js';
import { keysOf, publishedBy, type Watch } from '../../support/collect/watched/published.js';
import { EGLL, KNYC, KORD } from '../../support/collect/world.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

const NOW = Date.parse('2026-10-10T12:30:00Z');
const FROM = '2026-10-08';
const PAGE = '<!DOCTYPE html><html><h1>Sign in to the network of this hotel</h1><p>100 90 80</p></html>\n';

/** The path of what is asked for, but of another station, office, place or network. */
const ofAnother = (path: string): string =>
  path
    .replace(/station=K(NYC|ORD)/, (_, id) => `station=${id === 'NYC' ? 'KORD' : 'KNYC'}`)
    .replace(/PFM(OKX|LOT)/, (_, id) => `PFM${id === 'OKX' ? 'LOT' : 'OKX'}`)
    .replace('network=GB__ASOS&stations=EGLL', 'network=FR__ASOS&stations=LFPG')
    .replace('station=NYC,ORD,EGLL', 'station=DEN')
    .replace(/latitude=[^&]*&longitude=[^&]*/, 'latitude=39.856&longitude=-104.673')
    .replace(/dt=[-\d]*/, 'dt=2026-09-01');

const says = (status: number, body: string, headers: Record<string, string> = {}): Fault => ({
  answer: { status, body, headers },
});

/** Faults of hosts at each request, except the one for the stations. */
const HOSTILE: readonly (readonly [what: string, fault: (path: string) => Fault])[] = [
  ['the page of a hotel', () => says(200, PAGE, { 'content-type': 'text/html' })],
  ['the answer of another station', (path) => ({ path: ofAnother(path) })],
  ['nothing', () => says(200, '')],
  ['numbers', () => says(200, '100\n90\n80\n')],
  ['JSON of another service', () => says(200, '{"results":[{"high":100}],"features":[null],"hourly":{}}')],
  ['half of each answer', () => 'cut'],
  ['no answer at all', () => 'broken'],
  ['bytes of no protocol', () => 'no HTTP'],
  ['text that is labelled gzip', () => 'no gzip'],
  ['half of a gzip', () => 'half a gzip'],
  ['65 MB', () => 'large'],
  ['a byte now and then', () => 'slow'],
  ['a redirect into the own network', () => ({ answer: SAYS.redirect })],
  ['Retry-After: 86400', () => says(429, 'Too many requests.', { 'retry-after': '86400' })],
  ['that it is full', () => ({ answer: SAYS.overCapacity })],
];

describeInCi('npm run collect, asking hosts that are hostile', function () {
  let stub: StubServer;
  let clock: VirtualClock;

  before(async () => {
    stub = await StubServer.start({ now: () => clock.ms, lateness: CLEAN.lateness });
  });
  after(() => stub.stop());
  const toAll = (fault: (path: string) => Fault): void => {
    stub.fault = (path) => (/network\.py|\/api\/1\/station/.test(path) ? undefined : fault(path));
  };

  for (const [what, fault] of range({ test: 1, ci: 2, stress: Infinity }, HOSTILE))
    it(`given ${what}, then no fact is wrong, lacks and waits are told, and all comes when hosts are well`, async () => {
      const events: ({ line: string } | { sleep_ms: number })[] = [];
      clock = new VirtualClock(NOW);
      const sleeping = {
        now: clock.now,
        sleep: async (ms: number, signal: AbortSignal) => {
          events.push({ sleep_ms: ms });
          await clock.sleep(ms, signal);
        },
      };
      const settings = { url: stub.url, gap_ms: 4000, pace: 1, user_agent: 'test (+me@example.org)' };
      const hostOf = () => new Host({ ...settings, timeout_ms: 500 }, sleeping);
      const store = await openTestStore();
      const collector = testCollector(stub, clock, store, {
        days: { from: FROM },
        hosts: { iem: hostOf(), [OPEN_METEO_HOST]: hostOf(), noaa: hostOf() },
        log: (line) => events.push({ line }),
      });
      const { load } = collector;
      const hours = new Map<string, number>();
      collector.load = async (files, collected) => {
        for (const [key, value] of hoursIn(files)) hours.set(key, value);
        return load(files, collected);
      };
      const world: Watch = {
        places: [KNYC, KORD, EGLL],
        archives: CLEAN,
        first_ms: Date.parse(FROM),
        start_ms: NOW + 2 * DAY_MS,
        end_ms: NOW + 2 * DAY_MS + 1,
      };
      const published = publishedBy(world);
      const values = new Map(published.map(({ key, value }) => [key, value]));
      const factsByKey = async () => new Map([...keysOf(await factsOf(store)), ...hours]);
      const wrong = async (): Promise<unknown[]> =>
        [...(await factsByKey())].filter(([key, value]) => values.get(key) !== value);

      toAll(fault);
      const first = await runOnce(collector);
      expect(await wrong()).to.be.empty;
      expect(first.outcome).to.equal('gaps');
      for (const { source, stations } of first.sources)
        for (const { station_id, received, gaps } of stations)
          if (received === 0) expect(gaps, `${source} ${station_id}`).not.to.be.empty;
      for (const [at, event] of events.entries())
        if ('sleep_ms' in event && event.sleep_ms > 30_000) expect(events[at - 1]).to.have.property('line');

      stub.fault = () => undefined;
      clock.ms = world.start_ms;
      await runOnce(collector);
      const facts = await factsByKey();
      expect(await wrong()).to.be.empty;
      // All facts that are still there: a host that was hostile on their day has taken preliminary reports with it.
      const due = published.filter((fact) => fact.to_ms > world.end_ms && fact.from_ms <= world.start_ms);
      expect(due.filter(({ key }) => !facts.has(key)).map(({ key }) => key)).to.be.empty;
      expect(await audit(store)).to.be.empty;
      await store.close();
    });
});
