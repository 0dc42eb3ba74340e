import { z } from 'zod';
import { OperatorFault } from '../operator-fault.js';
import type { Store } from './store.js';

/** What is copied as it is. `loads` comes last: with a load in it, a database has all that came before. */
const UNDATED = ['stations', 'local_midnights'] as const;
const BY_DATE = ['observations', 'forecasts', 'pairs'] as const;
const LAST = 'loads';

/** What the views make anew of the pairs as they arrive. */
const DERIVED = ['station_errors', 'network_errors', 'station_week_errors', 'station_days'] as const;

/** Rows in one insert: some 60 MB of text. */
const ROWS_AT_ONCE = 500_000;

const countRow = z.object({ rows: z.number() });
const dayRow = z.object({ day: z.string(), rows: z.number() });

/**
 * Copies the facts and the ledger with its history into an empty database, whatever engine either is on. Broken off, it
 * begins anew.
 * @param tell is told of each table
 * @throws OperatorFault when the one has work under way or the other data, or when they are not equal in the end
 */
export async function move(from: Store, to: Store, tell: (line: string) => void): Promise<void> {
  if ((await rowsOf(from, 'unsettled')) > 0) {
    throw new OperatorFault('DATA_DIR: a load was cut short; run verify --repair on it first');
  }
  if ((await rowsOf(to, LAST)) > 0) {
    throw new OperatorFault('CLICKHOUSE_DATABASE: has data already; name another, or drop it');
  }
  for (const table of [...UNDATED, ...BY_DATE, ...DERIVED]) await to.command(`TRUNCATE TABLE ${table}`);
  const copy = async (table: string, where: string): Promise<void> => {
    const rows = await from.relay(`SELECT * FROM ${table} WHERE ${where} FORMAT TabSeparated`, {});
    if (rows.length === 0) return;
    await to.insertText(
      `INSERT INTO ${table} SETTINGS max_partitions_per_insert_block = 0 FORMAT TabSeparated`,
      rows.toString(),
    );
  };
  for (const table of [...UNDATED, ...BY_DATE, LAST]) {
    const spans = BY_DATE.some((dated) => dated === table) ? await spansOf(from, table) : ['1'];
    for (const span of spans) await copy(table, span);
    const [there, here] = [await rowsOf(to, table), await rowsOf(from, table)];
    if (there !== here) {
      throw new OperatorFault(
        `${table}: ${there} rows arrived of ${here}; was something loaded meanwhile? Run it again`,
      );
    }
    tell(`${table}: ${here} rows`);
  }
}

async function rowsOf(store: Store, table: string): Promise<number> {
  const [found] = await store.query(`SELECT count() AS rows FROM ${table}`, {}, countRow);
  return found?.rows ?? 0;
}

/** Conditions that cut a table into runs of days, none with many more rows than ROWS_AT_ONCE. */
async function spansOf(store: Store, table: string): Promise<string[]> {
  const days = await store.query(
    `SELECT toString(target_date) AS day, count() AS rows FROM ${table} GROUP BY day ORDER BY day`,
    {},
    dayRow,
  );
  const spans: { first: string; last: string; rows: number }[] = [];
  for (const { day, rows } of days) {
    const span = spans.at(-1);
    if (span === undefined || span.rows + rows > ROWS_AT_ONCE) spans.push({ first: day, last: day, rows });
    else Object.assign(span, { last: day, rows: span.rows + rows });
  }
  return spans.map(({ first, last }) => `target_date BETWEEN '${first}' AND '${last}'`);
}
