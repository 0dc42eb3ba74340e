import { LRUCache } from 'lru-cache';
import type { Caller, Usage, UsageOfDay } from '../api/caller.js';
import { ApiError } from '../api/errors/api-error.js';
import type { KeyRecord } from './keys.js';
import type { Limits } from './limits.js';

/** Days that an account remembers. */
const DAYS = 30;

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** The accounts of all that have asked, in the memory of this server. */
export class Accounts {
  /** @param subject how messages name whose an account is @param streams of events at a time, unless a limit says otherwise */
  constructor(
    private readonly clock: () => Date,
    private readonly subject = 'This key',
    private readonly streams = 5,
    private readonly accounts: Map<string, Account> | LRUCache<string, Account> = new Map<string, Account>(),
  ) {}

  /** The account of a key, or of what stands for one, under the limits in force. */
  of({ id, name }: Pick<KeyRecord, 'id' | 'name'>, limits: Limits): Account {
    const account = this.accounts.get(id) ?? new Account(id, this.clock, this.subject, this.streams);
    this.accounts.set(id, account);
    account.keyName = name;
    account.limits = limits;
    return account;
  }
}

/** Addresses that have an account, and how long one has it that does not ask again. */
const MAX_ADDRESSES = 10_000;
const ADDRESS_MS = 60 * MINUTE_MS;

/** The accounts of addresses that ask without a key (D60). */
export function addressAccounts(clock: () => Date): Accounts {
  const time = { ttl: ADDRESS_MS, ttlResolution: 0, perf: { now: () => clock().getTime() } };
  return new Accounts(clock, 'This address', 2, new LRUCache({ max: MAX_ADDRESSES, ...time }));
}

/** The usage of a key, and the rows that it may still read. */
export class Account implements Caller {
  keyName = '';
  limits: Limits = { rateLimitPerMinute: 0, rowsPerMinute: 0 };
  /** Requests left in the current minute, after the last request. */
  requestsLeft: number | undefined;
  readonly #since: string;
  /** By day since 1970, UTC. */
  readonly #days = new Map<number, UsageOfDay>();
  /** Rows that were read and are not made up for yet; a minute makes up for as many as the limit. */
  #rows = 0;
  #rowsAt = 0;
  /** Rows of the dearest query of late, which the next request may cost as well; unknown before the first. */
  #dearest = Infinity;
  readonly #underWay = new Set<Promise<void>>();

  /** @param name the id of the key, or of what stands for one */
  constructor(
    readonly name: string,
    private readonly clock: () => Date,
    private readonly subject: string,
    private readonly streams: number,
  ) {
    this.#since = clock().toISOString();
  }

  requested(): void {
    this.#today.requests += 1;
  }

  refused(): void {
    this.#today.rate_limited += 1;
  }

  countResponse(isKept: boolean): void {
    this.#today.responses += 1;
    if (isKept) this.#today.responses_cached += 1;
  }

  chargeRows(rows: number): void {
    this.#today.rows_read += rows;
    if (this.limits.rowsPerMinute === 0) return;
    this.#rows = this.#rowsNow() + rows;
    this.#dearest = this.#dearest === Infinity ? rows : Math.max(rows, this.#dearest * 0.9);
  }

  async reading<Result>(work: () => Promise<Result>): Promise<Result> {
    // Rows are known when they have been read: of requests at once, all but one would go beyond the limit unseen.
    while (this.#underWay.size > 0 && this.#mayGoBeyond()) await Promise.race(this.#underWay);
    this.requireRows();
    const reading = work();
    const ended = reading.then(
      () => {},
      () => {},
    );
    this.#underWay.add(ended);
    return reading.finally(() => this.#underWay.delete(ended));
  }

  get hasRows(): boolean {
    const { rowsPerMinute } = this.limits;
    return rowsPerMinute === 0 || this.#rowsNow() < rowsPerMinute;
  }

  get maxStreams(): number {
    return this.limits.eventStreams ?? this.streams;
  }

  requireRows(): void {
    if (this.hasRows) return;
    const { rowsPerMinute } = this.limits;
    const rows = this.#rowsNow();
    this.refused();
    const seconds = Math.ceil(((rows - rowsPerMinute + 1) / rowsPerMinute) * (MINUTE_MS / 1000));
    throw new ApiError(
      'RATE_LIMITED',
      `${this.subject} has read ${Math.ceil(rows)} rows, and may read ${rowsPerMinute} a minute: wait ${seconds} s. A shorter ` +
        'window costs less, an export costs a row for each pair, and a response that is kept costs nothing',
      undefined,
      seconds,
    );
  }

  usage(): Usage {
    const { rateLimitPerMinute, rowsPerMinute } = this.limits;
    return {
      key_id: this.name,
      key_name: this.keyName,
      counted_since: this.#since,
      requests_per_minute: rateLimitPerMinute || null,
      requests_left: rateLimitPerMinute === 0 ? null : (this.requestsLeft ?? rateLimitPerMinute),
      rows_per_minute: rowsPerMinute || null,
      rows_left: rowsPerMinute === 0 ? null : Math.max(0, Math.floor(rowsPerMinute - this.#rowsNow())),
      days: [...this.#days.values()].reverse(),
    };
  }

  /** Whether what is under way and one more may take this key over its limit. */
  #mayGoBeyond(): boolean {
    const { rowsPerMinute } = this.limits;
    return rowsPerMinute > 0 && this.#rowsNow() + (this.#underWay.size + 1) * this.#dearest > rowsPerMinute;
  }

  #rowsNow(): number {
    const now = this.clock().getTime();
    const madeUpFor = (Math.max(0, now - this.#rowsAt) / MINUTE_MS) * this.limits.rowsPerMinute;
    this.#rows = Math.max(0, this.#rows - madeUpFor);
    this.#rowsAt = now;
    return this.#rows;
  }

  get #today(): UsageOfDay {
    const now = this.clock();
    const day = Math.floor(now.getTime() / DAY_MS);
    let today = this.#days.get(day);
    if (today === undefined) {
      const date = now.toISOString().slice(0, 10);
      today = { date, requests: 0, rate_limited: 0, responses: 0, responses_cached: 0, rows_read: 0 };
      this.#days.set(day, today);
      const [oldest = day] = this.#days.keys();
      if (this.#days.size > DAYS) this.#days.delete(oldest);
    }
    return today;
  }
}
