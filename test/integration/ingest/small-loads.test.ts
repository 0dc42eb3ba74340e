import { expect } from 'chai';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import type { Store } from '../../../src/store/store.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

// No other test bounds what a load of hardly any row costs: a feed of a minute has one each time, and a statement costs some
// 30 ms of processor.

const DAYS = Array.from({ length: 20 }, (_, at) => addDays('2026-01-01', at));
const FEEDS: FeedLines = {
  stations: [CHICAGO],
  forecasts: DAYS.flatMap((day, at) => [
    `KORD,${addDays(day, -1)}T06:00:00Z,${day},${30 + (at % 7)},${10 + (at % 5)}`,
    `KORD,${addDays(day, -1)}T18:00:00Z,${day},${31 + (at % 6)},${11 + (at % 4)}`,
  ]),
  observations: DAYS.map(
    (day, at) => `KORD,${day},${31 + (at % 8)},${12 + (at % 3)},verified,${addDays(day, 2)}T00:00:00Z`,
  ),
};

/** The functions of a store that send a statement. */
type Counted = Record<'queryUnparsed' | 'command' | 'insertText', (...given: unknown[]) => unknown>;

describe('a load of one row', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, FEEDS);
  });
  after(() => store.close());

  /** Loads lines, and counts the statements of it. */
  const counted = async (lines: FeedLines): Promise<{ statements: number; report: LoadReport }> => {
    const { queryUnparsed, command, insertText } = store as Counted;
    let statements = 0;
    const counting =
      (method: Counted['command']) =>
      (...given: unknown[]): unknown => {
        statements += 1;
        return method.apply(store, given);
      };
    Object.assign(store, {
      queryUnparsed: counting(queryUnparsed),
      command: counting(command),
      insertText: counting(insertText),
    });
    try {
      const report = await loadLines(store, lines);
      return { statements, report };
    } finally {
      Object.assign(store, { queryUnparsed, command, insertText });
    }
  };

  for (const [what, lines] of range({ test: 1, ci: 2 }, [
    ['forecast', { forecasts: ['KORD,2026-01-09T07:00:00Z,2026-01-10,33,14'] }],
    ['observation', { observations: ['KORD,2026-01-10,36,15,verified,2026-01-13T00:00:00Z'] }],
  ] as const)) {
    it(`given a new ${what}, then it takes 19 statements at most, and 10 when it comes again`, async () => {
      const first = await counted(lines);
      expect(first.report.pairs_added).to.be.above(0);
      expect(first.statements).to.be.within(10, 19);
      const again = await counted(lines);
      expect(again.report.pairs_added).to.equal(0);
      expect(again.statements).to.be.within(5, 10);
    });
  }
});
