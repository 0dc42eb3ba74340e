import { expect } from 'chai';
import type { RejectedRow } from '../../../src/ingest/load-report.js';
import { load } from '../../../src/ingest/load.js';
import type { FeedFiles } from '../../../src/ingest/stage/stage.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines, writeFeeds } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { itInCi } from '../../support/runner/range.js';
import { openTestStore, withMethod } from '../../support/store.js';

// Quality control is a function of the rows alone: no order of threads, blocks or parts decides what a load tells.

const NOW = new Date('2150-01-01T00:00:00Z');

const two = (value: number): string => String(value).padStart(2, '0');

/** Normals of 30 days, some with a high and a low that are both suspect. */
const NORMALS = Array.from(
  { length: 30 },
  (_, at) => `KORD,09-${two(at + 1)},${at % 7 === 3 ? '-80,130' : '75,57'}`,
);

/** Far more values of a day than are judged or compared, of any temperature. Each file becomes a part of its table. */
function hostileFiles(): FeedFiles {
  const random = new Random(1);
  const any = (): number => random.below(250) - 120;
  const time = (at: number): string => `T${two(at % 24)}:${two(at % 60)}:${two(at % 59)}Z`;
  const forecasts = Array.from({ length: 800 }, (_, at) => {
    const issued = `2026-09-0${1 + random.below(9)}${time(at)}`;
    return `KORD,${issued},2026-09-10,${any()},,${at % 8 === 0 ? 'few' : 'many'}`;
  });
  const observations = Array.from(
    { length: 160 },
    (_, at) => `KORD,2026-09-10,${any()},,preliminary,2026-09-1${1 + random.below(9)}${time(at)}`,
  );
  for (const day of [3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17])
    observations.push(`KORD,2026-09-${two(day)},75,57,verified,2026-09-${two(day + 1)}T20:00:00Z`);
  // Each report comes three times, with other values.
  const hours = Array.from(
    { length: 48 },
    (_, at) => `KORD,2026-09-10T${two(at % 16)}:51:00Z,${any()},${any()},${any()}`,
  );
  const parts = Array.from({ length: 8 }, (_, part) => {
    const ofPart = (lines: readonly string[]): string[] => lines.filter((__, at) => at % 8 === part);
    return writeFeeds({
      columns: 'all',
      forecasts: ofPart(forecasts),
      observations: ofPart(observations),
      hours: ofPart(hours),
    });
  });
  return {
    ...writeFeeds({ stations: [CHICAGO], normals: NORMALS }),
    forecasts: parts.flatMap((files) => files.forecasts),
    observations: parts.flatMap((files) => files.observations),
    hours: parts.flatMap((files) => files.hours),
  };
}

describe('what quality control tells of hostile files', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  beforeEach(() => emptyStore(store));

  /** All that a load tells, but how long it took. */
  const toldWith = async (max_threads: number, files: FeedFiles) => {
    await emptyStore(store);
    const listed: RejectedRow[] = [];
    const query: Store['query'] = ({ statement, row }, options) =>
      store.query({ statement: statement.with({ max_threads }), row }, options);
    const { feeds, warnings, notes, rejections } = await load(withMethod(store, 'query', query), files, {
      now: NOW,
      onSuspect: (row) => Promise.resolve(void listed.push(row)),
    });
    return { feeds, warnings, notes, rejections, listed };
  };

  // 2,000 rows of one day: quality-control.test.ts stands for it in `make test`.
  itInCi('given one thread, or four, then the same rows are told, in the same order', async () => {
    const files = hostileFiles();
    const alone = await toldWith(1, files);
    expect(new Set(alone.listed.map(({ feed }) => feed)).size).to.equal(4);
    expect(await toldWith(4, files)).to.deep.equal(alone);
  });

  it('given a row of normals with both values suspect, then its high is named', async () => {
    const { warnings } = await loadLines(store, { stations: [CHICAGO], normals: NORMALS });
    expect(warnings.map(({ first: { line, detail } }) => `${line} ${detail}`)).to.include(
      '5 high_f=-80 at KORD, others 75 °F',
    );
  });
});
