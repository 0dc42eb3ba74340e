import { fromWhere } from './relation.js';
import { NOTHING, raw, sql, type Statement } from './sql.js';
import { ALL_BUCKETS } from '../statistics/time/lead-time.js';
import { getProviders, leadTimeBucketFilter, ofProvider, ofProviders, type PairQuery } from './conditions.js';
import { HISTOGRAM_FOR } from './histograms.js';
import { BUCKETS } from './lead-time-sql.js';
import { STATION_DAY, stationDays } from './station-days.js';

// The latest forecast of each station day (D32), of all its lead times or in each of them.

const NAMES = raw(ALL_BUCKETS.map((name) => `'${name}'`).join(', '));

/**
 * Which slots, a place for each bucket, have a forecast of the lead times of the request. Rows of hours have no slots, and the
 * engine may compute this of a row before it leaves the row out.
 */
const filled = (params: PairQuery): Statement => sql`arrayMap(
        (place, is_wanted) -> place != 0 AND is_wanted,
        latest_places,
        arrayResize(arrayMap(name -> has(${leadTimeBucketFilter(params)}, name), [${NAMES}]), length(latest_places))
      )`;

/** The first of them; 0 without any. To look for it with arrayFirstIndex() takes twice the time. */
const firstSlot = (params: PairQuery): Statement => sql`indexOf(${filled(params)}, 1)`;

const eachSlot = (params: PairQuery): Statement =>
  sql`arrayFilter((slot, is_filled) -> is_filled, range(1, ${BUCKETS} + 1), ${filled(params)})`;

/** Whether a case counts once, with its latest forecast, or in each lead time with the latest forecast of that one. */
export type Counted = 'once' | 'in_each_lead_time';

/** The cases (D32) of a request; one without a forecast is left out. `slot` is the place of the lead time in ALL_BUCKETS, from 1. */
export const latestForecasts = (
  params: PairQuery,
  counted: Counted = 'once',
  providers = ofProvider(params),
): Statement => sql`(
    SELECT
      ${STATION_DAY}, provider,
      ${counted === 'once' ? firstSlot(params) : sql`arrayJoin(${eachSlot(params)})`} AS slot,
      toInt64(latest_forecasts[slot] * 100) AS forecast_hundredths,
      forecast_hundredths - actual_hundredths AS error_hundredths,
      latest_leads_ms[slot] AS latest_lead_ms, local_midnight
    ${fromWhere(stationDays(params, providers), sql`slot != 0`)}
  )`;

/**
 * The cases of all its `providers`: how often a forecast counts, and its error and lead time as often, for sums. These are
 * numbers of the latest forecast or, in each lead time, lists in the order of ALL_BUCKETS, with 0 where it is missing.
 */
export const forecastsOfProviders = (params: PairQuery, counted: Counted): Statement =>
  counted === 'once'
    ? sql`(
    SELECT
      *, case_count AS counts, case_count * error_hundredths AS errors, case_count * latest_lead_ms AS leads_ms
    FROM ${latestForecasts(params, counted, ofProviders(params))}
  )`
    : sql`(
    SELECT
      ${STATION_DAY}, local_midnight, provider, arrayMap(is_filled -> is_filled * case_count, ${filled(params)}) AS counts,
      arrayMap(
        (forecast, count) -> count * (toInt64(forecast * 100) - actual_hundredths), latest_forecasts, counts
      ) AS errors,
      arrayMap((lead, count) -> count * lead, latest_leads_ms, counts) AS leads_ms
    ${fromWhere(stationDays(params, ofProviders(params)), sql`has(${filled(params)}, 1)`)}
  )`;

/** Whether a case counts as Counted says or, of hours, in each lead time of whole hours with the latest forecast of that one. */
export type CountedOfProviders = Counted | 'in_each_lead_hour';

/** The cases of all its `providers` in each lead time of whole hours, `lead_hour`; with the other columns of those that count once. */
const forecastsByLeadHour = (params: PairQuery): Statement => sql`(
    SELECT
      ${STATION_DAY}, local_midnight, provider, arrayMap(lead_ms -> ${raw(HISTOGRAM_FOR.network_by_lead_hour.computed.lead_hour)}, lead_ms) AS lead_hours,
      arrayJoin(arrayFilter(
        (place, nth, bucket) -> nth = 1 AND has(${leadTimeBucketFilter(params)}, bucket),
        arrayEnumerate(lead_hours), arrayEnumerateUniq(lead_hours), arrayMap(each -> toString(each), lead_time_buckets)
      )) AS place,
      lead_hours[place] AS lead_hour, case_count AS counts,
      case_count * (toInt64(forecasts[place] * 100) - actual_hundredths) AS errors, case_count * lead_ms[place] AS leads_ms
    ${fromWhere(stationDays(params, ofProviders(params)))}
  )`;

/**
 * The station days of all providers: `counts`, `errors` and `leads` have the sums of each provider in its place, as numbers
 * or, in each lead time, as lists. Such a list is empty for a station day without a forecast. In each lead hour there is a row
 * for each.
 */
export function sumsByProvider(params: PairQuery, counted: CountedOfProviders): Statement {
  const providers = getProviders(params);
  const isByHour = counted === 'in_each_lead_hour';
  const leadHour = isByHour ? sql`, lead_hour` : NOTHING;
  const combined = raw(counted === 'in_each_lead_time' ? 'sumForEachResample' : 'sumResample');
  const perProvider = (values: Statement): Statement =>
    sql`${combined}(1, toUInt32(length(${providers})) + 1, 1)(${values}, toUInt32(provider_place))`;
  return sql`(
    SELECT
      station_id, target_date${leadHour}, sum(preliminary_case_count) != 0 AS preliminary,
      ${perProvider(sql`counts`)} AS counts,
      ${perProvider(sql`errors`)} AS errors,
      ${perProvider(sql`leads_ms`)} AS leads
    FROM (
      SELECT *, indexOf(${providers}, provider) AS provider_place
      FROM ${isByHour ? forecastsByLeadHour(params) : forecastsOfProviders(params, counted)}
    )
    GROUP BY station_id, target_date, local_midnight${leadHour}
  )`;
}

/**
 * The errors of each case, of the latest forecast in each lead time in the order of ALL_BUCKETS; `filled` says which of these
 * it has.
 */
export const latestByBucket = (params: PairQuery): Statement => sql`(
    SELECT
      target_date, ${filled(params)} AS filled,
      arrayMap(forecast -> toInt64((forecast - actual) * 100), latest_forecasts) AS errors
    ${fromWhere(stationDays(params))}
    GROUP BY station_id, target_date, local_midnight, latest_places, latest_forecasts, actual
    HAVING sum(sign) != 0
  )`;
