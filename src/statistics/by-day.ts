import { z } from 'zod';
import {
  clusterSumsRow,
  dayClusters,
  quantitiesOf,
  type Uncertainty,
  uncertaintyOf,
  weekClusters,
} from './uncertainty/intervals.js';
import { type Stats, statisticsOf, statisticsRow } from './statistics.js';

// Statistics and their uncertainty, made of sums over each day or week of a window.

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
  const pairs_by_day = row?.pairs_by_day ?? [];
  const days = daysWithPairs(pairs_by_day);
  return {
    stats: statisticsOf(row, days),
    ...(level !== undefined && { uncertainty: uncertaintyOfRow({ ...row, pairs_by_day }, days, level) }),
  };
}

/** The number of days with a pair. */
export function daysWithPairs(byDay: readonly number[]): number {
  return byDay.reduce((days, count) => days + (count === 0 ? 0 : 1), 0);
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
  return uncertaintyOf(clusters, quantitiesOf(row), level);
}
