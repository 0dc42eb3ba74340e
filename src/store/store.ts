import { z } from 'zod';
import { raw, type Rows, type Settings, sql, type Statement } from '../queries/sql.js';
import {
  type QueryOrigin,
  type QueryParams,
  type ReadOptions,
  type Trace,
  type Transport,
  type Priority,
  withSettings,
} from './engine/transport.js';
import { StoreUnavailable } from './store-errors.js';
import { FairQueue, type Waiting } from './queue.js';
import { rowsIn, type UnparsedRows } from './rows.js';

// The data through one client. Each statement has a query timeout, a memory limit and a place in the queue.

export type { QueryOrigin, QueryParams, Trace, Priority };

export interface StoreLimits {
  /** Queries that run at the same time; the embedded engine may run fewer. */
  concurrency: number;
  /** Queries that may wait in the queue; one more is refused at once rather than answered too late. */
  maxWaiting: number;
  /** Seconds after which the engine gives up a query. None waits longer than that in the queue. */
  queryTimeoutSeconds: number;
  /** Bytes of memory that a query may use; 0 or none sets no limit, and that of ClickHouse's user holds. */
  queryMemoryBytes?: number;
}

/** The rows that an INSERT brings may be of any number of months. */
export const ANY_PARTITIONS = { max_partitions_per_insert_block: 0 };

/** For whom queries read. */
export interface Reader {
  /** The queue is fair to different names. */
  readonly name: string;
  /** Called after each query with the number of rows that the engine has read for it. */
  chargeRows(rows: number): void;
}

export interface QueryOptions {
  priority?: Priority;
  /** Without one, it counts in the queue with all others that have none. */
  reader?: Reader | undefined;
  /** Aborted when nobody waits for the response any more. Takes a query off the queue, and cancels it where the engine can. */
  signal?: AbortSignal | undefined;
  /** The request that the query is for; none for the service's own. */
  origin?: QueryOrigin | undefined;
}

/** Places of statements that wait for no other: the version of the data, and the ping. */
const AHEAD = 2;

/**
 * Places of long queries, of all. Two exports then leave a short request its time: p95 2.1 times as long as without them,
 * against 2.9 with half of the places.
 */
const LONG_SHARE = 1 / 4;

/** Writes that run at the same time: those of one load, its heartbeats, and the locks of loads that wait. */
export const WRITES = 4;

/** All statements that a store may run at the same time. */
export const statementsAtOnce = ({ concurrency }: StoreLimits): number => concurrency + AHEAD + WRITES;

const PING = sql.rows(z.object({ one: z.literal(1) }))`SELECT 1 AS one`;

/** Checks before a statement of a store begins, which throw to refuse it. */
export interface Guard {
  beforeRead(): void;
  beforeWrite(): Promise<void>;
}

/** The queues of a store, and its count of writes; a guarded store has those of the one that it was made of. */
class Statements {
  readonly queries: FairQueue;
  readonly ahead = new FairQueue({ places: AHEAD });
  readonly writes = new FairQueue({ places: WRITES });
  pinging: Promise<unknown> | undefined;
  writesEnded = 0;
  isClosed = false;

  constructor({ concurrency, maxWaiting }: StoreLimits, { queriesAtOnce }: Transport) {
    const places = Math.min(concurrency, queriesAtOnce);
    const longPlaces = Math.max(1, Math.floor(places * LONG_SHARE));
    this.queries = new FairQueue({ places, longPlaces, maxWaiting });
  }
}

/** The data, wherever ClickHouse runs. */
export class Store {
  readonly #transport: Transport;
  readonly #limits: StoreLimits;
  readonly #statements: Statements;
  readonly #guard: Guard | undefined;

  constructor(
    transport: Transport,
    limits: StoreLimits,
    guard?: Guard,
    statements = new Statements(limits, transport),
  ) {
    this.#transport = transport;
    this.#limits = limits;
    this.#guard = guard;
    this.#statements = statements;
  }

  /** This store with statements that begin after these checks. */
  guardedBy(guard: Guard): Store {
    return new Store(this.#transport, this.#limits, guard, this.#statements);
  }

  /**
   * The rows of a SELECT without FORMAT and SETTINGS, parsed.
   * @throws QueryTimeout, QueryTooLarge, QueryAbandoned, StoreOverloaded, StoreUnavailable
   */
  async query<Row>({ statement, row }: Rows<Row>, options?: QueryOptions): Promise<Row[]> {
    return (await this.queryUnparsed(statement, options)).parse(row);
  }

  /**
   * The rows of a SELECT, which are still to be parsed.
   * @throws as query()
   */
  async queryUnparsed(statement: Statement, options: QueryOptions = {}): Promise<UnparsedRows> {
    const { text, params, settings } = statement;
    const asJson = { ...JSON_SETTINGS, ...settings };
    const rows = rowsIn(await this.#read(`${text}\nFORMAT JSON`, params, asJson, options));
    options.reader?.chargeRows(rows.rowsRead);
    return rows;
  }

  /**
   * The row of a SELECT that always has one.
   * @throws as query()
   */
  async queryOne<Row>(rows: Rows<Row>, options?: QueryOptions): Promise<Row> {
    const [found] = await this.query(rows, options);
    if (found === undefined) throw new StoreUnavailable('ClickHouse has answered without a row');
    return found;
  }

  /**
   * The response of a SELECT as bytes of a format, under the limits of every query.
   * @throws as query()
   */
  async queryBytes(statement: Statement, format: string, options: QueryOptions = {}): Promise<Buffer> {
    const { text, params, settings } = statement;
    return this.#read(`${text}\nFORMAT ${format}`, params, settings, options);
  }

  /** Runs one statement that returns no rows, without a time limit. */
  async command({ text, params, settings }: Statement): Promise<void> {
    await this.#write(() => this.#transport.write(withSettings(text, settings), params));
  }

  /** Inserts rows given as arrays in the order of `columns`, of any number of months. */
  async insert(table: string, columns: readonly string[], rows: readonly unknown[][]): Promise<void> {
    if (rows.length === 0) return;
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    await this.insertText(
      sql`INSERT INTO ${raw(`${table} (${columns.join(', ')})`)}`.with(ANY_PARTITIONS),
      'JSONCompactEachRow',
      lines,
    );
  }

  /** Runs an INSERT without FORMAT on rows that are written in a format already. */
  async insertText({ text, settings }: Statement, format: string, rows: string): Promise<void> {
    const insert = `${withSettings(text, settings)} FORMAT ${format}`;
    await this.#write(() => this.#transport.write(insert, {}, rows));
  }

  /**
   * Runs a statement as another process sent it, without a time limit, and returns the bytes of its response. When its
   * sender goes while it waits in the queue, it never runs; once it runs, it does so to its end.
   * @param options.isRead whether its sender says that it changes nothing; if not given, it counts as a write
   */
  async relay(
    sql: string,
    params: QueryParams,
    data?: string,
    { signal, isRead = false }: Pick<QueryOptions, 'signal'> & { isRead?: boolean } = {},
  ): Promise<Buffer> {
    const work = (): Promise<Buffer> => this.#transport.write(sql, params, data);
    if (!isRead) return this.#write(work, { signal });
    this.#guard?.beforeRead();
    return this.#run(this.#statements.writes, work, { signal });
  }

  /**
   * Whether the engine answers a query. Callers at the same time share it, because they need no key.
   * @throws StoreUnavailable when it does not
   */
  async ping(): Promise<void> {
    const statements = this.#statements;
    statements.pinging ??= this.query(PING, { priority: 'ahead' }).finally(() => {
      statements.pinging = undefined;
    });
    await statements.pinging;
  }

  /** The servers' name of the cluster over which the tables are spread; undefined on one engine. */
  get cluster(): string | undefined {
    return this.#transport.cluster;
  }

  /** How many replicas of a shard have an insert when it returns; of a cluster alone. */
  set insertQuorum(replicas: number) {
    this.#transport.insertQuorum = replicas;
  }

  /** Parts that a full disk had emptied and that went back to their sources, since this process opened the store. */
  get partsTakenBack(): number {
    return this.#transport.partsTakenBack ?? 0;
  }

  /**
   * Looks at the files of all parts that were written since the engine opened in this process, and mends what it can (whole-parts.ts).
   * @returns how many it could not mend, and has put aside as damage
   */
  async confirmParts(): Promise<number> {
    return (await this.#transport.confirmParts?.()) ?? 0;
  }

  /** Statements that wait in the queue. */
  get waiting(): number {
    return this.#statements.queries.size + this.#statements.writes.size;
  }

  /**
   * Statements that may have changed the data and have ended, well or not; of the relayed ones, all but reads. A result
   * read while this number was the same as now holds whatever has been written through this store.
   */
  get writes(): number {
    return this.#statements.writesEnded;
  }

  /** Lets what runs come to its end, then closes; an engine closed under a running statement aborts the process. */
  async close(): Promise<void> {
    const { queries, ahead, writes } = this.#statements;
    await Promise.all([queries, ahead, writes].map((queue) => queue.idle()));
    this.#statements.isClosed = true;
    await this.#transport.close();
  }

  async #read(
    sql: string,
    params: QueryParams,
    own: Settings,
    { priority = 'any', signal, reader, origin }: QueryOptions,
  ): Promise<Buffer> {
    this.#guard?.beforeRead();
    const { queryTimeoutSeconds, queryMemoryBytes = 0 } = this.#limits;
    // A server's user may be forbidden to have no limit, so 0 is not sent.
    const memory = queryMemoryBytes > 0 && { max_memory_usage: queryMemoryBytes };
    const settings: Settings = { max_execution_time: queryTimeoutSeconds, ...memory, ...own };
    const timeoutMs = queryTimeoutSeconds * 1000;
    const options: ReadOptions = { settings, timeoutMs, priority, signal, origin };
    const read = (): Promise<Buffer> => this.#transport.read(sql, params, options);
    if (priority === 'ahead') return this.#run(this.#statements.ahead, read, { signal });
    return this.#run(this.#statements.queries, read, {
      signal,
      waitMs: timeoutMs,
      name: reader?.name,
      isLong: priority === 'long',
    });
  }

  async #write<Result>(work: () => Promise<Result>, waiting: Waiting = {}): Promise<Result> {
    await this.#guard?.beforeWrite();
    try {
      return await this.#run(this.#statements.writes, work, waiting);
    } finally {
      this.#statements.writesEnded += 1;
    }
  }

  async #run<Result>(queue: FairQueue, work: () => Promise<Result>, waiting: Waiting): Promise<Result> {
    const unlessClosed = (): Promise<Result> => {
      if (this.#statements.isClosed) throw new StoreUnavailable('the store is closed');
      return work();
    };
    return queue.run(unlessClosed, waiting);
  }
}

/** A server quotes wide integers in JSON unless it is told not to; the embedded engine does not. */
const JSON_SETTINGS = { output_format_json_quote_64bit_integers: 0, output_format_json_quote_denormals: 0 };
