import type PQueue from 'p-queue';
import { QueryAbandoned, StoreOverloaded } from './errors.js';

/** For how long, and for whom, something waits for its turn. */
export interface Patience {
  waitMs?: number;
  /** Whoever asked has gone. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs work when it is its turn. It leaves the queue when its time is up or nobody waits for it; once it runs, it keeps its
 * place until it has come to its end.
 * @throws StoreOverloaded, QueryAbandoned
 */
export async function takeTurn<Result>(
  queue: PQueue,
  work: () => Promise<Result>,
  { waitMs, signal }: Patience,
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
