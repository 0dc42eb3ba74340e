import { expect } from 'chai';
import { z } from 'zod';
import type { LoadReport } from '../../../src/ingest/feed/report.js';
import type { RejectedRow } from '../../../src/ingest/stage.js';
import type { Store } from '../../../src/store/store.js';
import { raw } from '../../../src/sql.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, rows, sizes } from '../../support/ingest/loads.js';
import { openTestStore } from '../../support/store.js';

/** Some days of a year, a blank and a leap day among them. */
const NORMALS = ['KORD,01-05,32.1,18.4', 'KORD,02-28,40,', 'KORD,02-29,,25.55', 'EGLL,01-05,46.9,36'];

// One store lives through all of it.
describe('a load of normals', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, { stations: FEEDS.stations });
  });
  after(() => store.close());

  const loadNormals = (normals: readonly string[], more: FeedLines = {}): Promise<LoadReport> =>
    loadLines(store, { normals, ...more });
  /** The normals that a version of the data has. */
  const standing = async (version: number): Promise<string[]> => {
    const found = await store.query(
      raw(
        `SELECT concat_ws(' ', station_id, month_day, metric, toString(argMax(normal, load_id))) AS normal
      FROM normals
      WHERE load_id <= {version: UInt32}
      GROUP BY metric, station_id, month_day
      HAVING NOT argMax(withdrawn, load_id)
      ORDER BY station_id, month_day, metric`,
        { version },
      ),
      z.object({ normal: z.string() }),
    );
    return found.map(({ normal }) => normal);
  };

  const AS_FIRST = [
    'EGLL 01-05 high 46.9',
    'EGLL 01-05 low 36',
    'KORD 01-05 high 32.1',
    'KORD 01-05 low 18.4',
    'KORD 02-28 high 40',
    'KORD 02-29 low 25.55',
  ];

  it('given new ones, then each value is kept, blanks say nothing, and no pair comes of them', async () => {
    const report = await loadNormals(NORMALS);
    expect(report.outcome).to.equal('complete');
    expect(report.feeds.normals).to.deep.equal(rows(4, 0, 0, 0));
    expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    expect(await standing(report.load_id)).to.deep.equal(AS_FIRST);
  });

  it('given them again, in another order, then nothing is new, and no table grows', async () => {
    const before = await sizes(store);
    const report = await loadNormals([...NORMALS].reverse());
    expect(report.feeds.normals).to.deep.equal(rows(0, 0, 4, 0));
    expect(await sizes(store)).to.deep.equal(before);
  });

  it('given corrections and withdrawals, then they count as such, and earlier versions stay as they were', async () => {
    const report = await loadNormals(
      ['KORD,01-05,33,18.4,', 'KORD,02-28,,29,', 'EGLL,01-05,,,true', 'EGLL,07-01,,,true'],
      { columns: 'all' },
    );
    expect(report.feeds.normals).to.deep.equal(rows(1, 2, 1, 0));
    expect(await standing(report.load_id)).to.deep.equal([
      'KORD 01-05 high 33',
      'KORD 01-05 low 18.4',
      'KORD 02-28 high 40',
      'KORD 02-28 low 29',
      'KORD 02-29 low 25.55',
    ]);
    expect(await standing(report.load_id - 1)).to.deep.equal(AS_FIRST);
  });

  it('given rows that contradict each other, then the later counts, and the first is told with its line', async () => {
    const report = await loadNormals(['KORD,07-04,84,66', 'KORD,07-05,84,66', 'KORD,07-04,85,66']);
    const { first_contradicted, ...counts } = report.feeds.normals;
    expect({ ...counts, first_contradicted: null }).to.deep.equal({
      ...rows(2, 0, 1, 0),
      rows_contradicted: 1,
    });
    expect(first_contradicted?.line).to.equal(2);
    expect(await standing(report.load_id)).to.include.members(['KORD 07-04 high 85', 'KORD 07-04 low 66']);
  });

  it('given rows at fault, then each is told with its line and reason, a high below its low is warned of, and the others go in', async () => {
    const told: RejectedRow[] = [];
    const normals = [
      'KZZZ,01-05,30,20',
      'KORD,02-30,30,20',
      'KORD,09-01,20,30',
      'KORD,09-02,warm,20',
      'KORD,09-03,30',
    ];
    const report = await loadLines(
      store,
      { normals },
      {
        onRejected: (row) => {
          told.push(row);
          return Promise.resolve();
        },
      },
    );
    expect(told.map(({ feed, line, reason, detail }) => [feed, line, reason, detail])).to.deep.equal([
      ['normals', 2, 'unknown station', 'KZZZ'],
      ['normals', 3, 'bad month_day', '"02-30" is not a day, MM-DD'],
      ['normals', 5, 'temperature is not a number', 'high_f="warm"'],
      ['normals', 6, 'missing column', 'low_f'],
    ]);
    expect(report.feeds.normals).to.deep.equal(rows(1, 0, 0, 4));
    expect(
      report.warnings.map(({ feed, reason, first }) => [feed, reason, first.line, first.detail]),
    ).to.deep.equal([['normals', 'high below low', 4, 'high_f=20, low_f=30']]);
  });
});
