import { z } from 'zod';
import { type DateSpan, OF_HOURS, ofDates } from '../queries/conditions.js';
import { daysOfReports } from '../queries/hourly-temperatures.js';
import { HISTOGRAMS } from '../queries/histograms.js';
import { bind, NOTHING, raw, sql, type Statement } from '../queries/sql.js';
import { damagedParts, dropDamagedParts, lostFacts, rejectLostFacts } from '../store/damage.js';
import type { Store } from '../store/store.js';
import { recover } from './load.js';
import { beginLoad, finishLoad } from './load-events.js';
import { DERIVED_TABLES, STATION_DAYS } from './reconcile/derived-tables.js';
import { STATION_DAY_COLUMNS } from './reconcile/ledger-difference.js';
import { everyDay, reconcileAll, wrongLocalMidnights } from './reconcile/reconcile.js';
import { rowCount, type Day, readDays, splitSpans } from './spans.js';

// Facts are what the feeds said; every other table is derived from them. An audit compares each with its source, the
// ledger with the facts, histograms with the ledger, and a repair inserts the difference.

/** Rows of a table, in a month, that are not as they should be. */
export interface Finding {
  table: string;
  /** `2026-01`, of the target date; of a week, of its Monday; `all` of a table that has no months. */
  month: string;
  error: AuditIssue;
  rows: number;
}

export type AuditIssue =
  | 'cannot be read, and was put aside'
  | 'differ from the time zones of the stations'
  | 'differ from the facts'
  | 'rows that count more than once, or negatively'
  | 'station days with several rows'
  | 'differ from the ledger'
  | 'station days not reconciled yet';

// Values in one statement: a quarter of what a load reconciles, so that a server answers requests in between sooner.
const VALUES_PER_COMPARISON = 500_000;

export interface AuditOptions {
  /** The only month to look at, `2026-01`; all, if not given. */
  month?: string | undefined;
  /** How many values one statement compares, as far as days can be told apart. */
  valuesPerComparison?: number;
}

/**
 * Compares facts, ledger and histograms; changes nothing. A sound store has no findings. A statement takes some 30 ms whatever it
 * compares, so small months are compared together. Where these are not sound, each is compared by itself.
 */
export async function audit(store: Store, options: AuditOptions = {}): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  const add = (table: string, month: string, error: AuditIssue, rows: number): void => {
    const key = `${table} ${month} ${error}`;
    const before = findings.get(key)?.rows ?? 0;
    findings.set(key, { table, month, error, rows: before + rows });
  };
  const { month, valuesPerComparison = VALUES_PER_COMPARISON } = options;
  const days = await daysToCompare(store, month);
  for (const span of splitSpans(days, valuesPerComparison)) {
    const ofSpan = days.filter(
      ({ target_date }) => target_date >= span.first_date && target_date <= span.last_date,
    );
    const spans = spansWithinMonths(ofSpan, valuesPerComparison);
    if (spans.length > 1 && (await compareTables(store, span)).length === 0) continue;
    for (const within of spans) {
      for (const { table, error, rows } of await compareTables(store, within))
        add(table, within.first_date.slice(0, 7), error, rows);
    }
  }
  for (const { table, part, month } of await damagedParts(store)) {
    add(`${table} (part ${part})`, month, 'cannot be read, and was put aside', 1);
  }
  for (const { month, station_days } of await store.query(PENDING)) {
    add('unsettled', month, 'station days not reconciled yet', station_days);
  }
  return [...findings.values()]
    .filter(({ month }) => options.month === undefined || month === options.month)
    .sort((a, b) => order(a).localeCompare(order(b)));
}

/** The rows of a span that are not as they should be, by table. */
async function compareTables(store: Store, span: DateSpan): Promise<Omit<Finding, 'month'>[]> {
  const found: Omit<Finding, 'month'>[] = [];
  const add = (table: string, error: AuditIssue, rows: number): void => {
    if (rows > 0) found.push({ table, error, rows });
  };
  const count = (rows: Statement): Promise<number> => rowCount(store, sql`(${rows})`);
  const midnights = await wrongLocalMidnights(store, { span, days: everyDay(span) });
  add('local_midnights', 'differ from the time zones of the stations', midnights.length);
  let isSound = midnights.length === 0;
  for (const { name, follows, difference } of DERIVED_TABLES) {
    // With a wrong midnight the facts do not say what should follow from them; a repair corrects it first.
    if (midnights.length > 0 && follows === 'facts') continue;
    const rows = await count(difference({ span }, 0));
    add(name, `differ from the ${follows}`, rows);
    if (name === STATION_DAYS.name) isSound &&= rows === 0;
  }
  if (isSound) return found;
  add('station_days', 'rows that count more than once, or negatively', await count(unsoundRows(span)));
  add('station_days', 'station days with several rows', await count(severalRows(span)));
  return found;
}

const order = ({ table, month, error }: Finding): string => `${month} ${table} ${error}`;

/**
 * Repairs the months of these findings by inserting missing rows; correct rows stay. Broken parts that were put aside
 * go. Days that wait in any month are reconciled first, because after a load that finishes nothing waits.
 * @param options acceptLoss: whether the facts that can be read are all there are; month: the month of all findings
 * @throws StoreDamaged when facts are lost, and that is not accepted
 */
export async function repair(
  store: Store,
  findings: readonly Finding[],
  options: { acceptLoss?: boolean; month?: string | undefined } = {},
): Promise<void> {
  if (options.acceptLoss !== true) await rejectLostFacts(store);
  await recover(store, options);
  const months = new Set(findings.map(({ month }) => month));
  const loadId = await beginLoad(store);
  const days = await daysToCompare(store, options.month);
  for (const span of spansWithinMonths(days, VALUES_PER_COMPARISON)) {
    if (!months.has(span.first_date.slice(0, 7))) continue;
    await reconcileAll(store, { span }, loadId);
  }
  const lost = await lostFacts(store);
  await dropDamagedParts(store);
  await finishLoad(store, loadId, { outcome: 'repaired', findings }, { lost });
}

const unsoundRows = (span: DateSpan): Statement => sql`
  SELECT 1 FROM station_days
  WHERE ${ofDates(span)}
  GROUP BY ${STATION_DAY_COLUMNS}
  HAVING sum(sign) NOT IN (0, 1)`;

const severalRows = (span: DateSpan): Statement => sql`
  SELECT 1 FROM station_days
  WHERE ${ofDates(span)}
  GROUP BY metric, provider, station_id, target_date, if(${OF_HOURS}, local_midnight, toDateTime64(0, 3, 'UTC'))
  HAVING sum(sign) > 1`;

const PENDING = sql.rows(z.object({ month: z.string(), station_days: z.number() }))`
  SELECT formatDateTime(target_date, '%Y-%m') AS month, uniqExact(station_id, target_date) AS station_days
  FROM unsettled
  GROUP BY month`;

const ofMonth = (month_begins: string): Statement => sql`
    WHERE day >= ${bind({ month_begins }, 'Date')} AND day < ${bind({ month_begins }, 'Date')} + INTERVAL 1 MONTH`;

/** All dates that any table has, and those on which their periods begin. @param only the month to look at */
async function daysToCompare(store: Store, only?: string): Promise<Day[]> {
  const ofHistograms = HISTOGRAMS.map(
    ({ table, period }) => `
        UNION ALL SELECT DISTINCT ${period.column} AS day, 0 AS day_rows FROM ${table}
        UNION ALL SELECT DISTINCT ${period.of('target_date')} AS day, 0 AS day_rows FROM station_days`,
  );
  return readDays(
    store,
    sql`SELECT day AS target_date, sum(day_rows) AS row_count
    FROM (
        SELECT target_date AS day, count() AS day_rows FROM forecasts GROUP BY day
        UNION ALL SELECT target_date AS day, sum(length(lead_ms)) AS day_rows FROM station_days GROUP BY day
        UNION ALL SELECT toDate(valid_at) AS day, count() AS day_rows FROM hourly_forecasts GROUP BY day
        UNION ALL SELECT target_date AS day, count() AS day_rows FROM (${daysOfReports(sql`hours`)}) GROUP BY day
        UNION ALL SELECT DISTINCT target_date AS day, 0 AS day_rows FROM station_day_hours
        UNION ALL SELECT DISTINCT target_date AS day, 0 AS day_rows FROM unsettled
        ${raw(ofHistograms.join(''))}
    )${only === undefined ? NOTHING : ofMonth(`${only}-01`)}
    GROUP BY day
    ORDER BY day`,
  );
}

/** Spans of days that lie within a month each. */
function spansWithinMonths(days: readonly Day[], valuesPerComparison: number): DateSpan[] {
  const months = new Map<string, Day[]>();
  for (const day of days) {
    const month = day.target_date.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return [...months.values()].flatMap((ofMonth) => splitSpans(ofMonth, valuesPerComparison));
}
