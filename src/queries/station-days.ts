import { HOURS_KNOWN_AFTER_MS } from '../statistics/time/hour-of-day.js';
import { getDerivation, VARIABLES } from '../variables/variables.js';
import { bind, raw, sql, type Statement } from './sql.js';
import {
  andIssuedIn,
  andOfStations,
  type DateSpan,
  issuedIn,
  ofMetric,
  ofProvider,
  ofStations,
  ofVersion,
  ofWindow,
  type PairQuery,
} from './conditions.js';
import { derivedDays, standingDays } from './derived-days.js';
import { outcomesOfDays, stationDaysOfFacts, stationsOfVersion, withOutcomes } from './facts.js';
import { BUCKETS, bucketSql } from './lead-time-sql.js';
import { fromWhere, type Relation } from './relation.js';
import { outcomesOfHours, stationHoursOfFacts } from './station-hours.js';

// The ledger's rows as requests read them. A row says how often it counts: -1 where it withdraws
// a station day, so sums of case_count times a value are those of the station days that stand, and a row by itself tells
// nothing.

const ERRORS = sql`arrayMap(forecast -> toInt16((forecast - actual) * 100), forecasts)`;

/** The ledger's computed columns of forecasts (clickhouse/schema/008_ledger.sql), over other rows of its columns. */
const withComputedColumns = (rows: Statement, errors = ERRORS): Statement => sql`(
    SELECT
      *,
      arrayMap(lead -> ${bucketSql(raw('lead'))}, lead_ms) AS lead_time_buckets,
      arrayMap(bucket -> indexOf(arrayMap(each -> toUInt8(each), lead_time_buckets), bucket), range(${BUCKETS})) AS latest_places,
      arrayMap(place -> forecasts[place], latest_places) AS latest_forecasts,
      arrayMap(place -> lead_ms[place], latest_places) AS latest_leads_ms,
      ${errors} AS errors_hundredths
    FROM ${rows}
  )`;

/** The station days of a request that could be known at an instant, by the facts of its version, as rows of the ledger. */
function knownDays(params: PairQuery, providers: Statement): Statement {
  const { window, station, asOf, knownAt } = params;
  const days = ofWindow(window);
  const facts = sql`${ofMetric(params)} AND ${days}${andOfStations(station)} AND ${ofVersion(asOf?.version)}`;
  const known = sql`fromUnixTimestamp64Milli(${bind({ known_at_ms: knownAt! }, 'Int64')})`;
  return withComputedColumns(sql`(
    SELECT *, toInt8(1) AS sign, toUInt32(0) AS load_id
    FROM ${stationDaysOfFacts({
      wetAt: params.choices?.wet_at,
      forecasts: sql`${facts} AND ${providers} AND issued_at <= ${known}${andIssuedIn(params.issuedHours)}`,
      observations: sql`${facts} AND observed_at <= ${known}`,
      stations: stationsOfVersion(asOf?.version),
      localDays: sql`${days} AND ${ofVersion(asOf?.version)}`,
    })}
  )`);
}

export const spanOf = ({ period_start, period_end }: PairQuery['window']): DateSpan => ({
  first_date: period_start,
  last_date: period_end,
});

/** The forecasts of hours and the reports that count in a request, as conditions. A report is known three minutes after it was measured. */
export function conditionsOfHours(
  { station, asOf, knownAt, issuedHours }: PairQuery,
  providers: Statement,
): Record<'forecasts' | 'reports', Statement> {
  const facts = sql`${ofVersion(asOf?.version)}${andOfStations(station)}`;
  const forecasts = sql`${facts} AND ${providers}${andIssuedIn(issuedHours)}`;
  if (knownAt === undefined) return { forecasts, reports: facts };
  const known = sql`fromUnixTimestamp64Milli(${bind({ known_at_ms: knownAt }, 'Int64')})`;
  return {
    forecasts: sql`${forecasts} AND issued_at <= ${known}`,
    reports: sql`${facts} AND addMilliseconds(at, ${raw(`${HOURS_KNOWN_AFTER_MS}`)}) <= ${known}`,
  };
}

/** The station hours of a request that could be known at an instant. */
function knownHours(params: PairQuery, providers: Statement): Statement {
  const { metric, choices, window, asOf } = params;
  return withComputedColumns(sql`(
    SELECT *, toInt8(1) AS sign, toUInt32(0) AS load_id
    FROM ${stationHoursOfFacts({
      ...conditionsOfHours(params, providers),
      span: spanOf(window),
      metrics: [metric],
      wetAt: choices?.wet_at,
      stations: stationsOfVersion(asOf?.version),
      localDays: ofVersion(asOf?.version),
    })}
  )`);
}

/** The ledger's rows of a request, with the outcomes that it chooses. @param where the conditions that choose them */
function ledgerRows(params: PairQuery, where: readonly Statement[]): Relation {
  const rows = { from: raw('station_days'), where };
  const { metric, choices, window, asOf, station } = params;
  const wetAt = choices?.wet_at;
  if (wetAt === undefined) return rows;
  const facts = sql`${ofVersion(asOf?.version)}${andOfStations(station)}`;
  const from =
    VARIABLES[metric].period === 'hour'
      ? withOutcomes(
          rows,
          outcomesOfHours({ span: spanOf(window), metrics: [metric], reports: facts, wetAt }),
          sql`station_id, local_midnight`,
        )
      : withOutcomes(
          rows,
          outcomesOfDays(metric, wetAt, sql`${ofMetric(params)} AND ${ofWindow(window)} AND ${facts}`),
          sql`station_id, target_date`,
        );
  return { from, where: [] };
}

/** Rows of the ledger with only those of their forecasts that were issued in some hours. */
const daysOfHours = (issuedHours: readonly number[], rows: Relation): Statement =>
  withComputedColumns(sql`(
    SELECT
      metric, provider, station_id, target_date, local_midnight, actual, observation_status, sign, load_id,
      kept.1 AS lead_ms, kept.2 AS forecasts
    FROM (
      SELECT
        metric, provider, station_id, target_date, local_midnight, actual, observation_status, sign, load_id,
        toUnixTimestamp64Milli(local_midnight) AS begins_ms,
        arrayFilter(
          each -> ${issuedIn(issuedHours, sql`(begins_ms - each.1)`)},
          arrayZip(lead_ms, forecasts)
        ) AS kept
      ${fromWhere(rows)}
    )
  )`);

/** Where the rows of a request come from: a variable that is worked out, facts, or the ledger. */
type Source = 'derived' | 'known' | 'issued' | 'chosen' | 'hours' | 'ledger';

export function sourceOf({
  metric,
  choices,
  knownAt,
  issuedHours,
}: Pick<PairQuery, 'metric' | 'choices' | 'knownAt' | 'issuedHours'>): Source {
  if (getDerivation(metric) !== undefined) return 'derived';
  if (knownAt !== undefined) return 'known';
  if (issuedHours !== undefined) return 'issued';
  if (choices?.wet_at !== undefined) return 'chosen';
  return VARIABLES[metric].period === 'hour' ? 'hours' : 'ledger';
}

/** The rows of a request from each source. @param wanted the conditions that choose the station days */
const ROWS_OF: Record<
  Source,
  (params: PairQuery, providers: Statement, wanted: readonly Statement[]) => Relation
> = {
  derived: (params, providers) => {
    const sources = derivedDays(params.metric, getDerivation(params.metric, params.choices)!, (metric) => {
      const ofSource = { ...params, metric };
      const rows = stationDays(ofSource, providers);
      return sourceOf(ofSource) === 'ledger' ? standingDays(rows) : rows;
    });
    return { from: withComputedColumns(sources, raw('errors')), where: [] };
  },
  known: (params, providers, wanted) => {
    const known = VARIABLES[params.metric].period === 'hour' ? knownHours : knownDays;
    return { from: known(params, providers), where: wanted };
  },
  issued: ({ issuedHours = [], ...params }, _, wanted) => ({
    from: daysOfHours(issuedHours, ledgerRows(params, wanted)),
    where: [],
  }),
  // Their rows have no latest forecasts (clickhouse/schema/011_hourly_forecasts.sql).
  hours: (_, __, where) => ({
    from: withComputedColumns(sql`(SELECT * ${fromWhere({ from: raw('station_days'), where })})`),
    where: [],
  }),
  ledger: (_, __, where) => ({ from: raw('station_days'), where }),
  chosen: (params, _, wanted) => ({ from: withComputedColumns(ledgerRows(params, wanted).from), where: [] }),
};

/** The rows of the station days of a request. */
export function stationDays(params: PairQuery, providers = ofProvider(params)): Relation {
  const { window, station, asOf } = params;
  const wanted = [
    ...[ofMetric(params), providers, ofWindow(window), ofVersion(asOf?.version)],
    ...ofStations(station),
  ];
  return ROWS_OF[sourceOf(params)](params, providers, wanted);
}

/** The verification pairs of a request, of all lead times, as rows of `pairs`; one that is withdrawn has counts below 0. */
export const pairs = (params: PairQuery, providers = ofProvider(params)): Statement => sql`(
    SELECT
      metric, provider, station_id, target_date, local_midnight - toIntervalMillisecond(lead) AS issued_at, local_midnight,
      lead AS lead_ms, lead_time_bucket, forecast, actual, forecast - actual AS error, error_hundredths,
      observation_status, sign, load_id,
      toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
    FROM (
      SELECT *, lead_time_buckets, errors_hundredths
      ${fromWhere(stationDays(params, providers))}
    )
    ARRAY JOIN
      lead_ms AS lead, forecasts AS forecast, lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
  )`;

/** The columns of every station day. Temperatures and values made of them are whole hundredths of a °F. */
export const STATION_DAY = sql`station_id, target_date, toInt64(sign) AS case_count,
      if(observation_status = 'preliminary', case_count, 0) AS preliminary_case_count,
      toInt64(actual * 100) AS actual_hundredths`;

/** The forecasts of a station day that were issued before it began (D40), hundredths of a °F, the latest first. */
const BEFORE_THE_DAY = sql`arrayFilter(
        (hundredths, lead) -> lead >= 0, arrayMap(forecast -> toInt64(forecast * 100), forecasts), lead_ms
      )`;

/** How the forecasts of each station day changed, as a summary. */
export const revisions = (params: PairQuery): Statement => sql`(
    SELECT
      ${STATION_DAY},
      ${BEFORE_THE_DAY} AS issued, arrayDifference(issued) AS steps,
      length(issued) AS issuances, arrayCount(step -> step != 0, steps) AS changes,
      arraySum(step -> abs(step), steps) AS abs_change_hundredths,
      arrayMax(issued) - arrayMin(issued) AS range_hundredths,
      issued[-1] AS first_hundredths, issued[1] AS last_hundredths
    ${fromWhere(stationDays(params), sql`issuances != 0`)}
  )`;
