import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { ask } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  emptyStore,
  joined,
  linesOf,
  type Load,
  plusDays,
  type World,
  worlds,
} from '../../support/plain/oracle.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards that known_at looks at nothing that became known later (D31): its answers are those of a store that was never
// told of it, whatever came later, and with as_of those of a store with the loads up to then.

const RUN = { seed: 20_261_002, interruptAfterTimeLimit: 300_000 } as const;

/** The load without what was issued or observed after an instant. */
const upTo = (instant: number, { stations, forecasts, observations }: Load): Load => ({
  stations,
  forecasts: forecasts.filter(({ issued_at }) => issued_at <= instant),
  observations: observations.filter(({ observed_at }) => observed_at <= instant),
});

function questionsAbout({ stations, dates }: World): string[] {
  const date = [...dates].sort()[0] ?? '';
  const id = stations[0]?.station_id ?? '';
  return [
    'summary?',
    `by-date/${id}?include_preliminary=true&`,
    'by-date?group_by=week&',
    'by-lead-time?include_same_day=true&',
    'by-city?sort_by=rmse&',
    `by-city?city=${encodeURIComponent(stations[0]?.city_name ?? '')}&lead_time_bucket=same-day,0-6h&`,
    `by-station/${id}?include_raw=true&`,
  ].map((question) => `${question}date_from=${plusDays(date, -3)}&days=9`);
}

describe('what could be known at an instant, given random loads', function () {
  this.timeout(400_000);
  let store: Store;
  let never: Store;

  before(async () => {
    store = await openTestStore();
    never = await openTestStore();
  });
  after(async () => {
    await store.close();
    await never.close();
  });

  itInCi(
    'when more became known later, then the answers are those of a store that was never told of it',
    () =>
      fc.assert(
        fc.asyncProperty(
          worlds({ conflicts: true }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          async (world, at) => {
            await emptyStore(store);
            await emptyStore(never);
            const [first, ...others] = world.loads;
            const loads = [first, ...(others.length === 0 ? [] : [joined(others)])].filter(
              (load) => load !== undefined,
            );
            const all = joined(loads);
            const instants = [
              ...all.forecasts.map(({ issued_at }) => issued_at),
              ...all.observations.map(({ observed_at }) => observed_at),
            ].sort((a, b) => a - b);
            const instant = instants[Math.floor(at * (instants.length - 1))] ?? 0;
            const known = `known_at=${new Date(instant).toISOString()}`;
            const now = '2199-01-01T00:00:00Z';
            const service = await startTestService(store, { now });
            for (const load of loads) await loadLines(store, linesOf(load));
            for (const [index, load] of loads.entries()) {
              await loadLines(never, linesOf(upTo(instant, load)));
              const untold = await startTestService(never, { now });
              for (const question of questionsAbout(world)) {
                const asOf = `as_of=v${index + 1}`;
                const expected = (await ask(untold, question)).body.data;
                const found = (await ask(service, `${question}&${known}&${asOf}`)).body.data;
                expect(found, `${question}&${known}&${asOf}`).to.deep.equal(expected);
                if (index !== loads.length - 1) continue;
                const latest = (await ask(service, `${question}&${known}`)).body.data;
                expect(latest, `${question}&${known}`).to.deep.equal(expected);
              }
            }
          },
        ),
        { ...RUN, numRuns: range({ test: 0, ci: 5, torture: 60 }) },
      ),
  );
});
