import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { expectSettled, inOrder, standing } from '../../support/ingest/ledger.js';
import { linesOf } from '../../support/plain/oracle.js';
import { hourlyWorld, hourPairs } from '../../support/plain/station-hours.js';
import { range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';
import { expect } from 'chai';

// No other test holds the pairs of hours to own loops: the nearest report, the day and the status of an hour, and its versions.
describe('pairs of hours', function () {
  let store: Store;
  const loads = hourlyWorld(1, range({ test: 3, ci: 8 }));

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  it('given four loads, when each has ended, then the ledger has the pairs of own loops, audited', async () => {
    for (const [at, load] of loads.entries()) {
      await loadLines(store, linesOf(load));
      const expected = hourPairs(loads.slice(0, at + 1));
      expect(expected).to.have.length.above(1000);
      await expectSettled(store, expected, `load ${at + 1}`);
    }
    for (const at of loads.keys())
      expect(await standing(store, `load_id <= ${at + 1}`)).to.deep.equal(
        inOrder(hourPairs(loads.slice(0, at + 1))),
      );
  });
});
