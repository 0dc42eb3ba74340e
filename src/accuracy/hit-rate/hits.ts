import { sum } from '../../statistics/statistics.js';
import { HOUR_MS } from '../../statistics/time/calendar.js';
import { dayClusters } from '../../statistics/uncertainty/intervals.js';
import { ratesOf } from '../../statistics/uncertainty/rates.js';

// How near the one forecast of a case came (D32).

/** The rates of hitsOf(). */
export const HIT_RATES = [
  'exact_rate',
  'within_1_rate',
  'within_2_rate',
  'within_3_rate',
  'misses_10_rate',
] as const;

/** The cases of a station: the grade of each day of a window, a digit, 0 without a case; and the sum of their lead times. */
export interface GradedStation {
  grades: string;
  lead_ms: number;
}

const ZERO = '0'.charCodeAt(0);

/** The cases of some stations, counted together, with intervals of a level of confidence. */
export function hitsOf(stations: readonly GradedStation[], level: number) {
  const days = stations[0]?.grades.length ?? 0;
  const byGrade = Array.from({ length: 7 }, () => new Array<number>(days).fill(0));
  // One pass: 2,000 stations have 730,000 days in a year.
  for (const { grades } of stations)
    for (let day = 0; day < days; day += 1) byGrade[grades.charCodeAt(day) - ZERO]![day]! += 1;
  /** The cases of each day from one grade to another. */
  const graded = (from: number, to: number): number[] => {
    const counts = new Array<number>(days).fill(0);
    for (const ofGrade of byGrade.slice(from, to + 1))
      for (let day = 0; day < days; day += 1) counts[day]! += ofGrade[day]!;
    return counts;
  };
  const clusters = dayClusters(graded(1, 6));
  const [exact, one, two, three, far] = [
    graded(1, 1),
    graded(1, 2),
    graded(1, 3),
    graded(1, 4),
    graded(6, 6),
  ];
  const byRate = {
    exact_rate: exact,
    within_1_rate: one,
    within_2_rate: two,
    within_3_rate: three,
    misses_10_rate: far,
  } satisfies Record<(typeof HIT_RATES)[number], number[]>;
  const lead_ms = sum(stations.map((each) => each.lead_ms));
  return {
    total_days: clusters.total,
    exact_hits: sum(exact),
    within_1: sum(one),
    within_2: sum(two),
    within_3: sum(three),
    misses_10: sum(far),
    ...ratesOf(clusters, byRate, level),
    mean_lead_hours: lead_ms / clusters.total / HOUR_MS,
  };
}
