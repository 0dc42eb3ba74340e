import {
  type ClusterSums,
  dayClusters,
  getQuantities,
  type Uncertainty,
  computeUncertainty,
  weekClusters,
} from './uncertainty/intervals.js';
import { type Stats, computeStatistics, type StatisticsRow } from './statistics.js';
import type { VariableName } from '../variables/variables.js';

// Statistics and their uncertainty, made of sums over each day or week of a window.

/** Sums over each day or week of a window. */
export type ClusteredRow = Partial<ClusterSums & Record<'pairs_by_day' | 'pairs_by_week', readonly number[]>>;

export type ByDayRow = StatisticsRow & ClusteredRow & { pairs_by_day: readonly number[] };

/** Statistics, and with a level of confidence how far they are known. */
export interface Known {
  stats: Stats;
  uncertainty?: Uncertainty;
}

/** The stats object of a row of a variable, and its uncertainty where there is a level. */
export function statsByDay(row: ByDayRow | undefined, metric: VariableName, level?: number): Known {
  const pairs_by_day = row?.pairs_by_day ?? [];
  const days = daysWithPairs(pairs_by_day);
  return {
    stats: computeStatistics(row, days, metric),
    ...(level !== undefined && { uncertainty: uncertaintyOfRow({ ...row, pairs_by_day }, days, level) }),
  };
}

/** The number of days with a pair. */
export function daysWithPairs(byDay: readonly number[]): number {
  return byDay.reduce((days, count) => days + (count === 0 ? 0 : 1), 0);
}

/** How long uncertaintyOfRow() takes a processor for each day of a window, ms: 0.02 for a year by week, measured. */
export const UNCERTAINTY_MS = 0.00006;

/** The uncertainty of a row of sumsByDay(), or of sumsByWeek(). @param days days with a pair */
export function uncertaintyOfRow(row: ClusteredRow, days: number, level: number): Uncertainty {
  const { pairs_by_day, pairs_by_week = [] } = row;
  const clusters = pairs_by_day === undefined ? weekClusters(pairs_by_week, days) : dayClusters(pairs_by_day);
  return computeUncertainty(clusters, getQuantities(row), level);
}
