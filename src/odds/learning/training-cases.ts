import { z } from 'zod';
import { bind, NOTHING, raw, sql, type Statement } from '../../sql.js';
import type { LeadRange } from './training.js';
import { DAY_MS, dateOf, HOUR_MS } from '../../statistics/time/calendar.js';
import { ALL_BUCKETS, BUCKET_BEGINNINGS_MS, bucketOfLead } from '../../statistics/time/lead-time.js';
import { numbers } from '../../relations/long-lists.js';
import {
  andOfStations,
  ofMetric,
  ofProviders,
  ofVersion,
  ofWindow,
  type RowsQuestion,
} from '../../relations/conditions.js';
import { asReported, bestObservations, isReportedIn, stationsOfVersion } from '../../relations/facts.js';

// Training reads the forecast of each station day that is nearest to a lead (D36). It also reads every version of the
// observations of its days, because these show which values could be known when.

export interface TrainingQuestion extends Pick<RowsQuestion, 'metric' | 'provider' | 'station' | 'asOf'> {
  range: LeadRange;
  /** The days of training and of what is scored, both included, from 1970-01-01. */
  days: { first: number; last: number };
  verifiedOnly: boolean;
  /** Forecasts and values issued or reported later do not count, Unix ms. */
  moment_ms: number;
}

const ofTraining = ({ days, station, asOf }: TrainingQuestion): Statement =>
  sql`${ofTrainingDays(days)} AND ${ofVersion(asOf?.version)}${andOfStations(station)}`;

export const ofTrainingDays = ({ first, last }: TrainingQuestion['days']): Statement =>
  ofWindow({ period_start: dateOf(first), period_end: dateOf(last) });

const reportedBy = (question: TrainingQuestion): Statement =>
  sql`observed_at <= fromUnixTimestamp64Milli(${momentOf(question)})`;

const momentOf = ({ moment_ms }: TrainingQuestion): Statement => bind({ moment_ms }, 'Int64');

const statusesOf = ({ verifiedOnly }: TrainingQuestion): Statement =>
  bind({ statuses: verifiedOnly ? ['verified'] : ['preliminary', 'verified'] }, 'Array(String)');

const datesOf = (late_dates: readonly string[]): Statement => bind({ late_dates }, 'Array(Date)');

/** No local day begins farther than this from UTC's. */
const FARTHEST_ZONE_MS = 14 * HOUR_MS;

/**
 * The ledger has the latest forecast of a bucket in a column of its own. For the network, columns take 17 ms for 60 days
 * of 2,000 stations, and distances 30.
 * @returns the place of the bucket, from 1; 0 where another forecast may count, or one was issued after the moment
 */
function placeOfLatest({ range: { from_ms, nearest_ms }, days, moment_ms }: TrainingQuestion): number {
  const isIssuedBefore = days.last * DAY_MS + FARTHEST_ZONE_MS - from_ms <= moment_ms;
  const isLatest = nearest_ms === from_ms && BUCKET_BEGINNINGS_MS.includes(from_ms);
  return isLatest && isIssuedBefore ? ALL_BUCKETS.indexOf(bucketOfLead(from_ms)) + 1 : 0;
}

/** Farther than any lead from another, ms. */
const FAR = raw(`${2 ** 53}`);

/**
 * The forecast of each station day that counts: of those in the range that were issued by the moment, the nearest, and of
 * two as near the later, which is the first, as leads ascend. Rows add up by case_count: +1 adds one, -1 withdraws it.
 */
function chosen(question: TrainingQuestion): Statement {
  const { from_ms, to_ms, nearest_ms } = question.range;
  const [from, to] = [bind({ from_ms }, 'Int64'), bind({ to_ms }, 'Int64')];
  const rows = sql`station_days
        WHERE ${ofMetric(question)} AND ${ofProviders(question)} AND ${ofTraining(question)}`;
  const latest = placeOfLatest(question);
  if (latest !== 0) {
    const place = raw(`${latest}`);
    return sql`(
      SELECT
        provider, station_id, target_date, actual, observation_status, latest_forecasts[${place}] AS forecast,
        latest_leads_ms[${place}] AS lead, toInt64(sign) AS case_count
      FROM ${rows} AND latest_places[${place}] != 0 AND lead <= ${to}
    )`;
  }
  return sql`(
      SELECT
        provider, station_id, target_date, actual, observation_status, forecasts[place] AS forecast,
        lead_ms[place] AS lead, toInt64(sign) AS case_count
      FROM (
        SELECT
          provider, station_id, target_date, actual, observation_status, forecasts, lead_ms, sign,
          greatest(${from}, toUnixTimestamp64Milli(local_midnight) - ${momentOf(question)}) AS first_ms,
          arrayMap(
            lead -> if(lead BETWEEN first_ms AND ${to}, abs(lead - ${bind({ nearest_ms }, 'Int64')}), ${FAR}), lead_ms
          ) AS distances,
          indexOf(distances, arrayMin(distances)) AS place
        FROM ${rows} AND arrayMin(distances) != ${FAR}
      )
    )`;
}

/** The days of which anything was reported after a moment: few, as long as reports come soon. */
export const lateDates = (question: TrainingQuestion) => sql.rows(lateDateRow)`
  SELECT DISTINCT target_date
  FROM observations
  WHERE ${ofMetric(question)} AND ${ofTraining(question)} AND observed_at > fromUnixTimestamp64Milli(${momentOf(question)})`;

const lateDateRow = z.object({ target_date: z.string() });

/** How many station days had which error, and the leads of their forecasts, of all days or by day. */
export const tallied = (errors: Statement, isByDay: boolean) => sql.rows(errorsRow)`
  SELECT
    day, error_hundredths, sum(cases) AS station_days, sum(cases * lead) AS lead_ms_sum, min(lead) AS shortest_ms,
    max(lead) AS longest_ms
  FROM (
    SELECT
      ${isByDay ? sql`toUInt16(target_date)` : sql`0`} AS day, error_hundredths, lead, sum(case_count) AS cases
    FROM (${errors}
    )
    GROUP BY day, error_hundredths, lead
    HAVING cases != 0
  )
  GROUP BY day, error_hundredths`;

/** How many station days each day has that so many providers have. @param also a further join, by `e` */
export const countedByDay = (errors: Statement, providers: number, also = NOTHING) => sql.rows(dayCountRow)`
  SELECT toUInt16(target_date) AS day, count() AS station_days
  FROM (
    SELECT e.target_date AS target_date
    FROM (${errors}
    ) AS e ${also}
    GROUP BY e.target_date, e.station_id
    HAVING sum(case_count) = ${bind({ provider_count: providers }, 'UInt8')}
  )
  GROUP BY day`;

const dayCountRow = z.object({ day: z.number(), station_days: z.number() });

/** The errors of the days of which nothing was reported after the moment: those of their cases. */
const errorsOfCases = (question: TrainingQuestion, late: readonly string[]): Statement => sql`
    SELECT
      provider, station_id, target_date, toInt32((forecast - actual) * 100) AS error_hundredths,
      toInt32(forecast * 100) AS forecast_hundredths, lead, case_count
    FROM ${chosen(question)}
    WHERE observation_status IN ${statusesOf(question)} AND target_date NOT IN ${datesOf(late)}`;

/**
 * The errors of the other days, by the best value that was reported by then. To look up all days so takes 400 ms for
 * 2,000 stations, and the late ones beside errorsOfCases() 30.
 */
const errorsOfLateDates = (question: TrainingQuestion, late: readonly string[]): Statement => sql`
    SELECT
      c.provider AS provider, c.station_id AS station_id, c.target_date AS target_date,
      toInt32((c.forecast - o.reported) * 100) AS error_hundredths, toInt32(c.forecast * 100) AS forecast_hundredths,
      c.lead AS lead, c.case_count AS case_count
    FROM (
      SELECT *
      FROM ${chosen(question)}
      WHERE target_date IN ${datesOf(late)}
    ) AS c
    INNER JOIN (
      SELECT station_id, target_date, ${asReported(sql`best_f`, isReportedIn(stationsOfVersion(question.asOf?.version)))} AS reported
      FROM ${bestObservations(
        sql`${ofMetric(question)} AND ${ofTraining(question)} AND ${reportedBy(question)}
        AND target_date IN ${datesOf(late)} AND observation_status IN ${statusesOf(question)}`,
      )}
    ) AS o ON o.station_id = c.station_id AND o.target_date = c.target_date`;

/** The errors of all days, in parts to be asked side by side: as one statement they take 60 ms for 2,000 stations, and so 35. */
export const errorParts = (question: TrainingQuestion, late: readonly string[]): Statement[] => [
  errorsOfCases(question, late),
  ...(late.length === 0 ? [] : [errorsOfLateDates(question, late)]),
];

const errorsRow = z.object({
  day: z.number(),
  error_hundredths: z.number(),
  station_days: z.number(),
  lead_ms_sum: z.number(),
  shortest_ms: z.number(),
  longest_ms: z.number(),
});

/** The errors of each provider at each station, a member for each row of a case; no signs where none is withdrawn. */
export const listed = (errors: Statement) => sql.rows(listedRow)`
  SELECT
    provider, station_id, groupArray(toUInt16(target_date)) AS days, groupArray(error_hundredths) AS errors,
    groupArray(lead) AS leads, if(min(case_count) = 1, [], groupArray(case_count)) AS signs
  FROM (${errors}
  )
  GROUP BY provider, station_id
  ORDER BY provider, station_id`;

const listedRow = z.object({
  provider: z.string(),
  station_id: z.string(),
  days: numbers,
  errors: numbers,
  leads: numbers,
  signs: numbers,
});

/** A moment that nothing is later than: dates end in 2149. */
export const NO_MOMENT_MS = Date.parse('2200-01-01');

/** The forecasts of each station, a member for each row of a case. */
export const forecastArrays = (question: TrainingQuestion) => sql.rows(forecastArraysRow)`
  SELECT
    station_id, groupArray(toUInt16(target_date)) AS days, groupArray(toInt32(forecast * 100)) AS forecasts,
    groupArray(lead) AS leads, groupArray(case_count) AS signs
  FROM ${chosen(question)}
  GROUP BY station_id
  ORDER BY station_id`;

const forecastArraysRow = z.object({
  station_id: z.string(),
  days: numbers,
  forecasts: numbers,
  leads: numbers,
  signs: numbers,
});
