import { addAbortSignal } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouseClient, ResponseHeaders } from '@clickhouse/client';
import { type Cluster, inCluster } from './cluster.js';
import {
  isConnectionLost,
  QueryAbandoned,
  QueryTimeout,
  serverError,
  StoreUnavailable,
} from '../store-errors.js';
import {
  collect,
  type QueryOrigin,
  type QueryParams,
  READ_SETTINGS,
  type ReadOptions,
  type Transport,
  withSettings,
} from './transport.js';

/** How much longer than the engine's own limit a response may be under way. */
const NETWORK_ALLOWANCE_MS = 2000;

/**
 * A short statement without a response by then has a server that does not answer: nothing else is waited for either, so
 * that clients are told, and ask again when the server is back.
 */
const AHEAD_TIMEOUT_MS = 3000;

/** Replicas that are up fetch the largest part of what a load reconciles, 256 MB, in that time; one that dies is waited for no longer. */
const QUORUM = { insert_quorum_timeout: 20_000 };

/** When a read is sent again whose connection broke: at once, and once more when a replica that was killed has restarted. */
const SENT_AGAIN_AFTER_MS = [0, 300];

/** A server, over HTTP. A read has a deadline, and is sent again when the connection breaks; a write is not. */
export class ServerTransport implements Transport {
  /** The server's own affair. */
  readonly queriesAtOnce = Infinity;
  insertQuorum = 1;
  readonly #client: ClickHouseClient;
  readonly #cluster: Cluster | undefined;
  readonly #reads = new Set<AbortController>();

  /** @param cluster over which the tables are spread, if they are */
  constructor(client: ClickHouseClient, cluster?: Cluster) {
    this.#client = client;
    this.#cluster = cluster;
  }

  get cluster(): string | undefined {
    return this.#cluster?.name;
  }

  async read(
    sql: string,
    params: QueryParams,
    { settings, timeoutMs, priority, signal, origin }: ReadOptions,
  ): Promise<Buffer> {
    const query = withSettings(sql, settings);
    const read = new AbortController();
    const abandon = (): void => {
      read.abort(new QueryAbandoned('nobody waits for it'));
    };
    const deadline = setTimeout(
      () => {
        if (priority === 'ahead') this.#giveUp();
        else read.abort(new QueryTimeout('ClickHouse has not answered'));
      },
      priority === 'ahead' ? AHEAD_TIMEOUT_MS : timeoutMs + NETWORK_ALLOWANCE_MS,
    );
    signal?.addEventListener('abort', abandon, { once: true });
    this.#reads.add(read);
    try {
      let sending = this.#send(query, params, read.signal, origin);
      for (const pauseMs of SENT_AGAIN_AFTER_MS) {
        sending = sending.catch(async (error: unknown) => {
          if (!isConnectionLost(error) || read.signal.aborted) throw error;
          await pause(pauseMs, undefined, { signal: read.signal });
          return this.#send(query, params, read.signal, origin);
        });
      }
      return await sending;
    } catch (error) {
      throw read.signal.aborted ? read.signal.reason : serverError(error);
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abandon);
      this.#reads.delete(read);
    }
  }

  async write(sql: string, params: QueryParams, data?: string): Promise<Buffer> {
    let response: Buffer = Buffer.alloc(0);
    try {
      for (const query of this.#cluster === undefined ? [sql] : inCluster(sql, this.#cluster)) {
        const { response_headers, stream } = await this.#client.exec({
          query,
          query_params: params,
          ...(this.insertQuorum > 1 && {
            clickhouse_settings: { ...QUORUM, insert_quorum: `${this.insertQuorum}` },
          }),
          ...(data === undefined ? {} : { values: data }),
        });
        response = await collect(stream);
        checkIsClickHouse(response_headers);
      }
      return response;
    } catch (error) {
      throw serverError(error);
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #send(sql: string, params: QueryParams, signal: AbortSignal, origin?: QueryOrigin): Promise<Buffer> {
    const { response_headers, stream } = await this.#client.exec({
      query: sql,
      query_params: params,
      abort_signal: signal,
      clickhouse_settings: { ...READ_SETTINGS, ...(origin && { log_comment: logComment(origin) }) },
      ...(origin?.trace && { http_headers: { traceparent: origin.trace.traceparent } }),
    });
    addAbortSignal(signal, stream); // the client listens to the signal only until a response begins
    try {
      checkIsClickHouse(response_headers);
      return await collect(stream);
    } finally {
      stream.destroy(); // unread, it would keep its connection from others
    }
  }

  #giveUp(): void {
    const seconds = AHEAD_TIMEOUT_MS / 1000;
    for (const read of this.#reads) {
      read.abort(new StoreUnavailable(`ClickHouse has not answered a ping for ${seconds} s`));
    }
  }
}

/** The request behind a query, for system.query_log (docs/operating.md); `v` changes with its meaning. */
function logComment({ transport, operation, keyId, requestId, trace }: QueryOrigin): string {
  const comment = { v: 1, transport, operation, key_id: keyId, request_id: requestId };
  return JSON.stringify({ ...comment, ...(trace && { trace_id: trace.trace_id }) });
}

/** Something else than ClickHouse may answer at its address, and well: then nothing has been read or written. */
function checkIsClickHouse(headers: ResponseHeaders): void {
  if (headers['x-clickhouse-query-id'] === undefined) {
    throw new StoreUnavailable('CLICKHOUSE_URL: the server there is not ClickHouse; check the address');
  }
}
