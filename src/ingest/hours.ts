import type { DateSpan } from '../relations/conditions.js';
import {
  DAY_HOURS_COLUMNS,
  type DayHours,
  dayHoursDifference,
  daysOfReports,
  loadsOfReports,
  ofUtcDates,
} from '../relations/hours.js';
import { bind, raw, sql, type Statement } from '../sql.js';
import { ANY_PARTITIONS, type Store } from '../store/store.js';
import { addNews, findNews, hasNews, movedStations, type News } from './apply.js';
import { recordEvent, writeLocalMidnights } from './settle.js';
import { isSmall, readDays, type SizedSpan, spansOf } from './spans.js';
import type { Progress } from './tally.js';
import { dayHoursTouchedBy, stagedBy } from './under-way.js';

// The reports within the day (D56): from staging to facts, and what they say of each station day to station_day_hours, in
// line with the facts as the ledger is with its own.

/** Reports in one statement. */
const REPORTS_PER_SETTLEMENT = 2_000_000;

/** Reports of a station day, about. */
const REPORTS_OF_DAY = 30;

/** The station days of which the staged reports, or stations that move, may change what is known. */
export const touchedDayHours = (loadId: number): Statement => sql`
  ${daysOfReports(stagedBy(loadId, 'hours'))}
  UNION DISTINCT
  ${daysOfReports(sql`hours WHERE station_id IN (${movedStations(loadId)})`)}`;

/** Records the station days of which the staged reports and stations may change what is known. */
export async function recordUnsettledHours(store: Store, loadId: number): Promise<void> {
  await store.command(
    sql`INSERT INTO touched_day_hours (station_id, target_date, load_id)
    SELECT station_id, target_date, ${bind({ load_id: loadId }, 'UInt32')} FROM (${touchedDayHours(loadId)})`,
  );
}

/**
 * Adds the staged reports that say something new, and brings what their days say in line with them.
 * @param haveMoved the load may move stations, and so their days
 */
export async function applyHours(
  store: Store,
  loadId: number,
  haveMoved: boolean,
  onProgress?: (progress: Progress) => void,
): Promise<News[]> {
  const spans = await unsettledHourSpans(store, loadId);
  const news: News[] = [];
  for (const [index, span] of spans.entries()) {
    onProgress?.({ step: `hours of ${span.first_date} to ${span.last_date}`, share: index / spans.length });
    const staged = ofUtcDates(span);
    const known = sql`${staged} AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'hours')})`;
    const found = await findNews(store, ['hours'], { staged, known }, loadId, isSmall(span));
    await addNews(store, found, loadId);
    news.push(found);
  }
  if (haveMoved || news.some(hasNews)) await settleHours(store, loadId, spans);
  return news;
}

const unsettledHourSpans = async (store: Store, loadId: number): Promise<SizedSpan[]> =>
  spansOf(
    await readDays(
      store,
      sql`SELECT target_date, count() * ${raw(`${REPORTS_OF_DAY}`)} AS row_count FROM ${dayHoursTouchedBy(loadId)} GROUP BY target_date ORDER BY target_date`,
    ),
    REPORTS_PER_SETTLEMENT,
  );

/** Brings station_day_hours in line with the reports for the unsettled station days, and records that the data have changed. */
export async function settleHours(store: Store, loadId: number, given?: readonly DateSpan[]): Promise<void> {
  const spans = given ?? (await unsettledHourSpans(store, loadId));
  for (const span of spans) {
    await writeLocalMidnights(store, span, dayHoursTouchedBy(loadId), loadId);
    await settleDayHours(store, { span, days: dayHoursTouchedBy(loadId) }, loadId);
  }
  if (spans.length > 0) await recordEvent(store, loadId, 'settled');
}

/** Brings it in line for these station days; their local midnights are there. */
export async function settleDayHours(store: Store, days: DayHours, loadId: number): Promise<void> {
  const { loads } = await store.queryOne(loadsOfReports(days));
  const difference = dayHoursDifference({ ...days, haveOneVersion: loads <= 1 }, loadId);
  const insert = sql`INSERT INTO station_day_hours (${DAY_HOURS_COLUMNS}) ${difference}`;
  await store.command(insert.with(ANY_PARTITIONS));
}
