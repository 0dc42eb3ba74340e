import { setTimeout } from 'node:timers/promises';

/** Time, as hosts and schedules see it. */
export interface Clock {
  /** Unix ms. */
  now: () => number;
  /** @throws the reason of the signal */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The longest that a timer of Node takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const CLOCK: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    signal.throwIfAborted();
    await setTimeout(Math.min(Math.max(0, ms), LONGEST_TIMER_MS), undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  },
};
