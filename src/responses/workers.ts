import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type EndpointParams, MAX_CPU_MS } from '../api/endpoint.js';
import { ApiError } from '../api/errors/api-error.js';
import { Statement } from '../queries/sql.js';
import type { VersionName } from '../stations/versions.js';
import type { Version } from '../store/data-version.js';
import { QueryAbandoned, QueryTimeout, QueryTooLarge } from '../store/store-errors.js';
import { FairQueue } from '../store/queue.js';
import type { UnparsedRows } from '../store/rows.js';
import type { Priority } from '../store/store.js';
import type { RenderedResponse } from './render.js';

// Arithmetic that takes a processor for long runs in worker threads, and leaves this thread to HTTP. A worker runs an
// endpoint as it is; its statements come back here, where the engine and the limits of callers are.

export interface WorkerLimits {
  threads: number;
  /** Requests that may wait for a thread. With more, the last ones would wait longer than clients do. */
  waiting: number;
  /** The heap of each thread. */
  heapMb: number;
  /** How long a response may take, with its time in the queue. */
  maxMs: number;
}

const LIMITS: WorkerLimits = {
  threads: Math.max(1, availableParallelism() - 1), // one processor stays with HTTP
  waiting: 16,
  heapMb: 1024,
  maxMs: 2 * MAX_CPU_MS,
};

/**
 * Threads give way to that of HTTP (Linux). Beside a busy program on each processor one has 44% of a processor so, and would
 * have 10% with 10: a response of 2 s of work would be late.
 */
const NICE = 1;

/** An idle worker ends after so long, and gives its memory back. */
const IDLE_MS = 60_000;

/** One response to make. */
export interface Task {
  operationId: string;
  params: EndpointParams;
  version: Version;
  /** The version that the request names. */
  named: VersionName | undefined;
  /** The time of the request. */
  now: Date;
}

/** A statement of a worker, and its response: the bytes of its rows; undefined where it failed. */
export interface WorkerStatement {
  id: number;
  statement: Statement;
  priority: Priority | undefined;
}
export interface WorkerRows {
  id: number;
  bytes: ArrayBuffer | undefined;
}

/** A response that a worker has rendered; its body is an ArrayBuffer that is transferred. */
export interface WorkerResponse extends Omit<RenderedResponse, 'body'> {
  body: ArrayBuffer;
  workMs: number;
}

/** An error of a request that only the data can tell. */
export interface WorkerError {
  error: Pick<ApiError, 'code' | 'message' | 'details'>;
}

/** For whom a worker works. */
export interface WorkFor {
  name: string;
  /** Aborts when nobody waits for the response any more. */
  signal: AbortSignal;
  read: (statement: Statement, priority?: Priority) => Promise<UnparsedRows>;
  /** Told how long a worker has worked, whether or not there is a response. */
  charge: (workMs: number) => void;
}

/** The worker threads of a server. */
export class Workers {
  readonly #limits: WorkerLimits;
  readonly #queue: FairQueue;
  #pool: Piscina<Task & { port: MessagePort }, WorkerResponse | WorkerError> | undefined;

  /**
   * @param file what a worker runs: a module whose default makes a WorkerResponse of a task and its port.
   * @param onError receives the error of a worker that ends without a task, such as one that cannot start
   */
  constructor(
    private readonly file: URL,
    private readonly onError: (error: unknown) => void,
    limits: Partial<WorkerLimits> = {},
  ) {
    this.#limits = { ...LIMITS, ...limits };
    this.#queue = new FairQueue({ places: this.#limits.threads, maxWaiting: this.#limits.waiting });
  }

  /**
   * Renders a response in a worker. A worker that nobody waits for any more is ended.
   * @throws StoreOverloaded, QueryAbandoned, QueryTimeout, QueryTooLarge, ApiError, and what statements throw
   */
  run(task: Task, asker: WorkFor): Promise<RenderedResponse> {
    const { name, signal } = asker;
    const { maxMs } = this.#limits;
    const deadline = performance.now() + maxMs; // the wait counts: a client is promised the time of both together
    return this.#queue.run(() => this.#run(task, asker, deadline), { name, signal, waitMs: maxMs });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  async #run(
    task: Task,
    { signal: gone, read, charge }: WorkFor,
    deadline: number,
  ): Promise<RenderedResponse> {
    const { threads, heapMb, maxMs } = this.#limits;
    this.#pool ??= new Piscina({
      filename: this.file.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    }).on('error', this.onError); // without a listener it would end the process
    const time = AbortSignal.timeout(Math.max(0, Math.round(deadline - performance.now())));
    const signal = AbortSignal.any([gone, time]);
    const { port1, port2 } = new MessageChannel();
    const began = performance.now();
    let workMs: number | undefined;
    let failure: Error | undefined;
    port1.on('message', ({ id, statement, priority }: WorkerStatement) => {
      const { text, params, settings } = statement; // its class stays behind
      read(new Statement(text, params, { ...settings, max_threads: threads }), priority).then(
        ({ bytes: { buffer, byteOffset, byteLength } }) => {
          // The engine's own memory cannot be given away.
          const bytes = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
          port1.postMessage({ id, bytes } satisfies WorkerRows, [bytes]);
        },
        (error: Error) => {
          failure ??= error;
          port1.postMessage({ id, bytes: undefined } satisfies WorkerRows);
        },
      );
    });
    try {
      const response = await this.#pool.run({ ...task, port: port2 }, { transferList: [port2], signal });
      if ('error' in response)
        throw new ApiError(response.error.code, response.error.message, response.error.details);
      const { headers, body, verified } = response;
      workMs = response.workMs;
      return { headers, body: Buffer.from(body), verified };
    } catch (error) {
      if (gone.aborted) throw new QueryAbandoned('nobody waits for it', { cause: error });
      if (failure !== undefined) throw failure;
      if (time.aborted) throw new QueryTimeout(`a response has taken ${maxMs} ms`, { cause: error });
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new QueryTooLarge(`a response needs more than ${heapMb} MB`, { cause: error });
      throw error;
    } finally {
      charge(workMs ?? performance.now() - began);
      port1.close();
    }
  }
}
