import type { KeyRecord } from './keys.js';

/** The limits of a key in a minute; 0 is no limit. */
export interface Limits {
  /** Requests. */
  rateLimitPerMinute: number;
  /** Rows that the engine reads for it. */
  rowsPerMinute: number;
}

/** The limits of a key: its own or else those of the server. */
export const limitsOf = (record: KeyRecord, server: Limits): Limits => ({
  rateLimitPerMinute: record.rate_limit_per_minute ?? server.rateLimitPerMinute,
  rowsPerMinute: record.rows_per_minute ?? server.rowsPerMinute,
});
