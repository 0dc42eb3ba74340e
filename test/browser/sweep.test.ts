import { listen, type Listening, sampleWorld, withPage } from '../support/dashboard.js';
import { loadLines } from '../support/ingest/feeds.js';
import { HOURS, RAIN } from '../support/page-worlds.js';
import { describeInCi } from '../support/runner/range.js';
import { openTestStore } from '../support/store.js';
import { itIsWholeInEachTab } from '../support/sweep.js';

// Guards the page of stores that have less than the demo: what they lack is said, and nothing else. The tests of the demo
// and of real data look at theirs alike.

const STORES = {
  'three weeks of the sample': ['high', () => sampleWorld(21)],
  'chances of rain in windows of hours': ['wet_12h', () => openLoaded(RAIN)],
  'one feed of hours': ['temperature', () => openLoaded(HOURS)],
} as const;

async function openLoaded(feeds: typeof RAIN | typeof HOURS) {
  const store = await openTestStore();
  await loadLines(store, feeds);
  return store;
}

describeInCi('the tabs of all variables', function () {
  this.timeout(600_000);
  withPage(() => {});

  for (const [name, [own, open]] of Object.entries(STORES))
    describe(`given ${name}`, () => {
      let service: Listening;

      before(async () => (service = await listen(await open())));
      after(() => service.stop());
      itIsWholeInEachTab(() => service, { test: 0, ci: 3, stress: Infinity }, own);
    });

  describe('given an empty store', () => {
    let service: Listening;

    before(async () => (service = await listen(await openTestStore())));
    after(() => service.stop());
    itIsWholeInEachTab(() => service, { test: 0, ci: 1, stress: Infinity });
  });
});
