import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Caller, RequestScope } from '../api/caller.js';
import type { Endpoint, EndpointParams, Sources } from '../api/endpoint.js';
import type { Metrics, ResponseSource } from '../observe/metrics.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { Priority, QueryOptions, Store } from '../store/store.js';
import type { WorkFor, Workers } from './workers.js';
import type { ComputedSource, ResponseCache } from './cache.js';
import { type ResponseCost, render, type RenderedResponse } from './render.js';
import { type ResolvedRequest, Resolver, type ResolverDependencies } from './resolver.js';

const compress = promisify(gzip);

/** A shorter body fits one packet anyway. */
const MIN_GZIP_BYTES = 1400;

// Rows of uncacheable responses: of this version of the data and of the one before.
const MAX_CACHED_STATEMENTS = 10;

/** Arithmetic that takes no longer is done in this thread: a worker costs a request some milliseconds. */
export const LONG_WORK_MS = 30;

/** Rows that a caller is charged for a millisecond in a worker: the engine reads about as many in one. */
export const ROWS_PER_WORK_MS = 10_000;

/** A response as it is cached. */
export interface CachedResponse extends RenderedResponse {
  cacheKey: string;
  /** Its generated_at, Unix ms. */
  generatedMs: number;
}

export interface EndpointHandlerDependencies extends ResolverDependencies {
  store: Pick<Store, 'query' | 'queryUnparsed'>;
  workers: Pick<Workers, 'run'>;
  dataVersion: Pick<DataVersion, 'current'>;
  responses: ResponseCache<CachedResponse>;
  metrics: Pick<Metrics, 'countResponse' | 'measureQuery'>;
  clock: () => Date;
  /** The path under which clients know the service; blank at the root. */
  basePath?: string;
}

type Resolved = ResolvedRequest<EndpointParams>;

/** The responses of one endpoint, for every transport: from a request to its meaning, and to a cached response. */
export class EndpointHandler {
  readonly clock: () => Date;
  readonly resolver: Resolver<EndpointParams>;
  readonly #rows: CachedRows = new LRUCache({ max: MAX_CACHED_STATEMENTS });

  constructor(
    readonly endpoint: Endpoint,
    private readonly dependencies: EndpointHandlerDependencies,
  ) {
    this.clock = dependencies.clock;
    this.resolver = new Resolver(endpoint, dependencies);
  }

  /** The cached response; undefined where it has to be computed, or compressed, first. */
  get({ key }: Resolved, isGzip = false): CachedResponse | undefined {
    return this.#find(key, isGzip).cached;
  }

  /** The cached response as it can be sent, and the plain one. */
  #find(key: string, isGzip: boolean): Record<'cached' | 'plain', CachedResponse | undefined> {
    const { responses } = this.dependencies;
    const plain = responses.get(key);
    if (!isGzip) return { cached: plain, plain };
    return { cached: responses.get(gzipKey(key)) ?? (plain && isLong(plain) ? undefined : plain), plain };
  }

  /**
   * Returns the cached response, or computes it. Concurrent identical requests share the work; the first one is charged.
   * @throws ApiError when the caller has no rows left
   */
  async getOrCompute(
    resolved: Resolved,
    now: Date,
    scope: RequestScope,
    isGzip = false,
  ): Promise<{ response: CachedResponse; source: ComputedSource; cost: ResponseCost }> {
    scope.signal.throwIfAborted(); // the client left while the version was read
    const { key } = resolved;
    const { caller } = scope;
    const { responses } = this.dependencies;
    const isUncacheable = this.endpoint.isUncacheable === true;
    const cost: ResponseCost = { storeMs: 0, rows: 0 };
    const compute = (signal: AbortSignal) => this.#compute(resolved, now, { ...scope, signal }, cost);
    const { cached, plain: known } = this.#find(key, isGzip);
    let plain = cached ?? known;
    let source: ComputedSource = 'hit';
    if (plain === undefined && isUncacheable) {
      // Its time is no part of the key: neither the key nor the tag tells one response from the next.
      plain = await compute(scope.signal);
      source = 'miss';
    } else if (plain === undefined) {
      caller.requireRows();
      const work = (signal: AbortSignal) => caller.reading(() => compute(signal));
      ({ response: plain, source } = await responses.compute(key, work, scope.signal));
    }
    this.countSource(source, caller);
    if (!isGzip || isUncacheable || !isLong(plain) || plain === cached)
      return { response: plain, source, cost };
    const cacheKey = gzipKey(key);
    const whole = plain;
    const { response } = await responses.compute(cacheKey, () => compressResponse(whole, cacheKey));
    return { response, source, cost };
  }

  /** Counts where a response came from, for the metrics and in the usage of its caller. */
  countSource(source: ResponseSource, caller: Caller): void {
    this.dependencies.metrics.countResponse(source);
    caller.countResponse(source !== 'miss');
  }

  async #compute(
    { parameters, version, params, key }: Resolved,
    now: Date,
    scope: RequestScope,
    cost: ResponseCost,
  ): Promise<CachedResponse> {
    const { endpoint } = this;
    const { store, workers, basePath = '' } = this.dependencies;
    const { caller, signal } = scope;
    const run = this.#statementRunner(params, scope, cost);
    const query: Sources['query'] = (rows, priority) =>
      run((options) => store.query(rows, options), priority);
    const directory = await this.dependencies.directory.at(version, parameters.asOf);
    const own = { cacheKey: key, generatedMs: now.getTime() };
    const estimatedCpuMs = endpoint.estimatedCpuMs?.(params, directory) ?? 0;
    if (estimatedCpuMs > LONG_WORK_MS) {
      const read: WorkFor['read'] = (statement, priority) =>
        run((options) => store.queryUnparsed(statement, options), priority);
      const charge = (workMs: number): void => {
        cost.workMs = (cost.workMs ?? 0) + workMs;
        caller.chargeRows(Math.ceil(workMs * ROWS_PER_WORK_MS));
      };
      const { operationId } = endpoint;
      const task = { operationId, params, version, named: parameters.asOf, now };
      return { ...(await workers.run(task, { name: caller.name, signal, read, charge })), ...own };
    }
    const sources: Sources = {
      directory,
      now,
      caller,
      basePath,
      query: endpoint.isUncacheable === true ? cacheRows(query, this.#rows, version) : query,
    };
    return { ...(await render(endpoint, params, sources, version)), ...own };
  }

  /** A function that runs the statements of a response. @param cost to which theirs is added */
  #statementRunner(
    { asOf }: EndpointParams,
    { caller, signal, findOrigin }: RequestScope,
    cost: ResponseCost,
  ) {
    const { metrics } = this.dependencies;
    const { operationId, isUncacheable } = this.endpoint;
    const reader = {
      name: caller.name,
      chargeRows: (rows: number): void => {
        cost.rows += rows;
        caller.chargeRows(rows);
      },
    };
    const options = {
      reader,
      origin: findOrigin(operationId),
      ...(isUncacheable !== true && { signal }),
    };
    // The ledger, which a past version is read from, takes longer than a histogram.
    const usual = asOf === undefined ? 'short' : 'long';
    return async <Result>(
      statement: (options: QueryOptions) => Promise<Result>,
      priority: Priority = usual,
    ): Promise<Result> => {
      if (isUncacheable === true) caller.requireRows(); // a cacheable one has required them already
      const started = performance.now();
      try {
        return await statement({ priority, ...options });
      } finally {
        const elapsedMs = performance.now() - started;
        cost.storeMs += elapsedMs;
        metrics.measureQuery(operationId, elapsedMs / 1000);
      }
    };
  }
}

const gzipKey = (key: string): string => `${key} gzip`;

const isLong = ({ body }: RenderedResponse): boolean => body.length >= MIN_GZIP_BYTES;

/** The response as gzip, compressed off the main thread. */
async function compressResponse(response: CachedResponse, cacheKey: string): Promise<CachedResponse> {
  const headers = { ...response.headers, 'Content-Encoding': 'gzip' };
  const compressed = await compress(response.body);
  const body = Buffer.from(new Uint8Array(compressed).buffer); // a copy: zlib's own piece holds 16 kB in memory
  return { ...response, headers, cacheKey, body };
}

/** The rows of statements, by version, text and values. */
type CachedRows = LRUCache<string, Promise<unknown[]>>;

/**
 * Caches rows by data version. Only the rendering of an uncacheable response depends on the time of the request. The rows are for
 * others as well, so no client that leaves ends their statement.
 */
function cacheRows(query: Sources['query'], cachedRows: CachedRows, { key }: Version): Sources['query'] {
  return (rows, priority) => {
    const { text, params } = rows.statement;
    const name = JSON.stringify([key, text, params]);
    const found = cachedRows.get(name) ?? query(rows, priority);
    cachedRows.set(name, found);
    found.catch(() => cachedRows.delete(name));
    return found as Promise<never[]>; // those of this statement, which has read them by its schema
  };
}
