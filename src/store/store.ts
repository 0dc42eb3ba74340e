import type { ClickHouseClient } from '@clickhouse/client';
import PQueue from 'p-queue';
import type { z } from 'zod';
import { storeError, StoreOverloaded, StoreUnavailable } from './errors.js';

export type QueryParams = Record<string, string | number>;

export interface StoreLimits {
  /** Statements that run at the same time; the embedded engine runs bound ones one by one anyway. */
  concurrency: number;
  /** Queries that may wait for their turn; one more is refused at once rather than answered too late. */
  maxWaiting: number;
  /** Seconds after which the engine gives up a query; aborting it from outside does not stop it. */
  queryTimeoutSeconds: number;
}

/** The data, through one ClickHouse client: a server, or the engine in this process. */
export class Store {
  readonly #client: ClickHouseClient;
  readonly #limits: StoreLimits;
  readonly #queue: PQueue;
  #writes = 0;

  constructor(client: ClickHouseClient, limits: StoreLimits) {
    this.#client = client;
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  /**
   * The rows of a SELECT, each parsed by `row`. Settings travel in the statement: the embedded engine would keep
   * those of the client for every later statement of its connection.
   * @param options.ahead take the next turn, before all that wait, however many they are
   * @throws QueryTimeout, StoreOverloaded, StoreUnavailable
   */
  async query<Row>(
    sql: string,
    params: QueryParams,
    row: z.ZodType<Row>,
    { ahead = false }: { ahead?: boolean } = {},
  ): Promise<Row[]> {
    if (!ahead && this.#queue.size >= this.#limits.maxWaiting) {
      throw new StoreOverloaded(`${this.#queue.size} queries are waiting`);
    }
    const rows = await this.#run(async () => {
      const result = await this.#client.query({
        query: `${sql}
          SETTINGS max_execution_time = ${this.#limits.queryTimeoutSeconds},
            output_format_json_quote_64bit_integers = 0, output_format_json_quote_denormals = 0`,
        query_params: params,
        format: 'JSONEachRow',
      });
      return result.json<unknown>();
    }, ahead);
    return rows.map((value) => row.parse(value));
  }

  /** Runs one statement that returns no rows, without a time limit. */
  async command(sql: string, params: QueryParams = {}): Promise<void> {
    await this.#write(() => this.#client.command({ query: sql, query_params: params }));
  }

  /** Inserts rows given as arrays in the order of `columns`. */
  async insert(table: string, columns: readonly string[], rows: readonly unknown[][]): Promise<void> {
    if (rows.length === 0) return;
    await this.#write(() =>
      this.#client.insert({
        table,
        columns: columns as [string, ...string[]],
        values: rows,
        format: 'JSONCompactEachRow',
      }),
    );
  }

  /** Runs an insert statement on rows that are written in its format already. */
  async insertText(sql: string, text: string): Promise<void> {
    await this.relay(sql, {}, text);
  }

  /** Runs a statement as another process sent it, and returns the bytes of its answer. */
  async relay(sql: string, params: QueryParams, data?: string): Promise<Buffer> {
    const run = (work: () => Promise<Buffer>) =>
      /^\s*SELECT\b/i.test(sql) ? this.#run(work) : this.#write(work);
    return run(async () => {
      const result = await this.#client.exec({
        query: sql,
        query_params: params,
        ...(data === undefined ? {} : { values: data }),
      });
      const chunks: Buffer[] = [];
      for await (const chunk of result.stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    });
  }

  /** @throws StoreUnavailable when the engine does not answer */
  async ping(): Promise<void> {
    const result = await this.#client.ping();
    if (!result.success) throw new StoreUnavailable(result.error.message, { cause: result.error });
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
    await this.#queue.onIdle();
    await this.#client.close();
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#run(work);
    } finally {
      this.#writes += 1;
    }
  }

  async #run<Result>(work: () => Promise<Result>, ahead = false): Promise<Result> {
    try {
      return await this.#queue.add(work, { priority: ahead ? 1 : 0 });
    } catch (error) {
      throw storeError(error);
    }
  }
}
