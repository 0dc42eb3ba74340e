import { z } from 'zod';
import { raw, sql, type Statement } from '../../sql.js';
import type { RowsQuestion } from '../../relations/conditions.js';
import { errors } from '../../relations/errors.js';
import { latestByBucket } from '../../relations/latest-forecasts.js';
import { BUCKETS } from '../../relations/lead-time.js';
import { perDay } from '../../relations/sums.js';

// Station days by the lead-time buckets in which they have forecasts.

// Sums of cases are whole numbers of these parts of a hundredth (of its square).
export const CASE_SCALE = 1e6;
export const CASE_SQUARE_SCALE = 1e3;

/** A sum for each bucket, in the order of ALL_BUCKETS. */
const perBucket = (value: Statement): Statement =>
  sql`sumResample(0, ${BUCKETS}, 1)(${value}, toUInt8(lead_time_bucket))`;

// A case is the mean of its forecasts in a bucket, a fraction of hundredths. Whole numbers of its millionths (of squares,
// thousandths) add up to the same digits in any order, and those of a day fit a double: 2,000 stations at 300 °F.
const caseMean = (sums: Statement, scale: number): Statement =>
  sql`toInt64(round(${sums}[bucket] * ${raw(`${scale}`)} / pair_counts[bucket]))`;

/** The sums over the forecasts of each case, by bucket. */
const sumsByBucket = (question: RowsQuestion): Statement => sql`(
    SELECT
      station_id, target_date,
      ${perBucket(sql`pair_count`)} AS pair_counts,
      ${perBucket(sql`pair_count * error_hundredths`)} AS errors,
      ${perBucket(sql`pair_count * abs(error_hundredths)`)} AS abs_errors,
      ${perBucket(sql`pair_count * error_hundredths * error_hundredths`)} AS square_errors
    FROM ${errors(question, 'each_station')}
    GROUP BY station_id, target_date
  )`;

/**
 * Sums over the cases, by the buckets that a case has (a bit for each) and by bucket.
 * @param select a case is the mean of its forecasts in a bucket, or the latest of them
 */
export const casesByBuckets = (question: RowsQuestion, select: 'mean' | 'latest') => sql.rows(casesRow)`
  SELECT
    arraySum(b -> if(pair_counts[b] > 0, bitShiftLeft(1, b - 1), 0), range(1, ${BUCKETS} + 1)) AS mask,
    bucket,
    count() AS cases,
    ${perDay(question.window, sql`1`)} AS cases_by_day,
    ${perDay(question.window, sql`error`)} AS error_sums,
    ${perDay(question.window, sql`abs_error`)} AS abs_error_sums,
    ${perDay(question.window, sql`square_error`)} AS square_error_sums,
    toString(sum(toInt128(error) * error)) AS error_squares,
    toString(sum(toInt128(abs_error) * abs_error)) AS abs_error_squares,
    toString(sum(toInt128(square_error) * square_error)) AS square_error_squares
  FROM (
    SELECT
      target_date, pair_counts, bucket,
      ${caseMean(sql`errors`, CASE_SCALE)} AS error,
      ${caseMean(sql`abs_errors`, CASE_SCALE)} AS abs_error,
      ${caseMean(sql`square_errors`, CASE_SQUARE_SCALE)} AS square_error
    FROM ${select === 'latest' ? latestByBucket(question) : sumsByBucket(question)}
    ARRAY JOIN range(1, ${BUCKETS} + 1) AS bucket
    WHERE pair_counts[bucket] > 0
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
  error_squares: z.string(),
  abs_error_squares: z.string(),
  square_error_squares: z.string(),
});

export type CasesRow = z.infer<typeof casesRow>;
