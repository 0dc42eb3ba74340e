import { z } from 'zod';
import { type DateSpan, OF_HOURS, ofDates, ofDayScope, type DayScope } from '../../queries/conditions.js';
import { ALL_DAYS, forecastDays, localDays, reconciledStations } from '../../queries/facts.js';
import { daysOfReports, nearDates } from '../../queries/hourly-temperatures.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { addDays } from '../../statistics/time/calendar.js';
import { ANY_PARTITIONS, type Store } from '../../store/store.js';
import { type DayBoundary, localDay } from '../../statistics/time/local-midnight.js';
import {
  DERIVED_TABLES,
  type DerivedFromFacts,
  type DerivedTable,
  STATION_DAYS,
  STATION_HOURS,
} from './derived-tables.js';
import { factsOfDays, type Shortcuts } from './ledger-difference.js';
import { recordEvent } from '../load-events.js';
import { isSmall, readDays, type SizedSpan, splitSpans } from '../spans.js';
import { stagedBy, stagedDays, touchedBy } from '../stage/staging-tables.js';

// Forecast values in one statement: the engine groups as many pairs, before and after, in about 1 GB.
const VALUES_PER_STATEMENT = 2_000_000;

const zoneDayRow = z.object({
  timezone: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
  target_date: z.string(),
  known_begins_ms: z.number().nullable(),
  known_ends_ms: z.number().nullable(),
  known_load_id: z.number(),
});

/** The dates that a load has staged values of, or touches, in spans that one statement can reconcile. */
export async function pendingSpans(store: Store, loadId: number): Promise<SizedSpan[]> {
  const isProvider = (days: Statement): Statement =>
    sql`(station_id, target_date) IN (SELECT station_id, target_date FROM ${days})`;
  // A cluster takes one table in what follows IN.
  const days = await readDays(
    store,
    sql`SELECT target_date, sum(rows) AS row_count
    FROM (
      SELECT target_date, count() AS rows, true AS is_touched
      FROM (SELECT station_id, target_date FROM ${touchedBy(loadId)} UNION ALL ${stagedDays(loadId)})
      GROUP BY target_date
      UNION ALL
      SELECT target_date, count() AS rows, false AS is_touched
      FROM forecasts
      WHERE ${isProvider(touchedBy(loadId))} OR ${isProvider(stagedBy(loadId, 'forecasts'))} OR ${isProvider(stagedBy(loadId, 'observations'))}
      GROUP BY target_date
      UNION ALL
      SELECT toDate(valid_at) AS target_date, count() AS rows, false AS is_touched
      FROM hourly_forecasts
      WHERE (station_id, toDate(valid_at)) IN (SELECT station_id, target_date FROM ${touchedBy(loadId)})
      GROUP BY target_date
    )
    GROUP BY target_date
    HAVING max(is_touched)
    ORDER BY target_date`,
  );
  return splitSpans(days, VALUES_PER_STATEMENT);
}

/** The pairs of a load that found no row of these days. */
const addedPairs = (rows: Statement): Statement => sql`
  SELECT sum(length(lead_ms)) AS pairs_added, 0 AS pairs_withdrawn
  FROM station_days
  WHERE ${rows}`;

/** The pairs of any other load. A station day that gains a forecast has all its others in both of its rows. */
const changedPairs = (rows: Statement): Statement => sql`
  SELECT sumIf(change, change > 0) AS pairs_added, -sumIf(change, change < 0) AS pairs_withdrawn
  FROM (
    SELECT sum(sign) AS change
    FROM station_days
    ARRAY JOIN lead_ms AS lead, forecasts AS forecast
    WHERE ${rows}
    GROUP BY metric, provider, station_id, target_date, local_midnight, lead, forecast, actual, observation_status
  )`;

/** The pairs that a load has added and withdrawn in a span. @param ofKind the rows of the ledger that count, as a condition */
function makeChange(
  span: DateSpan,
  loadId: number,
  shortcuts?: Shortcuts,
  ofKind: Statement = sql`true`,
): Statement {
  const ofLoad = sql`${ofKind} AND ${ofDates(span)} AND load_id = ${bind({ load_id: loadId }, 'UInt32')}`;
  return shortcuts?.isEmpty === true ? addedPairs(ofLoad) : changedPairs(ofLoad);
}

const changeRow = z.object({ pairs_added: z.number(), pairs_withdrawn: z.number() });

/** Pairs that are added and withdrawn. */
export type Change = z.infer<typeof changeRow>;

const reconciledRow = changeRow.extend({
  /** Forecast values that are in no pair, and why. */
  without_observation: z.number(),
  issued_after_day_ended: z.number(),
});

/** The result of reconciling the station days of a span. */
export type Reconciled = z.infer<typeof reconciledRow>;

/**
 * Brings the ledger in line with the facts, for the station days of a span that the load touches. It records in
 * `loads` that the data have changed: readers look there.
 */
export async function reconcile(store: Store, span: SizedSpan, loadId: number): Promise<Reconciled> {
  const days = { span, days: touchedBy(loadId) };
  const shortcuts = await reconcileFacts(store, STATION_DAYS, days, loadId);
  await recordEvent(store, loadId, 'settled');
  return countReconciled(store, days, loadId, shortcuts);
}

/** Brings the station hours of a span in line with the facts. @returns the pairs that this has added and withdrawn */
export async function reconcileHours(
  store: Store,
  days: Named & { span: SizedSpan },
  loadId: number,
): Promise<Change> {
  const shortcuts = await reconcileFacts(store, STATION_HOURS, days, loadId);
  return store.queryOne(sql.rows(changeRow)`${makeChange(days.span, loadId, shortcuts, OF_HOURS)}`);
}

/** Brings a table in line with the facts of station days. @returns what it knows of these days, if they are many */
export async function reconcileFacts(
  store: Store,
  table: DerivedFromFacts,
  days: Named & { span: SizedSpan },
  loadId: number,
): Promise<Shortcuts | undefined> {
  await writeLocalMidnights(store, days, loadId);
  const shortcuts = isSmall(days.span) ? undefined : await findShortcuts(store, table, days);
  // Most stores have no forecasts of hours.
  if (shortcuts?.hasNothing !== true) await insertDifference(store, table, days, loadId, shortcuts);
  return shortcuts;
}

const shortcutRow = z.object({ versions: z.number(), row_count: z.number(), metrics: z.array(z.string()) });

async function findShortcuts(store: Store, table: DerivedFromFacts, days: DayScope): Promise<Shortcuts> {
  const known = await store.queryOne(
    sql.rows(shortcutRow)`SELECT
        facts.versions AS versions, facts.metrics AS metrics,
        (SELECT count() FROM ${raw(table.name)} WHERE ${table.ofKind ?? sql`true`} AND ${ofDayScope(days)}) AS row_count
      FROM (SELECT uniqExact(load_id) AS versions, groupUniqArray(${table.metric ?? sql`''`}) AS metrics FROM ${table.makeFacts(days)}) AS facts`,
  );
  const isEmpty = known.row_count === 0;
  const { versions, metrics } = known;
  return { haveOneVersion: versions <= 1, isEmpty, hasNothing: isEmpty && versions === 0, metrics };
}

/** Counts the pairs that the load has added and withdrawn in a reconciled span. Counts the forecast values of its
 * days without a pair, too. */
function countReconciled(
  store: Store,
  days: DayScope,
  loadId: number,
  shortcuts?: Shortcuts,
): Promise<Reconciled> {
  return store.queryOne(
    sql.rows(reconciledRow)`SELECT *
    FROM (
        SELECT
            sumIf(issued_count, NOT is_observed) AS without_observation,
            sum(issued_count - length(of_day)) AS issued_after_day_ended
        FROM ${forecastDays(factsOfDays(days, shortcuts), ALL_DAYS)}
    ) AS forecast
    CROSS JOIN (${makeChange(days.span, loadId, shortcuts)}) AS change`,
  );
}

/** Reconciles what a load that was killed has left, as days that this load touches. */
export async function recoverLoad(store: Store, loadId: number): Promise<Change> {
  const total: Change = { pairs_added: 0, pairs_withdrawn: 0 };
  for (const span of await pendingSpans(store, loadId)) {
    const days = { span, days: touchedBy(loadId) };
    await reconcileAll(store, days, loadId);
    const change = await countReconciled(store, days, loadId);
    total.pairs_added += change.pairs_added;
    total.pairs_withdrawn += change.pairs_withdrawn;
  }
  return total;
}

/** All station days of a span that forecasts or reports may be of. */
export const everyDay = (span: DateSpan): Statement => sql`(
  SELECT station_id, target_date FROM forecasts WHERE ${ofDates(span)}
  UNION ALL
  ${daysOfReports(sql`hours WHERE ${nearDates(span)}`)}
)`;

/** The longest time by which a period of a histogram begins before one of its days. */
const LONGEST_PERIOD_DAYS = 7;

/**
 * Brings each derived table in line for station days, whether recorded as pending or not; where they are in line, it adds
 * nothing.
 */
export async function reconcileAll(store: Store, days: DayScope, loadId: number): Promise<void> {
  const { span } = days;
  await writeLocalMidnights(store, { span, days: days.days ?? everyDay(span) }, loadId);
  const first_date = addDays(span.first_date, 1 - LONGEST_PERIOD_DAYS);
  for (const table of DERIVED_TABLES) {
    const ofTable = table.follows === 'facts' ? days : { span: { ...span, first_date } };
    await insertDifference(store, table, ofTable, loadId);
  }
  await recordEvent(store, loadId, 'settled');
}

/**
 * Days that are new to the ledger have hardly two pairs of one key in a histogram, and none that cancel out. To add up the rows
 * of each block would take 1.6 of the 4.2 s of a million forecasts.
 */
const AS_IT_IS = { optimize_on_insert: 0 };

async function insertDifference(
  store: Store,
  { name, columns, difference }: DerivedTable,
  days: DayScope,
  loadId: number,
  shortcuts?: Shortcuts,
): Promise<void> {
  const insert = sql`INSERT INTO ${raw(name)} (${columns}) ${difference(days, loadId, shortcuts)}`;
  const settings = { ...ANY_PARTITIONS, ...(shortcuts?.isEmpty === true && AS_IT_IS) };
  await store.command(insert.with(settings));
}

/** Computes local midnights each time, so that new rules of a zone correct the pairs that they touch. */
async function writeLocalMidnights(store: Store, days: Named, loadId: number): Promise<void> {
  const changed = await wrongLocalMidnights(store, days);
  await store.insert(
    'local_midnights',
    ['timezone', 'day_boundary', 'target_date', 'local_midnight', 'next_local_midnight', 'load_id'],
    changed.map(({ timezone, day_boundary, target_date, begins_ms, ends_ms, known_load_id }) => [
      timezone,
      day_boundary,
      target_date,
      utcText(begins_ms),
      utcText(ends_ms),
      Math.max(loadId, known_load_id + 1), // the latest row wins, also over a row of a later load
    ]),
  );
}

/** The station days of a relation. */
type Named = DayScope & { days: Statement };

/** A calendar day in a zone, and when it begins and ends there. */
interface LocalDay {
  timezone: string;
  day_boundary: DayBoundary;
  target_date: string;
  begins_ms: number;
  ends_ms: number;
  known_load_id: number;
}

/** The local days that these station days of a span need and that the store lacks, or has with other instants. */
export async function wrongLocalMidnights(store: Store, { span, days }: Named): Promise<LocalDay[]> {
  const zoneDays = await store.query(
    sql.rows(zoneDayRow)`SELECT
        needed.timezone AS timezone, needed.day_boundary AS day_boundary, needed.target_date AS target_date,
        known.begins_ms AS known_begins_ms, known.ends_ms AS known_ends_ms, known.latest_load_id AS known_load_id
    FROM (
        SELECT DISTINCT s.timezone AS timezone, s.day_boundary AS day_boundary, u.target_date AS target_date
        FROM (
            SELECT DISTINCT station_id, target_date
            FROM ${days}
            WHERE ${ofDates(span)}
        ) AS u
        INNER JOIN ${reconciledStations()} AS s ON s.station_id = u.station_id
    ) AS needed
    LEFT JOIN (
        SELECT
            timezone, day_boundary, target_date, latest_load_id,
            toNullable(toUnixTimestamp64Milli(day_begins)) AS begins_ms,
            toNullable(toUnixTimestamp64Milli(day_ends)) AS ends_ms
        FROM ${localDays(ofDates(span))}
    ) AS known
        ON known.timezone = needed.timezone AND known.day_boundary = needed.day_boundary
        AND known.target_date = needed.target_date`,
  );
  return zoneDays
    .map((day) => ({ ...day, ...localDay(day.target_date, day.timezone, day.day_boundary) }))
    .filter(
      ({ begins_ms, ends_ms, known_begins_ms, known_ends_ms }) =>
        begins_ms !== known_begins_ms || ends_ms !== known_ends_ms,
    );
}

function utcText(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}
