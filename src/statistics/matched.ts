import { z } from 'zod';
import { daysWithPairs, perDay } from './by-day.js';
import {
  dayClusters,
  meanInterval,
  type Quantity,
  uncertainty,
  uncertaintyOf,
} from './uncertainty/intervals.js';
import { ALL_BUCKETS, type LeadTimeBucket } from './time/lead-time.js';
import { difference } from '../api/degrees.js';

// Lead times compared on the same cases (D30): station days that have a forecast in each of the buckets. Over all pairs,
// buckets compare different stations and days too: issuance hours put the buckets of 0-6 and 6-12 hours on different
// coasts, and the longer one then looks better.

/** A sum for each bucket, in the order of ALL_BUCKETS. */
const perBucket = (value: string): string =>
  `sumResample(0, ${ALL_BUCKETS.length}, 1)(${value}, toUInt8(lead_time_bucket))`;

// A case is the mean of its forecasts in a bucket, a fraction of hundredths. Whole numbers of its millionths (of squares,
// thousandths) add up to the same digits in any order, and those of a day fit a double: 2,000 stations at 300 °F.
const caseMean = (sums: string, scale: number): string =>
  `toInt64(round(${sums}[bucket] * ${scale} / pair_counts[bucket]))`;

const SCALE = 1e6;
const SQUARE_SCALE = 1e3;

/** The sums over the forecasts of each case, by bucket. */
export const sumsByBucket = (errors: string): string => `(
    SELECT
      station_id, target_date,
      ${perBucket('pair_count')} AS pair_counts,
      ${perBucket('pair_count * error_hundredths')} AS errors,
      ${perBucket('pair_count * abs(error_hundredths)')} AS abs_errors,
      ${perBucket('pair_count * error_hundredths * error_hundredths')} AS square_errors
    FROM ${errors}
    GROUP BY station_id, target_date
  )`;

/**
 * Sums over the cases, by the buckets that a case has (a bit for each) and by bucket.
 * @param cases the text of sumsByBucket(), or of latestByBucket() (ledger.ts)
 */
export const casesSql = (cases: string): string => `
  SELECT
    arraySum(b -> if(pair_counts[b] > 0, bitShiftLeft(1, b - 1), 0), range(1, ${ALL_BUCKETS.length + 1})) AS mask,
    bucket,
    count() AS cases,
    ${perDay('1')} AS cases_by_day,
    ${perDay('error')} AS error_sums,
    ${perDay('abs_error')} AS abs_error_sums,
    ${perDay('square_error')} AS square_error_sums,
    toString(sum(toInt128(error) * error)) AS error_squares,
    toString(sum(toInt128(abs_error) * abs_error)) AS abs_error_squares,
    toString(sum(toInt128(square_error) * square_error)) AS square_error_squares
  FROM (
    SELECT
      target_date, pair_counts, bucket,
      ${caseMean('errors', SCALE)} AS error,
      ${caseMean('abs_errors', SCALE)} AS abs_error,
      ${caseMean('square_errors', SQUARE_SCALE)} AS square_error
    FROM ${cases}
    ARRAY JOIN range(1, ${ALL_BUCKETS.length + 1}) AS bucket
    WHERE pair_counts[bucket] > 0
  )
  GROUP BY mask, bucket`;

export const casesRow = z.object({
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

type CasesRow = z.infer<typeof casesRow>;

const fahrenheit = difference().nullable();

/** A bucket over the matched cases. */
export const matched = z
  .object({
    cases: z.int().min(0).meta({ description: 'Station days with a forecast in every bucket compared' }),
    days: z.int().min(0).meta({ description: 'Calendar days with such a case' }),
    mean_error: fahrenheit.meta({
      description: 'Over cases, each the mean of its forecasts in the bucket, or the latest of them, °F',
    }),
    mae: fahrenheit.meta({ description: '°F' }),
    rmse: fahrenheit.meta({ description: '°F' }),
    uncertainty,
    mae_difference: z.object({ value: difference(), low: fahrenheit, high: fahrenheit }).nullable().meta({
      description: 'MAE beyond that of the first bucket compared, on the same cases, °F; null for the first',
    }),
  })
  .meta({ id: 'MatchedAccuracy' });

/** The curve over the cases that all of some buckets have. */
export interface MatchedCurve {
  buckets: readonly LeadTimeBucket[];
  cases: number;
  /** Cases of each bucket, compared or not, that are not matched. */
  dropped: Partial<Record<LeadTimeBucket, number>>;
  of: ReadonlyMap<LeadTimeBucket, z.infer<typeof matched>>;
}

/** @param asked all lead times, and those that are named to be compared; else those that keepMost() finds */
export function matchedCurve(
  rows: readonly CasesRow[],
  asked: { buckets: readonly LeadTimeBucket[]; named: readonly LeadTimeBucket[] | undefined },
  level: number,
): MatchedCurve {
  const buckets = asked.named ?? keepMost(rows, asked.buckets);
  const mask = maskOf(buckets);
  const isMatched = (row: CasesRow): boolean => buckets.length > 0 && (row.mask & mask) === mask;
  const sums = new Map(
    buckets.map((bucket) => [bucket, added(rows.filter((row) => isMatched(row) && nameOf(row) === bucket))]),
  );
  const first = buckets[0] === undefined ? undefined : sums.get(buckets[0]);
  const dropped: Partial<Record<LeadTimeBucket, number>> = {};
  for (const bucket of ALL_BUCKETS) {
    const own = rows.filter((row) => nameOf(row) === bucket);
    if (own.length > 0) dropped[bucket] = casesOf(own.filter((row) => !isMatched(row)));
  }
  return {
    buckets,
    cases: first?.cases ?? 0,
    dropped,
    of: new Map([...sums].map(([bucket, found]) => [bucket, accuracyOf(found, first, level)])),
  };
}

/**
 * Buckets in falling order of cases, as long as the cases that have all of them are at least half of those of the largest.
 * @returns at least two, in the order of answers, or none
 */
function keepMost(rows: readonly CasesRow[], candidates: readonly LeadTimeBucket[]): LeadTimeBucket[] {
  const having = (buckets: readonly LeadTimeBucket[]): number => {
    const mask = maskOf(buckets);
    return casesOf(rows.filter((row) => nameOf(row) === buckets[0] && (row.mask & mask) === mask));
  };
  const falling = candidates
    .filter((bucket) => having([bucket]) > 0)
    .sort((a, b) => having([b]) - having([a]));
  let kept: LeadTimeBucket[] = falling.slice(0, 1);
  const enough = having(kept) / 2;
  for (const bucket of falling.slice(1)) {
    if (having([...kept, bucket]) >= enough) kept = [...kept, bucket];
  }
  return kept.length < 2 ? [] : candidates.filter((bucket) => kept.includes(bucket));
}

const casesOf = (rows: readonly CasesRow[]): number => rows.reduce((sum, { cases }) => sum + cases, 0);

const maskOf = (buckets: readonly LeadTimeBucket[]): number =>
  buckets.reduce((mask, bucket) => mask | (1 << ALL_BUCKETS.indexOf(bucket)), 0);

const nameOf = ({ bucket }: CasesRow): LeadTimeBucket => ALL_BUCKETS[bucket - 1] ?? ALL_BUCKETS[0];

/** Sums over the cases of one bucket; errors in hundredths of a °F. */
interface CaseSums {
  cases: number;
  cases_by_day: number[];
  error: Quantity;
  abs_error: Quantity;
  square_error: Quantity;
}

function added(rows: readonly CasesRow[]): CaseSums {
  const perDay = (of: (row: CasesRow) => readonly number[], scale = 1): number[] =>
    (rows[0] ? of(rows[0]) : []).map(
      (_, day) => rows.reduce((sum, row) => sum + (of(row)[day] ?? 0), 0) / scale,
    );
  const total = (of: (row: CasesRow) => string, scale: number): number =>
    Number(rows.reduce((sum, row) => sum + BigInt(of(row)), 0n)) / scale ** 2;
  return {
    cases: casesOf(rows),
    cases_by_day: perDay((row) => row.cases_by_day),
    error: {
      sums: perDay((row) => row.error_sums, SCALE),
      squares: total((row) => row.error_squares, SCALE),
    },
    abs_error: {
      sums: perDay((row) => row.abs_error_sums, SCALE),
      squares: total((row) => row.abs_error_squares, SCALE),
    },
    square_error: {
      sums: perDay((row) => row.square_error_sums, SQUARE_SCALE),
      squares: total((row) => row.square_error_squares, SQUARE_SCALE),
    },
  };
}

function accuracyOf(found: CaseSums, first: CaseSums | undefined, level: number): z.infer<typeof matched> {
  const { cases, cases_by_day, error, abs_error, square_error } = found;
  const clusters = dayClusters(cases_by_day);
  const mean = ({ sums }: Quantity): number => sums.reduce((sum, value) => sum + value, 0) / cases;
  const none = cases === 0;
  const differences = abs_error.sums.map((sum, day) => sum - (first?.abs_error.sums[day] ?? 0));
  const interval = meanInterval(clusters, differences, level);
  return {
    cases,
    days: daysWithPairs(cases_by_day),
    mean_error: none ? null : mean(error) / 100,
    mae: none ? null : mean(abs_error) / 100,
    rmse: none ? null : Math.sqrt(mean(square_error)) / 100,
    uncertainty: uncertaintyOf(clusters, { mean_error: error, mae: abs_error, rmse: square_error }, level),
    mae_difference:
      none || found === first
        ? null
        : {
            value: mean({ sums: differences, squares: 0 }) / 100,
            low: interval ? interval.low / 100 : null,
            high: interval ? interval.high / 100 : null,
          },
  };
}
