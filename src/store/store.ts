import type { ClickHouseClient } from '@clickhouse/client';
import PQueue from 'p-queue';
import { z } from 'zod';
import { StoreOverloaded, StoreUnavailable, storeError } from './errors.js';
import { Reads } from './reads.js';
import { type Patience, takeTurn } from './turn.js';

export type QueryParams = Record<string, string | number | readonly string[]>;

export interface StoreLimits {
  /** Statements that run at the same time; the embedded engine runs bound ones one by one anyway. */
  concurrency: number;
  /** Queries that may wait for their turn; one more is refused at once rather than answered too late. */
  maxWaiting: number;
  /** Seconds after which the engine gives up a query. None waits longer than that for its turn. */
  queryTimeoutSeconds: number;
  /** Bytes of memory that a query may use; without it, as many as there are. */
  queryMemoryBytes?: number;
}

export interface QueryOptions {
  /** Run beside all others, however many wait: for short statements that much depends on. */
  ahead?: boolean;
  /** Whoever asked has gone. Takes a query off the queue, and cancels it where the engine can. */
  signal?: AbortSignal | undefined;
}

/** Statements that run ahead at the same time: the version of the data, and whether the engine answers. */
export const AHEAD = 2;

const ping = z.object({ one: z.literal(1) });

/** The data, through one ClickHouse client: a server, or the engine in this process. */
export class Store {
  readonly #client: ClickHouseClient;
  readonly #aheadClient: ClickHouseClient;
  readonly #limits: StoreLimits;
  readonly #isRemote: boolean;
  readonly #queue: PQueue;
  readonly #ahead = new PQueue({ concurrency: AHEAD });
  readonly #reads: Reads;
  #pinging: Promise<unknown> | undefined;
  #writes = 0;
  #isClosed = false;

  /**
   * @param options.isRemote the engine is a server, to which the connection may break
   * @param options.aheadClient for what runs ahead: a connection of the embedded engine runs one statement at a time
   */
  constructor(
    client: ClickHouseClient,
    limits: StoreLimits,
    { isRemote = false, aheadClient = client }: { isRemote?: boolean; aheadClient?: ClickHouseClient } = {},
  ) {
    this.#client = client;
    this.#aheadClient = aheadClient;
    this.#limits = limits;
    this.#isRemote = isRemote;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
    this.#reads = new Reads({ client, aheadClient }, limits, isRemote);
  }

  /**
   * The rows of a SELECT, each parsed by `row`. Settings travel in the statement: the embedded engine would keep
   * those of the client for every later statement of its connection.
   * @throws QueryTimeout, QueryTooLarge, QueryAbandoned, StoreOverloaded, StoreUnavailable
   */
  async query<Row>(
    sql: string,
    params: QueryParams,
    row: z.ZodType<Row>,
    { ahead = false, signal }: QueryOptions = {},
  ): Promise<Row[]> {
    if (!ahead && this.#queue.size >= this.#limits.maxWaiting) {
      throw new StoreOverloaded(`${this.#queue.size} queries are waiting`);
    }
    const queue = ahead ? this.#ahead : this.#queue;
    const rows = await this.#run(queue, () => this.#reads.rows(sql, params, { ahead, signal }), {
      signal,
      ...(!ahead && { waitMs: this.#limits.queryTimeoutSeconds * 1000 }),
    });
    return rows.map((value) => row.parse(value));
  }

  /** Runs one statement that returns no rows, without a time limit. */
  async command(sql: string, params: QueryParams = {}): Promise<void> {
    await this.#write(async () => {
      const result = await this.#client.command({ query: sql, query_params: params });
      this.#reads.checkOrigin(result.response_headers);
    });
  }

  /** Inserts rows given as arrays in the order of `columns`. */
  async insert(table: string, columns: readonly string[], rows: readonly unknown[][]): Promise<void> {
    if (rows.length === 0) return;
    await this.#write(async () => {
      const result = await this.#client.insert({
        table,
        columns: columns as [string, ...string[]],
        values: rows,
        format: 'JSONCompactEachRow',
      });
      this.#reads.checkOrigin(result.response_headers);
    });
  }

  /** Runs an insert statement on rows that are written in its format already. */
  async insertText(sql: string, text: string): Promise<void> {
    await this.relay(sql, {}, text);
  }

  /** Runs a statement as another process sent it, and returns the bytes of its answer. */
  async relay(sql: string, params: QueryParams, data?: string): Promise<Buffer> {
    const run = (work: () => Promise<Buffer>) =>
      /^\s*SELECT\b/i.test(sql) ? this.#run(this.#queue, work) : this.#write(work);
    return run(async () => {
      const result = await this.#client.exec({
        query: sql,
        query_params: params,
        ...(data === undefined ? {} : { values: data }),
      });
      const chunks: Buffer[] = [];
      for await (const chunk of result.stream) chunks.push(chunk as Buffer);
      this.#reads.checkOrigin(result.response_headers);
      return Buffer.concat(chunks);
    });
  }

  /**
   * Whether the engine answers a question. Those who want to know at the same time share it: it is asked for without
   * a key.
   * @throws StoreUnavailable when it does not
   */
  async ping(): Promise<void> {
    this.#pinging ??= this.query('SELECT 1 AS one', {}, ping, { ahead: true }).finally(() => {
      this.#pinging = undefined;
    });
    await this.#pinging;
  }

  /** Queries that wait for their turn. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Statements that may have changed the data and have ended, well or not; of the relayed ones, all but SELECT. What
   * was read while this number was the same as now holds whatever has been written through this store.
   */
  get writes(): number {
    return this.#writes;
  }

  /** Lets what runs come to its end, then closes; an engine closed under a running statement aborts the process. */
  async close(): Promise<void> {
    await Promise.all([this.#queue.onIdle(), this.#ahead.onIdle()]);
    this.#isClosed = true;
    await Promise.all([this.#client.close(), this.#aheadClient.close()]);
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#run(this.#queue, work);
    } finally {
      this.#writes += 1;
    }
  }

  async #run<Result>(queue: PQueue, work: () => Promise<Result>, patience: Patience = {}): Promise<Result> {
    const unlessClosed = (): Promise<Result> => {
      if (this.#isClosed) throw new StoreUnavailable('the store is closed');
      return work();
    };
    try {
      return await takeTurn(queue, unlessClosed, patience);
    } catch (error) {
      throw storeError(error, this.#isRemote);
    }
  }
}
