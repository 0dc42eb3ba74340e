import { z } from 'zod';
import { dayClusters } from './uncertainty/intervals.js';
import { bounds, boundsOf, rate, rateValue } from './uncertainty/rates.js';
import { rounded, sum } from './statistics.js';
import { HOUR_MS } from './time/calendar.js';

// How near the one forecast of a case came (D32).

/**
 * The grade of a forecast, from 1, a hit, to 6, as SQL over the rows of latestForecasts(). Whole degrees are half up, as
 * in climate reports: 12.5 °F is 13, and -12.5 °F is -12. A hit is within 1 °F, so the grades below one are its share.
 */
export const GRADE = `multiIf(
    floor((forecast_hundredths + 50) / 100) = floor((actual_hundredths + 50) / 100), 1,
    abs(error_hundredths) <= 100, 2, abs(error_hundredths) <= 200, 3, abs(error_hundredths) <= 300, 4,
    abs(error_hundredths) < 1000, 5, 6
  )`;

const count = (description: string) => z.int().min(0).meta({ description });

const within = (degrees: number) => count(`Those whose forecast was off by at most ${degrees} °F`);

const RATES = ['exact_rate', 'within_1_rate', 'within_2_rate', 'within_3_rate', 'misses_10_rate'] as const;

/** The hits of some cases. */
export const hits = z.object({
  total_days: count('Days of a station with a forecast of these lead times and an observation'),
  exact_hits: count('Those whose forecast and actual are the same whole degree, rounded half up'),
  within_1: within(1),
  within_2: within(2),
  exact_rate: rate('exact_hits of total_days'),
  within_1_rate: rate('within_1 of total_days'),
  within_2_rate: rate('within_2 of total_days'),
  within_3: within(3),
  within_3_rate: rate('within_3 of total_days'),
  misses_10: count('Those whose forecast was off by 10 °F or more'),
  misses_10_rate: rate('misses_10 of total_days'),
  ...bounds(...RATES),
  mean_lead_hours: z
    .number()
    .nullable()
    .meta({ description: 'Mean lead time of the forecasts, hours; null without days' }),
});

/** The cases of a station: on each day of a window its grade, 0 without a case, and the sum of their lead times. */
export interface GradedStation {
  grades: readonly number[];
  lead_ms: number;
}

/** The cases of some stations, counted together, with intervals of a level of confidence. */
export function hitsOf(stations: readonly GradedStation[], level: number): z.infer<typeof hits> {
  /** The cases of each day from one grade to another. */
  const graded = (from: number, to: number): number[] => {
    const counts = new Array<number>(stations[0]?.grades.length ?? 0).fill(0);
    for (const { grades } of stations) {
      for (const [day, grade] of grades.entries()) {
        if (from <= grade && grade <= to) counts[day] = (counts[day] ?? 0) + 1;
      }
    }
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
  } satisfies Record<(typeof RATES)[number], number[]>;
  const lead_ms = sum(stations.map((each) => each.lead_ms));
  return {
    total_days: clusters.total,
    exact_hits: sum(exact),
    within_1: sum(one),
    within_2: sum(two),
    exact_rate: rateValue(clusters, exact),
    within_1_rate: rateValue(clusters, one),
    within_2_rate: rateValue(clusters, two),
    within_3: sum(three),
    within_3_rate: rateValue(clusters, three),
    misses_10: sum(far),
    misses_10_rate: rateValue(clusters, far),
    ...boundsOf(clusters, byRate, level),
    mean_lead_hours: clusters.total === 0 ? null : rounded(lead_ms / clusters.total / HOUR_MS),
  };
}
