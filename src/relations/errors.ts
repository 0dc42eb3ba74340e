import { bind, raw, sql, type Statement } from '../sql.js';
import { addDays, FIRST_DATE, LAST_DATE, weekday } from '../statistics/time/calendar.js';
import {
  andOfStations,
  LATEST_VERSION,
  leadTimeBucketsOf,
  ofMetric,
  ofProvider,
  ofWindow,
  type RowsQuestion,
} from './conditions.js';
import { type Histogram, HISTOGRAM_FOR } from './histograms.js';
import { pairs, stationDays } from './station-days.js';

// The rows of errors that a question reads, from the cheapest table that has them, for use after FROM: each says how many
// pairs have an error of so many hundredths of a °F. Counts of withdrawn pairs are negative.

/**
 * Where the answer to a question comes from, to the last digit the same:
 * - histogram: cheap, and of the latest data;
 * - ledger: of any version (D31). For 90 days of 400 stations it takes 6 times as long;
 * - rewound: the histogram less what the ledger has of later loads. It takes twice as long as the histogram, and is right
 *   only while no load writes, as rows show in the ledger before they show in the histograms;
 * - known: what could be known at an instant, from the facts. It takes as long as settling them.
 */
export type Source = 'histogram' | 'ledger' | 'rewound' | 'known';

export function sourceOf({
  asOf,
  knownAt,
  issuedHours,
}: Pick<RowsQuestion, 'asOf' | 'knownAt' | 'issuedHours'>): Source {
  if (knownAt !== undefined) return 'known';
  return issuedHours === undefined ? (asOf?.source ?? 'histogram') : 'ledger';
}

const NOT_SAME_DAY = raw(`lead_time_bucket != 'same-day'`);

/**
 * The lead times of a question, in a table that has them. Excluding same-day instead of naming all six saves a
 * station's question 0.3 of 10 ms. `has()` would not do: it does not read the texts as values of the Enum.
 */
const ofLeadTimes = (question: RowsQuestion): Statement =>
  question.leadTimes.leads === 'all' ? NOT_SAME_DAY : sql`lead_time_bucket IN ${leadTimeBucketsOf(question)}`;

/**
 * Of 35 million pairs (2,000 stations, a year), a window of 90 days reads
 * - of all stations as one: some 10,000 rows, whatever the number of stations;
 * - of one station: some 2,000 rows of one key range, and of some stations as many for each;
 * - of each station of all: 4.3 million.
 * @param of each station by itself, where the question is about all
 */
export function errors(question: RowsQuestion, of: 'all' | 'each_station' = 'all'): Statement {
  const source = sourceOf(question);
  if (source === 'known' || source === 'ledger')
    return sql`${pairs(question)} WHERE ${ofLeadTimes(question)}`;
  const isOfAll = question.station === undefined && of === 'all';
  const histogram = isOfAll ? HISTOGRAM_FOR.network : HISTOGRAM_FOR.station;
  return sql`${source === 'rewound' ? rewound(histogram, question) : raw(histogram.table)}
  WHERE ${ofQuestion(question)} AND ${ofLeadTimes(question)}${andOfStations(question.station)}`;
}

const ofQuestion = (question: RowsQuestion): Statement =>
  sql`${ofMetric(question)} AND ${ofProvider(question)} AND ${ofWindow(question.window)}`;

/** A histogram less what later loads brought: of pairs(), only the columns of histograms, as planning takes half of its time. */
function rewound({ table, key }: Histogram, question: RowsQuestion): Statement {
  const columns = raw(key.join(', '));
  const version = question.asOf?.version ?? LATEST_VERSION;
  const later = stationDays(question, undefined, sql`load_id > ${bind({ version }, 'UInt32')}`);
  return sql`(
    SELECT ${columns}, pair_count, preliminary_pair_count
    FROM ${raw(table)}
    UNION ALL
    SELECT ${columns}, -toInt64(sign), if(observation_status = 'preliminary', -toInt64(sign), 0)
    FROM (
      SELECT
        metric, provider, station_id, target_date, sign, observation_status, lead_time_buckets, errors_hundredths
      FROM ${later}
    )
    ARRAY JOIN lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
  )`;
}

/**
 * Each station's errors, without lead times: whole weeks from the histogram of weeks, the other days from the ledger. Of 35
 * million pairs, 90 days are 500,000 rows of weeks and 150,000 to 600,000 of days. Days alone would be 4.3 million and take
 * twice as long; months would leave more days at the edges, and gain only on windows of half a year and more.
 */
export function errorsOfWeeksAndDays(question: RowsQuestion): Statement {
  const { period_start, period_end } = question.window;
  const first = addDays(period_start, (8 - weekday(period_start)) % 7);
  const last = addDays(period_end, -(weekday(period_end) % 7));
  // Without a whole week the bounds cross; bounds at the ends of time then take every day from the ledger.
  const [weeks_start, weeks_end] = first > last ? [LAST_DATE, FIRST_DATE] : [first, last];
  const inWeeks = sql`BETWEEN ${bind({ weeks_start }, 'Date')} AND ${bind({ weeks_end }, 'Date')}`;
  return sql`(
    SELECT station_id, week_start AS from_date, error_hundredths, pair_count, preliminary_pair_count
    FROM station_week_errors
    WHERE ${ofMetric(question)} AND ${ofProvider(question)} AND week_start ${inWeeks}
    UNION ALL
    SELECT station_id, target_date AS from_date, error_hundredths, pair_count, preliminary_pair_count
    FROM ${pairs(question)}
    WHERE ${NOT_SAME_DAY} AND NOT (target_date ${inWeeks})
  )`;
}

/** The pairs of each station and day, without lead times. */
export const countedDays = (question: RowsQuestion): Statement =>
  sql`${raw(HISTOGRAM_FOR.days_of_each_station.table)} WHERE ${ofQuestion(question)}`;
