import { expect } from 'chai';
import { loadSample } from '../../../src/cli/demo.js';
import { load } from '../../../src/ingest/load.js';
import { readStations, writeSample } from '../../../src/sample/generate.js';
import { localTime } from '../../../src/statistics/time/calendar.js';
import { localDay } from '../../../src/statistics/time/local-midnight.js';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const HOUR = 3_600_000;
const STARTED = Date.parse('2026-06-15T12:10:00Z');

interface Outlook {
  method: string;
  reason: string | null;
  hint: string | null;
  so_far: { at: string; hour: number } | null;
  thresholds: { at_or_above: number | null }[];
}

// By itself, `make demo` loads what has come of the sample since. Here the clock jumps.
describeInCi('the demo, left alone', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    const feeds = await writeSample(temporaryFolder(), new Date(STARTED).toISOString(), 60);
    const files = Object.fromEntries(Object.entries(feeds).map(([feed, file]) => [feed, [file]]));
    await load(store, files, { now: new Date(STARTED) });
  });
  after(() => store.close());

  for (const later of range({ test: 1, ci: 1, stress: 4 }, [3, 9, 15, 21])) {
    it(`when ${later} hours have passed, then the odds of the begun day know it at every station`, async () => {
      const now = STARTED + later * HOUR;
      const told: boolean[] = [];
      expect(await loadSample(store, new Date(now), (isThere) => told.push(isThere))).to.equal(true);
      expect(told, 'what is there stays, told once').to.deep.equal([true]);
      const service = await startTestService(store, { now: new Date(now).toISOString() });
      const begun = readStations()
        .filter(({ data_active }) => data_active === 'true')
        .map(({ station_id, timezone }) => {
          const today = localTime(new Date(now), timezone).slice(0, 10);
          return { station_id, today, begins_ms: localDay(today, timezone, 'civil').begins_ms };
        })
        .filter(({ begins_ms }) => now - begins_ms >= 2 * HOUR);
      expect(begun.length).to.be.above(25);
      for (const { station_id, today } of range({ test: 10, ci: 10, stress: Infinity }, begun)) {
        // The page asks so first, and shows this answer if it has no reason against it.
        const subject = `probability?station_id=${station_id}&metric=high&target_date=${today}`;
        const found = await dataOf<Outlook>(service, `${subject}&thresholds=60`);
        expect([found.method, found.reason], station_id).to.deep.equal(['day_so_far', null]);
        expect(found.thresholds[0]?.at_or_above, station_id).to.be.within(0, 1);
        // A report may be missing now and then.
        expect(now - Date.parse(found.so_far?.at ?? ''), station_id).to.be.below(3.5 * HOUR);
      }
    });
  }
});
