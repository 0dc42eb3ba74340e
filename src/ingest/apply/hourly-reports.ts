import { ofUtcDates } from '../../queries/hourly-temperatures.js';
import { raw, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { addChangedRows, findChangedRows, hasChanges, type ChangedRows } from './changed-rows.js';
import { STATION_DAY_HOURS } from '../reconcile/derived-tables.js';
import { reconcileFacts, recordEvent } from '../reconcile/reconcile.js';
import { isSmall, readDays, splitSpans } from '../spans.js';
import type { Progress } from '../load-tally.js';
import { stagedBy } from '../stage/staging-tables.js';

// The reports within the day (D56): from staged rows to facts, and what they say of each station day to station_day_hours, in
// line with the facts as the ledger is with its own.

/** Reports in one statement. */
const REPORTS_PER_STATEMENT = 2_000_000;

/** Reports of a station day, about. */
const REPORTS_OF_DAY = 30;

/**
 * Adds the staged reports that say something new, and brings what their days say in line with them.
 * @param days a relation of the station days of which the load may change what reports say.
 * @param haveMoved the load may move stations, and so their days
 */
export async function applyHours(
  store: Store,
  loadId: number,
  { days, haveMoved }: { days: Statement; haveMoved: boolean },
  onProgress?: (progress: Progress) => void,
): Promise<ChangedRows[]> {
  const spans = splitSpans(
    await readDays(
      store,
      sql`SELECT target_date, count() * ${raw(`${REPORTS_OF_DAY}`)} AS row_count FROM ${days} GROUP BY target_date ORDER BY target_date`,
    ),
    REPORTS_PER_STATEMENT,
  );
  const changed: ChangedRows[] = [];
  for (const [index, span] of spans.entries()) {
    onProgress?.({ step: `hours of ${span.first_date} to ${span.last_date}`, share: index / spans.length });
    const staged = ofUtcDates(span);
    const known = sql`${staged} AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'hours')})`;
    const found = await findChangedRows(store, ['hours'], { staged, known }, loadId, isSmall(span));
    await addChangedRows(store, found, loadId);
    changed.push(found);
  }
  if (!haveMoved && !changed.some(hasChanges)) return changed;
  for (const span of spans) await reconcileFacts(store, STATION_DAY_HOURS, { span, days }, loadId);
  if (spans.length > 0) await recordEvent(store, loadId, 'settled');
  return changed;
}
