import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { OperatorFault } from '../operator-fault.js';
import { type KeyRecord, MAX_RATE_LIMIT, MAX_ROWS_LIMIT } from './keys.js';
import { WatchedFile } from './watched-file.js';

/** What a key may do in a minute; 0 is no limit. */
export interface Limits {
  /** Requests. */
  rateLimitPerMinute: number;
  /** Rows that the engine reads for it. */
  rowsPerMinute: number;
}

const limits = z.strictObject({
  rateLimitPerMinute: z.int().min(0).max(MAX_RATE_LIMIT).optional(),
  rowsPerMinute: z.int().min(0).max(MAX_ROWS_LIMIT).optional(),
});

const limitsFile = limits.extend({
  /** By the name of a key. */
  keys: z.record(z.string(), limits).optional(),
});

export type LimitsOfFile = z.infer<typeof limitsFile>;

/** The limits in a file; one that is not there has none. @throws OperatorFault */
export function readLimits(file: string): LimitsOfFile {
  try {
    return limitsFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new OperatorFault(`LIMITS_FILE: ${file} is not a file of limits`, { cause: error });
  }
}

export type LimitsFile = WatchedFile<LimitsOfFile>;

/** The limits in a file as of now (D46). */
export const watchLimits = (file: string, onUnreadable: (error: unknown) => void): LimitsFile =>
  new WatchedFile(file, readLimits, onUnreadable);

/** The limits of a key: its own or else those of the server, and tighter where the file says so. */
export function limitsOf(
  record: Pick<KeyRecord, 'name' | 'rate_limit_per_minute' | 'rows_per_minute'>,
  server: Limits,
  file: LimitsOfFile = {},
): Limits {
  const ofName = Object.hasOwn(file.keys ?? {}, record.name) ? file.keys?.[record.name] : undefined;
  return {
    rateLimitPerMinute: tightest(
      record.rate_limit_per_minute ?? server.rateLimitPerMinute,
      file.rateLimitPerMinute,
      ofName?.rateLimitPerMinute,
    ),
    rowsPerMinute: tightest(
      record.rows_per_minute ?? server.rowsPerMinute,
      file.rowsPerMinute,
      ofName?.rowsPerMinute,
    ),
  };
}

/** The smallest of several limits; 0 or none is no limit. */
function tightest(...limits: (number | undefined)[]): number {
  const set = limits.filter((limit) => limit !== undefined && limit > 0) as number[];
  return set.length === 0 ? 0 : Math.min(...set);
}
