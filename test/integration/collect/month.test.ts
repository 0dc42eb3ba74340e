import { expect } from 'chai';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import { SOURCES } from '../../support/collect/collector.js';
import { audit } from '../../../src/ingest/audit.js';
import { factsOf } from '../../support/collect/collector.js';
import { CLEAN, latenessUntil, outagesFrom } from '../../support/collect/watched/archives.js';
import { keysOf, mustBeIn, publishedBy, type Watch } from '../../support/collect/watched/published.js';
import { lackingIn, passesFor, sums } from '../../support/collect/watched/shares.js';
import { TWENTY, withoutPoint } from '../../support/collect/watched/stations.js';
import { type Asked, watched } from '../../support/collect/watched/watched.js';
import { describeInCi, itInCi, itInStressTier, range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

// Weeks of --watch at the pace of the public hosts, on a clock that goes as fast as it can: once with archives that are as
// real ones are, and once with those that have everything in time. The month has the changes of clocks on both sides of
// the Atlantic, and its first day, on which 60 days of climate reports are read again. All of it is in `make ci`: in
// `make test`, collect.test.ts has a pass over such archives and what a second one asks, gaps.test.ts what does not come.

const DAYS = range({ test: 0, ci: 2, stress: 31 });
/** One of each kind, and two of the lower 48; in `make stress` all. */
const places = TWENTY.filter(
  ({ station_id }) =>
    range({ test: 0, ci: 0, stress: 1 }) > 0 || 'KNYC KSEA PABE PHTO TJSJ EGLL RJTT'.includes(station_id),
);
/** More requests, and bytes, than a clean time needs. */
const MOST = 1.2;
/** Retries of a missing span: after 6 hours, one day and three, and once more before it is given up. */
const MOST_RETRIES = 4;
const GIVEN_UP_MS = 7 * DAY_MS;
/** When what is a day late counts as missing, with the time to the next pass. */
const MISSING_AFTER_MS = 4 * DAY_MS;

const first_ms = Date.parse('2026-10-10') - 5 * DAY_MS;
const start_ms = Date.parse('2026-10-10T00:30:00Z');
const end_ms = start_ms + DAYS * DAY_MS;
const watch = { first_ms, start_ms, end_ms };

const clean: Watch = { ...watch, places, archives: CLEAN };
const real: Watch = {
  ...watch,
  places: withoutPoint(places, 'KSEA', 'KMIA'),
  archives: {
    lateness: latenessUntil(end_ms),
    outages: outagesFrom(Date.parse('2026-10-10'), range({ test: 0, ci: 3, stress: 23 })),
    broken: 0.01,
  },
};

const WORLDS = range({ test: 0, ci: 2 }, [
  ['that lose, delay and correct, behind hosts that are down', real],
  ['that have everything in time', clean],
] as const);

interface Outcome {
  asked: Asked[];
  faults: unknown[];
  facts: Map<string, number>;
}

describeInCi(`npm run collect -- --watch, ${DAYS} days of ${places.length} stations`, function () {
  this.timeout(3_600_000);
  const outcomes = new Map<Watch, Outcome>();
  const of = (world: Watch): Outcome => outcomes.get(world) as Outcome;

  before(async () => {
    const watching = WORLDS.map(async ([, world]) => {
      const store = await openTestStore();
      const { asked, hours, faults } = await watched(world, store);
      const facts = new Map([...keysOf(await factsOf(store)), ...hours]);
      outcomes.set(world, { asked, faults: [...faults, ...(await audit(store))], facts });
      await store.close();
    });
    await Promise.all(watching);
  });

  for (const [name, world] of WORLDS)
    itInCi(
      `given archives ${name}, then every fact that stood there is in, as it was published, and no other`,
      () => {
        const { facts, faults } = of(world);
        const published = publishedBy(world);
        const values = new Map(published.map(({ key, value }) => [key, value]));
        const due = published.filter((fact) => mustBeIn(fact, world)).map(({ key }) => key);
        expect(faults).to.be.empty;
        expect([...facts].filter(([key, value]) => values.get(key) !== value)).to.be.empty;
        expect(due.filter((key) => !facts.has(key))).to.be.empty;
        expect(due.length).to.be.above(published.length / 3);
        console.log(`      ${published.length} facts published, ${due.length} due, ${facts.size} in`);
      },
    );

  itInCi(
    'given what real archives do, then each source takes 1.2 times the requests of a clean time at most',
    () => {
      const [usual, now] = [sums(of(clean).asked), sums(of(real).asked)];
      const rows = [...usual].map(([source, before]) => {
        const { requests, bytes } = now.get(source) ?? { requests: 0, bytes: 0 };
        return {
          source,
          'requests a day': Math.round(requests / DAYS),
          times: Math.round((100 * requests) / before.requests) / 100,
          'kB a day': Math.round(bytes / DAYS / 1000),
          'times as many': Math.round((100 * bytes) / before.bytes) / 100,
        };
      });
      console.table(rows);
      expect(rows.filter((row) => row.times > MOST || row['times as many'] > MOST)).to.be.empty;
    },
  );

  itInCi(
    'given what does not come, or late, then it is asked for four times more than what comes at most',
    () => {
      const more = lackingIn(real).map((one) => ({
        ...one,
        more: passesFor(one, of(real).asked).length - passesFor(one, of(clean).asked).length,
      }));
      expect(more.filter((one) => one.more > MOST_RETRIES)).to.be.empty;
    },
  );

  // A week goes by there alone; gaps.test.ts has it of single gaps.
  itInStressTier(
    'given what never comes, then it is given up after a week, without the days of a host that is down',
    () => {
      const down_ms = real.archives.outages
        .filter(({ from_ms }) => from_ms < end_ms)
        .reduce((sum, { from_ms, to_ms }) => sum + to_ms - from_ms, 0);
      const lost = lackingIn(real).filter(({ late_ms }) => late_ms === Infinity);
      const asked = lost.filter((one) => {
        const missing_ms = Math.max(start_ms, one.at_ms + MISSING_AFTER_MS);
        return Math.max(...passesFor(one, of(real).asked)) > missing_ms + GIVEN_UP_MS + down_ms;
      });
      expect(asked).to.be.empty;
    },
  );

  itInCi(
    'given what is settled, then nothing that is older than the widest overlap is asked for again',
    () => {
      const widest = new Map(
        SOURCES.map(({ name, schedule }) => [
          name,
          Math.max(...schedule.map(({ overlap_ms }) => overlap_ms)),
        ]),
      );
      const old = of(clean).asked.filter(({ source, requested_ms, covers }) => {
        const settled_ms = requested_ms - (widest.get(source) ?? Infinity) - DAY_MS;
        return (
          requested_ms > start_ms && covers.length > 0 && covers.every(({ span }) => span.to_ms <= settled_ms)
        );
      });
      expect(old).to.be.empty;
    },
  );

  itInCi('given the limits of Open-Meteo, then no request is above them', () => {
    for (const [, world] of WORLDS) expect(of(world).asked.filter(({ isLimited }) => isLimited)).to.be.empty;
  });
});
