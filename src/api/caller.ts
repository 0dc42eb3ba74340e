import type { QueryOrigin, Reader } from '../store/store.js';

/** The usage of a key on one day. */
export interface UsageOfDay {
  /** UTC. */
  date: string;
  requests: number;
  /** Requests that were refused with 429. */
  rate_limited: number;
  /** Responses, and those of them that read nothing. */
  responses: number;
  responses_cached: number;
  rows_read: number;
}

/** The usage of a key since the server started, and its limits. */
export interface Usage {
  key_id: string;
  key_name: string;
  /** When this server began to count. */
  counted_since: string;
  /** Limits in force and what is left of them; null without a limit. */
  requests_per_minute: number | null;
  requests_left: number | null;
  rows_per_minute: number | null;
  rows_left: number | null;
  /** The latest days with a request, the newest first. */
  days: UsageOfDay[];
}

/** The client of a request, which pays for the rows that it reads. */
export interface Caller extends Reader {
  /** The limit of requests in force; 0 for no limit. */
  readonly limits: { readonly rateLimitPerMinute: number };
  /** Whether the caller may read more rows now. */
  readonly hasRows: boolean;
  /** Streams of events that the caller may have open at a time; 0 is no limit. */
  readonly maxStreams: number;
  /** @throws ApiError when the caller has no rows left */
  requireRows(): void;
  /**
   * Runs the work of a request; one that may take the caller over its limit waits until no other of it is under way.
   * @throws ApiError when the caller has no rows left by then
   */
  reading<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Counts a response. @param isKept it read nothing for this caller */
  countResponse(isKept: boolean): void;
  usage(): Usage;
}

/** The client of a request, and how long its response is awaited. */
export interface RequestScope {
  caller: Caller;
  /** Aborts when nobody waits for the response any more. */
  signal: AbortSignal;
  /** The request as the queries of an operation are noted. */
  findOrigin: (operation: string) => QueryOrigin;
}
