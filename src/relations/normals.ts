import { sql, type Statement } from '../sql.js';
import { andOfStations, ofVersion } from './conditions.js';
import { factsThatStand } from './facts.js';
import { ofMetric, type RowsQuestion } from './question.js';

// Climatological normals as they were loaded (D34): the mean of decades, known before any forecast is issued.

/** The normals of each station by day of the year, MMDD as a number: 101 to 1231. */
export const normals = (question: Pick<RowsQuestion, 'metric' | 'station' | 'asOf'>): Statement => sql`
  SELECT
    station_id, groupArray(toUInt16(replaceOne(month_day, '-', ''))) AS month_days,
    groupArray(toInt64(normal_f * 100)) AS hundredths
  FROM ${factsThatStand(
    'normals',
    sql`${ofMetric(question)} AND ${ofVersion(question.asOf?.version)}${andOfStations(question.station)}`,
  )}
  GROUP BY station_id`;
