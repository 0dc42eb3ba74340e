import { leadTimeBucketsOf, ofProviders, providersOf, type RowsQuestion } from '../relations/conditions.js';
import { BUCKETS } from '../relations/lead-time.js';
import { stationDays } from '../relations/station-days.js';
import { raw, sql, type Statement } from '../sql.js';
import { HOUR_MS } from '../statistics/time/calendar.js';

/** Two forecasts whose leads are further apart are not of one age, hours. */
export const FARTHEST_APART = 3;

/** The lead times from 1. */
const SLOTS = sql`range(1, ${BUCKETS} + 1)`;

/**
 * The cases of each provider and its reference, the first one: of each station day the two forecasts of one lead time whose
 * leads are nearest to each other, of two pairs as near the later. Numbers, or in each lead time lists of them.
 */
export function alignedPairs(question: RowsQuestion, counted: 'once' | 'in_each_lead_time'): Statement {
  const providers = providersOf(question);
  const [best, has] =
    counted === 'once'
      ? [sql`pairs[1]`, (said: Statement) => sql`notEmpty(${said})`]
      : [
          sql`arrayMap(slot -> arrayFirst(pair -> pair.7 = slot, pairs), ${SLOTS})`,
          (said: Statement) => sql`arrayMap(slot -> arrayExists(each -> each.1 = slot, ${said}), ${SLOTS})`,
        ];
  // A pair is how far its leads are apart, their sum, lead and error of either, and its lead time, which is 0 without one.
  return sql`(
        SELECT
          station_id, target_date, preliminary, provider_place,
          ${has(sql`said`)} AS count, ${has(sql`reference_said`)} AS reference_count,
          ${best} AS best, best.3 AS lead, best.4 AS error, best.5 AS reference_lead, best.6 AS reference_error,
          best.7 AS paired
        FROM (
          SELECT
            station_id, target_date, preliminary, provider_place,
            arrayFirst(each -> each.1 = provider_place, all_said).2 AS said,
            arrayFirst(each -> each.1 = 1, all_said).2 AS reference_said,
            arraySort(arrayFilter(
              pair -> pair.1 <= ${raw(`${FARTHEST_APART * HOUR_MS}`)},
              arrayFlatten(arrayMap(
                one -> arrayMap(
                  other -> (abs(one.2 - other.2), one.2 + other.2, one.2, one.3, other.2, other.3, one.1),
                  arrayFilter(each -> each.1 = one.1, reference_said)
                ),
                said
              ))
            )) AS pairs
          FROM (
            SELECT
              station_id, target_date, max(is_preliminary) AS preliminary, groupArray((place, of_place)) AS all_said,
              arrayJoin(range(2, length(${providers}) + 1)) AS provider_place
            FROM (
              SELECT
                station_id, target_date, observation_status = 'preliminary' AS is_preliminary,
                toUInt32(indexOf(${providers}, provider)) AS place,
                arrayFilter(
                  each -> each.1 != 0,
                  arrayMap(
                    (bucket, lead, error) -> (
                      if(has(${leadTimeBucketsOf(question)}, toString(bucket)), toUInt32(toInt8(bucket) + 1), 0), lead, toInt64(error)
                    ),
                    lead_time_buckets, lead_ms, errors_hundredths
                  )
                ) AS of_place
              FROM (
                SELECT station_id, target_date, provider, observation_status, lead_ms, lead_time_buckets, errors_hundredths, sign
                FROM ${stationDays(question, ofProviders(question))}
              )
              GROUP BY station_id, target_date, provider, observation_status, lead_ms, lead_time_buckets, errors_hundredths
              HAVING sum(sign) != 0
            )
            GROUP BY station_id, target_date
          )
        )
      )`;
}
