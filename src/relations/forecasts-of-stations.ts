import { sql, type Statement } from '../sql.js';
import { stationsOfVersion } from './interim.js';
import type { RowsQuestion } from './question.js';
import { type Counted, forecastLists } from './station-days.js';
import { dayOfWindow } from './sums.js';

/**
 * The forecasts of each station, as lists that go together, with the zone that its days follow; cases that a row withdraws
 * count -1.
 * @param part of the window of the question, from whose first day days count
 */
export const forecastsOfStations = (
  question: RowsQuestion,
  part: RowsQuestion['window'],
  counted: Counted,
): Statement => sql`
  SELECT c.station_id AS station_id, s.timezone AS timezone, s.day_boundary AS day_boundary, c.* EXCEPT station_id
  FROM (
    SELECT
      station_id, sum(preliminary_case_count) AS preliminary, groupArray(case_count) AS counts,
      groupArray(${dayOfWindow(question.window)}) AS days, groupArray(actual_hundredths) AS actuals,
      groupArray(length(slots)) AS forecast_counts,
      groupArrayArray(errors) AS errors, groupArrayArray(latest_lead_ms) AS lead_ms
    FROM ${forecastLists({ ...question, window: part }, counted)}
    GROUP BY station_id
  ) AS c
  INNER JOIN ${stationsOfVersion(question.asOf)} AS s ON s.station_id = c.station_id
  ORDER BY station_id`;
