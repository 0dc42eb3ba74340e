import { z } from 'zod';
import type { WatchReport } from '../monitoring/alarm.js';
import { watchProviders } from '../monitoring/watch.js';
import { latestStations } from '../queries/facts.js';
import { sql } from '../queries/sql.js';
import { lostFacts, rejectLostFacts } from '../store/damage.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import type { Store } from '../store/store.js';
import { getMessage, StoreDamaged } from '../store/store-errors.js';
import { commandText } from '../lib/user-error.js';
import { apply, type ApplyOptions, NOTHING_RECONCILED } from './apply/apply.js';
import { checkStaged } from './check/check.js';
import type { Collected, LoadReport } from './load-report.js';
import { beginLoad, failLoad, finishLoad } from './load-events.js';
import type { LoadTally } from './load-tally.js';
import { FILE_KINDS } from '../feeds/feeds.js';
import { type StationFact, stationRow } from '../feeds/stations.js';
import { UnreadableFeed } from './read/header.js';
import { feedSize } from './read/read.js';
import { type Change, type Reconciled, recoverLoad } from './reconcile/reconcile.js';
import { type FeedFiles, stageFeeds } from './stage/stage.js';
import type { StageOptions } from './stage/staging.js';
import { type BeforeLoad, beforeLoad, hasPending, recordTouched } from './stage/staging-tables.js';

export interface LoadOptions extends StageOptions, ApplyOptions {
  /** A row that is rejected or is suspect fails the load, and nothing of it goes in. */
  strict?: boolean;
  /** The collector's account of its sources. It is for the report of the load, where a server finds it. */
  collected?: Collected;
}

/**
 * Loads feed files: reads and checks everything into staging first, then adds what is new to the facts and reconciles
 * the station days that it touches (D26). It applies nothing until it has read everything; what a load that is
 * killed after that has applied, the next one reconciles before it begins. Loads run one at a time.
 * @returns the report; `outcome` is `failed` when `strict` and a row was rejected or suspect: then nothing went in
 * @throws UnreadableFeed, StoreUnavailable; the load is then kept as failed, with its reason
 * @throws StoreDamaged when facts of the months that it touches are lost
 */
export async function load(store: Store, files: FeedFiles, options: LoadOptions = {}): Promise<LoadReport> {
  const progress: { loadId?: number } = {};
  try {
    return await runLoad(store, files, options, progress);
  } catch (error) {
    // Every load that fails is kept, also one that could not begin: alerts go by that. If the store is what failed, this
    // fails too; then the next load clears up.
    const report = { error: getMessage(error), reason: publicReason(error, files) };
    const failed = async () =>
      failLoad(store, progress.loadId ?? (await beginLoad(store, { keepsStaged: true })), report);
    await failed().catch(() => {});
    throw error;
  }
}

/** @param progress gets the number of the load as soon as it has one */
async function runLoad(
  store: Store,
  files: FeedFiles,
  options: LoadOptions,
  progress: { loadId?: number },
): Promise<LoadReport> {
  const started = performance.now();
  const found = await beforeLoad(store);
  const leftovers = await recover(store, options, found);
  const before = leftovers === undefined ? found : await beforeLoad(store);
  const loadId = await beginLoad(store, { before });
  progress.loadId = loadId;
  for (const kind of FILE_KINDS) for (const file of files[kind] ?? []) await feedSize(file);
  const known = new Map<string, StationFact>();
  for (const station of await store.query(sql.rows(stationRow)`SELECT * FROM ${latestStations()}`)) {
    known.set(station.station_id, station);
  }
  const staged = await stageFeeds(store, files, known, loadId, options);
  const { tally, summary } = staged;
  await checkStaged(store, loadId, staged, before.first_providers, options.onSuspect);
  const reason = options.strict === true ? strictReason(tally) : undefined;
  // Nothing can be lost where no part is damaged.
  const acceptLoss = options.acceptLoss === true || before.broken_parts === 0;
  const applied =
    reason === undefined
      ? await apply(store, staged, loadId, { ...options, acceptLoss })
      : NOTHING_RECONCILED;
  const rows = countRows(tally, reason !== undefined);
  const watched = hasChanged(tally, applied) ? await watchLoad(store, loadId) : {};
  await confirmWritten(store);
  const seconds = (performance.now() - started) / 1000;
  const report: LoadReport = {
    ...makeReport({ loadId, isFirst: known.size === 0, tally, leftovers, applied, reason, rows, seconds }),
    ...(options.collected && { collected: options.collected }),
    ...watched,
  };
  if (reason !== undefined) await failLoad(store, loadId, report);
  else {
    const filled = [...tally.filled, ...summary.filled];
    const feeds = [...summary.facts, ...(tally.filled.has('staged_stations') ? (['stations'] as const) : [])];
    const lost = acceptLoss && before.broken_parts > 0 ? await lostFacts(store) : [];
    await finishLoad(store, loadId, report, { providers: summary.providers, filled, feeds, lost });
  }
  return report;
}

/** @throws StoreDamaged when a part of a table was not written whole, which a full disk does without an error */
export async function confirmWritten(store: Store): Promise<void> {
  const damaged = await store.confirmParts();
  if (damaged === 0) return;
  throw new StoreDamaged(
    `DATA_DIR is damaged: ${damaged} parts of tables were not written whole; make room, then ${commandText('verify')} lists them`,
  );
}

/** The report of what a load has read and done. @param done.reason why it is refused, if it is */
function makeReport({
  loadId,
  isFirst,
  tally,
  leftovers,
  applied,
  reason,
  rows,
  seconds,
}: {
  loadId: number;
  isFirst: boolean;
  tally: LoadTally;
  leftovers: Change | undefined;
  applied: Reconciled;
  reason: string | undefined;
  rows: number;
  seconds: number;
}): LoadReport {
  const isPartial = tally.rejections.length > 0;
  return {
    load_id: loadId,
    outcome: reason !== undefined ? 'failed' : isPartial ? 'some_rows_rejected' : 'complete',
    store_was_empty: isFirst,
    feeds: tally.feeds,
    files: tally.files,
    rejections: tally.rejections,
    warnings: tally.warnings,
    notes: tally.notes,
    pairs_added: (leftovers?.pairs_added ?? 0) + applied.pairs_added,
    pairs_withdrawn: (leftovers?.pairs_withdrawn ?? 0) + applied.pairs_withdrawn,
    forecasts_without_observation: applied.without_observation,
    forecasts_issued_after_day_ended: applied.issued_after_day_ended,
    seconds: Math.round(seconds * 100) / 100,
    rows_per_second: Math.round(rows / seconds),
    peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    ...(reason !== undefined && { reason }),
  };
}

/** Whether a load brought anything that the watch looks at. */
const hasChanged = ({ feeds }: LoadTally, { pairs_added, pairs_withdrawn }: Reconciled): boolean =>
  pairs_added + pairs_withdrawn + feeds.forecasts.rows_new + feeds.forecasts.rows_corrected > 0;

/** The alarms after a load, for its report. Its data are reconciled, so the load finishes when the watch fails. */
async function watchLoad(
  store: Store,
  loadId: number,
): Promise<{ watch?: WatchReport | undefined } | { watch_failed: string }> {
  return watchProviders(store, loadId).then(
    (report) => ({ ...(report && { watch: report }) }),
    (error: unknown) => ({ watch_failed: getMessage(error) }),
  );
}

/** Why --strict refuses these rows, if it does. */
function strictReason({ rejections, warnings }: LoadTally): string | undefined {
  const [rejected = 0, suspect = 0] = [rejections, warnings].map((counts) =>
    counts.reduce((sum, { rows }) => sum + rows, 0),
  );
  if (rejected + suspect === 0) return undefined;
  return `--strict: nothing is loaded because ${rejected} rows are rejected and ${suspect} are suspect`;
}

/** The reason of an error for clients of the API: it names feeds instead of files, and repeats no message of the store. */
export function publicReason(error: unknown, files: FeedFiles = {}): string {
  const message = error instanceof UnreadableFeed ? error.message : '';
  for (const kind of FILE_KINDS) {
    const file = files[kind]?.find((each) => message.startsWith(`${each}: `));
    if (file !== undefined) return message.replaceAll(file, kind);
  }
  return 'an error outside its rows; see the log of the server';
}

/**
 * Reconciles what a load that was killed has applied and not reconciled; what it had not applied comes in when its files are
 * loaded again. A server does this when it starts, so that its tables agree before the next load.
 * @returns undefined when no load has left anything
 * @throws what the store throws, and UserError when the lock cannot be had
 */
export async function reconcileDeadLoad(
  store: Store,
  options: LoadLockOptions = {},
): Promise<Change | undefined> {
  if (!(await hasPending(store))) return undefined;
  return withLoadLock(
    store,
    async (locked) => {
      return recover(locked); // unless a faster load has done it
    },
    options,
  );
}

/**
 * Reconciles what loads that were killed have left, as a load of its own, which touches their days, and finishes before
 * another begins.
 */
export async function recover(
  store: Store,
  { acceptLoss = false }: Pick<LoadOptions, 'acceptLoss'> = {},
  before?: BeforeLoad,
): Promise<Change | undefined> {
  if (!(await hasPending(store, before))) return undefined;
  if (!acceptLoss) {
    await rejectLostFacts(store, sql`SELECT target_date FROM unsettled`);
  }
  const loadId = await beginLoad(store, { keepsStaged: true });
  await recordTouched(store, loadId, sql`SELECT station_id, target_date FROM unsettled`);
  const change = await recoverLoad(store, loadId);
  const providers = (await store.query(LEFT_PROVIDERS)).map(({ provider }) => provider);
  await finishLoad(store, loadId, { outcome: 'leftovers_settled', ...change }, { providers });
  return change;
}

/** The providers of the forecasts that killed loads have staged, of which something was applied, in the order of their rows. */
const LEFT_PROVIDERS = sql.rows(z.object({ provider: z.string() }))`
  SELECT provider
  FROM (
    SELECT provider, row_number
    FROM staged_forecasts
    WHERE NOT withdrawn AND load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished')
      AND provider IN (SELECT DISTINCT provider FROM forecasts WHERE target_date IN (SELECT target_date FROM unsettled))
    UNION ALL
    SELECT provider, row_number
    FROM staged_hourly_forecasts
    WHERE NOT withdrawn AND load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished')
      AND provider IN (SELECT DISTINCT provider FROM hourly_forecasts WHERE toDate(valid_at) IN (SELECT target_date FROM unsettled))
  )
  GROUP BY provider
  ORDER BY min(row_number)`;

/** Fills in how many rows of each feed say nothing new; of a load that failed, none is. @returns the rows of all feeds */
function countRows({ feeds }: LoadTally, failed: boolean): number {
  let rows = 0;
  for (const feed of Object.values(feeds)) {
    if (failed) feed.rows_new = feed.rows_corrected = 0;
    feed.rows_unchanged = feed.rows_read - feed.rows_new - feed.rows_corrected - feed.rows_rejected;
    rows += feed.rows_read;
  }
  return rows;
}
