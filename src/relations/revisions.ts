import { z } from 'zod';
import { sql, type Statement } from '../sql.js';
import type { RowsQuestion } from './question.js';
import { STATION_DAY, stationDays } from './station-days.js';

// How the forecasts of a station day follow each other.

/** The forecasts of a station day that were issued before it began (D40), hundredths of a °F, the latest first. */
const BEFORE_THE_DAY = sql`arrayFilter(
        (hundredths, lead) -> lead >= 0, arrayMap(forecast -> toInt64(forecast * 100), forecasts), lead_ms
      )`;

/** How the forecasts of each station day changed, as a summary. */
export const revisions = (question: RowsQuestion): Statement => sql`(
    SELECT
      ${STATION_DAY},
      ${BEFORE_THE_DAY} AS issued, arrayDifference(issued) AS steps,
      length(issued) AS issuances, arrayCount(step -> step != 0, steps) AS changes,
      arraySum(step -> abs(step), steps) AS abs_change_hundredths,
      arrayMax(issued) - arrayMin(issued) AS range_hundredths,
      issued[-1] AS first_hundredths, issued[1] AS last_hundredths
    FROM ${stationDays(question)} AND issuances != 0
  )`;

/**
 * The single forecasts of a station's days: the longest time between two that follow each other, and sums over each pair
 * of steps that follow each other, in hundredths of a °F. Same-day forecasts are left out, as above.
 */
export const stepsOf = (question: RowsQuestion): Statement => sql`
  SELECT
    max(arrayMax(arrayPopFront(arrayDifference(leads)))) AS max_gap_ms, sum(length(firsts)) AS n,
    sum(arraySum(firsts)) AS x, sum(arraySum(seconds)) AS y,
    toString(sum(arraySum(arrayMap(step -> step * step, firsts)))) AS xx,
    toString(sum(arraySum(arrayMap(step -> step * step, seconds)))) AS yy,
    toString(sum(arraySum(arrayMap((first, second) -> first * second, firsts, seconds)))) AS xy
  FROM (
    SELECT
      arrayFilter(lead -> lead >= 0, lead_ms) AS leads,
      arrayPopFront(arrayDifference(arrayReverse(${BEFORE_THE_DAY}))) AS steps,
      arrayPopBack(steps) AS firsts, arrayPopFront(steps) AS seconds
    FROM ${stationDays(question)} AND notEmpty(leads)
    GROUP BY target_date, lead_ms, forecasts
    HAVING sum(sign) != 0
  )`;

/** A row of stepsOf(). */
export const stepsRow = z.object({
  max_gap_ms: z.number(),
  n: z.number(),
  x: z.number(),
  y: z.number(),
  xx: z.string(),
  yy: z.string(),
  xy: z.string(),
});
