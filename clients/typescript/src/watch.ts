import { ForecastAccuracyError } from './errors.js';

/** Ends what waits for a service: when a caller aborts, and when the service says nothing for a time. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #signals: readonly AbortSignal[];
  #isKept = false;

  constructor(timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) {
    this.#timeoutMs = timeoutMs;
    this.#signals = signals.filter((signal) => signal !== undefined);
    for (const signal of this.#signals) {
      signal.addEventListener('abort', this.#abort);
      if (signal.aborted) this.#abort();
    }
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#signals.find(({ aborted }) => aborted)?.reason);
  };

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws ForecastAccuracyError when it fails or takes too long, or the reason of an abort */
  async during<Result>(waiting: Promise<Result>): Promise<Result> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#controller.abort();
    }, this.#timeoutMs);
    try {
      return await waiting;
    } catch (cause) {
      for (const signal of this.#signals) signal.throwIfAborted();
      const message = isLate ? `no response for ${this.#timeoutMs} ms` : `no connection: ${String(cause)}`;
      throw new ForecastAccuracyError(message, { code: isLate ? 'TIMEOUT' : 'NO_CONNECTION', cause });
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws the reason of an abort */
  async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
      if (this.signal.aborted) resolve();
    });
    for (const signal of this.#signals) signal.throwIfAborted();
  }

  /** The same watch, whose next end() is not the end: what it watches goes on. */
  kept(): this {
    this.#isKept = true;
    return this;
  }

  /** Lets go of the signals. */
  end(): void {
    if (!this.#isKept) for (const signal of this.#signals) signal.removeEventListener('abort', this.#abort);
    this.#isKept = false;
  }
}
