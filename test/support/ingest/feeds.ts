import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, type LoadOptions } from '../../../src/ingest/load.js';
import {
  getColumnNames,
  getRequiredNames,
  FEED_NAMES,
  type FeedName,
  FILE_KINDS,
  type FileKind,
} from '../../../src/feeds/feeds.js';
import { parseCells } from '../../../src/ingest/read/header.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../store.js';

/** The columns of lines: those that a file must have, and of stations and members some more. */
export const LINE_COLUMNS: Record<FileKind, readonly string[]> = {
  ...(Object.fromEntries(FEED_NAMES.map((feed) => [feed, getRequiredNames(feed)])) as Record<
    FeedName,
    string[]
  >),
  stations: [...getRequiredNames('stations'), 'climate_zone', 'data_active', 'aliases', 'iata'],
  members: [...getRequiredNames('forecasts'), 'member', 'provider', 'withdrawn'],
};

/**
 * Rows of the feeds, as lines of CSV without a header, in the columns of LINE_COLUMNS. Lines of hours have as many of COLUMNS_OF_HOURS as
 * the first of them; the others, where they have optional columns, as many of getColumnNames().
 */
export type FeedLines = Partial<Record<FileKind, readonly string[]>> & {
  /** The unit of their temperatures; °F, if not given. */
  unit?: 'celsius';
  /** Whether the lines have the optional columns as well. */
  columns?: 'all';
};

/** The columns of lines of hours: an amount stands before the sky, and further ones come last. */
const COLUMNS_OF_HOURS = [
  ...new Set([
    ...'station_id,at,temp_f,max_6h_f,min_6h_f,precip_in,sky,withdrawn,status'.split(','),
    ...getColumnNames('hours'),
  ]),
];

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

/** Writes lines into feed files, one a feed, with a header unless the first line is one. */
export function writeFeeds(lines: FeedLines): Record<FileKind, string[]> {
  const folder = temporaryFolder();
  const files = Object.fromEntries(FILE_KINDS.map((kind): [FileKind, string[]] => [kind, []])) as Record<
    FileKind,
    string[]
  >;
  for (const kind of FILE_KINDS) {
    const [first = LINE_COLUMNS[kind].join()] = lines[kind] ?? [];
    if (lines[kind] === undefined) continue;
    const isWhole =
      kind === 'members' || (kind !== 'hours' && kind !== 'hourly_forecasts' && lines.columns === undefined);
    const columns: readonly string[] = isWhole
      ? LINE_COLUMNS[kind]
      : (kind === 'hours' ? COLUMNS_OF_HOURS : getColumnNames(kind)).slice(0, parseCells(first).length);
    const header =
      lines.unit === 'celsius'
        ? columns.map((name) => name.replace(/^((high|low)(_sd|_p..)?|temp|max_6h|min_6h)_f$/, '$1_c'))
        : columns;
    const file = join(folder, `${kind}.csv`);
    const own = lines[kind][0]?.startsWith('station_id,') ? [] : [header.join(',')];
    writeFileSync(file, [...own, ...lines[kind], ''].join('\n'));
    files[kind].push(file);
  }
  return files;
}
