import { ofUtcDates } from '../../queries/hourly-temperatures.js';
import { raw, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { addChangedRows, findChangedRows, hasChanges, type ChangedRows } from './changed-rows.js';
import { STATION_DAY_HOURS } from '../reconcile/derived-tables.js';
import { type Change, reconcileFacts, reconcileHours } from '../reconcile/reconcile.js';
import { recordEvent } from '../load-events.js';
import { isSmall, readDays, type SizedSpan, splitSpans } from '../spans.js';
import type { Progress } from '../load-tally.js';
import type { HourlyFeed } from '../../feeds/feeds.js';
import { stagedBy, stagedHours } from '../stage/staging-tables.js';

// The reports within the day (D56) and the forecasts of hours: from staged rows to facts, and what follows from them of each
// station day, in line with the facts as the ledger is with its own.

/** Reports and forecasts in one statement. */
const VALUES_PER_STATEMENT = 2_000_000;

/** Reports of a station day, about. */
const REPORTS_OF_DAY = 30;

/** The days and feeds that a load applies. */
interface Hours {
  /** A relation of the station days of which the load may change what the feeds say. */
  days: Statement;
  /** The load may move stations, and so their days. */
  haveMoved: boolean;
  feeds: readonly HourlyFeed[];
  /** Gets the rows that have changed. */
  changed: Record<HourlyFeed, ChangedRows[]>;
}

/**
 * Adds the staged values that say something new, and brings what follows from their days in line with them.
 * @returns the pairs of hours that this has added and withdrawn
 */
export async function applyHours(
  store: Store,
  loadId: number,
  { days, haveMoved, feeds, changed }: Hours,
  onProgress?: (progress: Progress) => void,
): Promise<Change> {
  const spans = await findSpans(store, loadId, days);
  const total: Change = { pairs_added: 0, pairs_withdrawn: 0 };
  for (const [index, span] of spans.entries()) {
    onProgress?.({ step: `hours of ${span.first_date} to ${span.last_date}`, share: index / spans.length });
    for (const feed of feeds) {
      const staged = ofUtcDates(feed, span);
      const known = sql`${staged} AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, feed)})`;
      const found = await findChangedRows(store, [feed], { staged, known }, loadId, isSmall(span));
      await addChangedRows(store, found, loadId);
      changed[feed].push(found);
    }
  }
  const haveChanged = (feed: HourlyFeed): boolean => haveMoved || changed[feed].some(hasChanges);
  if (!feeds.some(haveChanged) && !haveMoved) return total;
  for (const span of spans) {
    if (haveChanged('hours')) await reconcileFacts(store, STATION_DAY_HOURS, { span, days }, loadId);
    const { pairs_added, pairs_withdrawn } = await reconcileHours(store, { span, days }, loadId);
    total.pairs_added += pairs_added;
    total.pairs_withdrawn += pairs_withdrawn;
  }
  if (spans.length > 0) await recordEvent(store, loadId, 'settled');
  return total;
}

/** The dates of these days, in spans by the values that a statement about them reads. */
async function findSpans(store: Store, loadId: number, days: Statement): Promise<SizedSpan[]> {
  const found = await readDays(
    store,
    sql`SELECT target_date, sum(rows) AS row_count
    FROM (
      SELECT target_date, count() * ${raw(`${REPORTS_OF_DAY}`)} AS rows, true AS is_touched FROM ${days} GROUP BY target_date
      UNION ALL
      SELECT toDate(at) AS target_date, sum(value_count) AS rows, false AS is_touched
      FROM ${stagedHours(loadId)}
      GROUP BY target_date
      UNION ALL
      SELECT toDate(valid_at) AS target_date, count() AS rows, false AS is_touched
      FROM hourly_forecasts
      WHERE (station_id, toDate(valid_at)) IN (SELECT station_id, target_date FROM ${days})
      GROUP BY target_date
    )
    GROUP BY target_date
    HAVING max(is_touched)
    ORDER BY target_date`,
  );
  return splitSpans(found, VALUES_PER_STATEMENT);
}
