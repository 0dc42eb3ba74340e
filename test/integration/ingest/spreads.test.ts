import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import type { LoadReport } from '../../../src/ingest/feed/report.js';
import type { LoadOptions } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { raw } from '../../../src/sql.js';
import { dyingAt, expectDeath } from '../../support/ingest/dying-loads.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, rows, sizes } from '../../support/ingest/loads.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

const AT = '2026-01-04T18:00:00Z,2026-01-05';
/** Two issuances of Chicago: with both spreads, and with one of them. */
const SPREADS = [`KORD,${AT},31,18,nbm,,2,3.25`, 'KORD,2026-01-05T00:00:00Z,2026-01-05,32.5,19,nbm,,,1'];
const AS_FIRST = [
  'high 2026-01-04 18:00:00.000 2',
  'low 2026-01-04 18:00:00.000 3.25',
  'low 2026-01-05 00:00:00.000 1',
];

describe('a load of spreads (D55)', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  beforeEach(async () => {
    await emptyStore(store);
    await loadLines(store, { stations: FEEDS.stations, observations: FEEDS.observations });
  });
  after(() => store.close());

  const told = (
    forecasts: readonly string[],
    options: LoadOptions & { into?: Store; unit?: FeedLines['unit'] } = {},
  ) => {
    const { into = store, unit, ...load } = options;
    return loadLines(into, { forecasts, columns: 'all and spreads', ...(unit && { unit }) }, load);
  };
  const countsOf = ({ feeds }: LoadReport) => ({ ...feeds.forecasts, first_contradicted: null });
  /** The spreads that a version of the data has. */
  const standing = async (version = 1_000_000): Promise<string[]> => {
    const found = await store.query(
      raw(
        `SELECT concat_ws(' ', metric, toString(issued_at), toString(argMax(spread, load_id))) AS spread
      FROM spreads
      WHERE load_id <= {version: UInt32}
      GROUP BY metric, provider, station_id, target_date, issued_at
      HAVING NOT argMax(withdrawn, load_id)
      ORDER BY metric, issued_at`,
        { version },
      ),
      z.object({ spread: z.string() }),
    );
    return found.map(({ spread }) => spread);
  };

  it('given forecasts with spreads, then each is kept, and the ledger is that of the forecasts alone', async () => {
    const report = await told(SPREADS);
    expect(countsOf(report)).to.deep.equal(rows(2, 0, 0, 0));
    expect(report).to.include({ outcome: 'complete', pairs_added: 4 });
    expect(await standing()).to.deep.equal(AS_FIRST);
    expect(await audit(store)).to.deep.equal([]);
  });

  it('given them again, in another order, or without their spreads, then nothing is new, and no table grows', async () => {
    await told(SPREADS);
    const before = await sizes(store);
    const blank = SPREADS.map((line) => line.replace(/nbm,.*/, 'nbm,,,'));
    for (const again of range({ test: 1, ci: 2 }, [blank, [...SPREADS].reverse()])) {
      expect(countsOf(await told(again))).to.deep.equal(rows(0, 0, 2, 0));
      expect(await sizes(store)).to.deep.equal(before);
    }
  });

  it('given the spreads of forecasts that are known, then their rows are new; other spreads correct, and versions before stay as they were', async () => {
    await loadLines(store, {
      forecasts: SPREADS.map((line) => line.replace(/nbm,.*/, 'nbm,')),
      columns: 'all',
    });
    const added = await told(SPREADS);
    expect(countsOf(added)).to.deep.equal(rows(2, 0, 0, 0));
    expect(added).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    const corrected = await told([`KORD,${AT},31,18,nbm,,2.5,3.25`, ...SPREADS.slice(1)]);
    expect(countsOf(corrected)).to.deep.equal(rows(0, 1, 1, 0));
    expect(await standing()).to.deep.equal([AS_FIRST[0]?.replace(/2$/, '2.5'), ...AS_FIRST.slice(1)]);
    expect(await standing(added.load_id)).to.deep.equal(AS_FIRST);
    expect(await standing(added.load_id - 1)).to.deep.equal([]);
  });

  itInCi('given a correction of a forecast alone, then its spread stays', async () => {
    await told(SPREADS);
    expect(countsOf(await told([`KORD,${AT},33,18,nbm,,,`]))).to.deep.equal(rows(0, 1, 0, 0));
    expect(await standing()).to.deep.equal(AS_FIRST);
  });

  it('given a forecast that is withdrawn, by a file without spreads, then its spreads go with it, and do not come back with it', async () => {
    await told(SPREADS);
    const gone = await loadLines(store, { forecasts: [`KORD,${AT},,,nbm,true`], columns: 'all' });
    expect(countsOf(gone)).to.deep.equal(rows(0, 1, 0, 0));
    expect(await standing()).to.deep.equal(AS_FIRST.slice(2));
    await told([`KORD,${AT},31,18,nbm,,,3`]);
    expect(await standing()).to.deep.equal(['low 2026-01-04 18:00:00.000 3', ...AS_FIRST.slice(2)]);
  });

  // corrections.test.ts stands for it in `make test`.
  itInCi(
    'given rows of one file that contradict each other in a spread alone, then the later counts, and the first is told',
    async () => {
      const report = await told([`KORD,${AT},31,18,nbm,,1,3.25`, ...SPREADS]);
      expect(report.feeds.forecasts.first_contradicted?.line).to.equal(2);
      expect(countsOf(report)).to.deep.equal({ ...rows(2, 0, 1, 0), rows_contradicted: 1 });
      expect(await standing()).to.deep.equal(AS_FIRST);
    },
  );

  itInCi('given spreads in °C, then they are kept as differences in °F', async () => {
    await told([`KORD,${AT},-0.5,-7.78,nbm,,1,2.5`], { unit: 'celsius' });
    expect(await standing()).to.deep.equal([
      'high 2026-01-04 18:00:00.000 1.8',
      'low 2026-01-04 18:00:00.000 4.5',
    ]);
  });

  it('given spreads that are none, then their rows are rejected with the reason; with --strict nothing goes in', async () => {
    const bad = [
      `KORD,${AT},31,18,nbm,,-1,`,
      `KORD,${AT},31,18,nbm,,,50.01`,
      `KORD,${AT},31,,nbm,,,2`,
      `KORD,${AT},31,18,nbm,,M,`,
    ];
    const report = await told([...bad, ...SPREADS]);
    expect(
      report.rejections.map(({ reason, rows, first }) => [reason, rows, first.line, first.detail]),
    ).to.deep.equal([
      ['standard deviation outside 0..50 °F', 2, 2, 'high_sd_f="-1"'],
      ['standard deviation without its temperature', 1, 4, 'low_sd_f=2'],
      ['standard deviation is not a number', 1, 5, 'high_sd_f="M"'],
    ]);
    expect(await standing()).to.deep.equal(AS_FIRST);
    await emptyStore(store);
    await loadLines(store, { stations: FEEDS.stations });
    expect((await told([...bad, ...SPREADS], { strict: true })).outcome).to.equal('failed');
    expect(await standing()).to.deep.equal([]);
  });

  // hours.test.ts stands for it in make test.
  for (const how of range({ test: 0, ci: 2 }, ['torn', 'before'] as const)) {
    it(`given a load that is killed at its spreads (${how}), when it is loaded again, then nothing is missing and nothing is double`, async () => {
      const { store: dying } = dyingAt(store, (write) => /^\s*INSERT INTO spreads\b/.test(write), how);
      await expectDeath(told(SPREADS, { into: dying }));
      await told(SPREADS);
      expect(await standing()).to.deep.equal(AS_FIRST);
      expect(await audit(store)).to.deep.equal([]);
      const before = await sizes(store);
      await told(SPREADS);
      expect(await sizes(store)).to.deep.equal(before);
    });
  }
});
