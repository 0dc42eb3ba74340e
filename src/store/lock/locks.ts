import { hostname } from 'node:os';
import { z } from 'zod';
import { UserError } from '../../lib/user-error.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { errorCode, getMessage, StoreNotOpened } from '../store-errors.js';
import { RESTORES_UNDER_WAY } from '../restore-mark.js';
import type { Store } from '../store.js';
import { type Moment, msSince, thisMoment } from './moment.js';
import { everyServer } from './replicas.js';

// The locks of loads; lock.ts has the rule. On one engine a lock is the name of a table: of several
// that rename it, one succeeds. To rename a table in a cluster takes every server of it, so there a lock is a row in
// Keeper, which takes each number once.

/** `age_ms` is the time since its last heartbeat by the clock of the database, decades once it is released. */
export interface Lock {
  number: number;
  holder: string;
  age_ms: number;
}

/** All that decides whether a load may begin, as one statement finds it. */
export interface Look {
  /** The latest lock is the last one. */
  locks: readonly Lock[];
  /**
   * Statements under way that change this database, but for those of locks: of a cluster on all servers that can be
   * reached, as a killed load may have used any.
   */
  writes: number;
  /** Restores that have begun and not ended. */
  restores: number;
}

/** The locks of a database, and at most one of them its own. */
export interface Locks {
  /** Makes the table that keeps locks, where they need one. */
  prepare?(): Promise<void>;
  look(): Promise<Look>;
  /** Makes the lock that follows the latest one of a look. @returns its number; undefined when another was faster */
  take(look: Look): Promise<number | undefined>;
  /** Records a heartbeat in its own lock. @returns whether that is the latest */
  beat(): Promise<boolean>;
  release(): Promise<void>;
  /** Drops the locks before its own. */
  dropEarlier(): Promise<void>;
  /** Ends all locks; for a process that knows that no other works on this database. */
  endAll(): Promise<void>;
}

/** A released lock is one whose last heartbeat was in 1970. */
export const isReleased = ({ age_ms }: Lock): boolean => age_ms > 1e11;

export const openLocks = (store: Store): Locks =>
  store.cluster === undefined ? new TableLocks(store) : new KeeperLocks(store);

/** The codes that taking a lock fails with when somebody else was faster: TABLE_ALREADY_EXISTS, UNKNOWN_TABLE. */
const FASTER = new Set(['57', '60']);
const ACCESS_DENIED = '497';

const locksRow = z.object({ locks: z.array(z.tuple([z.number(), z.string(), z.number()])) });

const lookRow = locksRow.extend({
  writes: z.number(),
  restores: z.number(),
  now_ms: z.number(),
});

/** A SELECT of all rows of another one, as an array. @param locks as those of lookAt() */
const asArray = (locks: Statement): Statement =>
  sql`SELECT arraySort(groupArray((number, text, heartbeat_ms))) AS locks FROM (${locks})`;

/**
 * @param locks a SELECT of number, a text, and the time of the last heartbeat in ms since 1970, 0 once it is released
 */
async function lookAt(store: Store, locks: Statement): Promise<z.infer<typeof lookRow>> {
  try {
    return await store.queryOne(
      sql.rows(lookRow)`SELECT
        (${asArray(locks)}) AS locks,
        (
          SELECT count()
          FROM ${everyServer(store, sql`system.processes`)}
          WHERE current_database = currentDatabase() AND query_kind IN ('Insert', 'Drop', 'Truncate', 'Alter', 'Restore')
              AND query NOT LIKE '%load\\_lock\\_%'
        ) AS writes,
        (${RESTORES_UNDER_WAY}) AS restores,
        toUnixTimestamp64Milli(now64(3)) AS now_ms`,
    );
  } catch (error) {
    if (errorCode(error) !== ACCESS_DENIED) throw error;
    throw new UserError(
      'CLICKHOUSE_USER: may not see whether an earlier load is still at work; GRANT SELECT ON system.processes to it',
      { cause: error },
    );
  }
}

const CLOCK = sql.rows(z.object({ now_ms: z.number() }))`SELECT toUnixTimestamp64Milli(now64(3)) AS now_ms`;

const host = hostname().replace(/\W/g, '_').slice(0, 60);

/** The lock of a table: `load_lock_<number>_<last heartbeat, ms since 1970, or 0>_<process>_<host>`. */
const TABLES = sql`
  SELECT toUInt32(parts[1]) AS number, name AS text, toUInt64OrZero(parts[2]) AS heartbeat_ms
  FROM (
    SELECT name, extractGroups(name, '^load_lock_([0-9]+)_?([0-9]*)') AS parts
    FROM system.tables
    WHERE database = currentDatabase()
  )
  WHERE notEmpty(parts)`;

/** For so long the clock of the database is counted on here. To read it for each heartbeat doubles the statements of a lock. */
const CLOCK_AGE_MS = 60_000;

class TableLocks implements Locks {
  #number = 0;
  /** The table of the own lock. */
  #own = '';
  #heartbeat_ms = 0;
  /** The time of the database when it was read last. */
  #clock: { now_ms: number; readAt: Moment } | undefined;

  constructor(private readonly store: Store) {}

  async look(): Promise<Look & { names: string[]; now_ms: number }> {
    const readAt = thisMoment(); // before the clock of the database, so that a heartbeat is never too early
    const { locks, now_ms, ...found } = await lookAt(this.store, TABLES);
    this.#clock = { now_ms, readAt };
    return {
      ...found,
      now_ms,
      names: locks.map(([, name]) => name),
      locks: locks.map(([number, name, heartbeat_ms]) => {
        const [, , , , pid = '', ...ofHost] = name.split('_');
        return { number, holder: `process ${pid} on ${ofHost.join('_')}`, age_ms: now_ms - heartbeat_ms };
      }),
    };
  }

  async take({ locks, names, now_ms }: Awaited<ReturnType<TableLocks['look']>>): Promise<number | undefined> {
    const latest = names.at(-1);
    if (latest === undefined) {
      await this.#change(sql`CREATE TABLE load_lock_0 (row UInt8) ENGINE = Null`);
      return undefined; // to look again: who is late makes it beside a later one
    }
    const number = (locks.at(-1)?.number ?? 0) + 1;
    if (!(await this.#rename(latest, number, now_ms))) return undefined;
    if (number > 1 || (await this.#isAlone())) return number;
    await this.#drop(this.#own);
    return undefined;
  }

  /** Whether its lock is the only one. load_lock_0 alone may be made again, and then be taken twice. */
  async #isAlone(): Promise<boolean> {
    const { locks } = await this.look();
    return locks.filter(({ number }) => number > 0).length === 1;
  }

  async beat(): Promise<boolean> {
    if (this.#clock === undefined || msSince(this.#clock.readAt) > CLOCK_AGE_MS) {
      const readAt = thisMoment();
      this.#clock = { ...(await this.store.queryOne(CLOCK)), readAt };
    }
    const { now_ms, readAt } = this.#clock;
    // Later than the last one, so that there is a table to rename: only that tells whether the lock is still held.
    const heartbeat_ms = Math.max(now_ms + Math.floor(msSince(readAt)), this.#heartbeat_ms + 1);
    return this.#rename(this.#own, this.#number, heartbeat_ms);
  }

  async release(): Promise<void> {
    await this.#rename(this.#own, this.#number, 0);
  }

  async dropEarlier(): Promise<void> {
    const { names } = await this.look();
    for (const name of names.filter((each) => each !== this.#own)) await this.#drop(name);
  }

  /**
   * The latest stays: to make a table takes room on the disk, to rename one takes none. A look at what is under way, and at the
   * clock, would take twice as long, at the start of each process.
   */
  async endAll(): Promise<void> {
    const { locks } = await this.store.queryOne(sql.rows(locksRow)`${asArray(TABLES)}`);
    const latest = locks.pop();
    for (const [, name] of locks) await this.#drop(name);
    if (latest === undefined) return;
    const [number, name, heartbeat_ms] = latest;
    if (heartbeat_ms > 0) await this.#rename(name, number, 0);
  }

  #drop(name: string): Promise<void> {
    return this.store.command(sql`DROP TABLE IF EXISTS ${raw(name)} SYNC`);
  }

  /** Makes the lock of one name that of another, unless somebody else has done so. @returns whether it did */
  async #rename(name: string, number: number, heartbeat_ms: number): Promise<boolean> {
    const next = `load_lock_${number}_${heartbeat_ms}_${process.pid}_${host}`;
    if (next !== name && !(await this.#change(sql`RENAME TABLE ${raw(name)} TO ${raw(next)}`))) return false;
    this.#number = number;
    this.#own = next;
    this.#heartbeat_ms = heartbeat_ms;
    return true;
  }

  /** @returns whether nobody else was faster */
  async #change(statement: Statement): Promise<boolean> {
    try {
      await this.store.command(statement);
      return true;
    } catch (thrown) {
      if (!FASTER.has(errorCode(thrown) ?? '')) throw thrown;
      return false;
    }
  }
}

/** By which an INSERT of a key that is there fails, and an UPDATE of a row that has changed meanwhile. */
const STRICT = { keeper_map_strict_mode: 1 };

const ROWS = sql`
  SELECT number, holder AS text, toUInt64(toUnixTimestamp64Milli(heartbeat_at)) AS heartbeat_ms
  FROM load_lock_claims`;

class KeeperLocks implements Locks {
  #number = 0;

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
      if (!getMessage(error).includes('keeper_map_path_prefix')) throw error;
      throw new StoreNotOpened(
        'CLICKHOUSE_CLUSTER: loads take a lock in Keeper, so the configuration of each server needs <keeper_map_path_prefix>; clickhouse/server/README.md lists what else',
        { cause: error },
      );
    }
  }

  async look(): Promise<Look> {
    const { locks, now_ms, ...found } = await lookAt(this.store, ROWS);
    return {
      ...found,
      locks: locks.map(([number, holder, heartbeat_ms]) => ({
        number,
        holder,
        age_ms: now_ms - heartbeat_ms,
      })),
    };
  }

  async take({ locks }: Look): Promise<number | undefined> {
    const number = (locks.at(-1)?.number ?? 0) + 1;
    const holder = `process ${process.pid} on ${host}`;
    try {
      await this.store.command(
        sql`INSERT INTO load_lock_claims (number, holder)
        SELECT ${bind({ number }, 'UInt32')}, ${bind({ holder }, 'String')}`.with(STRICT),
      );
    } catch (error) {
      if (/Node exists/.test(getMessage(error))) return undefined;
      throw error;
    }
    this.#number = number;
    if (await this.#isLatest()) return number;
    await this.#drop(sql`number = ${bind({ number }, 'UInt32')}`);
    return undefined;
  }

  async beat(): Promise<boolean> {
    await this.#record(sql`now64(3, 'UTC')`);
    return this.#isLatest();
  }

  release(): Promise<void> {
    return this.#record(sql`toDateTime64(0, 3, 'UTC')`);
  }

  dropEarlier(): Promise<void> {
    return this.#drop(sql`number < ${bind({ number: this.#number }, 'UInt32')}`);
  }

  endAll(): Promise<void> {
    return this.#drop(sql`true`);
  }

  async #isLatest(): Promise<boolean> {
    const { latest } = await this.store.queryOne(
      sql.rows(z.object({ latest: z.number() }))`SELECT max(number) AS latest FROM load_lock_claims`,
    );
    return latest === this.#number;
  }

  #drop(which: Statement): Promise<void> {
    return this.store.command(sql`DELETE FROM load_lock_claims WHERE ${which}`);
  }

  #record(heartbeat: Statement): Promise<void> {
    return this.store.command(
      sql`ALTER TABLE load_lock_claims UPDATE heartbeat_at = ${heartbeat}
      WHERE number = ${bind({ number: this.#number }, 'UInt32')}`.with(STRICT),
    );
  }
}
