import { z } from 'zod';
import { NOTHING, sql } from './sql.js';
import type { PairQuery } from './conditions.js';
import { type Counted, latestForecasts } from './latest-forecasts.js';
import { numbers } from './long-lists.js';
import { dayOfWindow } from './sums.js';

/**
 * The cases (D32) of each station as columns that go together. `counts` is 1, or -1 where a row withdraws a case, and
 * `preliminary` the same for a preliminary observation, else 0: to leave that to the reader halves the time. Forecasts and
 * actuals are hundredths of a °F, leads ms.
 * @param part of the window of the request, from whose first day days count.
 * @param hasBeginnings when each day began, or the hour was, Unix ms, too.
 */
export const caseColumns = (
  params: PairQuery,
  counted: Counted,
  part = params.window,
  hasBeginnings = false,
) => sql.rows(casesRow)`
  SELECT
    station_id, groupArray(case_count) AS counts, groupArray(preliminary_case_count) AS preliminary,
    groupArray(${dayOfWindow(params.window)}) AS days, groupArray(forecast_hundredths) AS forecasts,
    groupArray(actual_hundredths) AS actuals, groupArray(latest_lead_ms) AS leads
    ${hasBeginnings ? sql`, groupArray(toUnixTimestamp64Milli(local_midnight)) AS begins` : NOTHING}
  FROM ${latestForecasts({ ...params, window: part }, counted)}
  GROUP BY station_id
  HAVING sum(case_count) != 0
  ORDER BY station_id`;

const casesRow = z.object({
  station_id: z.string(),
  counts: numbers,
  preliminary: numbers,
  days: numbers,
  forecasts: numbers,
  actuals: numbers,
  leads: numbers,
  begins: numbers.optional(),
});
