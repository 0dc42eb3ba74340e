import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient, ResponseHeaders } from '@clickhouse/client';
import { isConnectionLost, QueryAbandoned, QueryTimeout, StoreUnavailable } from './errors.js';
import type { QueryOptions, QueryParams, StoreLimits } from './store.js';

// How much longer than the engine's own limit an answer of a server may be under way.
const WAY_MS = 2000;

// A short statement that has no answer by then has a server that does not answer: nothing else is waited for, so that
// whoever asks is told, and asks again when the server is back.
const AHEAD_MS = 3000;

// Settings of a server's HTTP interface, which travel in the URL. An answer comes when it is whole, so that an error has
// its own status; a read cannot write; and it is cancelled when nobody waits for it.
const HTTP_SETTINGS = {
  wait_end_of_query: 1,
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

// How often it is tried to cancel a query of the embedded engine: it may not have begun yet, as bound ones run one by one.
const KILL_EVERY_MS = 100;

/**
 * Reads through a client, which end when nobody waits for them. Those of a server have a deadline, and are asked once again
 * if the way there breaks.
 */
export class Reads {
  readonly #client: ClickHouseClient;
  readonly #aheadClient: ClickHouseClient;
  readonly #limits: StoreLimits;
  readonly #isRemote: boolean;
  readonly #underWay = new Set<AbortController>();
  readonly #name = randomUUID();
  #count = 0;

  constructor(
    { client, aheadClient }: Record<'client' | 'aheadClient', ClickHouseClient>,
    limits: StoreLimits,
    isRemote: boolean,
  ) {
    this.#client = client;
    this.#aheadClient = aheadClient;
    this.#limits = limits;
    this.#isRemote = isRemote;
  }

  /** The rows of a SELECT. @throws QueryAbandoned, QueryTimeout, StoreUnavailable, and what the client throws */
  async rows(sql: string, params: QueryParams, { ahead = false, signal }: QueryOptions): Promise<unknown[]> {
    const { queryTimeoutSeconds, queryMemoryBytes = 0 } = this.#limits;
    const query = `${sql}
      SETTINGS max_execution_time = ${queryTimeoutSeconds}, max_memory_usage = ${queryMemoryBytes},
        output_format_json_quote_64bit_integers = 0, output_format_json_quote_denormals = 0`;
    signal?.throwIfAborted();
    return this.#isRemote
      ? this.#rowsOfServer(query, params, { ahead, signal })
      : this.#rowsOfEngine(query, params, { ahead, signal });
  }

  /** The embedded engine is asked by another statement to end one, and takes some ms for it. */
  async #rowsOfEngine(
    query: string,
    params: QueryParams,
    { ahead = false, signal }: QueryOptions,
  ): Promise<unknown[]> {
    if (ahead) return this.#ask(query, params, undefined, this.#aheadClient);
    if (signal === undefined) return this.#ask(query, params);
    this.#count += 1;
    const name = `${this.#name} ${this.#count}`;
    let hasEnded = false;
    let killing: Promise<void> | undefined;
    const kill = async (): Promise<void> => {
      while (!hasEnded) {
        const statement = `KILL QUERY WHERE Settings['log_comment'] = '${name}' ASYNC`;
        await this.#aheadClient.command({ query: statement }).catch(() => {}); // then it runs to its end
        await delay(KILL_EVERY_MS);
      }
    };
    const abandon = (): void => {
      killing = kill();
    };
    signal.addEventListener('abort', abandon, { once: true });
    try {
      return await this.#ask(`${query}, log_comment = '${name}'`, params);
    } catch (error) {
      throw signal.aborted ? new QueryAbandoned('nobody waits for it', { cause: error }) : error;
    } finally {
      hasEnded = true;
      signal.removeEventListener('abort', abandon);
      await killing;
    }
  }

  async #rowsOfServer(
    query: string,
    params: QueryParams,
    { ahead = false, signal }: QueryOptions,
  ): Promise<unknown[]> {
    const read = new AbortController();
    const abandon = (): void => {
      read.abort(new QueryAbandoned('nobody waits for it'));
    };
    signal?.addEventListener('abort', abandon, { once: true });
    const deadline = setTimeout(
      () => {
        if (ahead) this.#giveUp();
        else read.abort(new QueryTimeout('ClickHouse has not answered'));
      },
      ahead ? AHEAD_MS : this.#limits.queryTimeoutSeconds * 1000 + WAY_MS,
    );
    this.#underWay.add(read);
    try {
      return await this.#ask(query, params, read.signal).catch(async (error: unknown) => {
        if (!isConnectionLost(error) || read.signal.aborted) throw error;
        return this.#ask(query, params, read.signal);
      });
    } catch (error) {
      throw read.signal.aborted ? read.signal.reason : error;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abandon);
      this.#underWay.delete(read);
    }
  }

  /** Something else than ClickHouse may answer at its address, and well: then nothing has been read or written. */
  checkOrigin(headers: ResponseHeaders): void {
    if (this.#isRemote && headers['x-clickhouse-query-id'] === undefined) {
      throw new StoreUnavailable('what answers at CLICKHOUSE_URL is not ClickHouse');
    }
  }

  async #ask(
    query: string,
    params: QueryParams,
    signal?: AbortSignal,
    client = this.#client,
  ): Promise<unknown[]> {
    signal?.throwIfAborted();
    const result = await client.query({
      query,
      query_params: params,
      format: 'JSONEachRow',
      ...(signal && { abort_signal: signal, clickhouse_settings: HTTP_SETTINGS }),
    });
    // The client watches the signal only until an answer begins.
    const close = (): void => {
      result.close();
    };
    signal?.addEventListener('abort', close, { once: true });
    try {
      this.checkOrigin(result.response_headers);
      return parsed(await result.text());
    } catch (error) {
      result.close(); // unread, it would keep its connection from others
      throw error;
    } finally {
      signal?.removeEventListener('abort', close);
    }
  }

  #giveUp(): void {
    const seconds = AHEAD_MS / 1000;
    for (const read of this.#underWay) {
      read.abort(new StoreUnavailable(`ClickHouse has not answered the shortest question for ${seconds} s`));
    }
  }
}

/** Rows as JSONEachRow has them: a line each, which ends. */
function parsed(text: string): unknown[] {
  if (text === '') return [];
  try {
    if (!text.endsWith('\n')) throw new SyntaxError('it is cut off');
    // A line break within a text is escaped.
    return JSON.parse(`[${text.slice(0, -1).replaceAll('\n', ',')}]`) as unknown[];
  } catch (error) {
    throw new StoreUnavailable('what ClickHouse answered is not rows', { cause: error });
  }
}
