import { z } from 'zod';
import { OF_VERSION } from './facts.js';
import { type Bindings, LATEST_VERSION } from './histograms.js';
import { OF_STATIONS, type Scope } from './station-days.js';
import { numbers } from './long-lists.js';
import { dateOf } from '../statistics/time/calendar.js';
import type { LeadRange } from '../statistics/probability/training.js';

// What training reads: of each station day the forecast nearest to a lead (D36), and every version of the observations of
// its days, which tell what could be known when.

/** The days of training and of what is scored. */
export const DAYS = 'target_date BETWEEN {first_date: Date} AND {last_date: Date}';
const OBSERVATIONS = `metric = {metric: String} AND ${DAYS} AND ${OF_VERSION}`;
const REPORTED = 'observed_at <= fromUnixTimestamp64Milli({moment_ms: Int64})';

/**
 * The forecast of each station day that counts: of those in the range that were issued by the moment, the nearest, and of
 * two as near the later: the one before the lead sought or the one behind it, as leads ascend. Rows add up by case_count:
 * +1 adds one, -1 withdraws it.
 */
const chosen = (scope: Scope): string => `(
      SELECT
        station_id, target_date, actual, observation_status, forecasts[place] AS forecast, ledger.lead_ms[place] AS lead_ms,
        toInt64(sign) AS case_count
      FROM (
        SELECT
          station_id, target_date, actual, observation_status, forecasts, lead_ms, sign,
          before + if(
            before != 0 AND lead_ms[before] >= first_ms
              AND (lead_ms[before + 1] NOT BETWEEN {nearest_ms: Int64} AND {to_ms: Int64}
                OR {nearest_ms: Int64} - lead_ms[before] <= lead_ms[before + 1] - {nearest_ms: Int64}),
            0, 1
          ) AS place
        FROM (
          SELECT
            station_id, target_date, actual, observation_status, forecasts, lead_ms, sign,
            greatest({from_ms: Int64}, toUnixTimestamp64Milli(local_midnight) - {moment_ms: Int64}) AS first_ms,
            arrayCount(lead -> lead < greatest(first_ms, {nearest_ms: Int64}), lead_ms) AS before
          FROM station_days
          WHERE metric = {metric: String} AND provider = {provider: String} AND ${DAYS} AND ${OF_VERSION}${OF_STATIONS[scope]}
        )
      ) AS ledger
      WHERE ledger.lead_ms[place] BETWEEN {from_ms: Int64} AND {to_ms: Int64} AND place <= length(ledger.lead_ms)
    )`;

/** What the statements bind beside `moment_ms`, `late_dates` and `station_id`; days count from 1970-01-01. */
export function trainingBindings(
  question: { metric: string; provider: string; range: LeadRange; verified_only: boolean; version?: number },
  { first, last }: { first: number; last: number },
): Bindings {
  const { metric, provider, range, verified_only, version = LATEST_VERSION } = question;
  const { from_ms, to_ms, nearest_ms } = range;
  return {
    metric,
    provider,
    version,
    from_ms,
    to_ms,
    nearest_ms,
    first_date: dateOf(first),
    last_date: dateOf(last),
    statuses: verified_only ? ['verified'] : ['preliminary', 'verified'],
  };
}

/** The days of which anything was reported after a moment: few, as long as reports come soon. */
export const lateDates = (scope: Scope): string => `
  SELECT DISTINCT target_date
  FROM observations
  WHERE ${OBSERVATIONS} AND observed_at > fromUnixTimestamp64Milli({moment_ms: Int64})${OF_STATIONS[scope]}`;

export const lateDateRow = z.object({ target_date: z.string() });

type OneOrAll = Extract<Scope, 'network' | 'station'>;

/** How many station days had which error, and the leads of their forecasts, of all days or by day. */
const tallied = (isByDay: boolean, errors: string): string => `
  SELECT
    day, error_hundredths, sum(cases) AS station_days, sum(cases * lead) AS lead_ms_sum, min(lead) AS shortest_ms,
    max(lead) AS longest_ms
  FROM (
    SELECT
      ${isByDay ? 'toUInt16(target_date)' : '0'} AS day, error_hundredths, lead, sum(case_count) AS cases
    FROM (${errors}
    )
    GROUP BY day, error_hundredths, lead
    HAVING cases != 0
  )
  GROUP BY day, error_hundredths`;

/** The errors of the days of which nothing was reported after the moment: those of their cases. */
export const errorsOfCases = (scope: OneOrAll, isByDay: boolean): string =>
  tallied(
    isByDay,
    `
    SELECT target_date, toInt32((forecast - actual) * 100) AS error_hundredths, lead_ms AS lead, case_count
    FROM ${chosen(scope)}
    WHERE observation_status IN {statuses: Array(String)} AND target_date NOT IN {late_dates: Array(Date)}`,
  );

/**
 * Those of the other days, by the best value that was reported by then (D4). To look up all days so takes 400 ms for
 * 2,000 stations, and the late ones beside errorsOfCases() 30.
 */
export const errorsOfLateDates = (scope: OneOrAll, isByDay: boolean): string =>
  tallied(
    isByDay,
    `
    SELECT
      c.target_date AS target_date, toInt32((c.forecast - o.reported) * 100) AS error_hundredths, c.lead_ms AS lead,
      c.case_count AS case_count
    FROM (
      SELECT *
      FROM ${chosen(scope)}
      WHERE target_date IN {late_dates: Array(Date)}
    ) AS c
    INNER JOIN (
      SELECT station_id, target_date, argMax(latest, (observation_status, observed_at)) AS reported
      FROM (
        SELECT station_id, target_date, observation_status, observed_at, argMax(actual, load_id) AS latest
        FROM observations
        WHERE ${OBSERVATIONS}${OF_STATIONS[scope]} AND ${REPORTED} AND target_date IN {late_dates: Array(Date)}
          AND observation_status IN {statuses: Array(String)}
        GROUP BY station_id, target_date, observation_status, observed_at
        HAVING NOT argMax(withdrawn, load_id)
      )
      GROUP BY station_id, target_date
    ) AS o ON o.station_id = c.station_id AND o.target_date = c.target_date`,
  );

export const errorsRow = z.object({
  day: z.number(),
  error_hundredths: z.number(),
  station_days: z.number(),
  lead_ms_sum: z.number(),
  shortest_ms: z.number(),
  longest_ms: z.number(),
});

/** A moment that nothing is later than: dates end in 2149 (D3). */
export const NO_MOMENT_MS = Date.parse('2200-01-01');

/** The forecasts of each station, a member for each row of a case. */
export const CASE_ARRAYS = `
  SELECT
    station_id, groupArray(toUInt16(target_date)) AS days, groupArray(toInt32(forecast * 100)) AS forecasts,
    groupArray(lead_ms) AS leads, groupArray(case_count) AS signs
  FROM ${chosen('network')}
  GROUP BY station_id
  ORDER BY station_id`;

export const caseArraysRow = z.object({
  station_id: z.string(),
  days: numbers,
  forecasts: numbers,
  leads: numbers,
  signs: numbers,
});

export type CaseArrays = z.infer<typeof caseArraysRow>;
