import { daysWithPairs } from '../../statistics/by-day.js';
import { ALL_BUCKETS, type LeadTimeBucket } from '../../statistics/time/lead-time.js';
import {
  dayClusters,
  meanInterval,
  type Quantity,
  computeUncertainty,
} from '../../statistics/uncertainty/intervals.js';
import { meanAbsoluteError, meanError, rootMeanSquareError, sum } from '../../statistics/statistics.js';
import type { CasesRow } from './matched-cases.js';

// Lead times compared on the same cases: station days that have a forecast in each of the buckets. Over all pairs,
// buckets compare different stations and days too: issuance hours put the buckets of 0-6 and 6-12 hours on different
// coasts, and the longer one then looks better.

/** The curve over the cases that all of some buckets have. */
export interface MatchedCurve {
  buckets: readonly LeadTimeBucket[];
  cases: number;
  /** Cases of each bucket, compared or not, that are not matched. */
  dropped: Partial<Record<LeadTimeBucket, number>>;
  of: ReadonlyMap<LeadTimeBucket, ReturnType<typeof computeAccuracy>>;
}

/** @param requested all lead times, and those that are named to be compared; else those that keepLargest() finds */
export function matchedCurve(
  rows: readonly CasesRow[],
  requested: { buckets: readonly LeadTimeBucket[]; named: readonly LeadTimeBucket[] | undefined },
  level: number,
): MatchedCurve {
  const buckets = requested.named ?? keepLargest(rows, requested.buckets);
  const mask = toMask(buckets);
  const isMatched = (row: CasesRow): boolean => buckets.length > 0 && (row.mask & mask) === mask;
  const sums = new Map(
    buckets.map((bucket) => [
      bucket,
      added(rows.filter((row) => isMatched(row) && getBucket(row) === bucket)),
    ]),
  );
  const first = buckets[0] === undefined ? undefined : sums.get(buckets[0]);
  const dropped: Partial<Record<LeadTimeBucket, number>> = {};
  for (const bucket of ALL_BUCKETS) {
    const own = rows.filter((row) => getBucket(row) === bucket);
    if (own.length > 0) dropped[bucket] = countCases(own.filter((row) => !isMatched(row)));
  }
  return {
    buckets,
    cases: first?.cases ?? 0,
    dropped,
    of: new Map([...sums].map(([bucket, found]) => [bucket, computeAccuracy(found, first, level)])),
  };
}

/**
 * Buckets in falling order of cases, as long as the cases that have all of them are at least half of those of the largest.
 * @returns at least two, in the order of responses, or none
 */
function keepLargest(rows: readonly CasesRow[], candidates: readonly LeadTimeBucket[]): LeadTimeBucket[] {
  const having = (buckets: readonly LeadTimeBucket[]): number => {
    const mask = toMask(buckets);
    return countCases(rows.filter((row) => getBucket(row) === buckets[0] && (row.mask & mask) === mask));
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

const countCases = (rows: readonly CasesRow[]): number => rows.reduce((sum, { cases }) => sum + cases, 0);

const toMask = (buckets: readonly LeadTimeBucket[]): number =>
  buckets.reduce((mask, bucket) => mask | (1 << ALL_BUCKETS.indexOf(bucket)), 0);

const getBucket = ({ bucket }: CasesRow): LeadTimeBucket => ALL_BUCKETS[bucket - 1] ?? ALL_BUCKETS[0];

/** Sums over the cases of one bucket; errors in hundredths of a °F. */
interface CaseSums {
  cases: number;
  cases_by_day: number[];
  error: Quantity;
  abs_error: Quantity;
  square_error: Quantity;
}

function added(rows: readonly CasesRow[]): CaseSums {
  const perDay = (of: (row: CasesRow) => readonly number[]): number[] =>
    (rows[0] ? of(rows[0]) : []).map((_, day) => rows.reduce((sum, row) => sum + (of(row)[day] ?? 0), 0));
  const square_error_sums = perDay((row) => row.square_error_sums);
  const squares = sum(square_error_sums);
  return {
    cases: countCases(rows),
    cases_by_day: perDay((row) => row.cases_by_day),
    error: { sums: perDay((row) => row.error_sums), squares },
    abs_error: { sums: perDay((row) => row.abs_error_sums), squares },
    square_error: {
      sums: square_error_sums,
      squares: Number(rows.reduce((sum, row) => sum + BigInt(row.fourth_power_sum), 0n)),
    },
  };
}

function computeAccuracy(found: CaseSums, first: CaseSums | undefined, level: number) {
  const { cases, cases_by_day, error, abs_error, square_error } = found;
  const clusters = dayClusters(cases_by_day);
  const none = cases === 0;
  const differences = abs_error.sums.map((sum, day) => sum - (first?.abs_error.sums[day] ?? 0));
  const interval = meanInterval(clusters, differences, level);
  return {
    cases,
    days: daysWithPairs(cases_by_day),
    mean_error: none ? null : meanError(sum(error.sums), cases),
    mae: none ? null : meanAbsoluteError(sum(abs_error.sums), cases),
    rmse: none ? null : rootMeanSquareError(sum(square_error.sums), cases),
    uncertainty: computeUncertainty(
      clusters,
      { mean_error: error, mae: abs_error, rmse: square_error },
      level,
    ),
    mae_difference:
      none || found === first
        ? null
        : {
            value: meanAbsoluteError(sum(differences), cases),
            low: interval ? interval.low / 100 : null,
            high: interval ? interval.high / 100 : null,
          },
  };
}
