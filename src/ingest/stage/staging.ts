import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../store/store.js';
import type { ReportedDegrees } from './reported-degrees.js';
import type { StagedSummary } from './staged-summary.js';
import type { UnitCheck } from './unit-check.js';
import type { RejectedRow } from '../load-report.js';
import type { FileTally, LoadTally, Progress } from '../load-tally.js';
import type { FeedName } from '../../feeds/feeds.js';
import type { StationFact } from '../../feeds/stations.js';
import { type Reason, Rejection } from '../../feeds/values.js';
import type { FeedRow, RowFacts } from '../read/feed-rows.js';
import { type FeedObserver, feedSize, type FeedRecord, readFeed } from '../read/read.js';

export interface StageOptions {
  /** The clock of the load, which no verified day and no issued forecast may be ahead of; now, unless given. */
  now?: Date;
  /** Ends the reading. */
  signal?: AbortSignal;
  onRejected?: (row: RejectedRow) => Promise<void>;
  /** Receives the rows whose quantiles are left out, and at the end those with a value that is far from others. */
  onSuspect?: (row: RejectedRow) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/** The result of reading the files of a load. */
export interface Staged {
  /**
   * The rows by feed, in which `rows_new` and `rows_corrected` are those of stations alone: apply/ finds out which values are
   * new.
   */
  tally: LoadTally;
  summary: StagedSummary;
  degrees: ReportedDegrees;
  units: UnitCheck;
}

/** A load on its way to staging. */
export interface Staging extends Staged {
  store: Store;
  loadId: number;
  options: StageOptions;
  /** The stations of the store by id, withdrawn ones as well. */
  known: ReadonlyMap<string, StationFact>;
  /** These, and those of the load, as its latest row says. */
  stations: Map<string, StationFact>;
  /** By which rows of values are judged. */
  facts: RowFacts;
  /** Tells the caller of rows that are rejected or suspect. */
  untold: (() => Promise<void>)[];
}

/** A file of a feed that is read. */
export interface ReadFile<Name extends FeedName = FeedName> {
  feed: Name;
  file: string;
  tally: FileTally;
}

/** @throws UnreadableFeed when there is no such file */
export async function openFile<Name extends FeedName>(
  { tally }: Staging,
  feed: Name,
  file: string,
): Promise<ReadFile<Name>> {
  return { feed, file, tally: tally.beginFile(feed, file, await feedSize(file)) };
}

/** Lines that are read between two pauses; each takes some µs. */
export const LINES_AT_ONCE = 10_000;

/**
 * Reads the rows of a file, one after the other, and waits now and then alone: a promise for each row would take half as long as
 * all else.
 * @param use uses a row, or throws a Rejection.
 * @param isFull whether what the rows have become is to be sent on
 */
export async function useRows(
  staging: Staging,
  source: ReadFile,
  use: (row: FeedRow, record: FeedRecord) => void,
  observer: FeedObserver = source.tally,
  { isFull, send }: { isFull: () => boolean; send: () => Promise<void> } = NOTHING_TO_SEND,
): Promise<void> {
  const { feed, file, tally } = source;
  for await (const records of readFeed(feed, file, observer)) {
    for (const record of records) {
      judge(staging, source, record, use);
      if (staging.untold.length > 0) await tell(staging);
      if (isFull()) await send();
      tally.countRows(1);
      tally.lines = record.line;
      if (record.line % LINES_AT_ONCE === 0) await pause(staging);
    }
    tally.reportProgress();
    await pause(staging);
  }
}

const NOTHING_TO_SEND = { isFull: () => false, send: () => Promise.resolve() };

/** Uses a row, or rejects it. */
function judge(
  staging: Staging,
  source: ReadFile,
  record: FeedRecord,
  use: (row: FeedRow, record: FeedRecord) => void,
): void {
  try {
    if ('rejection' in record) throw record.rejection;
    use(record.row, record);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    reject(staging, source, record, error);
  }
}

/** Warns that a part of a row is left out. */
export function leaveOut(
  { tally, options, untold }: Staging,
  { feed, file }: ReadFile,
  { line, text }: { line: number; text: string },
  reason: Reason,
): void {
  tally.warn(feed, { file, line }, reason);
  untold.push(async () => options.onSuspect?.({ feed, file, line, ...reason, text }));
}

export function reject(
  { tally, options, untold }: Staging,
  { feed, file }: ReadFile,
  { line, text }: { line: number; text: string },
  { reason, detail }: Rejection,
): void {
  tally.reject(feed, { file, line }, { reason, detail });
  untold.push(async () => options.onRejected?.({ feed, file, line, reason, detail, text }));
}

/** Tells the caller of the rows that were rejected or are suspect. */
export async function tell({ untold }: Staging): Promise<void> {
  for (const each of untold.splice(0)) await each();
}

/** Lets signals and heartbeats in: lines of which nothing goes to the engine would be read without a pause. */
export async function pause({ options }: Staging): Promise<void> {
  await setImmediate();
  options.signal?.throwIfAborted();
}
