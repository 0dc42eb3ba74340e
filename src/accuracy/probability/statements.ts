import { z } from 'zod';
import { OF_VERSION } from '../facts.js';
import { type Bindings, LATEST_VERSION } from '../histograms.js';
import { OF_STATIONS, type Scope } from '../ledger.js';
import { numbers } from '../long-lists.js';
import { dateOf, DAY_MS } from '../time/calendar.js';
import { ALL_BUCKETS } from '../time/lead-time.js';
import { type Bucket, latestIssue } from './training.js';

// What training reads: cases (D32), so a day counts with the latest forecast of its bucket, and every version of the
// observations of its days, which tell what could be known when.

/** The days of training and of what is scored. */
export const DAYS = 'target_date BETWEEN {first_date: Date} AND {last_date: Date}';
const ROWS = `(
      SELECT *, latest_places[{slot: UInt8}] AS place
      FROM station_days
    )`;
const CASES = `metric = {metric: String} AND provider = {provider: String} AND ${DAYS} AND ${OF_VERSION}
      AND place != 0`;
const OBSERVATIONS = `metric = {metric: String} AND ${DAYS} AND ${OF_VERSION}`;
const REPORTED = 'observed_at <= fromUnixTimestamp64Milli({moment_ms: Int64})';

/** With known_at: forecasts issued by then. Without it all were (networkMoment). */
const ISSUED = ` AND toInt64(toUInt16(target_date)) * ${DAY_MS} + ${latestIssue(0, 0)} - lead_ms[place] <= {moment_ms: Int64}`;

/** What the statements bind beside `moment_ms`, `late_dates` and `station_id`; days count from 1970-01-01. */
export function trainingBindings(
  question: { metric: string; provider: string; bucket: Bucket; verified_only: boolean; version?: number },
  { first, last }: { first: number; last: number },
): Bindings {
  const { metric, provider, bucket, verified_only, version = LATEST_VERSION } = question;
  return {
    metric,
    provider,
    version,
    slot: ALL_BUCKETS.indexOf(bucket) + 1,
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

const casesOf = (scope: Scope, hasKnownAt: boolean): string =>
  `${CASES}${OF_STATIONS[scope]}${hasKnownAt ? ISSUED : ''}`;

/** The errors of the days of which nothing was reported after the moment: those of their cases. */
export const errorsOfCases = (scope: OneOrAll, hasKnownAt: boolean, isByDay: boolean): string =>
  tallied(
    isByDay,
    `
    SELECT
      target_date, toInt32((forecasts[place] - actual) * 100) AS error_hundredths, lead_ms[place] AS lead,
      toInt64(sign) AS case_count
    FROM ${ROWS}
    WHERE ${casesOf(scope, hasKnownAt)} AND observation_status IN {statuses: Array(String)}
      AND target_date NOT IN {late_dates: Array(Date)}`,
  );

/**
 * Those of the other days, by the best value that was reported by then (D4). To look up all days so takes 400 ms for
 * 2,000 stations, and the late ones beside errorsOfCases() 30.
 */
export const errorsOfLateDates = (scope: OneOrAll, hasKnownAt: boolean, isByDay: boolean): string =>
  tallied(
    isByDay,
    `
    SELECT
      c.target_date AS target_date, toInt32((c.forecast - o.reported) * 100) AS error_hundredths, c.lead AS lead,
      c.case_count AS case_count
    FROM (
      SELECT
        station_id, target_date, forecasts[place] AS forecast, lead_ms[place] AS lead,
        toInt64(sign) AS case_count
      FROM ${ROWS}
      WHERE ${casesOf(scope, hasKnownAt)} AND target_date IN {late_dates: Array(Date)}
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

/** The forecasts of the bucket of each station, a member for each row of a case: +1 adds one, -1 withdraws it. */
export const CASE_ARRAYS = `
  SELECT
    station_id, groupArray(toUInt16(target_date)) AS days, groupArray(toInt32(forecasts[place] * 100)) AS forecasts,
    groupArray(lead_ms[place]) AS leads, groupArray(sign) AS signs
  FROM ${ROWS}
  WHERE ${CASES}
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
