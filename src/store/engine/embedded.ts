import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { QueryAbandoned, storeError } from '../errors.js';
import { collect, type QueryParams, type ReadOptions, type Transport } from './transport.js';

// A query may not have begun yet when it is given up, as the engine runs bound statements one by one: so it is killed
// again and again until it has ended.
const KILL_EVERY_MS = 100;

/** The engine in this process. Its answers come whole, and nothing can be lost on the way. */
export class EmbeddedTransport implements Transport {
  readonly #client: ClickHouseClient;
  readonly #aheadClient: ClickHouseClient;
  readonly #name = randomUUID();
  #count = 0;

  /** @param aheadClient a second connection, for what waits for no other: one connection runs one statement at a time */
  constructor(client: ClickHouseClient, aheadClient: ClickHouseClient) {
    this.#client = client;
    this.#aheadClient = aheadClient;
  }

  /** Another statement ends this one when it is given up, which takes the engine some ms; aborting the client does not. */
  async read(sql: string, params: QueryParams, { ahead = false, signal }: ReadOptions): Promise<Buffer> {
    if (ahead) return execute(this.#aheadClient, sql, params);
    if (signal === undefined) return execute(this.#client, sql, params);
    this.#count += 1;
    const name = `${this.#name} ${this.#count}`;
    let hasEnded = false;
    let killing: Promise<void> | undefined;
    const kill = async (): Promise<void> => {
      while (!hasEnded) {
        const statement = `KILL QUERY WHERE Settings['log_comment'] = '${name}' ASYNC`;
        await this.#aheadClient.command({ query: statement }).catch(() => {}); // then the query runs to its end
        await delay(KILL_EVERY_MS);
      }
    };
    const abandon = (): void => {
      killing = kill();
    };
    signal.addEventListener('abort', abandon, { once: true });
    try {
      return await execute(this.#client, `${sql}, log_comment = '${name}'`, params);
    } catch (error) {
      throw signal.aborted ? new QueryAbandoned('nobody waits for it', { cause: error }) : error;
    } finally {
      hasEnded = true;
      signal.removeEventListener('abort', abandon);
      await killing;
    }
  }

  async write(sql: string, params: QueryParams, data?: string): Promise<Buffer> {
    return execute(this.#client, sql, params, data);
  }

  async command(sql: string, params: QueryParams): Promise<void> {
    await execute(this.#client, sql, params);
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#aheadClient.close()]);
  }
}

async function execute(
  client: ClickHouseClient,
  sql: string,
  params: QueryParams,
  data?: string,
): Promise<Buffer> {
  try {
    const { stream } = await client.exec({
      query: sql,
      query_params: params,
      ...(data === undefined ? {} : { values: data }),
    });
    return await collect(stream);
  } catch (error) {
    throw storeError(error);
  }
}
