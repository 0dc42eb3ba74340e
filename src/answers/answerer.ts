import { LRUCache } from 'lru-cache';
import type { Caller, RequestScope } from '../api/caller.js';
import type { Endpoint, EndpointQuestion, Sources } from '../api/endpoint.js';
import type { RequestText } from '../api/groups.js';
import type { AnswerSource, Metrics } from '../observe/metrics.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { Priority, QueryOptions, Store } from '../store/store.js';
import type { WorkFor, Workers } from '../workers.js';
import { type CachedAnswer, type Cost, make } from './body.js';
import type { AnswerCache } from './cache.js';
import { compressed } from './compression.js';
import { type ResolvedQuestion, Resolver, type ResolverDependencies } from './resolver.js';

// A momentary answer keeps its statements of this version of the data and of the one before.
const MAX_KEPT_STATEMENTS = 10;

/** Arithmetic that takes no longer is done in this thread: a worker costs a question some milliseconds. */
const LONG_WORK_MS = 50;

/** Rows that a caller is charged for a millisecond in a worker: the engine reads about as many in one. */
export const ROWS_PER_WORK_MS = 10_000;

export interface AnswererDependencies extends ResolverDependencies {
  store: Pick<Store, 'query' | 'queryUnparsed'>;
  workers: Pick<Workers, 'make'>;
  dataVersion: Pick<DataVersion, 'current'>;
  answers: AnswerCache<CachedAnswer>;
  metrics: Pick<Metrics, 'countAnswer' | 'measureQuery'>;
  clock: () => Date;
  /** The path under which clients know the service; blank at the root. */
  basePath?: string;
}

type Resolved = ResolvedQuestion<EndpointQuestion>;

/**
 * The answers of one endpoint, the same behind any surface: what a question means, the answers that are kept, and the
 * one query that equal questions share.
 */
export class Answerer {
  readonly #resolver: Resolver<EndpointQuestion>;
  readonly #rows: KeptRows = new LRUCache({ max: MAX_KEPT_STATEMENTS });

  constructor(
    readonly endpoint: Endpoint,
    private readonly dependencies: AnswererDependencies,
  ) {
    this.#resolver = new Resolver(endpoint, dependencies);
  }

  get clock(): () => Date {
    return this.dependencies.clock;
  }

  /** @throws as Resolver.resolve() does */
  resolve(request: RequestText): Promise<Resolved> {
    return this.#resolver.resolve(request);
  }

  /** The answer that is kept; compressed, where that is asked for and kept. One that is momentary never is. */
  find({ key }: Resolved, isCompressed = false): CachedAnswer | undefined {
    const { answers } = this.dependencies;
    return (isCompressed ? answers.find(compressedKey(key)) : undefined) ?? answers.find(key);
  }

  /** Under which key an answer is kept. */
  keptKey({ key }: Resolved, { headers }: CachedAnswer): string {
    return headers['Content-Encoding'] === undefined ? key : compressedKey(key);
  }

  /** An answer as gzip, kept beside the plain one; the answer itself where that is short, or compressed already. */
  async compress({ key }: Resolved, answer: CachedAnswer): Promise<CachedAnswer> {
    const making = compressed(answer);
    if (making === undefined) return answer;
    return (await this.dependencies.answers.ask(compressedKey(key), making)).answer;
  }

  /**
   * An answer that is not kept; equal questions that arrive meanwhile wait for the same work, for which the first one pays.
   * @param cost to which the price of what is done for this caller is added
   * @throws ApiError when the caller has no rows left
   */
  async ask(
    resolved: Resolved,
    now: Date,
    scope: RequestScope,
    cost: Cost = { storeMs: 0, rows: 0 },
  ): Promise<CachedAnswer> {
    const { caller, signal } = scope;
    // Its moment is no part of the key: neither the key nor the tag could tell one answer from the next.
    if (this.endpoint.isMomentary === true) {
      const answer = await this.#make(resolved, now, scope, cost);
      this.count('store', caller);
      return answer;
    }
    caller.requireRows();
    const { answer, shared } = await this.dependencies.answers.ask(
      resolved.key,
      (signal) => caller.reading(() => this.#make(resolved, now, { ...scope, signal }, cost)),
      signal,
    );
    this.count(shared ? 'shared' : 'store', caller);
    return answer;
  }

  /** Notes where an answer came from; one that the store did not give costs its caller nothing. */
  count(source: AnswerSource, caller: Caller): void {
    this.dependencies.metrics.countAnswer(source);
    caller.answered(source !== 'store');
  }

  async #make(
    { parameters, version, question }: Resolved,
    now: Date,
    scope: RequestScope,
    cost: Cost,
  ): Promise<CachedAnswer> {
    const { endpoint } = this;
    const { store, directory, workers, basePath = '' } = this.dependencies;
    const { caller, signal } = scope;
    const run = this.#runnerOf(question, scope, cost);
    const query: Sources['query'] = (rows, priority) =>
      run((options) => store.query(rows, options), priority);
    const read: WorkFor['read'] = (statement, priority) =>
      run((options) => store.queryUnparsed(statement, options), priority);
    const sources: Sources = {
      directory: await directory.at(version, parameters.asOf),
      now,
      caller,
      basePath,
      query: endpoint.isMomentary === true ? keeping(query, this.#rows, version) : query,
    };
    const charge = (workMs: number): void => {
      cost.workMs = (cost.workMs ?? 0) + workMs;
      caller.chargeRows(Math.ceil(workMs * ROWS_PER_WORK_MS));
    };
    const work = { operationId: endpoint.operationId, version, named: parameters.asOf };
    const workMs = endpoint.workMs?.(question, sources.directory) ?? 0;
    const answer =
      workMs <= LONG_WORK_MS
        ? await make(endpoint, question, sources, version)
        : await workers.make({ ...work, question }, { name: caller.name, signal, read, charge });
    return { ...answer, bytes: answer.body.bytes };
  }

  /** A function that runs the statements of an answer. @param cost to which theirs is added */
  #runnerOf({ asOf }: EndpointQuestion, { caller, signal, originOf }: RequestScope, cost: Cost) {
    const { metrics } = this.dependencies;
    const { operationId, isMomentary } = this.endpoint;
    const reader = {
      name: caller.name,
      chargeRows: (rows: number): void => {
        cost.rows += rows;
        caller.chargeRows(rows);
      },
    };
    const options = {
      reader,
      origin: originOf(operationId),
      ...(isMomentary !== true && { signal }),
    };
    // The ledger, which a past version is read from, takes longer than a histogram.
    const usual = asOf === undefined ? 'short' : 'long';
    return async <Result>(
      statement: (options: QueryOptions) => Promise<Result>,
      priority: Priority = usual,
    ): Promise<Result> => {
      if (isMomentary === true) caller.requireRows(); // what is kept has asked before, also for those who share it
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

const compressedKey = (key: string): string => `${key} gzip`;

/** The rows of statements, by version, text and values. */
type KeptRows = LRUCache<string, Promise<unknown[]>>;

/**
 * The same rows as long as the version is: only what a momentary answer makes of them depends on the moment. They are for
 * others as well, so no reader that leaves ends their statement.
 */
function keeping(query: Sources['query'], kept: KeptRows, { key }: Version): Sources['query'] {
  return (rows, priority) => {
    const { text, params } = rows.statement;
    const name = JSON.stringify([key, text, params]);
    const found = kept.get(name) ?? query(rows, priority);
    kept.set(name, found);
    found.catch(() => kept.delete(name));
    return found as Promise<never[]>; // those of this statement, which has read them by its schema
  };
}
