import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, type LoadOptions } from '../../../src/ingest/load.js';
import { columnsOf, FEED_COLUMNS, FEED_NAMES, type FeedName } from '../../../src/ingest/feed/columns.js';
import { cellsOf } from '../../../src/ingest/feed/header.js';
import type { LoadReport } from '../../../src/ingest/feed/report.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../store.js';

/** The columns of lines: those that a file must have, and of stations some more. */
export const LINE_COLUMNS: Record<FeedName, readonly string[]> = {
  ...FEED_COLUMNS,
  stations: [...FEED_COLUMNS.stations, 'climate_zone', 'data_active', 'aliases', 'iata'],
};

/**
 * Rows of the feeds, as lines of CSV without a header, in the columns of LINE_COLUMNS; those of hours, and of stations where
 * lines have optional columns, have as many of these as the first of them.
 */
export type FeedLines = Partial<Record<FeedName, readonly string[]>> & {
  /** The unit of their temperatures; °F, if not given. */
  unit?: 'celsius';
  /**
   * Whether the lines have the optional columns as well, at last those of spreads; they have those of LINE_COLUMNS alone, if
   * not given.
   */
  columns?: 'all' | 'all and spreads' | 'all and distributions';
};

/** The clock of a load, unless a test gives another: no day of any test is ahead of it. */
const END_OF_TIME = new Date('2150-01-01T00:00:00Z');

/** Writes lines into feed files and loads them, as `npm run load` does. */
export async function loadLines(
  store: Store,
  lines: FeedLines,
  options: LoadOptions = {},
): Promise<LoadReport> {
  return load(store, writeFeeds(lines), { now: END_OF_TIME, ...options });
}

/** Writes lines into feed files, one a feed, with a header. */
export function writeFeeds(lines: FeedLines): Record<FeedName, string[]> {
  const folder = temporaryFolder();
  const files = Object.fromEntries(FEED_NAMES.map((feed): [FeedName, string[]] => [feed, []])) as Record<
    FeedName,
    string[]
  >;
  for (const feed of FEED_NAMES) {
    if (lines[feed] === undefined) continue;
    const all = columnsOf(feed);
    const [first] = lines[feed];
    const columns: readonly string[] =
      feed !== 'hours' && lines.columns === undefined
        ? LINE_COLUMNS[feed]
        : feed === 'hours' || feed === 'stations'
          ? all.slice(0, first === undefined ? undefined : cellsOf(first).length)
          : all;
    const isLeftOut = (name: string): boolean =>
      name === 'member' ||
      (lines.columns !== 'all and distributions' && /_p\d/.test(name)) ||
      (!lines.columns?.startsWith('all and') && /_sd_/.test(name));
    const said = columns.filter((name) => !isLeftOut(name));
    const header =
      lines.unit === 'celsius'
        ? said.map((name) => name.replace(/^((high|low)(_sd)?|temp|max_6h|min_6h)_f$/, '$1_c'))
        : said;
    const file = join(folder, `${feed}.csv`);
    writeFileSync(file, [header.join(','), ...lines[feed], ''].join('\n'));
    files[feed].push(file);
  }
  return files;
}
