import { z } from 'zod';
import {
  type ClusterSums,
  clusterSumsRow,
  dayClusters,
  quantitiesOf,
  type Uncertainty,
  uncertaintyOf,
  weekClusters,
} from './uncertainty/intervals.js';
import { STATISTICS, type Stats, statisticsOf, statisticsRow } from './statistics.js';

// Sums over each day or week of a window, as arrays: a cell of an array costs less than a key of GROUP BY or of a map.

/** A sum for each day of the window, in order. */
export const perDay = (value: string): string =>
  `sumResample({first_day: UInt32}, {end_day: UInt32}, 1)(${value}, toUInt16(target_date))`;

/** A sum of each member of arrays of one length, for each day of the window, in order; 0 on a day without rows. */
export const perDayEach = (values: string, length: string): string => `arrayMap(
    sums -> arrayResize(sums, ${length}, 0),
    sumForEachResample({first_day: UInt32}, {end_day: UInt32}, 1)(${values}, toUInt16(target_date))
  )`;

/** A sum for each week of the window, in order: the days beside its whole weeks belong to the nearest one. */
const perWeek = (value: string, date: string): string => `sumResample(0, {week_count: UInt32}, 1)(
    ${value},
    toUInt16(greatest(0, least({week_count: Int32} - 1, intDiv(toInt32(toUInt16(${date})) - {first_week: Int32}, 7))))
  )`;

/** The sums of ClusterSums; the fourth power of 300 °F needs 60 bits. */
const clusterSums = (per: (value: string) => string): string => `,
  ${per('pair_count * error_hundredths')} AS error_sums,
  ${per('pair_count * abs(error_hundredths)')} AS abs_error_sums,
  ${per('pair_count * error_hundredths * error_hundredths')} AS square_error_sums,
  toString(sum(
    toInt128(pair_count) * error_hundredths * error_hundredths * error_hundredths * error_hundredths
  )) AS fourth_power_error_sum`;

/** Pairs that rest on a preliminary observation, on each day of the window, in order. */
export const PRELIMINARY_PAIRS_BY_DAY = `${perDay('preliminary_pair_count')} AS preliminary_pairs_by_day`;

/** Days of the window with a pair. */
export const UNIQUE_DAYS = `arrayCount(count -> count != 0, ${perDay('pair_count')}) AS unique_days`;

const PAIRS_BY_DAY = `${perDay('pair_count')} AS pairs_by_day`;

/** STATISTICS, the pairs of each day and, at a level of confidence, what their uncertainty needs. */
export const statisticsByDay = (level?: number): string =>
  `${STATISTICS}, ${PAIRS_BY_DAY}${level === undefined ? '' : clusterSums(perDay)}`;

/** By day, what the uncertainty of statistics needs, as columns that follow others; none without a level. */
export const sumsByDay = (level: number | undefined): string =>
  level === undefined ? '' : `, ${PAIRS_BY_DAY}${clusterSums(perDay)}`;

/** A row of statisticsByDay(). */
export const byDayRow = statisticsRow.extend({
  pairs_by_day: z.array(z.number()),
  ...clusterSumsRow.partial().shape,
});

export type ByDayRow = z.infer<typeof byDayRow>;

/** Statistics, and with a level of confidence how far they are known. */
export interface Known {
  stats: Stats;
  uncertainty?: Uncertainty;
}

/** The stats object of a row and its uncertainty where there is a level. */
export function statsByDay(row: ByDayRow | undefined, level?: number): Known {
  const counts = row?.pairs_by_day ?? [];
  return {
    stats: statisticsOf(row, daysWithPairs(counts)),
    ...(level !== undefined && {
      uncertainty: uncertaintyOf(dayClusters(counts), quantitiesOf(sumsOf(row)), level),
    }),
  };
}

/** The number of days with a pair. */
export function daysWithPairs(byDay: readonly number[]): number {
  return byDay.reduce((days, count) => days + (count === 0 ? 0 : 1), 0);
}

/** By week, what the uncertainty of statistics needs, as columns that follow others; none without a level. */
export function sumsByWeek(level: number | undefined, date = 'target_date'): string {
  if (level === undefined) return '';
  const per = (value: string): string => perWeek(value, date);
  return `, ${per('pair_count')} AS pairs_by_week${clusterSums(per)}`;
}

const counts = z.array(z.number());

/** The columns of sumsByWeek(), or of sumsByDay(). */
export const clusteredRow = z
  .object({ pairs_by_week: counts, pairs_by_day: counts, ...clusterSumsRow.shape })
  .partial();

export type ClusteredRow = z.infer<typeof clusteredRow>;

/** The uncertainty of a row of sumsByDay(), or of sumsByWeek(). @param days days with a pair */
export function uncertaintyOfRow(row: ClusteredRow, days: number, level: number): Uncertainty {
  const { pairs_by_day, pairs_by_week = [] } = row;
  const clusters = pairs_by_day === undefined ? weekClusters(pairs_by_week, days) : dayClusters(pairs_by_day);
  return uncertaintyOf(clusters, quantitiesOf(sumsOf(row)), level);
}

function sumsOf(row: Partial<ClusterSums> | undefined): ClusterSums {
  const { error_sums = [], abs_error_sums = [], square_error_sums = [] } = row ?? {};
  return {
    error_sums,
    abs_error_sums,
    square_error_sums,
    fourth_power_error_sum: row?.fourth_power_error_sum ?? '0',
  };
}
