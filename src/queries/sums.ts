import { z } from 'zod';
import { numbers } from './long-lists.js';
import { bind, NOTHING, raw, sql, type Statement } from './sql.js';
import type { PairQuery } from './conditions.js';
import { VARIABLES } from '../variables/variables.js';
import { dayNumber } from '../statistics/time/calendar.js';
import { type Window, countWeeks } from '../statistics/time/window.js';

// Sums over the rows of errors(), as columns of a SELECT. Each row says how many pairs have an error of so many hundredths
// of a °F; withdrawn rows count negatively. All are whole numbers, so every source gives the same digits.

/** Sums which alone tell whether two tables hold the same pairs. Squares travel as text, as JSON numbers end at 2^53. */
export const SUMS = sql`
  sum(pair_count) AS verification_pairs,
  sum(preliminary_pair_count) AS preliminary_pairs,
  sum(pair_count * error_hundredths) AS error_sum,
  sum(pair_count * abs(error_hundredths)) AS abs_error_sum,
  toString(sum(pair_count * error_hundredths * error_hundredths)) AS square_error_sum`;

export const sumsRow = z.object({
  verification_pairs: z.number(),
  preliminary_pairs: z.number(),
  error_sum: z.number(),
  abs_error_sum: z.number(),
  square_error_sum: z.string(),
});

/**
 * Columns that give the nine statistics. Sums allow negative rows, and so does the weighted quantile: its unsigned weights
 * add up modulo 2^64, so a negative row takes exactly its pairs away. (Without any pairs left the quantile is arbitrary,
 * and computeStatistics() ignores it.) One pass over the histogram therefore suffices; a subquery that nets the rows first
 * makes a station's request 1.7 times as slow, and by-city twice.
 *
 * The largest error is 300 °F, so the sum of squares fits 64 bits for 10^10 pairs. Percentiles interpolate between order
 * statistics (type 7).
 */
export const STATISTICS = sql`${SUMS},
  quantilesExactWeightedInterpolated(0.5, 0.9, 0.95)(abs(error_hundredths), toUInt64(pair_count)) AS abs_error_percentiles`;

/** Each chance that was forecast (D68), hundredths of a percent, its pairs, and those of them that were of wet days. */
const PROBABILITIES = sql`, sumMap([toInt32(forecast * 100)], [pair_count], [if(actual > 0, pair_count, 0)]) AS probabilities`;

/** STATISTICS of a request, and of chances what the Brier score is made of. */
export const statisticsOf = ({ metric }: Pick<PairQuery, 'metric'>): Statement =>
  VARIABLES[metric].score === 'brier_score' ? sql`${STATISTICS}${PROBABILITIES}` : STATISTICS;

export const statisticsRow = sumsRow.extend({
  abs_error_percentiles: z.array(z.number().nullable()),
  probabilities: z.tuple([numbers, numbers, numbers]).optional(),
});

// Sums over each day or week of a window are arrays: a cell of an array costs less than a key of GROUP BY or of a map.

type Days = Pick<Window, 'period_start' | 'period_end'>;

/** Its days as bounds of a -Resample, which count from 1970-01-01. */
const getDays = ({ period_start, period_end }: Days): Statement => {
  const [first_day, end_day] = [dayNumber(period_start), dayNumber(period_end) + 1];
  return sql`${bind({ first_day }, 'UInt32')}, ${bind({ end_day }, 'UInt32')}`;
};

/** The number of a row's day in the window, from 0. */
export const dayOfWindow = ({ period_start }: Pick<Days, 'period_start'>): Statement =>
  sql`toUInt16(target_date) - ${bind({ first_day: dayNumber(period_start) }, 'UInt32')}`;

/** A sum for each day of the window, in order. */
export const perDay = (window: Days, value: Statement): Statement =>
  sql`sumResample(${getDays(window)}, 1)(${value}, toUInt16(target_date))`;

/** A sum of each member of arrays of one length, for each day of the window, in order; 0 on a day without rows. */
export const perDayEach = (window: Days, values: Statement, length: Statement): Statement => sql`arrayMap(
    sums -> arrayResize(sums, ${length}, 0),
    sumForEachResample(${getDays(window)}, 1)(${values}, toUInt16(target_date))
  )`;

/** A sum for each week of the window, in order: the days beside its whole weeks belong to the nearest one. */
function perWeek(window: Days, value: Statement, date: Statement): Statement {
  const { first_week, week_count } = countWeeks(window);
  return sql`sumResample(0, ${bind({ week_count }, 'UInt32')}, 1)(
    ${value},
    toUInt16(greatest(0, least(toInt32(${bind({ week_count }, 'UInt32')}) - 1, intDiv(toInt32(toUInt16(${date})) - ${bind({ first_week }, 'Int32')}, 7))))
  )`;
}

/** The sums of ClusterSums; the fourth power of 300 °F needs 60 bits. */
const clusterSums = (per: (value: Statement) => Statement): Statement => sql`,
  ${per(sql`pair_count * error_hundredths`)} AS error_sums,
  ${per(sql`pair_count * abs(error_hundredths)`)} AS abs_error_sums,
  ${per(sql`pair_count * error_hundredths * error_hundredths`)} AS square_error_sums,
  toString(sum(
    toInt128(pair_count) * error_hundredths * error_hundredths * error_hundredths * error_hundredths
  )) AS fourth_power_error_sum`;

/** The pairs of each day of the window, in order. */
export const pairsByDay = (window: Days): Statement => perDay(window, sql`pair_count`);

/** Days of the window with a pair. */
export const uniqueDays = (window: Days): Statement =>
  sql`arrayCount(count -> count != 0, ${pairsByDay(window)}) AS unique_days`;

/** The columns of sumsByDay(), or of sumsByWeek(). */
export const clusteredRow = z
  .object({
    pairs_by_day: numbers,
    pairs_by_week: numbers,
    error_sums: numbers,
    abs_error_sums: numbers,
    square_error_sums: numbers,
    fourth_power_error_sum: z.string(),
  })
  .partial();

/** statisticsOf(), the pairs of each day and, at a level of confidence, what their uncertainty needs. */
export const statisticsByDay = (
  { window, metric }: { window: Days } & Pick<PairQuery, 'metric'>,
  level?: number,
): Statement =>
  sql`${statisticsOf({ metric })}, ${pairsByDay(window)} AS pairs_by_day${
    level === undefined ? NOTHING : clusterSums((value) => perDay(window, value))
  }`;

export const byDayRow = statisticsRow.extend({ ...clusteredRow.shape, pairs_by_day: numbers });

/** By day, what the uncertainty of statistics needs, as columns that follow others; none without a level. */
export const sumsByDay = (window: Days, level: number | undefined): Statement =>
  level === undefined
    ? NOTHING
    : sql`, ${pairsByDay(window)} AS pairs_by_day${clusterSums((value) => perDay(window, value))}`;

/** By week, what the uncertainty of statistics needs, as columns that follow others; none without a level. */
export function sumsByWeek(window: Days, level: number | undefined, date = raw('target_date')): Statement {
  if (level === undefined) return NOTHING;
  const per = (value: Statement): Statement => perWeek(window, value, date);
  return sql`, ${per(sql`pair_count`)} AS pairs_by_week${clusterSums(per)}`;
}

/**
 * Twice the median of the sorted values without one of them, so that it is whole: the middle places of so many less one, each
 * a place further if that one comes before.
 */
export const medianWithout = (value: Statement): Statement => sql`arraySum(arrayMap(
        half -> sorted[half + (half >= indexOf(sorted, ${value}))],
        [intDiv(length(sorted), 2), intDiv(length(sorted) + 1, 2)]
      ))`;
