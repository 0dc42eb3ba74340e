import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { QueryAbandoned, storeError } from '../store-errors.js';
import { withParameters } from './query-parameters.js';
import { collect, type QueryParams, type ReadOptions, type Transport, withSettings } from './transport.js';
import { WholeParts } from './whole-parts.js';

/** A query may not have begun yet when it is given up: so it is killed again and again until it has ended. */
const KILL_EVERY_MS = 100;

/** A processor does more with two queries than with one, as each waits for its threads: 100 a second instead of 75. */
const QUERIES_PER_PROCESSOR = 2;

/**
 * A short query is planned in 6 of its 7 ms, so the threads that help a long one only cost it. Without them 8 at once are
 * a fifth more a second, and one alone is not slower.
 */
const SHORT = { max_threads: 1, output_format_parallel_formatting: 0 };

/** Each query takes its memory. */
const MAX_QUERIES = 8;

/** Threads of Node (main.cts) for writes, short statements, KILL, and what Node itself does with them. */
const OTHER_THREADS = 12;

/** Node's own number of threads. */
const DEFAULT_THREADS = 4;

/** Queries that the engine in this process runs at once: as many as pay, and as Node has threads for. */
export function queriesAtOnce(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? DEFAULT_THREADS) - OTHER_THREADS;
  return Math.max(1, Math.min(MAX_QUERIES, QUERIES_PER_PROCESSOR * availableParallelism(), threads));
}

export interface EmbeddedOptions {
  /** Opens one more connection of the engine. */
  connect: () => Promise<ClickHouseClient>;
  /** The folder of the engine. */
  folder: string;
  /** Receives a line for what is mended while the engine runs. */
  log: (line: string) => void;
}

/** The engine in this process. Its responses come whole, and nothing can be lost on the way. */
export class EmbeddedTransport implements Transport {
  readonly queriesAtOnce = queriesAtOnce();
  readonly #connections: Connections;
  readonly #name = randomUUID();
  #count = 0;

  readonly #parts: WholeParts;

  private constructor(connections: Connections, { folder, log }: EmbeddedOptions, openedAt: number) {
    this.#connections = connections;
    this.#parts = new WholeParts(folder, (sql) => this.#run(sql, {}), log, openedAt);
  }

  static async open(options: EmbeddedOptions): Promise<EmbeddedTransport> {
    const openedAt = Date.now();
    const connections = new Connections(options.connect);
    await connections.use(async () => {}); // what keeps the engine from opening shows here
    const transport = new EmbeddedTransport(connections, options, openedAt);
    await transport.#parts.confirmOpened();
    return transport;
  }

  get partsTakenBack(): number {
    return this.#parts.takenBack;
  }

  async confirmParts(): Promise<number> {
    return this.#parts.confirmAll();
  }

  /** Another statement ends this one when it is given up, which takes the engine some ms; aborting the client does not. */
  async read(sql: string, params: QueryParams, { settings, priority, signal }: ReadOptions): Promise<Buffer> {
    await this.#parts.mending;
    const all = { ...settings, ...((priority === 'short' || priority === 'ahead') && SHORT) };
    if (signal === undefined) return this.#run(withSettings(sql, all), params);
    this.#count += 1;
    const name = `${this.#name} ${this.#count}`;
    let hasEnded = false;
    let killing: Promise<void> | undefined;
    const kill = async (): Promise<void> => {
      while (!hasEnded) {
        const statement = `KILL QUERY WHERE Settings['log_comment'] = '${name}' ASYNC`;
        await this.#run(statement, {}).catch(() => {}); // then the query runs to its end
        await delay(KILL_EVERY_MS);
      }
    };
    const abandon = (): void => {
      killing = kill();
    };
    signal.addEventListener('abort', abandon, { once: true });
    try {
      return await this.#run(withSettings(sql, { ...all, log_comment: name }), params);
    } catch (error) {
      throw signal.aborted ? new QueryAbandoned('nobody waits for it', { cause: error }) : error;
    } finally {
      hasEnded = true;
      signal.removeEventListener('abort', abandon);
      await killing;
    }
  }

  /** Near a full disk it is believed only after a look at what it wrote, also if it fails: it may have written a part of its rows. */
  async write(sql: string, params: QueryParams, data?: string): Promise<Buffer> {
    await this.#parts.mending;
    const began = Date.now();
    const wasTight = await this.#parts.isTight();
    try {
      return await this.#run(sql, params, data);
    } finally {
      if (wasTight || (await this.#parts.isTight())) await this.#parts.confirmStatement(began);
    }
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  async #run(sql: string, params: QueryParams, data?: string): Promise<Buffer> {
    const query = withParameters(sql, params);
    return this.#connections.use(async (client) => {
      try {
        const { stream } = await client.exec({ query, ...(data !== undefined && { values: data }) });
        return await collect(stream);
      } catch (error) {
        throw storeError(error);
      }
    });
  }
}

/** Connections of the engine, each of which runs one statement at a time. The store bounds how many are needed. */
class Connections {
  readonly #connect: () => Promise<ClickHouseClient>;
  readonly #idle: ClickHouseClient[] = [];

  constructor(connect: () => Promise<ClickHouseClient>) {
    this.#connect = connect;
  }

  async use<Result>(work: (client: ClickHouseClient) => Promise<Result>): Promise<Result> {
    const client = this.#idle.pop() ?? (await this.#connect());
    try {
      return await work(client);
    } catch (error) {
      // A statement that failed is among those under way, with its memory, until its connection runs another.
      await client.command({ query: 'SELECT 1' }).catch(() => {});
      throw error;
    } finally {
      this.#idle.push(client);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.map((client) => client.close()));
  }
}
