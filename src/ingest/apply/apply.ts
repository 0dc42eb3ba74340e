import type { FactName } from '../../queries/facts.js';
import { rejectLostFacts } from '../../store/damage.js';
import type { Store } from '../../store/store.js';
import type { FeedCounts } from '../load-report.js';
import { recordEvent } from '../load-events.js';
import type { LoadTally, Progress } from '../load-tally.js';
import type { Staged } from '../stage/staging.js';
import { HOURLY_FEEDS, VALUE_FEEDS, type ValueFeed } from '../../feeds/feeds.js';
import { type Change, pendingSpans, reconcile, type Reconciled } from '../reconcile/reconcile.js';
import { isSmall, type SizedSpan } from '../spans.js';
import { recordTouched, touchedBy } from '../stage/staging-tables.js';
import {
  addChangedRows,
  allNormals,
  applyStations,
  daysOfMovedStations,
  daysOfStagedHours,
  daysOfStagedValues,
  findChangedRows,
  type FoundChanges,
  getValues,
  hasChanges,
  makeFacts,
  type ChangedRows,
  touchedDays,
} from './changed-rows.js';
import { applyHours } from './hourly-reports.js';
import { type UnmatchedForecast, unmatchedForecasts } from './unmatched.js';

// From staged rows to facts and ledger: an idempotent upsert. It adds the values that differ from the latest known ones,
// so a second load of a file adds nothing.

export interface ApplyOptions {
  /** Reconciles also months of which facts are lost: what is derived from these is withdrawn, unless the load brings them back. */
  acceptLoss?: boolean;
  /** Receives the forecasts on the days of the load that have no observation yet. */
  onUnmatched?: (forecast: UnmatchedForecast) => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/**
 * From staging to facts and ledger; fills in how many rows were new or corrected. Days without a changed row stay as they are.
 * An interrupted load relies on the order of the steps, and of the writes in each.
 */
export async function apply(
  store: Store,
  { tally: { feeds, locationOf }, summary: { facts, smallSpan } }: Staged,
  loadId: number,
  { acceptLoss = false, onUnmatched, onProgress }: ApplyOptions,
): Promise<Reconciled> {
  const mayMove = feeds.stations.rows_corrected > 0;
  const applying: Applying = {
    store,
    loadId,
    facts,
    mayMove,
    hasStations: mayMove || feeds.stations.rows_new > 0,
    rejectLoss: makeLossGuard(store, loadId, acceptLoss),
    changed: { forecasts: [], observations: [], normals: [], hours: [], hourly_forecasts: [] },
  };
  await applyUndated(applying);
  const total = { ...NOTHING_RECONCILED };
  const spans = await findSpans(applying, smallSpan);
  for (const [index, span] of spans.entries()) {
    const step = `pairs of ${span.first_date} to ${span.last_date}`;
    onProgress?.({ step, share: index / spans.length });
    addCounts(total, await applySpan(applying, span, onUnmatched));
  }
  addCounts(total, await applyWithinDay(applying, onProgress));
  for (const feed of VALUE_FEEDS) countSpanRows(feeds[feed], applying.changed[feed], locationOf);
  return total;
}

/** A load whose staged rows are being applied. */
interface Applying {
  store: Store;
  loadId: number;
  facts: ReadonlySet<FactName>;
  /** Its stations are new or corrected. */
  hasStations: boolean;
  /** Its stations may have other days than before. */
  mayMove: boolean;
  /** Comes before the first row of a fact. @throws StoreDamaged */
  rejectLoss: () => Promise<void>;
  changed: Record<ValueFeed, ChangedRows[]>;
}

/** Rejects a load of months of which facts are lost, and looks for these once. */
function makeLossGuard(store: Store, loadId: number, acceptLoss: boolean): () => Promise<void> {
  let mayWrite = acceptLoss;
  return async () => {
    if (!mayWrite) await rejectLostFacts(store, touchedDays(loadId));
    mayWrite = true;
  };
}

/** Applies what has no date: stations and normals. */
async function applyUndated({
  store,
  loadId,
  facts,
  hasStations,
  mayMove,
  rejectLoss,
  changed,
}: Applying): Promise<void> {
  if (hasStations) {
    await rejectLoss();
    if (mayMove) await recordTouched(store, loadId, daysOfMovedStations(loadId));
    await applyStations(store, loadId);
  }
  if (facts.has('normals')) {
    const normals = await findChangedRows(store, ['normals'], allNormals(loadId), loadId, true);
    if (hasChanges(normals)) await rejectLoss();
    await addChangedRows(store, normals, loadId);
    changed.normals.push(normals);
  }
  if (hasStations || changed.normals.some(hasChanges)) await recordEvent(store, loadId, 'settled');
}

const DATED_FEEDS = ['forecasts', 'observations'] as const;

async function findSpans(
  { store, loadId, facts, mayMove }: Applying,
  smallSpan: SizedSpan | undefined,
): Promise<readonly SizedSpan[]> {
  if (!mayMove && !DATED_FEEDS.some((feed) => facts.has(feed))) return [];
  return mayMove || smallSpan === undefined ? pendingSpans(store, loadId) : [smallSpan];
}

async function applySpan(
  { store, loadId, facts, hasStations, rejectLoss, changed }: Applying,
  span: SizedSpan,
  onUnmatched: ApplyOptions['onUnmatched'],
): Promise<Reconciled> {
  const found: FoundChanges[] = [];
  for (const feed of DATED_FEEDS) {
    if (!facts.has(feed)) continue;
    const values = getValues(feed, span, loadId);
    const rows = await findChangedRows(store, makeFacts(feed, facts), values, loadId, isSmall(span));
    changed[feed].push(rows);
    found.push(rows);
  }
  if (!hasStations && !found.some(hasChanges)) return NOTHING_RECONCILED;
  await rejectLoss();
  await recordTouched(store, loadId, daysOfStagedValues(span, loadId));
  for (const rows of found) await addChangedRows(store, rows, loadId);
  const counts = await reconcile(store, span, loadId);
  if (onUnmatched && counts.without_observation > 0) {
    for await (const day of unmatchedForecasts(store, span, loadId)) {
      for (const forecast of day) await onUnmatched(forecast);
    }
  }
  return counts;
}

/** Applies the feeds of hours, or brings the hours of moved stations in line. */
async function applyWithinDay(
  { store, loadId, facts, mayMove, rejectLoss, changed }: Applying,
  onProgress: ApplyOptions['onProgress'],
): Promise<Change> {
  const feeds = HOURLY_FEEDS.filter((feed) => facts.has(feed));
  if (!mayMove && feeds.length === 0) return NOTHING_RECONCILED;
  await rejectLoss();
  await recordTouched(store, loadId, daysOfStagedHours(loadId));
  // A cluster takes one table in what follows IN: these days are of several.
  const days = touchedBy(loadId);
  return applyHours(store, loadId, { days, haveMoved: mayMove, feeds, changed }, onProgress);
}

function addCounts(total: Reconciled, counts: Change | Reconciled): void {
  for (const [name, count] of Object.entries(counts)) total[name as keyof Reconciled] += count;
}

export const NOTHING_RECONCILED: Reconciled = {
  pairs_added: 0,
  pairs_withdrawn: 0,
  without_observation: 0,
  issued_after_day_ended: 0,
};

function countSpanRows(
  counts: FeedCounts,
  spans: readonly ChangedRows[],
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
