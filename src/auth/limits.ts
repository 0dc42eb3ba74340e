import type { KeyRecord } from './keys.js';

/** The limits of a key, of most in a minute; 0 is no limit. */
export interface Limits {
  /** Requests. */
  rateLimitPerMinute: number;
  /** Rows that the engine reads for it. */
  rowsPerMinute: number;
  /** Streams of events at a time, of which the oldest gives way; by default 5, and 2 of an address without a key. */
  eventStreams?: number | undefined;
}

/** The limits of a key: its own or else those of the server. */
export const getLimits = (record: KeyRecord, server: Limits): Limits => ({
  rateLimitPerMinute: record.rate_limit_per_minute ?? server.rateLimitPerMinute,
  rowsPerMinute: record.rows_per_minute ?? server.rowsPerMinute,
  eventStreams: record.event_streams,
});
