import type PQueue from 'p-queue';
import { QueryAbandoned, StoreOverloaded } from './errors.js';

/** How long something waits for its turn, and for whom. */
export interface Waiting {
  /** Without it, as long as it takes. */
  waitMs?: number;
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs work in a queue. It leaves the queue when its time is up or nobody waits for it; once it runs, it keeps its place
 * until it has ended.
 * @throws StoreOverloaded, QueryAbandoned
 */
export async function runInQueue<Result>(
  queue: PQueue,
  work: () => Promise<Result>,
  { waitMs, signal }: Waiting,
): Promise<Result> {
  const waiting = new AbortController();
  const leave = (): void => {
    waiting.abort(new QueryAbandoned('nobody waits for it'));
  };
  if (signal?.aborted === true) leave();
  signal?.addEventListener('abort', leave, { once: true });
  const timer =
    waitMs === undefined
      ? undefined
      : setTimeout(() => {
          waiting.abort(new StoreOverloaded(`a query has waited for ${waitMs} ms`));
        }, waitMs);
  const stopWaiting = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  };
  try {
    return await queue.add(
      () => {
        stopWaiting();
        return work();
      },
      { signal: waiting.signal },
    );
  } finally {
    stopWaiting();
  }
}
