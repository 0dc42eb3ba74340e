import { z } from 'zod';
import { HISTOGRAMS } from '../relations/histograms.js';
import { OperatorFault } from '../operator-fault.js';
import { copyLineage } from '../store/lineage.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import type { Store } from '../store/store.js';
import { type DateSpan, hasUnsettled, spansOf } from './settle.js';

/** Tables that are copied as they are. `loads` comes last: a database that has a load in it is a complete copy. */
const UNDATED = ['stations', 'normals', 'local_midnights'] as const;
const BY_DATE = ['observations', 'forecasts', 'station_days'] as const;
const LAST = 'loads';

/** Some 60 MB of text. */
const MOVE_ROWS_PER_INSERT = 500_000;

const countRow = z.object({ rows: z.number() });
const dayRow = z.object({ target_date: z.string(), row_count: z.number() });

/**
 * Copies the facts, and the ledger with its history, into an empty database, whatever engine either is on: the history
 * is the same, and so is its lineage (D49). After a copy
 * that was cut short it starts again from nothing. It holds the load locks of both, so neither changes meanwhile.
 * @param tell receives a line for each table
 * @throws OperatorFault when the source has unsettled work, the target has data, or they differ in the end
 * @throws what withLoadLock() throws
 */
export async function move(
  from: Store,
  to: Store,
  tell: (line: string) => void,
  options: LoadLockOptions = {},
): Promise<void> {
  await withLoadLock(
    from,
    (lockedFrom) => withLoadLock(to, (lockedTo) => copyAll(lockedFrom, lockedTo, tell), options),
    options,
  );
}

async function copyAll(from: Store, to: Store, tell: (line: string) => void): Promise<void> {
  if (await hasUnsettled(from)) {
    throw new OperatorFault('DATA_DIR: a load was cut short; run verify --repair on it first');
  }
  if ((await rowsOf(to, LAST)) > 0) {
    throw new OperatorFault('CLICKHOUSE_DATABASE: has data already; name another, or drop it');
  }
  // The views make the histograms from the ledger as it arrives.
  const derived = HISTOGRAMS.map(({ table }) => table);
  for (const table of [...UNDATED, ...BY_DATE, ...derived]) await to.command(`TRUNCATE TABLE ${table}`);
  const copy = async (table: string, span?: DateSpan): Promise<void> => {
    const where = span && 'WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}';
    const rows = await from.relay(`SELECT * FROM ${table} ${where ?? ''} FORMAT TabSeparated`, { ...span });
    if (rows.length === 0) return;
    await to.insertText(
      `INSERT INTO ${table} SETTINGS max_partitions_per_insert_block = 0 FORMAT TabSeparated`,
      rows.toString(),
    );
  };
  await copyLineage(from, to);
  for (const table of [...UNDATED, ...BY_DATE, LAST]) {
    const spans = BY_DATE.some((dated) => dated === table) ? await spansIn(from, table) : [undefined];
    for (const span of spans) await copy(table, span);
    const [there, here] = [await rowsOf(to, table), await rowsOf(from, table)];
    if (there !== here) {
      throw new OperatorFault(
        `${table}: ${there} rows arrived of ${here}; did another program write meanwhile? Run it again`,
      );
    }
    tell(`${table}: ${here} rows`);
  }
}

async function rowsOf(store: Store, table: string): Promise<number> {
  const [found] = await store.query(`SELECT count() AS rows FROM ${table}`, {}, countRow);
  return found?.rows ?? 0;
}

/** Runs of days that together hold all rows of a table. */
async function spansIn(store: Store, table: string): Promise<DateSpan[]> {
  const days = await store.query(
    `SELECT target_date, count() AS row_count FROM ${table} GROUP BY target_date ORDER BY target_date`,
    {},
    dayRow,
  );
  return spansOf(days, MOVE_ROWS_PER_INSERT);
}
