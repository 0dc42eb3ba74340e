import { z } from 'zod';
import { latestStations } from '../queries/facts.js';
import { sql } from '../sql.js';
import { rejectLostFacts } from '../store/damage.js';
import { getMessage } from '../store/store-errors.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import type { Store } from '../store/store.js';
import {
  addNews,
  allNormals,
  applyStations,
  makeFacts,
  findNews,
  type FoundNews,
  hasNews,
  type News,
  daysOfMovedStations,
  daysOfStagedReports,
  daysOfStagedValues,
  recordTouched,
  touchedDays,
  getValues,
} from './apply/changed-rows.js';
import { FILE_KINDS, type StationFact, stationRow, VALUE_FEEDS, type ValueFeed } from './read/columns.js';
import { applyHours } from './apply/hourly-reports.js';
import { UnreadableFeed } from './read/header.js';
import { feedSize } from './read/read.js';
import type { Collected, FeedCounts, LoadReport } from './load-report.js';
import {
  type Change,
  recordEvent,
  reconcile,
  type Reconciled,
  recoverLoad,
  pendingSpans,
} from './reconcile/reconcile.js';
import { isSmall } from './spans.js';
import { type UnmatchedForecast, unmatchedForecasts } from './apply/unmatched.js';
import { type FeedFiles, stageFeeds, type StageOptions } from './stage/stage.js';
import { type BeforeLoad, beforeLoad, clearStaging, hasPending, touchedBy } from './stage/staging-tables.js';
import type { LoadTally } from './load-tally.js';
import type { WatchReport } from '../monitoring/alarm.js';
import { watchProviders } from '../monitoring/watch.js';

export interface LoadOptions extends StageOptions {
  /** A row that is rejected or looks implausible fails the load, and nothing of it goes in. */
  strict?: boolean;
  /** Settles also months of which facts are lost: what is derived from these is withdrawn, unless the load brings them back. */
  acceptLoss?: boolean;
  /** Receives the forecasts on the days of the load that have no observation yet. */
  onUnmatched?: (forecast: UnmatchedForecast) => Promise<void>;
  /** The collector's account of its sources. It is for the report of the load, where a server finds it. */
  collected?: Collected;
}

/**
 * Loads feed files: reads and checks everything into staging first, then adds what is new to the facts and settles
 * the station days that it touches (D26). It applies nothing until it has read everything; what a load that is
 * killed after that has applied, the next one settles before it begins. Loads run one at a time.
 * @returns the report; `outcome` is `failed` when `strict` and a row was rejected or implausible: then nothing went in
 * @throws UnreadableFeed, StoreUnavailable; the load is then kept as failed, with its reason
 * @throws StoreDamaged when facts of the months that it touches are lost
 */
export async function load(store: Store, files: FeedFiles, options: LoadOptions = {}): Promise<LoadReport> {
  const started = performance.now();
  let isUnderWay: number | undefined;
  try {
    const before = await beforeLoad(store);
    const leftovers = await recover(store, options, before);
    const loadId = (isUnderWay = await beginLoad(store, {
      before: leftovers === undefined ? before : undefined,
    }));
    for (const kind of FILE_KINDS) for (const file of files[kind] ?? []) await feedSize(file);
    const known = new Map<string, StationFact>();
    for (const station of await store.query(sql.rows(stationRow)`SELECT * FROM ${latestStations()}`)) {
      known.set(station.station_id, station);
    }
    const staged = await stageFeeds(store, files, known, loadId, options);
    const reason = options.strict === true ? strictReason(staged) : undefined;
    const failed = reason !== undefined;
    const applied = failed ? NOTHING : await apply(store, staged, loadId, options);
    const rows = countRows(staged, failed);
    const watched = hasChanged(staged, applied) ? await watchLoad(store, loadId) : {};
    const seconds = (performance.now() - started) / 1000;
    const report: LoadReport = {
      load_id: loadId,
      outcome: failed ? 'failed' : staged.rejections.length > 0 ? 'some_rows_rejected' : 'complete',
      store_was_empty: known.size === 0,
      feeds: staged.feeds,
      files: staged.files,
      rejections: staged.rejections,
      warnings: staged.warnings,
      notes: staged.notes,
      pairs_added: (leftovers?.pairs_added ?? 0) + applied.pairs_added,
      pairs_withdrawn: (leftovers?.pairs_withdrawn ?? 0) + applied.pairs_withdrawn,
      forecasts_without_observation: applied.without_observation,
      forecasts_issued_after_day_ended: applied.issued_after_day_ended,
      seconds: Math.round(seconds * 100) / 100,
      rows_per_second: Math.round(rows / seconds),
      peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
      ...(failed && { reason }),
      ...(options.collected && { collected: options.collected }),
      ...watched,
    };
    if (failed) await failLoad(store, loadId, report);
    else {
      await finishLoad(store, loadId, report, staged);
    }
    return report;
  } catch (error) {
    // Every load that fails is kept, also one that could not begin: alerts go by that. If the store is what failed, this
    // fails too; then the next load clears up.
    const report = { error: getMessage(error), reason: publicReason(error, files) };
    const failed = async () =>
      failLoad(store, isUnderWay ?? (await beginLoad(store, { keepsStaged: true })), report);
    await failed().catch(() => {});
    throw error;
  }
}

/** Whether a load brought anything that the watch looks at. */
const hasChanged = ({ feeds }: LoadTally, { pairs_added, pairs_withdrawn }: Reconciled): boolean =>
  pairs_added + pairs_withdrawn + feeds.forecasts.rows_new + feeds.forecasts.rows_corrected > 0;

/** The alarms after a load, for its report. Its data are settled, so the load finishes when the watch fails. */
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
  const [rejected = 0, implausible = 0] = [rejections, warnings].map((counts) =>
    counts.reduce((sum, { rows }) => sum + rows, 0),
  );
  if (rejected + implausible === 0) return undefined;
  return `--strict: nothing is loaded because ${rejected} rows are rejected and ${implausible} look implausible`;
}

/** The reason of an error for clients of the API: it names feeds instead of files, and repeats no message of the store. */
function publicReason(error: unknown, files: FeedFiles): string {
  const message = error instanceof UnreadableFeed ? error.message : '';
  for (const kind of FILE_KINDS) {
    const file = files[kind]?.find((each) => message.startsWith(`${each}: `));
    if (file !== undefined) return message.replaceAll(file, kind);
  }
  return 'an error outside its rows; see the log of the server';
}

/**
 * Settles what a load that was killed has applied and not settled; what it had not applied comes in when its files are
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
 * Settles what loads that were killed have left, as a load of its own, which touches their days, and finishes before
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

/**
 * Takes the next load_id, and records that the load has started.
 * @param before what is known of the store, if it is
 * @param keepsStaged what a killed load has staged is still to be read
 */
export async function beginLoad(
  store: Store,
  { before, keepsStaged = false }: { before?: BeforeLoad | undefined; keepsStaged?: boolean } = {},
): Promise<number> {
  const { latest, filled } = before ?? (await beforeLoad(store));
  const loadId = latest + 1;
  await recordEvent(store, loadId, 'started');
  if (!keepsStaged) await clearStaging(store, filled);
  return loadId;
}

/**
 * Records that a load has finished, with the providers whose forecasts it brought. By that row, and with it, nothing is
 * unsettled any more, and its pairs are in the exports, which go by finished loads.
 * @param staged the providers of its forecasts, in the order of their rows, and the staging tables that it has filled
 */
export async function finishLoad(
  store: Store,
  loadId: number,
  report: object,
  { providers = [], filled }: { providers?: readonly string[]; filled?: readonly string[] } = {},
): Promise<void> {
  await recordEvent(store, loadId, 'finished', report, providers);
  await clearStaging(store, filled);
}

/** The providers of the forecasts that killed loads have staged, of which something was applied, in the order of their rows. */
const LEFT_PROVIDERS = sql.rows(z.object({ provider: z.string() }))`
  SELECT provider
  FROM staged_forecasts
  WHERE NOT withdrawn AND load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished')
    AND provider IN (SELECT DISTINCT provider FROM forecasts WHERE target_date IN (SELECT target_date FROM unsettled))
  GROUP BY provider
  ORDER BY min(row_number)`;

/** Records that a load has failed. While it has something unsettled its staging stays, for the load that recovers. */
async function failLoad(store: Store, loadId: number, report: object): Promise<void> {
  await recordEvent(store, loadId, 'failed', report);
  if (!(await hasPending(store))) await clearStaging(store);
}

/** From staging to facts and ledger; fills in how many rows were new or corrected. Days of which nothing is new stay as they are. */
async function apply(
  store: Store,
  { feeds, facts, locationOf }: LoadTally,
  loadId: number,
  { acceptLoss = false, onUnmatched, onProgress }: LoadOptions,
): Promise<Reconciled> {
  const news: Record<ValueFeed, News[]> = { forecasts: [], observations: [], normals: [], hours: [] };
  const mayMove = feeds.stations.rows_corrected > 0;
  const hasStations = feeds.stations.rows_new > 0 || mayMove;
  let mayWrite = acceptLoss;
  /** Before the first row of a fact. */
  const rejectLoss = async (): Promise<void> => {
    if (mayWrite) return;
    await rejectLostFacts(store, touchedDays(loadId));
    mayWrite = true;
  };
  if (hasStations) {
    await rejectLoss();
    if (mayMove) await recordTouched(store, loadId, daysOfMovedStations(loadId));
    await applyStations(store, loadId);
  }
  if (facts.has('normals')) {
    const normals = await findNews(store, ['normals'], allNormals(loadId), loadId, true);
    if (hasNews(normals)) await rejectLoss();
    await addNews(store, normals, loadId);
    news.normals.push(normals);
  }
  if (hasStations || news.normals.some(hasNews)) await recordEvent(store, loadId, 'settled');
  const total = { ...NOTHING };
  const dated = (['forecasts', 'observations'] as const).filter((feed) => facts.has(feed));
  const spans = dated.length > 0 || mayMove ? await pendingSpans(store, loadId) : [];
  for (const [index, span] of spans.entries()) {
    const step = `pairs of ${span.first_date} to ${span.last_date}`;
    onProgress?.({ step, share: index / spans.length });
    const found: FoundNews[] = [];
    for (const feed of dated) {
      found.push(
        await findNews(store, makeFacts(feed, facts), getValues(feed, span, loadId), loadId, isSmall(span)),
      );
      news[feed].push(...found.slice(-1));
    }
    if (!hasStations && !found.some(hasNews)) continue;
    await rejectLoss();
    await recordTouched(store, loadId, daysOfStagedValues(span, loadId));
    for (const comparison of found) await addNews(store, comparison, loadId);
    const counts = await reconcile(store, span, loadId);
    if (onUnmatched && counts.without_observation > 0) {
      for await (const day of unmatchedForecasts(store, span, loadId)) {
        for (const forecast of day) await onUnmatched(forecast);
      }
    }
    for (const name of Object.keys(total) as (keyof Reconciled)[]) total[name] += counts[name];
  }
  if (mayMove || facts.has('hours')) {
    await rejectLoss();
    await recordTouched(store, loadId, daysOfStagedReports(loadId));
    const days = mayMove ? touchedBy(loadId) : daysOfStagedReports(loadId);
    news.hours.push(...(await applyHours(store, loadId, { days, haveMoved: mayMove }, onProgress)));
  }
  for (const feed of VALUE_FEEDS) countSpanRows(feeds[feed], news[feed], locationOf);
  return total;
}

const NOTHING: Reconciled = {
  pairs_added: 0,
  pairs_withdrawn: 0,
  without_observation: 0,
  issued_after_day_ended: 0,
};

function countSpanRows(
  counts: FeedCounts,
  spans: readonly News[],
  locationOf: LoadTally['locationOf'],
): void {
  for (const { rows_new, rows_corrected, rows_contradicted } of spans) {
    counts.rows_new += rows_new;
    counts.rows_corrected += rows_corrected;
    counts.rows_contradicted += rows_contradicted;
  }
  const first = spans.map((span) => span.first_contradicted).filter((row) => row > 0);
  if (first.length > 0) counts.first_contradicted = locationOf(Math.min(...first));
}

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
