import { z } from 'zod';
import { type DateSpan, ofDates } from '../relations/conditions.js';
import { forecastDays, localDays, settledStations } from '../relations/facts.js';
import { daysOfReports, nearDates } from '../relations/hours.js';
import { HISTOGRAMS } from '../relations/histograms.js';
import { bind, raw, sql, type Statement } from '../sql.js';
import { ANY_PARTITIONS, type Store } from '../store/store.js';
import { type DayBoundary, localDay } from '../statistics/time/local-midnight.js';
import { histogramDifference } from './histogram-difference.js';
import { readDays, type SizedSpan, spansOf } from './spans.js';
import {
  factsOfDays,
  LEDGER_COLUMNS,
  ledgerDifference,
  type Shortcuts,
  unsettledOf,
} from './ledger-difference.js';
import { stagedBy, stagedDays, touchedBy } from './under-way.js';

// Forecast values in one statement: the engine groups as many pairs, before and after, in about 1 GB.
const VALUES_PER_SETTLEMENT = 2_000_000;

const zoneDayRow = z.object({
  timezone: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
  target_date: z.string(),
  known_begins_ms: z.number().nullable(),
  known_ends_ms: z.number().nullable(),
  known_load_id: z.number(),
});

/** The dates that a load has staged values of, or touches, in spans that one statement can settle. */
export async function unsettledSpans(store: Store, loadId: number): Promise<SizedSpan[]> {
  const staged = await readDays(
    store,
    sql`SELECT target_date, count() AS row_count
    FROM (SELECT station_id, target_date FROM ${touchedBy(loadId)} UNION ALL ${stagedDays(loadId)})
    GROUP BY target_date
    ORDER BY target_date`,
  );
  if (staged.length === 0) return [];
  const [first_date = '', last_date = ''] = [staged[0]?.target_date, staged.at(-1)?.target_date];
  const isOf = (days: Statement): Statement =>
    sql`(station_id, target_date) IN (SELECT station_id, target_date FROM ${days})`;
  // A cluster takes one table in what follows IN.
  const known = await readDays(
    store,
    sql`SELECT target_date, count() AS row_count
    FROM forecasts
    WHERE ${ofDates({ first_date, last_date })}
        AND (${isOf(touchedBy(loadId))} OR ${isOf(stagedBy(loadId, 'forecasts'))} OR ${isOf(stagedBy(loadId, 'observations'))})
    GROUP BY target_date`,
  );
  const knownOf = new Map(known.map(({ target_date, row_count }) => [target_date, row_count]));
  const sized = staged.map((day) => ({
    ...day,
    row_count: day.row_count + (knownOf.get(day.target_date) ?? 0),
  }));
  return spansOf(sized, VALUES_PER_SETTLEMENT);
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

/** The pairs that a load has added and withdrawn in a span. */
function changeOf(span: DateSpan, { ledgerIsEmpty }: Shortcuts, loadId: number): Statement {
  const ofLoad = sql`${ofDates(span)} AND load_id = ${bind({ load_id: loadId }, 'UInt32')}`;
  return ledgerIsEmpty ? addedPairs(ofLoad) : changedPairs(ofLoad);
}

const settledRow = z.object({
  pairs_added: z.number(),
  pairs_withdrawn: z.number(),
  /** Forecast values that are in no pair, and why. */
  without_observation: z.number(),
  issued_after_day_ended: z.number(),
});

/** The result of settling the station days of a span. */
export type Settled = z.infer<typeof settledRow>;

/** Its pairs alone. */
export type Change = Pick<Settled, 'pairs_added' | 'pairs_withdrawn'>;

/**
 * Brings the ledger in line with the facts, for the station days of a span that the load touches, and records in `loads`
 * that the data have changed: readers look there.
 */
export async function settle(store: Store, span: SizedSpan, loadId: number): Promise<Settled> {
  await writeLocalMidnights(store, span, touchedBy(loadId), loadId);
  const unsettled = unsettledOf(span, loadId);
  const shortcuts = await shortcutsOf(store, unsettled);
  await insertDifference(store, ledgerDifference(span, unsettled, loadId, shortcuts));
  await recordEvent(store, loadId, 'settled');
  return countSettled(store, span, shortcuts, loadId);
}

async function shortcutsOf(store: Store, unsettled: Statement): Promise<Shortcuts> {
  const known = await store.queryOne(
    sql.rows(z.object({ forecasts_have_one_version: z.number(), ledger_is_empty: z.number() }))`SELECT
        (SELECT uniqExact(load_id) FROM forecasts WHERE ${unsettled}) <= 1 AS forecasts_have_one_version,
        (SELECT count() FROM station_days WHERE ${unsettled}) = 0 AS ledger_is_empty`,
  );
  return {
    forecastsHaveOneVersion: known.forecasts_have_one_version === 1,
    ledgerIsEmpty: known.ledger_is_empty === 1,
  };
}

/** Counts the pairs that the load has added and withdrawn in a settled span, and the forecast values of its days that are in no pair. */
function countSettled(store: Store, span: SizedSpan, shortcuts: Shortcuts, loadId: number): Promise<Settled> {
  const { forecastsHaveOneVersion } = shortcuts;
  const facts = { ...factsOfDays(span, unsettledOf(span, loadId)), forecastsHaveOneVersion };
  return store.queryOne(
    sql.rows(settledRow)`SELECT *
    FROM (
        SELECT
            sumIf(issued_count, NOT is_observed) AS without_observation,
            sum(issued_count - length(of_day)) AS issued_after_day_ended
        FROM ${forecastDays(facts, sql`LEFT`)}
    ) AS forecast
    CROSS JOIN (${changeOf(span, shortcuts, loadId)}) AS change`,
  );
}

/**
 * Records an event of a load. `settled` says that the data have changed, and comes once readers can see the change.
 * @param providers whose forecasts it has brought
 */
export async function recordEvent(
  store: Store,
  loadId: number,
  event: 'started' | 'settled' | 'finished' | 'failed',
  report?: object,
  providers: readonly string[] = [],
): Promise<void> {
  const row = [loadId, event, providers, report === undefined ? '' : JSON.stringify(report)];
  await store.insert('loads', ['load_id', 'event', 'forecast_providers', 'report'], [row]);
}

/** Settles what a load that was killed has left, ledger and histograms, as days that this load touches. */
export async function settleLeftovers(store: Store, loadId: number): Promise<Change> {
  const spans = await unsettledSpans(store, loadId);
  const total: Change = { pairs_added: 0, pairs_withdrawn: 0 };
  for (const span of spans) {
    const change = await settle(store, span, loadId);
    total.pairs_added += change.pairs_added;
    total.pairs_withdrawn += change.pairs_withdrawn;
    await repairHistograms(store, span);
    await recordEvent(store, loadId, 'settled');
  }
  return total;
}

/** Brings the histograms in line with the ledger, for a span of dates and the periods that it touches. */
export async function repairHistograms(store: Store, span: DateSpan): Promise<void> {
  for (const histogram of HISTOGRAMS) {
    const columns = raw(`${histogram.key.join(', ')}, pair_count, preliminary_pair_count`);
    await store.command(
      sql`INSERT INTO ${raw(histogram.table)} (${columns}) ${histogramDifference(histogram, 'touch', span)}`,
    );
  }
}

/** All station days of a span that forecasts or reports may be of. */
export const everyDay = (span: DateSpan): Statement => sql`(
  SELECT station_id, target_date FROM forecasts WHERE ${ofDates(span)}
  UNION ALL
  ${daysOfReports(sql`hours WHERE ${nearDates(span)}`)}
)`;

/**
 * Brings ledger and histograms in line with the facts for all station days of a span, whether recorded as unsettled or
 * not; where they are in line, it adds nothing.
 */
export async function settleEveryDay(store: Store, span: DateSpan, loadId: number): Promise<void> {
  await writeLocalMidnights(store, span, everyDay(span), loadId);
  await insertDifference(store, ledgerDifference(span, ofDates(span), loadId));
  await repairHistograms(store, span);
  await recordEvent(store, loadId, 'settled');
}

async function insertDifference(store: Store, difference: Statement): Promise<void> {
  const insert = sql`INSERT INTO station_days (${LEDGER_COLUMNS}) ${difference}`;
  await store.command(insert.with(ANY_PARTITIONS));
}

/**
 * Computes local midnights each time, so that new rules of a zone correct the pairs that they touch.
 * @param days a relation of station days
 */
export async function writeLocalMidnights(
  store: Store,
  span: DateSpan,
  days: Statement,
  loadId: number,
): Promise<void> {
  const changed = await wrongLocalMidnights(store, span, days);
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
export async function wrongLocalMidnights(
  store: Store,
  span: DateSpan,
  days: Statement,
): Promise<LocalDay[]> {
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
        INNER JOIN ${settledStations()} AS s ON s.station_id = u.station_id
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
