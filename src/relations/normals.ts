import { sql, type Statement } from '../sql.js';
import { andStation, ofMetric, ofVersion, type RowsQuestion } from './question.js';

// Climatological normals as they were loaded (D34): the mean of decades, known before any forecast is issued.

/** The normals of each station by day of the year, MMDD as a number: 101 to 1231. */
export const normals = (question: Pick<RowsQuestion, 'metric' | 'station' | 'asOf'>): Statement => sql`
  SELECT
    station_id, groupArray(toUInt16(replaceOne(month_day, '-', ''))) AS month_days,
    groupArray(toInt64(latest_f * 100)) AS hundredths
  FROM (
    SELECT station_id, month_day, argMax(normal, load_id) AS latest_f
    FROM normals
    WHERE ${ofMetric(question)} AND ${ofVersion(question.asOf)}${andStation(question.station)}
    GROUP BY station_id, month_day
    HAVING NOT argMax(withdrawn, load_id)
  )
  GROUP BY station_id`;
