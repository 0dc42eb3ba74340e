import { FEED_NAMES, type FeedName } from '../feeds/feeds.js';
import { getUnreadColumns } from '../feeds/file-columns.js';
import type { Reason } from '../feeds/values.js';
import { type Header, UnreadableFeed } from './read/header.js';
import type { OutlierMember } from './read/members.js';
import type { FeedCounts, FileReport, RowLocation, ReasonCount } from './load-report.js';

/** How far a load is. */
export interface Progress {
  /** The file that is read, or what is done with the rows of all. */
  step: string;
  /** The rows of the file so far. */
  rows?: number;
  /** Share of the step, 0..1. */
  share: number;
}

/** How many more blank lines than rows a file may have: a few kB of gzip can unpack to a GB of them. */
const MAX_BLANK_LINES = 100_000;

/** Counts what a load reads: rows by feed and file, rejections and warnings by feed and reason. */
export class LoadTally {
  readonly feeds = Object.fromEntries(FEED_NAMES.map((feed) => [feed, noRows()])) as Record<
    FeedName,
    FeedCounts
  >;
  readonly #files: FileTally[] = [];
  readonly #rejections = new Map<string, ReasonCount>();
  readonly #warnings = new Map<string, ReasonCount>();
  readonly #notes = new Map<string, ReasonCount>();

  constructor(private readonly onProgress: ((progress: Progress) => void) | undefined) {}

  /** @param size the bytes of the file, packed as they are */
  beginFile(feed: FeedName, file: string, size: number): FileTally {
    const last = this.#files.at(-1);
    const base = last === undefined ? 0 : last.base + last.lines;
    const report = { feed, file, rows_read: 0, columns_not_read: [] };
    const tally = new FileTally(report, base, this.feeds[feed], size, this.onProgress);
    this.#files.push(tally);
    return tally;
  }

  reject(feed: FeedName, location: RowLocation, reason: Reason): void {
    this.feeds[feed].rows_rejected += 1;
    count(this.#rejections, feed, location, reason, 1);
  }

  /** @param location the first of the rows */
  warn(feed: FeedName, location: RowLocation, reason: Reason, rows = 1): void {
    count(this.#warnings, feed, location, reason, rows);
  }

  /** Tells an operator of rows that are as good as others. @param location the first of the rows */
  note(feed: FeedName, location: RowLocation, reason: Reason, rows = 1): void {
    count(this.#notes, feed, location, reason, rows);
  }

  /** The tables of stations that have staged rows; the summary of what is staged tells those of values. */
  readonly filled = new Set<string>();

  /** Members that are far from the others of their forecast. */
  readonly outlierMembers: (Omit<OutlierMember, 'line'> & { row_number: number })[] = [];

  /** The line of a file that a `row_number` in staging stands for. */
  readonly locationOf = (rowNumber: number): RowLocation => {
    const { report, base } = this.#findFile(rowNumber) ?? {};
    return { file: report?.file ?? '', line: rowNumber - (base ?? 0) };
  };

  #findFile(rowNumber: number): FileTally | undefined {
    return this.#files.findLast((one) => one.base < rowNumber);
  }

  get files(): FileReport[] {
    return this.#files.map(({ report }) => report);
  }

  /** By feed and reason, most frequent first. */
  get rejections(): ReasonCount[] {
    return byRows(this.#rejections);
  }

  /** By feed and reason, most frequent first. */
  get warnings(): ReasonCount[] {
    return byRows(this.#warnings);
  }

  get notes(): ReasonCount[] {
    return byRows(this.#notes);
  }
}

/** Counts the rows of a file, and reports progress. */
export class FileTally {
  /** The lines of the file read so far. */
  lines = 1;
  #bytes = 0;
  #blank = 0;

  /** @param base the lines of all files before: line 7 of this one has row_number `base + 7` */
  constructor(
    readonly report: FileReport,
    readonly base: number,
    private readonly counts: FeedCounts,
    private readonly size: number,
    private readonly onProgress: ((progress: Progress) => void) | undefined,
  ) {}

  readonly onHeader = ({ names }: Header): void => {
    this.report.columns_not_read = getUnreadColumns(this.report.feed, names);
  };

  readonly onBytes = (bytes: number): void => {
    this.#bytes = bytes;
  };

  /** @throws UnreadableFeed */
  readonly onBlank = (): void => {
    this.#blank += 1;
    if (this.#blank <= MAX_BLANK_LINES + this.report.rows_read) return;
    const { file } = this.report;
    throw new UnreadableFeed(`${file}: has ${MAX_BLANK_LINES} more blank lines than rows; take them out`);
  };

  countRows(rows: number): void {
    this.report.rows_read += rows;
    this.counts.rows_read += rows;
  }

  reportProgress(): void {
    const share = this.size === 0 ? 1 : this.#bytes / this.size;
    this.onProgress?.({ step: this.report.file, rows: this.report.rows_read, share });
  }
}

function count(
  counts: Map<string, ReasonCount>,
  feed: FeedName,
  location: RowLocation,
  { reason, detail }: Reason,
  rows: number,
): void {
  const key = `${feed} ${reason}`;
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { feed, reason, rows, first: { ...location, detail } });
  else known.rows += rows;
}

function byRows(counts: ReadonlyMap<string, ReasonCount>): ReasonCount[] {
  return [...counts.values()].sort((a, b) => b.rows - a.rows);
}

function noRows(): FeedCounts {
  return {
    rows_read: 0,
    rows_new: 0,
    rows_corrected: 0,
    rows_unchanged: 0,
    rows_rejected: 0,
    rows_contradicted: 0,
    first_contradicted: null,
  };
}
