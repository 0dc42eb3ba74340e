import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import type { LeadRange } from './training.js';
import { formatDate } from '../../statistics/time/calendar.js';
import { numbers } from '../../queries/long-lists.js';
import {
  andOfStations,
  ofMetric,
  ofProviders,
  ofVersion,
  ofWindow,
  type PairQuery,
} from '../../queries/conditions.js';

// Training reads the forecast of each station day that is nearest to a lead (D36).

export interface TrainingCasesQuery extends Pick<PairQuery, 'metric' | 'provider' | 'station' | 'asOf'> {
  range: LeadRange;
  /** The days of training and of what is scored, both included, from 1970-01-01. */
  days: { first: number; last: number };
  /** Forecasts issued later do not count, Unix ms. */
  moment_ms: number;
}

export const ofTrainingDays = ({ first, last }: TrainingCasesQuery['days']): Statement =>
  ofWindow({ period_start: formatDate(first), period_end: formatDate(last) });

/** A moment that nothing is later than: dates end in 2149. */
export const NO_MOMENT_MS = Date.parse('2200-01-01');

/** Farther than any lead from another, ms. */
const FARTHEST_MS = raw(`${2 ** 53}`);

/**
 * The forecasts of each station, a member for each row of a station day: the nearest of those in the range that
 * were issued by the moment. The later of two as near counts, the first by ascending lead. Signs add one (1) or take it away
 * (-1).
 */
export const forecastArrays = (params: TrainingCasesQuery) => {
  const { from_ms, to_ms, nearest_ms } = params.range;
  const { moment_ms } = params;
  return sql.rows(forecastArraysRow)`
  SELECT
    station_id, groupArray(toUInt16(target_date)) AS days, groupArray(toInt32(forecasts[place] * 100)) AS forecasts,
    groupArray(lead_ms[place]) AS leads, groupArray(toInt64(sign)) AS signs
  FROM (
    SELECT
      station_id, target_date, forecasts, lead_ms, sign,
      greatest(${bind({ from_ms }, 'Int64')}, toUnixTimestamp64Milli(local_midnight) - ${bind({ moment_ms }, 'Int64')}) AS first_ms,
      arrayMap(
        lead -> if(lead BETWEEN first_ms AND ${bind({ to_ms }, 'Int64')}, abs(lead - ${bind({ nearest_ms }, 'Int64')}), ${FARTHEST_MS}), lead_ms
      ) AS distances,
      indexOf(distances, arrayMin(distances)) AS place
    FROM station_days
    WHERE ${ofMetric(params)} AND ${ofProviders(params)} AND ${ofTrainingDays(params.days)}
      AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)} AND arrayMin(distances) != ${FARTHEST_MS}
  )
  GROUP BY station_id
  ORDER BY station_id`;
};

const forecastArraysRow = z.object({
  station_id: z.string(),
  days: numbers,
  forecasts: numbers,
  leads: numbers,
  signs: numbers,
});
