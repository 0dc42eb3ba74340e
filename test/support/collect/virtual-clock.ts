import type { Clock } from '../../../src/collect/clock.js';

/** A clock on which sleeping takes no time. */
export class VirtualClock implements Clock {
  /** How long it was asked to sleep, each time, ms. */
  readonly sleeps: number[] = [];

  constructor(
    public ms: number,
    private readonly onSleep: (until_ms: number) => void = () => {},
  ) {}

  readonly now = (): number => this.ms;

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    this.onSleep(this.ms + ms);
    signal.throwIfAborted();
    this.sleeps.push(ms);
    this.ms += Math.max(0, ms);
    await Promise.resolve();
  };
}
