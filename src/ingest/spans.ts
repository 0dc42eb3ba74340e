import { z } from 'zod';
import type { DateSpan } from '../queries/conditions.js';
import { sql, type Statement } from '../queries/sql.js';
import type { Store } from '../store/store.js';

// Statements over long histories run a span of dates at a time, which bounds their memory.

const dayRow = z.object({ target_date: z.string(), row_count: z.number() });

const countRow = z.object({ count: z.number() });

/** A date, and how many rows a statement over it reads. */
export type Day = z.infer<typeof dayRow>;

/** The rows of a SELECT of days. */
export const readDays = (store: Store, days: Statement): Promise<Day[]> =>
  store.query(sql.rows(dayRow)`${days}`);

/** How many rows a table has, or a SELECT in brackets. */
export async function rowCount(store: Store, from: Statement): Promise<number> {
  const { count } = await store.queryOne(sql.rows(countRow)`SELECT count() AS count FROM ${from}`);
  return count;
}

/** A run of dates, and how many rows a statement over it reads. */
export interface SizedSpan extends DateSpan {
  row_count: number;
}

/** Runs of these days, in order, each with as many rows as one statement takes at most; a day is never cut. */
export function splitSpans(days: readonly Day[], rowsPerSpan: number): SizedSpan[] {
  const spans: SizedSpan[] = [];
  for (const { target_date, row_count } of days) {
    const span = spans.at(-1);
    if (span === undefined || span.row_count + row_count > rowsPerSpan) {
      spans.push({ first_date: target_date, last_date: target_date, row_count });
    } else {
      span.last_date = target_date;
      span.row_count += row_count;
    }
  }
  return spans;
}

/** A statement over so few rows costs no more than a look whether it could be spared. */
const SMALL_LOAD_ROWS = 100_000;

export const isSmall = ({ row_count }: SizedSpan): boolean => row_count <= SMALL_LOAD_ROWS;
