import { hostname } from 'node:os';
import { z } from 'zod';
import { OperatorFault } from '../../operator-fault.js';
import { bind, raw, sql, type Statement } from '../../sql.js';
import { errorCode, messageOf, StoreNotOpened } from '../errors.js';
import type { Store } from '../store.js';
import { everyServer } from './replicas.js';

// The claims by which loads take turns; lock.ts has the rule. On one engine a claim is a table: of several that create it,
// one succeeds. To make a table in a cluster takes every server of it, so there a claim is a row in Keeper, which takes
// each number once.

const claimRow = z.object({ number: z.number(), holder: z.string(), age_ms: z.number() });

/** `age_ms` is the time since its last heartbeat, of a table only since it was made. */
export type Claim = z.infer<typeof claimRow>;

export interface Claims {
  /** Makes what claims are kept in, where that is not there of itself. */
  prepare?(): Promise<void>;
  /** All claims, the latest last. */
  all(): Promise<Claim[]>;
  /** Of several that create the same claim, one succeeds. @returns whether this one did */
  create(number: number): Promise<boolean>;
  drop(number: number): Promise<void>;
  /** Records it in a claim that is still there. */
  record(number: number, event: 'held' | 'released'): Promise<void>;
  /** Milliseconds since the last heartbeat of a claim, by the clock of the database; longer than any once it is released. */
  sinceHeartbeat(claim: Claim): Promise<number>;
}

export const claimsOf = (store: Store): Claims =>
  store.cluster === undefined ? new TableClaims(store) : new KeeperClaims(store);

const TABLE_EXISTS = '57';
const UNKNOWN_TABLE = '60';
const ACCESS_DENIED = '497';

/** Who makes a claim, for those who wait for it. */
function self(): string {
  const host = hostname().replace(/[^\w.-]/g, '');
  return `process ${process.pid} on ${host}, since ${new Date().toISOString()}`;
}

// A table's name cannot be bound everywhere, and these end in a number of our own.
const tableOf = (number: number): Statement => raw(`load_lock_${number}`);

class TableClaims implements Claims {
  constructor(private readonly store: Store) {}

  /** `age_ms` is that of the table, to a whole second. */
  async all(): Promise<Claim[]> {
    return this.store.query(
      sql`SELECT
          toUInt32(substring(name, 11)) AS number, comment AS holder,
          dateDiff('second', metadata_modification_time, now()) * 1000 AS age_ms
      FROM system.tables
      WHERE database = currentDatabase() AND match(name, '^load_lock_[0-9]+$')
      ORDER BY number`,
      claimRow,
    );
  }

  async create(number: number): Promise<boolean> {
    try {
      await this.store.command(
        sql`CREATE TABLE ${tableOf(number)} (
            event Enum8('held' = 1, 'released' = 2),
            recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
        ) ENGINE = MergeTree ORDER BY recorded_at
        COMMENT '${raw(self())}'`,
      );
      return true;
    } catch (error) {
      if (errorCode(error) === TABLE_EXISTS) return false;
      throw error;
    }
  }

  async drop(number: number): Promise<void> {
    await this.store.command(sql`DROP TABLE IF EXISTS ${tableOf(number)} SYNC`);
  }

  async record(number: number, event: 'held' | 'released'): Promise<void> {
    try {
      await this.store.command(sql`INSERT INTO ${tableOf(number)} (event) SELECT '${raw(event)}'`);
    } catch (error) {
      if (errorCode(error) !== UNKNOWN_TABLE) throw error;
    }
  }

  async sinceHeartbeat({ number, age_ms }: Claim): Promise<number> {
    try {
      const [found] = await this.store.query(
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
}

/** By which an INSERT of a key that is there fails, and an UPDATE of a row that has changed meanwhile. */
const STRICT = { keeper_map_strict_mode: 1 };

class KeeperClaims implements Claims {
  constructor(private readonly store: Store) {}

  /** @throws StoreNotOpened when the servers keep no table in Keeper */
  async prepare(): Promise<void> {
    try {
      await this.store.command(
        sql`-- shard: keeper
        CREATE TABLE IF NOT EXISTS load_lock_claims (
            number UInt32,
            holder String,
            heartbeat_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
        ) ENGINE = KeeperMap PRIMARY KEY number`,
      );
    } catch (error) {
      if (!messageOf(error).includes('keeper_map_path_prefix')) throw error;
      throw new StoreNotOpened(
        'CLICKHOUSE_CLUSTER: loads take turns in Keeper, so the configuration of each server needs <keeper_map_path_prefix>; clickhouse/server/README.md says what else',
        { cause: error },
      );
    }
  }

  async all(): Promise<Claim[]> {
    return this.store.query(
      sql`SELECT number, holder, dateDiff('millisecond', heartbeat_at, now64(3, 'UTC')) AS age_ms
      FROM load_lock_claims
      ORDER BY number`,
      claimRow,
    );
  }

  async create(number: number): Promise<boolean> {
    try {
      await this.store.command(
        sql`INSERT INTO load_lock_claims (number, holder)
        SELECT ${bind({ number }, 'UInt32')}, ${bind({ holder: self() }, 'String')}`.with(STRICT),
      );
      return true;
    } catch (error) {
      if (/Node exists/.test(messageOf(error))) return false;
      throw error;
    }
  }

  async drop(number: number): Promise<void> {
    await this.store.command(sql`DELETE FROM load_lock_claims WHERE number = ${bind({ number }, 'UInt32')}`);
  }

  /** A released claim is one whose last heartbeat was in 1970. */
  async record(number: number, event: 'held' | 'released'): Promise<void> {
    const heartbeat = event === 'held' ? sql`now64(3, 'UTC')` : sql`toDateTime64(0, 3, 'UTC')`;
    await this.store.command(
      sql`ALTER TABLE load_lock_claims UPDATE heartbeat_at = ${heartbeat}
      WHERE number = ${bind({ number }, 'UInt32')}`.with(STRICT),
    );
  }

  sinceHeartbeat({ age_ms }: Claim): Promise<number> {
    return Promise.resolve(age_ms);
  }
}

/**
 * Statements under way that change this database, but for the heartbeats of claims: of a cluster on all servers that can
 * be reached, as a killed load may have used any.
 */
export async function writesUnderWay(store: Store): Promise<number> {
  try {
    const [found] = await store.query(
      sql`SELECT count() AS writes
      FROM ${everyServer(store, sql`system.processes`)}
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
