import { VARIABLES } from '../variables/variables.js';
import { bind, raw, sql, type Statement } from './sql.js';
import { addDays, FIRST_DATE, LAST_DATE, weekday } from '../statistics/time/calendar.js';
import {
  leadTimeBucketFilter,
  ofMetric,
  ofProvider,
  ofStations,
  ofWindow,
  type PairQuery,
} from './conditions.js';
import { HISTOGRAM_FOR } from './histograms.js';
import { fromWhere, type Relation } from './relation.js';
import { pairs, sourceOf } from './station-days.js';

// The rows of errors that a request reads, from the cheapest table that has them: each says how many pairs have an error of
// so many hundredths of a °F. Counts of withdrawn pairs are negative.

/**
 * Whether histograms suffice for a request: they are of the latest data alone, and of what feeds say. They do not tell whether a
 * right chance was 0 or 100. Any other request reads the ledger (D31), which takes 6 times as long for 90 days of 400 stations, or the facts (known_at).
 */
export const isOfHistograms = (
  params: Pick<PairQuery, 'metric' | 'choices' | 'asOf' | 'knownAt' | 'issuedHours'>,
): boolean =>
  ['hours', 'ledger'].includes(sourceOf(params)) &&
  VARIABLES[params.metric].score !== 'brier_score' &&
  params.asOf === undefined;

const NOT_SAME_DAY = raw(`lead_time_bucket != 'same-day'`);

/**
 * The lead times of a request, in a table that has them. Excluding same-day instead of naming all six saves a
 * station's request 0.3 of 10 ms. `has()` would not do: it does not read the texts as values of the Enum.
 */
const ofLeadTimes = (params: PairQuery): Statement =>
  params.leadTimes.leads === 'all' ? NOT_SAME_DAY : sql`lead_time_bucket IN ${leadTimeBucketFilter(params)}`;

/**
 * A window of 90 days reads, out of 35 million pairs (2,000 stations, a year),
 * - of all stations as one: some 10,000 rows, whatever the number of stations;
 * - of one station: some 2,000 rows of one key range, and of some stations as many for each;
 * - of each station of all: 4.3 million.
 * @param of each station by itself, where the request is about all
 */
export function errors(params: PairQuery, of: 'all' | 'each_station' = 'all'): Relation {
  const isOfAll = params.station === undefined && of === 'all';
  // Stations have no histogram of hours.
  if (!isOfHistograms(params) || (VARIABLES[params.metric].period === 'hour' && !isOfAll))
    return errorsOfPairs(params);
  const histogram = isOfAll ? HISTOGRAM_FOR.network : HISTOGRAM_FOR.station;
  const where = [...pairFilter(params), ofLeadTimes(params), ...ofStations(params.station)];
  return { from: raw(histogram.table), where };
}

/** The pairs themselves. */
export const errorsOfPairs = (params: PairQuery): Relation => ({
  from: pairs(params),
  where: [ofLeadTimes(params)],
});

/** The errors of hours by lead time in whole hours, `lead_hour`, from the histogram that has it, or the pairs. */
export function errorsByLeadHour(params: PairQuery): Relation {
  const { table, computed } = HISTOGRAM_FOR.network_by_lead_hour;
  if (isOfHistograms(params) && params.station === undefined && params.leadTimes.leads === 'all')
    return { from: raw(table), where: pairFilter(params) };
  const withLeadHour = sql`(SELECT *, ${raw(computed.lead_hour)} AS lead_hour ${fromWhere(errorsOfPairs(params))})`;
  return { from: withLeadHour, where: [] };
}

const pairFilter = (params: PairQuery): readonly Statement[] => [
  ofMetric(params),
  ofProvider(params),
  ofWindow(params.window),
];

/**
 * Each station's errors, without lead times: whole weeks from the histogram of weeks, other days from the ledger. In 35
 * million pairs, 90 days are 500,000 rows of weeks and 150,000 to 600,000 of days. Days alone would be 4.3 million and take
 * twice as long; months would leave more days at the edges, and gain only on windows of half a year and more.
 */
export function errorsOfWeeksAndDays(params: PairQuery): Statement {
  const { period_start, period_end } = params.window;
  const first = addDays(period_start, (8 - weekday(period_start)) % 7);
  const last = addDays(period_end, -(weekday(period_end) % 7));
  // Without a whole week the bounds cross; bounds at the ends of time then take every day from the ledger.
  const [weeks_start, weeks_end] = first > last ? [LAST_DATE, FIRST_DATE] : [first, last];
  const inWeeks = sql`BETWEEN ${bind({ weeks_start }, 'Date')} AND ${bind({ weeks_end }, 'Date')}`;
  return sql`(
    SELECT station_id, week_start AS from_date, error_hundredths, pair_count, preliminary_pair_count
    FROM station_week_errors
    WHERE ${ofMetric(params)} AND ${ofProvider(params)} AND week_start ${inWeeks}
    UNION ALL
    SELECT station_id, target_date AS from_date, error_hundredths, pair_count, preliminary_pair_count
    FROM ${pairs(params)}
    WHERE ${NOT_SAME_DAY} AND NOT (target_date ${inWeeks})
  )`;
}

/** The pairs of each station and day, without lead times. */
export const countedDays = (params: PairQuery): Relation => ({
  from: raw(HISTOGRAM_FOR.days_of_each_station.table),
  where: pairFilter(params),
});
