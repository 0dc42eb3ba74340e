import { hostname } from 'node:os';
import { z } from 'zod';
import { OperatorFault } from '../../operator-fault.js';
import { errorCode } from '../errors.js';
import type { Store } from '../store.js';

// The tables by which loads take turns; load-lock.ts has the rule. A name cannot be bound everywhere, and these end in
// a number of our own. Nothing is bound here, so an embedded engine runs these statements beside one that takes long.

const claimRow = z.object({ number: z.number(), holder: z.string(), age_ms: z.number() });

export type Claim = z.infer<typeof claimRow>;

const TABLE_EXISTS = '57';
const UNKNOWN_TABLE = '60';
const ACCESS_DENIED = '497';

const tableOf = (number: number): string => `load_lock_${number}`;

/** All claims, the latest last. `age_ms` is that of the table, in whole seconds. */
export async function claims(store: Store): Promise<Claim[]> {
  return store.query(
    `SELECT
        toUInt32(substring(name, 11)) AS number, comment AS holder,
        dateDiff('second', metadata_modification_time, now()) * 1000 AS age_ms
    FROM system.tables
    WHERE database = currentDatabase() AND match(name, '^load_lock_[0-9]+$')
    ORDER BY number`,
    {},
    claimRow,
  );
}

/** Of several that create the same claim, one does. @returns whether this one has */
export async function createClaim(store: Store, number: number): Promise<boolean> {
  const host = hostname().replace(/[^\w.-]/g, '');
  const holder = `process ${process.pid} on ${host}, since ${new Date().toISOString()}`;
  try {
    await store.command(
      `CREATE TABLE ${tableOf(number)} (
          event Enum8('held' = 1, 'released' = 2),
          recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
      ) ENGINE = MergeTree ORDER BY recorded_at
      COMMENT '${holder}'`,
    );
    return true;
  } catch (error) {
    if (errorCode(error) === TABLE_EXISTS) return false;
    throw error;
  }
}

export async function dropClaim(store: Store, number: number): Promise<void> {
  await store.command(`DROP TABLE IF EXISTS ${tableOf(number)} SYNC`);
}

/** @returns whether the claim was there to take the note */
export async function note(store: Store, number: number, event: 'held' | 'released'): Promise<boolean> {
  try {
    await store.command(`INSERT INTO ${tableOf(number)} (event) SELECT '${event}'`);
    return true;
  } catch (error) {
    if (errorCode(error) === UNKNOWN_TABLE) return false;
    throw error;
  }
}

/** Milliseconds since the last note on a claim, by the clock of the database; endless for one that was released. */
export async function silence(store: Store, { number, age_ms }: Claim): Promise<number> {
  try {
    const [notes] = await store.query(
      `SELECT
          count() AS notes, countIf(event = 'released') AS released,
          dateDiff('millisecond', max(recorded_at), now64(3, 'UTC')) AS silent_ms
      FROM ${tableOf(number)}`,
      {},
      z.object({ notes: z.number(), released: z.number(), silent_ms: z.number() }),
    );
    if (notes === undefined || notes.notes === 0) return age_ms;
    return notes.released > 0 ? Infinity : notes.silent_ms;
  } catch (error) {
    if (errorCode(error) === UNKNOWN_TABLE) return Infinity; // dropped by who has claimed after it
    throw error;
  }
}

/** Statements under way that change this database, but for notes on claims. */
export async function writesUnderWay(store: Store): Promise<number> {
  try {
    const [found] = await store.query(
      `SELECT count() AS writes
      FROM system.processes
      WHERE current_database = currentDatabase() AND query_kind IN ('Insert', 'Drop', 'Truncate', 'Alter')
          AND query NOT LIKE '%load\\_lock\\_%'`,
      {},
      z.object({ writes: z.number() }),
    );
    return found?.writes ?? 0;
  } catch (error) {
    if (errorCode(error) !== ACCESS_DENIED) throw error;
    throw new OperatorFault(
      'CLICKHOUSE_USER: may not see whether an earlier load is still at work; GRANT SELECT ON system.processes to it',
      { cause: error },
    );
  }
}
