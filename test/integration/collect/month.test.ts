import { expect } from 'chai';
import { DAY_MS } from '../../../src/accuracy/time/calendar.js';
import { audit } from '../../../src/ingest/audit.js';
import { factsOf } from '../../support/collect/collector.js';
import { type Archives, CLEAN, latenessUntil, outagesFrom } from '../../support/collect/watched/archives.js';
import { keysOf, mustBeIn, publishedBy, type Watch } from '../../support/collect/watched/published.js';
import { lackingIn, passesFor, sums } from '../../support/collect/watched/shares.js';
import { FOUR, TWENTY, withoutPoint } from '../../support/collect/watched/stations.js';
import { type Watched, watched } from '../../support/collect/watched/watched.js';
import { range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

// Weeks of --watch at the pace of the public hosts, on a clock that goes as fast as it can: once with archives that have
// everything in time, and once with those that are as real ones are. In a month clocks change on both sides of the
// Atlantic, and the first of a month reads 60 days of climate reports again.

const DAYS = range({ test: 2, ci: 5, torture: 31 });
const places = range({ test: 0, ci: 1 }) > 0 ? TWENTY : FOUR;
/** More requests, and bytes, than a clean time needs. */
const MOST = 1.2;
/** What does not come is asked for again after 6 hours, one day and three, and once more before it is given up. */
const MOST_RETRIES = 4;
const GIVEN_UP_MS = 7 * DAY_MS;
/** From when on the day of a report counts as missing, with the time to the next pass. */
const MISSING_AFTER_MS = 4 * DAY_MS;

const start_ms = Date.parse('2026-10-10T00:30:00Z');
const end_ms = start_ms + DAYS * DAY_MS;
const first_ms = Date.parse('2026-10-05');

describe(`npm run collect -- --watch, ${DAYS} days of ${places.length} stations`, function () {
  this.timeout(3_600_000);

  const worldOf = (archives: Archives, ofPlaces = places): Watch => ({
    places: ofPlaces,
    archives,
    first_ms,
    start_ms,
    end_ms,
  });
  const clean = worldOf(CLEAN);
  const real = worldOf(
    {
      lateness: latenessUntil(end_ms),
      outages: outagesFrom(Date.parse('2026-10-10')),
      broken: 0.01,
    },
    withoutPoint(places, 'KSEA', 'KMIA'),
  );
  const watches = new Map<Watch, Watched & { facts: Map<string, number>; faultsOfStore: unknown[] }>();
  const of = (world: Watch): Watched & { facts: Map<string, number>; faultsOfStore: unknown[] } =>
    watches.get(world) as ReturnType<typeof of>;

  before(async () => {
    const watching = [clean, real].map(async (world) => {
      const store = await openTestStore();
      const watch = await watched(world, store);
      watches.set(world, {
        ...watch,
        facts: keysOf(await factsOf(store)),
        faultsOfStore: await audit(store),
      });
      await store.close();
    });
    await Promise.all(watching);
  });

  for (const [name, world] of [
    ['that have everything in time', clean],
    ['that lose, delay and correct, behind hosts that are down', real],
  ] as const)
    it(`given archives ${name}, then every fact that stood there is in, as it was published, and no other`, () => {
      const { facts, faults, faultsOfStore } = of(world);
      const published = publishedBy(world);
      const values = new Map(published.map(({ key, value }) => [key, value]));
      const due = published.filter((fact) => mustBeIn(fact, world)).map(({ key }) => key);
      console.log({ published: published.length, due: due.length, facts: facts.size });
      const lacks = due.filter((key) => !facts.has(key));
      const g = new Map<string, string[]>();
      for (const l of lacks) {
        const k = l
          .split(' ')
          .slice(0, /^[a-z]/.test(l) ? 2 : 1)
          .join(' ');
        g.set(k, [...(g.get(k) ?? []), l]);
      }
      for (const [k, v] of g) console.log('lack', k, v.length, v[0]);
      expect(faults).to.be.empty;
      expect(faultsOfStore).to.be.empty;
      expect([...facts].filter(([key, value]) => values.get(key) !== value)).to.be.empty;
      expect(lacks).to.be.empty;
    });

  it('given what real archives do, then each source takes 1.2 times the requests and bytes of a clean time at most', () => {
    const [usual, now] = [sums(of(clean).asked), sums(of(real).asked)];
    const rows = [...usual].map(([source, before]) => {
      const { requests, bytes } = now.get(source) ?? { requests: 0, bytes: 0 };
      return {
        source,
        'requests a day, clean': Math.round(before.requests / DAYS),
        real: Math.round(requests / DAYS),
        times: Math.round((100 * requests) / before.requests) / 100,
        'kB a day, clean': Math.round(before.bytes / DAYS / 1000),
        'real kB': Math.round(bytes / DAYS / 1000),
        'times as many': Math.round((100 * bytes) / before.bytes) / 100,
      };
    });
    console.table(rows);
    for (const row of rows) {
      expect(row.times, row.source).to.be.at.most(MOST);
      expect(row['times as many'], row.source).to.be.at.most(MOST);
    }
  });

  it('given what does not come, or late, then it is asked for four times more than what comes at most', () => {
    const worst = lackingIn(real)
      .map((one) => ({ ...one, more: passesFor(one, of(real)).length - passesFor(one, of(clean)).length }))
      .sort((a, b) => b.more - a.more);
    const by = new Map<string, unknown>();
    for (const w of worst) if (!by.has(w.source)) by.set(w.source, w);
    console.log(by);
    expect(worst.filter(({ more }) => more > MOST_RETRIES)).to.be.empty;
  });

  it('given what never comes, then it is given up after a week', () => {
    const after = lackingIn(real).flatMap((one) => {
      const last_ms = Math.max(...passesFor(one, of(real)));
      return last_ms > Math.max(start_ms, one.at_ms + MISSING_AFTER_MS) + GIVEN_UP_MS
        ? [{ ...one, last_ms }]
        : [];
    });
    console.log(after.length, after[0]);
    expect(after).to.be.empty;
  });

  it('given the limits of Open-Meteo, then no request is above them', () => {
    for (const world of [clean, real])
      expect(of(world).asked.filter(({ isLimited }) => isLimited).length).to.equal(0);
  });
});
