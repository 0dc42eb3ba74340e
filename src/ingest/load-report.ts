import type { SourceState } from '../stations/source-state.js';
import type { WatchReport } from '../monitoring/alarm.js';
import { numberText } from '../lib/text.js';
import { FEED_NAMES, type FeedName } from '../feeds/feeds.js';
import type { UnreadColumn } from '../feeds/file-columns.js';

/** Rows of one feed: `rows_read = rows_new + rows_corrected + rows_unchanged + rows_rejected`. */
export interface FeedCounts {
  rows_read: number;
  /** Rows with a value that the store did not have. */
  rows_new: number;
  /** Rows that replace or withdraw a value of an earlier load. */
  rows_corrected: number;
  /** Rows that say nothing new: known already, blank, or replaced by a later row of the same load. */
  rows_unchanged: number;
  rows_rejected: number;
  /**
   * Rows with a value that a later row of the same load replaces by another. They stand in one of the parts above as
   * well: in `rows_unchanged`, unless another value of the row is used.
   */
  rows_contradicted: number;
  first_contradicted: RowLocation | null;
}

/** A line of a feed file. */
export interface RowLocation {
  file: string;
  line: number;
}

/** Rows of a feed that were rejected, or are suspect, for one reason. */
export interface ReasonCount {
  feed: FeedName;
  reason: string;
  rows: number;
  /** The first row of these. */
  first: RowLocation & { detail: string };
}

export interface FileReport {
  feed: FeedName;
  file: string;
  rows_read: number;
  /** Columns that the feed does not have. */
  columns_not_read: UnreadColumn[];
}

/** Where the rows of a load come from, when the collector made it. */
export interface Collected {
  /** ISO 8601 in UTC. */
  at: string;
  sources: SourceState[];
}

/** The results of a load. Forecast counts are of forecast values (a row with high and low has two). */
export interface LoadReport {
  load_id: number;
  outcome: 'complete' | 'some_rows_rejected' | 'failed';
  /** Why it failed; names no file. */
  reason?: string;
  /** The store had no station before. */
  store_was_empty: boolean;
  feeds: Record<FeedName, FeedCounts>;
  files: FileReport[];
  rejections: ReasonCount[];
  /** Rows that are suspect and went in, unless the load is strict. */
  warnings: ReasonCount[];
  /** Notes on what stations should say of their rows, which went in, also of a strict load. */
  notes: ReasonCount[];
  pairs_added: number;
  pairs_withdrawn: number;
  /** Forecast values on the station days of this load that have no observation yet. */
  forecasts_without_observation: number;
  /** Forecast values on those days that were issued after their day had ended, and so are in no pair (D40). */
  forecasts_issued_after_day_ended: number;
  seconds: number;
  rows_per_second: number;
  peak_memory_mb: number;
  /** Only of a load that the collector made. */
  collected?: Collected;
  /** Only of a load that brought a forecast or a pair. */
  watch?: WatchReport;
  /** Why the watch could not look at its data, which went in. */
  watch_failed?: string;
}

/** Facts that the command knows of a load beside its report. */
export interface LoadTarget {
  /** The folder or the server that holds the store. */
  into: string;
  /** The file that lists the forecasts without an observation; null where the command can list none. */
  unmatched?: string | null | undefined;
}

/** The report as an operator reads it, one fact a line. */
export function reportText(report: LoadReport, { into, unmatched }: Partial<LoadTarget> = {}): string {
  const lines = report.files
    .filter(({ rows_read }) => rows_read === 0)
    .map(({ feed, file }) => `${feed}: no rows in ${file}`);
  for (const { feed, file, columns_not_read: columns } of report.files) {
    if (columns.length === 0) continue;
    const names = columns.map(({ name, nearest }) =>
      nearest === undefined ? name : `${name} (did you mean ${nearest}?)`,
    );
    lines.push(`${feed}: columns not read in ${file}: ${names.join(', ')}`);
  }
  for (const feed of FEED_NAMES) {
    const { rows_read, rows_new, rows_corrected, rows_unchanged, rows_rejected } = report.feeds[feed];
    if (rows_read === 0) continue;
    lines.push(
      `${feed}: ${numberText(rows_read)} rows read: ${numberText(rows_new)} new, ${numberText(rows_corrected)} corrected, ` +
        `${numberText(rows_unchanged)} unchanged, ${numberText(rows_rejected)} rejected`,
    );
    const { rows_contradicted, first_contradicted: first } = report.feeds[feed];
    if (rows_contradicted > 0) {
      const location = first === null ? '' : `, first at ${first.file}:${first.line}`;
      lines.push(
        `  contradicted in ${feed}: ${numberText(rows_contradicted)} × a later row has other values, and counts${location}`,
      );
    }
  }
  const counted = (what: string, { feed, reason, rows, first }: ReasonCount): string =>
    `  ${what} ${feed}: ${numberText(rows)} × ${reason}, first at ${first.file}:${first.line} (${first.detail})`;
  lines.push(
    ...report.rejections.map((count) => counted('rejected from', count)),
    ...report.warnings.map((count) => counted('warning in', count)),
    ...report.notes.map((count) => counted('note on', count)),
    `pairs: ${numberText(report.pairs_added)} added, ${numberText(report.pairs_withdrawn)} withdrawn`,
    `forecasts on these days without an observation yet: ${numberText(report.forecasts_without_observation)}` +
      (unmatched
        ? `, listed in ${unmatched}`
        : unmatched === undefined && report.forecasts_without_observation > 0
          ? ' (--unmatched FILE lists them)'
          : ''),
    `forecasts on these days issued after their day had ended (kept, in no pair): ${numberText(report.forecasts_issued_after_day_ended)}`,
  );
  if (report.reason !== undefined) lines.push(report.reason);
  for (const { message } of report.watch?.raised ?? []) lines.push(`alarm: ${message}`);
  for (const { message } of report.watch?.cleared ?? []) lines.push(`no longer: ${message}`);
  if (report.watch_failed !== undefined) lines.push(`the watch failed: ${report.watch_failed}`);
  if (into !== undefined) lines.push(`store: ${into}${report.store_was_empty ? ' (empty before)' : ''}`);
  lines.push(
    `load ${report.load_id}: ${report.outcome.replaceAll('_', ' ')} in ${report.seconds} s, ` +
      `${numberText(report.rows_per_second)} rows/s, peak memory ${numberText(report.peak_memory_mb)} MB`,
  );
  return lines.join('\n');
}

/** A row of a feed that is told, and why. */
export interface RejectedRow {
  feed: FeedName;
  file: string;
  line: number;
  reason: string;
  detail: string;
  text: string;
}
