import type { ClientRateLimitInfo, Store } from 'express-rate-limit';

const MINUTE_MS = 60_000;

/** A minute of a key begins with its first request. */
interface Minute {
  requests: number;
  /** Unix ms. */
  endsAt: number;
}

/** The requests of each key in its present minute: express-rate-limit counts here, and so does the fast path beside Express. */
export class RequestCounter implements Store {
  readonly localKeys = true;
  /** By the name of the account. There are no more than keys. */
  readonly #minutes = new Map<string, Minute>();

  increment(name: string): ClientRateLimitInfo {
    let minute = this.#minutes.get(name);
    if (minute === undefined || minute.endsAt <= Date.now()) {
      minute = { requests: 0, endsAt: Date.now() + MINUTE_MS };
      this.#minutes.set(name, minute);
    }
    minute.requests += 1;
    return { totalHits: minute.requests, resetTime: new Date(minute.endsAt) };
  }

  decrement(name: string): void {
    const minute = this.#minutes.get(name);
    if (minute !== undefined) minute.requests -= 1;
  }

  resetKey(name: string): void {
    this.#minutes.delete(name);
  }

  /** Counts a request; undefined, and nothing is counted, if no minute is under way, or none of its requests is left. */
  take(name: string, limit: number): { requestsLeft: number; resetSeconds: number } | undefined {
    const minute = this.#minutes.get(name);
    const leftMs = (minute?.endsAt ?? 0) - Date.now();
    if (minute === undefined || leftMs <= 0 || minute.requests >= limit) return undefined;
    minute.requests += 1;
    return { requestsLeft: limit - minute.requests, resetSeconds: Math.ceil(leftMs / 1000) };
  }
}
