import { hostname } from 'node:os';
import { z } from 'zod';
import { OperatorFault } from '../../operator-fault.js';
import { raw, sql, type Statement } from '../../sql.js';
import { errorCode } from '../errors.js';
import type { Store } from '../store.js';

// The tables by which loads take turns; lock.ts has the rule. A table's name cannot be bound everywhere, and these end in
// a number of our own.

const claimRow = z.object({ number: z.number(), holder: z.string(), age_ms: z.number() });

export type Claim = z.infer<typeof claimRow>;

const TABLE_EXISTS = '57';
const UNKNOWN_TABLE = '60';
const ACCESS_DENIED = '497';

const tableOf = (number: number): Statement => raw(`load_lock_${number}`);

/** All claims, the latest last. `age_ms` is that of the table, to a whole second. */
export async function claims(store: Store): Promise<Claim[]> {
  return store.query(
    sql`SELECT
        toUInt32(substring(name, 11)) AS number, comment AS holder,
        dateDiff('second', metadata_modification_time, now()) * 1000 AS age_ms
    FROM system.tables
    WHERE database = currentDatabase() AND match(name, '^load_lock_[0-9]+$')
    ORDER BY number`,
    claimRow,
  );
}

/** Of several that create the same claim, one succeeds. @returns whether this one did */
export async function createClaim(store: Store, number: number): Promise<boolean> {
  const host = hostname().replace(/[^\w.-]/g, '');
  const holder = `process ${process.pid} on ${host}, since ${new Date().toISOString()}`;
  try {
    await store.command(
      sql`CREATE TABLE ${tableOf(number)} (
          event Enum8('held' = 1, 'released' = 2),
          recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
      ) ENGINE = MergeTree ORDER BY recorded_at
      COMMENT '${raw(holder)}'`,
    );
    return true;
  } catch (error) {
    if (errorCode(error) === TABLE_EXISTS) return false;
    throw error;
  }
}

export async function dropClaim(store: Store, number: number): Promise<void> {
  await store.command(sql`DROP TABLE IF EXISTS ${tableOf(number)} SYNC`);
}

/** @returns whether the claim was there to record it */
export async function record(store: Store, number: number, event: 'held' | 'released'): Promise<boolean> {
  try {
    await store.command(sql`INSERT INTO ${tableOf(number)} (event) SELECT '${raw(event)}'`);
    return true;
  } catch (error) {
    if (errorCode(error) === UNKNOWN_TABLE) return false;
    throw error;
  }
}

/** Milliseconds since the last heartbeat of a claim, by the clock of the database; Infinity once it is released. */
export async function sinceHeartbeat(store: Store, { number, age_ms }: Claim): Promise<number> {
  try {
    const [found] = await store.query(
      sql`SELECT
          count() AS events, countIf(event = 'released') AS released,
          dateDiff('millisecond', max(recorded_at), now64(3, 'UTC')) AS since_ms
      FROM ${tableOf(number)}`,
      z.object({ events: z.number(), released: z.number(), since_ms: z.number() }),
    );
    if (found === undefined || found.events === 0) return age_ms;
    return found.released > 0 ? Infinity : found.since_ms;
  } catch (error) {
    if (errorCode(error) === UNKNOWN_TABLE) return Infinity; // dropped by the holder of a later claim
    throw error;
  }
}

/** Statements under way that change this database, but for the heartbeats of claims. */
export async function writesUnderWay(store: Store): Promise<number> {
  try {
    const [found] = await store.query(
      sql`SELECT count() AS writes
      FROM system.processes
      WHERE current_database = currentDatabase() AND query_kind IN ('Insert', 'Drop', 'Truncate', 'Alter', 'Restore')
          AND query NOT LIKE '%load\\_lock\\_%'`,
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
