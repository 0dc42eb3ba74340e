import { type DateSpan, ofDates } from '../queries/conditions.js';
import { type HourlyFact, INSTANT_OF, ofUtcDates } from '../queries/hourly-temperatures.js';
import { HISTOGRAMS } from '../queries/histograms.js';
import { UserError } from '../lib/user-error.js';
import { NOTHING, raw, sql, type Statement } from '../queries/sql.js';
import { copyTimeline } from '../store/timeline.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import { ANY_PARTITIONS, type Store } from '../store/store.js';
import { hasPending } from './stage/staging-tables.js';
import { rowCount, readDays, splitSpans } from './spans.js';

/** Tables that are copied as they are. `loads` comes last: a database that has a load in it is a complete copy. */
const UNDATED = ['stations', 'normals', 'local_midnights'] as const;
const BY_DATE = [
  'observations',
  'forecasts',
  'distributions',
  'station_days',
  'station_day_hours',
  'hours',
  'hourly_forecasts',
  'sealed_odds',
] as const;
const LAST = 'loads';

const isOfInstants = (table: string): table is HourlyFact => table in INSTANT_OF;

/** Some 60 MB of text. */
const MOVE_ROWS_PER_INSERT = 500_000;

/** The format of rows between two databases. */
const FORMAT = 'TabSeparated';

/**
 * Copies the facts, and the ledger with its history, into an empty database, whatever engine either is on: the history
 * is the same, and so is its timeline (D49). After a copy
 * that was cut short it starts again from nothing. It holds the load locks of both, so neither changes meanwhile.
 * @param log receives a line for each table.
 * @throws UserError when the source has pending work, the target has data, or they differ in the end.
 * @throws what withLoadLock() throws
 */
export async function move(
  from: Store,
  to: Store,
  log: (line: string) => void,
  options: LoadLockOptions = {},
): Promise<void> {
  await withLoadLock(
    from,
    (lockedFrom) => withLoadLock(to, (lockedTo) => copyAll(lockedFrom, lockedTo, log), options),
    options,
  );
}

async function copyAll(from: Store, to: Store, log: (line: string) => void): Promise<void> {
  if (await hasPending(from)) {
    throw new UserError('DATA_DIR: a load was cut short; run verify --repair on it first');
  }
  if ((await rowCount(to, raw(LAST))) > 0) {
    throw new UserError('CLICKHOUSE_DATABASE: has data already; name another, or drop it');
  }
  // The views make the histograms from the ledger as it arrives.
  const derived = HISTOGRAMS.map(({ table }) => table);
  for (const table of [...UNDATED, ...BY_DATE, ...derived])
    await to.command(sql`TRUNCATE TABLE ${raw(table)}`);
  const copy = async (table: string, span?: DateSpan): Promise<void> => {
    const ofSpan = (dates: DateSpan): Statement =>
      isOfInstants(table) ? ofUtcDates(table, dates) : ofDates(dates);
    const where = span === undefined ? NOTHING : sql`WHERE ${ofSpan(span)}`;
    const { text, params } = sql`SELECT * FROM ${raw(table)} ${where} FORMAT ${raw(FORMAT)}`;
    const rows = await from.relay(text, params, undefined, { isRead: true }); // a query would have a time limit
    if (rows.length === 0) return;
    await to.insertText(sql`INSERT INTO ${raw(table)}`.with(ANY_PARTITIONS), FORMAT, rows.toString());
  };
  await copyTimeline(from, to);
  for (const table of [...UNDATED, ...BY_DATE, LAST]) {
    const spans = BY_DATE.some((dated) => dated === table) ? await spansIn(from, table) : [undefined];
    for (const span of spans) await copy(table, span);
    const [arrived, sent] = [await rowCount(to, raw(table)), await rowCount(from, raw(table))];
    if (arrived !== sent) {
      throw new UserError(
        `${table}: ${arrived} rows arrived of ${sent}; did another program write meanwhile? Run it again`,
      );
    }
    log(`${table}: ${sent} rows`);
  }
}

/** Runs of days that together hold all rows of a table. */
async function spansIn(store: Store, table: string): Promise<DateSpan[]> {
  const days = await readDays(
    store,
    sql`SELECT ${isOfInstants(table) ? sql`toDate(${INSTANT_OF[table]}) AS target_date` : raw('target_date')}, count() AS row_count
    FROM ${raw(table)}
    GROUP BY target_date
    ORDER BY target_date`,
  );
  return splitSpans(days, MOVE_ROWS_PER_INSERT);
}
