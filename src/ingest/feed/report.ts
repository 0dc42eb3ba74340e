import { FEED_NAMES, type FeedName } from './columns.js';

/** Rows of one feed: `rows_read = rows_new + rows_corrected + rows_unchanged + rows_rejected`. */
export interface FeedCounts {
  rows_read: number;
  /** Rows with a value that the store did not have. */
  rows_new: number;
  /** Rows that replace a value which an earlier load gave. */
  rows_corrected: number;
  /** Rows that say nothing new: known already, blank, or replaced by a later row of the same load. */
  rows_unchanged: number;
  rows_rejected: number;
}

export interface RejectionCount {
  feed: FeedName;
  reason: string;
  rows: number;
  /** The first row rejected for this reason. */
  first: { file: string; line: number; detail: string };
}

/** What a load did. Forecast counts are of forecast values (a row with high and low has two). */
export interface LoadReport {
  load_id: number;
  outcome: 'complete' | 'some_rows_rejected' | 'failed';
  feeds: Record<FeedName, FeedCounts>;
  rejections: RejectionCount[];
  pairs_added: number;
  pairs_withdrawn: number;
  /** Forecast values on the station days that this load touched which no observation answers yet. */
  forecasts_without_observation: number;
  /** Forecast values on those days that were issued after their day had ended, and so are in no pair (D40). */
  forecasts_issued_after_day_ended: number;
  seconds: number;
  rows_per_second: number;
  peak_memory_mb: number;
}

/** The report as an operator reads it, one fact a line. */
export function reportText(report: LoadReport): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  const lines = FEED_NAMES.filter((feed) => report.feeds[feed].rows_read > 0).map((feed) => {
    const { rows_read, rows_new, rows_corrected, rows_unchanged, rows_rejected } = report.feeds[feed];
    return (
      `${feed}: ${number(rows_read)} rows read: ${number(rows_new)} new, ${number(rows_corrected)} corrected, ` +
      `${number(rows_unchanged)} unchanged, ${number(rows_rejected)} rejected`
    );
  });
  for (const { feed, reason, rows, first } of report.rejections) {
    lines.push(
      `  rejected from ${feed}: ${number(rows)} × ${reason}, first at ${first.file}:${first.line} (${first.detail})`,
    );
  }
  lines.push(
    `pairs: ${number(report.pairs_added)} added, ${number(report.pairs_withdrawn)} withdrawn`,
    `forecasts on these days without an observation yet: ${number(report.forecasts_without_observation)}`,
    `forecasts on these days issued after their day had ended (kept, in no pair): ${number(report.forecasts_issued_after_day_ended)}`,
    `load ${report.load_id}: ${report.outcome.replaceAll('_', ' ')} in ${report.seconds} s, ` +
      `${number(report.rows_per_second)} rows/s, peak memory ${number(report.peak_memory_mb)} MB`,
  );
  return lines.join('\n');
}
