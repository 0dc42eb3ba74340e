import { z } from 'zod';
import { sql } from '../../queries/sql.js';
import type { PairQuery } from '../../queries/conditions.js';
import { latestByBucket } from '../../queries/latest-forecasts.js';
import { BUCKETS } from '../../queries/lead-time-sql.js';
import { perDay } from '../../queries/sums.js';

// Station days by the lead-time buckets in which they have forecasts.

/**
 * Sums over the cases, by the buckets that a case has (a bit for each) and by bucket. Errors are hundredths of a °F; fourth
 * powers travel as text, as JSON numbers end at 2^53.
 */
export const casesByBuckets = (params: PairQuery) => sql.rows(casesRow)`
  SELECT
    mask, bucket,
    count() AS cases,
    ${perDay(params.window, sql`1`)} AS cases_by_day,
    ${perDay(params.window, sql`error`)} AS error_sums,
    ${perDay(params.window, sql`abs(error)`)} AS abs_error_sums,
    ${perDay(params.window, sql`error * error`)} AS square_error_sums,
    toString(sum(toInt128(error) * error * error * error)) AS fourth_power_sum
  FROM (
    SELECT
      target_date, bucket, error, is_filled,
      arraySum(arrayMap((is_filled, at) -> is_filled * bitShiftLeft(1, at - 1), filled, range(1, ${BUCKETS} + 1))) AS mask
    FROM ${latestByBucket(params)}
    ARRAY JOIN filled AS is_filled, errors AS error, range(1, ${BUCKETS} + 1) AS bucket
    WHERE is_filled
  )
  GROUP BY mask, bucket`;

/** Sums over the cases of one bucket that have the buckets of the mask, a bit for each. */
const casesRow = z.object({
  mask: z.number(),
  bucket: z.number(),
  cases: z.number(),
  cases_by_day: z.array(z.number()),
  error_sums: z.array(z.number()),
  abs_error_sums: z.array(z.number()),
  square_error_sums: z.array(z.number()),
  fourth_power_sum: z.string(),
});

export type CasesRow = z.infer<typeof casesRow>;
