import { rejectLostFacts } from '../../store/damage.js';
import type { Store } from '../../store/store.js';
import type { FeedCounts } from '../load-report.js';
import { recordEvent } from '../load-events.js';
import type { LoadTally, Progress } from '../load-tally.js';
import type { Staged } from '../stage/staging.js';
import { HOURLY_FEEDS, VALUE_FEEDS, type ValueFeed } from '../../feeds/columns.js';
import { pendingSpans, reconcile, type Reconciled } from '../reconcile/reconcile.js';
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
 */
export async function apply(
  store: Store,
  { tally: { feeds, locationOf }, summary }: Staged,
  loadId: number,
  { acceptLoss = false, onUnmatched, onProgress }: ApplyOptions,
): Promise<Reconciled> {
  const { facts, smallSpan } = summary;
  const changed: Record<ValueFeed, ChangedRows[]> = {
    forecasts: [],
    observations: [],
    normals: [],
    hours: [],
    hourly_forecasts: [],
  };
  const mayMove = feeds.stations.rows_corrected > 0;
  const hasStations = feeds.stations.rows_new > 0 || mayMove;
  let mayWrite = acceptLoss;
  /** Before the first row of a fact. */
  const rejectLoss = async (): Promise<void> => {
    if (mayWrite) return;
    await rejectLostFacts(store, touchedDays(loadId));
    mayWrite = true;
  };
  const findSpans = async (): Promise<readonly SizedSpan[]> => {
    if (mayMove) return pendingSpans(store, loadId);
    if (dated.length === 0) return [];
    return smallSpan === undefined ? pendingSpans(store, loadId) : [smallSpan];
  };
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
  const total = { ...NOTHING_RECONCILED };
  const dated = (['forecasts', 'observations'] as const).filter((feed) => facts.has(feed));
  const spans = await findSpans();
  for (const [index, span] of spans.entries()) {
    const step = `pairs of ${span.first_date} to ${span.last_date}`;
    onProgress?.({ step, share: index / spans.length });
    const found: FoundChanges[] = [];
    for (const feed of dated) {
      found.push(
        await findChangedRows(
          store,
          makeFacts(feed, facts),
          getValues(feed, span, loadId),
          loadId,
          isSmall(span),
        ),
      );
      changed[feed].push(...found.slice(-1));
    }
    if (!hasStations && !found.some(hasChanges)) continue;
    await rejectLoss();
    await recordTouched(store, loadId, daysOfStagedValues(span, loadId));
    for (const comparison of found) await addChangedRows(store, comparison, loadId);
    const counts = await reconcile(store, span, loadId);
    if (onUnmatched && counts.without_observation > 0) {
      for await (const day of unmatchedForecasts(store, span, loadId)) {
        for (const forecast of day) await onUnmatched(forecast);
      }
    }
    for (const name of Object.keys(total) as (keyof Reconciled)[]) total[name] += counts[name];
  }
  const hourly = HOURLY_FEEDS.filter((feed) => facts.has(feed));
  if (mayMove || hourly.length > 0) {
    await rejectLoss();
    await recordTouched(store, loadId, daysOfStagedHours(loadId));
    // A cluster takes one table in what follows IN: these days are of several.
    const days = touchedBy(loadId);
    const applied = await applyHours(store, loadId, { days, haveMoved: mayMove, feeds: hourly }, onProgress);
    Object.assign(changed, applied.changed);
    total.pairs_added += applied.pairs_added;
    total.pairs_withdrawn += applied.pairs_withdrawn;
  }
  for (const feed of VALUE_FEEDS) countSpanRows(feeds[feed], changed[feed], locationOf);
  return total;
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
