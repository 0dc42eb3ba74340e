import { z } from 'zod';
import { STATION, leadTimeBucket } from '../api/fields.js';
import { NOTHING, raw, sql, type Statement } from '../queries/sql.js';
import { numbers } from '../queries/long-lists.js';
import { getProviders, type PairQuery } from '../queries/conditions.js';
import { stationsOfVersion } from '../queries/facts.js';
import { type CountedOfProviders, sumsByProvider } from '../queries/latest-forecasts.js';
import { BUCKET_TYPE, BUCKETS } from '../queries/lead-time-sql.js';
import { perDay } from '../queries/sums.js';

// The cases that two providers have, as sums over each day.

/** Seasons of the year by their months, in the order of responses. */
export const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'] as const;

const SEASON_TYPE = `Enum8(${SEASONS.map((season, place) => `'${season}' = ${place}`).join(', ')})`;

/** The values of a case that tell the cells of a response apart; they sort in their own order. */
const CELL_VALUES = {
  lead_time_bucket: sql`CAST(toInt8(slot) - 1 AS ${raw(BUCKET_TYPE)})`,
  lead_hour: sql`lead_hour`,
  month: sql`toStartOfMonth(target_date)`,
  season: sql`CAST(intDiv(toMonth(target_date) % 12, 3) AS ${raw(SEASON_TYPE)})`,
  country: sql`country`,
  climate_zone: sql`climate_zone`,
  station: sql`station_id`,
};

export type CellGroup = keyof typeof CELL_VALUES;

export const CELL_GROUPS = Object.keys(CELL_VALUES) as CellGroup[];

/** The column of a group: the field of its record. */
const getColumn = (group: CellGroup): string => (group === 'station' ? 'station_id' : group);

/** The column of lead times in whole hours, where there is one. */
const leadHour = (counted: CountedOfProviders): Statement =>
  counted === 'in_each_lead_hour' ? sql`lead_hour, ` : NOTHING;

const countedBy = (groups: readonly CellGroup[]): CountedOfProviders => {
  if (groups.includes('lead_hour')) return 'in_each_lead_hour';
  return groups.includes('lead_time_bucket') ? 'in_each_lead_time' : 'once';
};

/** The latest forecasts of each provider and its reference, the first one: numbers, or in each lead time lists of them. */
function latestPairs(params: PairQuery, counted: CountedOfProviders): Statement {
  const isOfLists = counted === 'in_each_lead_time';
  const providers = getProviders(params);
  /** The sums of one provider: a number or, in each lead time, a list, empty for a station day without a forecast. */
  const ofOne = (sums: Statement): Statement => (isOfLists ? sql`arrayResize(${sums}, ${BUCKETS}, 0)` : sums);
  const joinBoth = (one: Statement, other: Statement): Statement =>
    isOfLists ? sql`arrayMap((one, other) -> one * other, ${one}, ${other})` : sql`${one} * ${other}`;
  return sql`(
        SELECT
          station_id, target_date, ${leadHour(counted)}preliminary, arrayJoin(range(2, length(${providers}) + 1)) AS provider_place,
          ${ofOne(sql`counts[provider_place]`)} AS count, ${ofOne(sql`counts[1]`)} AS reference_count,
          ${ofOne(sql`errors[provider_place]`)} AS error, ${ofOne(sql`errors[1]`)} AS reference_error,
          ${ofOne(sql`leads[provider_place]`)} AS lead, ${ofOne(sql`leads[1]`)} AS reference_lead,
          ${joinBoth(sql`count`, sql`reference_count`)} AS paired
        FROM ${sumsByProvider(params, counted)}
      )`;
}

/**
 * Each provider but the first against the first one, its reference: a row for each cell and provider, in the order of the
 * groups. A case stands once or not at all, so that its sums over rows are its values. Differences are those of the provider
 * less those of the reference, of errors in hundredths of a °F. Sums by day are over the days of the window or, in the
 * cells of a month, over 31 days: 2,000 stations by month would have 40 million numbers of no day of theirs in a year.
 */
export function pairedCases(params: PairQuery, groups: readonly CellGroup[]) {
  const names = raw(groups.map((group) => `${getColumn(group)}, `).join(''));
  const values = groups.reduce(
    (all, group) => sql`${all}${CELL_VALUES[group]} AS ${raw(getColumn(group))}, `,
    NOTHING,
  );
  const counted = countedBy(groups);
  const hasPlaces = groups.some((group) => group === 'country' || group === 'climate_zone');
  const ofPlaces = hasPlaces ? sql`place.country AS country, place.climate_zone AS climate_zone, ` : NOTHING;
  const places = hasPlaces
    ? sql`LEFT JOIN ${stationsOfVersion(params.asOf?.version)} AS place ON place.station_id = cases.station_id`
    : NOTHING;
  const eachLeadTime =
    counted !== 'in_each_lead_time'
      ? NOTHING
      : sql`ARRAY JOIN count, error, lead, reference_count, reference_error, reference_lead, paired, range(1, ${BUCKETS} + 1) AS slot`;
  const byDay = (value: Statement): Statement =>
    groups.includes('month')
      ? sql`sumResample(1, 32, 1)(${value}, toDayOfMonth(target_date))`
      : perDay(params.window, value);
  return sql.rows(row)`
  SELECT
    ${names}provider_place,
    countIf(is_paired) AS cases,
    countIf(has_provider AND NOT has_reference) AS provider_only_cases,
    countIf(has_reference AND NOT has_provider) AS reference_only_cases,
    sumIf(preliminary, is_paired) AS preliminary_cases,
    ${byDay(sql`is_paired`)} AS cases_by_day,
    ${byDay(sql`is_paired * abs_difference`)} AS abs_differences,
    ${byDay(sql`is_paired * square_difference`)} AS square_differences,
    ${byDay(sql`is_paired * (abs_difference != 0)`)} AS decided_by_day,
    ${byDay(sql`is_paired * (abs_difference < 0)`)} AS wins_by_day,
    maxIf(abs(error - reference_error), is_paired) AS forecast_difference,
    sumIf(abs_difference * abs_difference, is_paired) AS abs_difference_squares,
    toString(sumIf(toInt128(square_difference) * square_difference, is_paired)) AS square_difference_squares,
    sumIf(error, is_paired) AS error_sum, sumIf(reference_error, is_paired) AS reference_error_sum,
    sumIf(abs(error), is_paired) AS abs_error_sum, sumIf(abs(reference_error), is_paired) AS reference_abs_error_sum,
    sumIf(error * error, is_paired) AS square_error_sum,
    sumIf(reference_error * reference_error, is_paired) AS reference_square_error_sum,
    sumIf(lead, is_paired) AS lead_ms_sum, sumIf(reference_lead, is_paired) AS reference_lead_ms_sum
  FROM (
    SELECT
      ${values}target_date, provider_place, preliminary, lead, reference_lead, error, reference_error,
      count != 0 AS has_provider, reference_count != 0 AS has_reference, paired != 0 AS is_paired,
      abs(error) - abs(reference_error) AS abs_difference,
      error * error - reference_error * reference_error AS square_difference
    FROM (
      SELECT
        ${ofPlaces}${leadHour(counted)}cases.station_id AS station_id, target_date, preliminary, provider_place, count, reference_count, paired,
        error, reference_error, lead, reference_lead
      FROM ${latestPairs(params, counted)} AS cases
      ${places}
    )
    ${eachLeadTime}
  )
  GROUP BY ${names}provider_place
  HAVING cases + provider_only_cases + reference_only_cases != 0
  ORDER BY ${names}provider_place`;
}

/** The cell of a record: its fields are those that group_by names. */
export const cell = z.object({
  lead_time_bucket: leadTimeBucket.optional().meta({ description: 'With lead_time_bucket in group_by' }),
  lead_hour: z.int().optional().meta({
    description: 'With lead_hour in group_by: whole hours from issuance to the hour',
    example: 6,
  }),
  month: z.iso
    .date()
    .optional()
    .meta({ description: 'With month in group_by: its first day', example: '2026-09-01' }),
  season: z
    .enum(SEASONS)
    .optional()
    .meta({ description: 'With season in group_by: the months of target dates, of all years together' }),
  country: z
    .string()
    .optional()
    .meta({ description: 'With country in group_by: that of the stations', example: 'US' }),
  climate_zone: z.string().optional().meta({
    description: 'With climate_zone in group_by: that of the stations, blank without one',
    example: 'Dfa',
  }),
  station_id: STATION.station_id
    .optional()
    .meta({ description: 'With station in group_by', example: 'KORD' }),
  city_name: STATION.city_name
    .optional()
    .meta({ description: 'With station in group_by', example: 'Chicago' }),
});

const row = cell.extend({
  provider_place: z.number(),
  cases: z.number(),
  provider_only_cases: z.number(),
  reference_only_cases: z.number(),
  preliminary_cases: z.number(),
  cases_by_day: numbers,
  abs_differences: numbers,
  square_differences: numbers,
  decided_by_day: numbers,
  wins_by_day: numbers,
  /** The largest of a case. */
  forecast_difference: z.number(),
  abs_difference_squares: z.number(),
  square_difference_squares: z.string(),
  error_sum: z.number(),
  reference_error_sum: z.number(),
  abs_error_sum: z.number(),
  reference_abs_error_sum: z.number(),
  square_error_sum: z.number(),
  reference_square_error_sum: z.number(),
  lead_ms_sum: z.number(),
  reference_lead_ms_sum: z.number(),
});

export type PairedCases = z.infer<typeof row>;
