import { byCitiesOfWeeks } from '../../src/accuracy/by-city.js';
import { byDates } from '../../src/accuracy/by-date.js';
import { byLeadTimes } from '../../src/accuracy/lead-time/by-lead-time.js';
import { loadSummary } from '../../src/accuracy/summary.js';
import type { PairQuery } from '../../src/queries/conditions.js';
import type { Statement } from '../../src/queries/sql.js';
import { addDays } from '../../src/statistics/time/calendar.js';
import { LEAD_TIME_BUCKETS } from '../../src/statistics/time/lead-time.js';
import { rounded } from '../../src/statistics/statistics.js';
import { LAST_DAY, type Shape } from './data.js';

// The requests of the bench, each in every form in which it is asked: of the service, and as the plain SQL that
// somebody would write without it.

/** One request over one window. */
export interface BenchRequest {
  name: string;
  /** The name without the days. */
  kind: string;
  /** The subject of the request: the network as a whole, every station, or one. */
  scope: 'network' | 'each_station' | 'station';
  days: number;
  path: string;
  /** Plain SQL over the pairs; its first column is the record's key, where there is more than one. */
  plainSql: string;
  duckSql: string;
  /** The service's own statement, and the engine's bare read of the same histogram rows; for one station. */
  own: Statement;
  bareSql: string;
  params: Record<string, string>;
}

const ONE_STATION = 'K00077';

const ofWindow = (requested: PairQuery): Statement => loadSummary(requested, undefined).statement;
const ofDates = (requested: PairQuery): Statement => byDates(requested, undefined).statement;
const ofLeadTimes = (requested: PairQuery): Statement => byLeadTimes(requested, undefined).statement;
const ofCities = (requested: PairQuery): Statement => byCitiesOfWeeks(requested, undefined).statement;

export function makeRequests(days: number, lastDay = LAST_DAY, station = ONE_STATION): BenchRequest[] {
  const period_start = addDays(lastDay, 1 - days);
  const window = `date_from=${period_start}&date_to=${lastDay}`;
  const params = {
    metric: 'high',
    provider: 'default',
    period_start,
    period_end: lastDay,
    station_id: station,
  };
  const requested: PairQuery = {
    metric: 'high',
    provider: { name: 'default' },
    window: { period_start, period_end: lastDay },
    leadTimes: { leads: 'all', buckets: LEAD_TIME_BUCKETS },
  };
  const requests = (
    kind: string,
    path: string,
    scope: BenchRequest['scope'],
    ownOf: (requested: PairQuery) => Statement,
    key?: string,
  ): BenchRequest => {
    const ofStation = scope === 'station' ? ' AND station_id = {station_id: String}' : '';
    const grouped = key === undefined ? '' : ` GROUP BY ${key}`;
    const where = `WHERE metric = {metric: String} AND provider = {provider: String} AND target_date BETWEEN {period_start: Date} AND {period_end: Date}${ofStation}`;
    const histogram = scope === 'network' ? 'network_day_errors' : 'station_day_errors';
    return {
      name: `${kind}, ${days} days`,
      kind,
      scope,
      days,
      path: `/api/v1/accuracy/${path}${path.includes('?') ? '&' : '?'}${window}`,
      plainSql: `SELECT ${key ?? "''"} AS key, count() AS n, avg(toFloat64(error)) AS mean_error, stddevPop(toFloat64(error)) AS std_dev,
        quantilesExactInclusive(0.5, 0.9, 0.95)(abs(toFloat64(error))) AS percentiles
        FROM pairs ${where}${grouped}`,
      duckSql: `SELECT ${key === undefined ? "''" : `CAST(${key} AS VARCHAR)`} AS key, count(*) AS n, avg(error) AS mean_error, stddev_pop(error) AS std_dev,
        quantile_cont(abs(error), [0.5, 0.9, 0.95]) AS percentiles
        FROM $table WHERE metric = 'high' AND target_date BETWEEN DATE '${period_start}' AND DATE '${lastDay}'${
          scope === 'station' ? ` AND station_id = '${station}'` : ''
        }${grouped}`,
      own: ownOf(scope === 'station' ? { ...requested, station: { station_id: station } } : requested),
      bareSql: `SELECT target_date, lead_time_bucket, error_hundredths, pair_count, preliminary_pair_count FROM ${histogram} ${where} FORMAT Null`,
      params,
    };
  };
  return [
    requests('network summary', 'summary', 'network', ofWindow),
    requests('network by-date', 'by-date', 'network', ofDates, 'target_date'),
    requests('network by-lead-time', 'by-lead-time', 'network', ofLeadTimes, 'lead_time_bucket'),
    requests('by-city', 'by-city', 'each_station', ofCities, 'station_id'),
    requests('station by-station', `by-station/${station}`, 'station', ofWindow),
    requests('station by-date', `by-date/${station}`, 'station', ofDates, 'target_date'),
    requests('station summary', `summary?station_id=${station}`, 'station', ofWindow),
    requests(
      'station by-lead-time',
      `by-lead-time?station_id=${station}`,
      'station',
      ofLeadTimes,
      'lead_time_bucket',
    ),
  ];
}

/** The requests of a station and a window of a week to a year, far from those before: the same in every run. */
export function requestsAtRandom(
  nth: number,
  { stations, days }: Pick<Shape, 'stations' | 'days'>,
): BenchRequest[] {
  // Multiples of an irrational number fill the range evenly, in any stretch of them.
  const pick = (irrational: number, below: number): number => Math.floor(((nth * irrational) % 1) * below);
  const window = 7 + pick(Math.SQRT2, Math.min(days, 365) - 6);
  const lastDay = addDays(LAST_DAY, -pick(Math.sqrt(3), days - window + 1));
  return makeRequests(window, lastDay, `K${String(pick(Math.sqrt(5), stations)).padStart(5, '0')}`);
}

/** A record as both sides of a comparison give it: pairs, mean error, standard deviation, percentiles, to 0.01 °F. */
export type Numbers = Map<string, (number | null)[]>;

interface PlainRow {
  key: string;
  n: number | string | bigint;
  mean_error: number;
  std_dev: number;
  percentiles: readonly number[];
}

export function numbersOfRows(rows: readonly PlainRow[]): Numbers {
  return new Map(
    rows.map(({ key, n, mean_error, std_dev, percentiles }) => [
      String(key),
      [Number(n), rounded(mean_error), rounded(std_dev), ...percentiles.map((value) => rounded(value))],
    ]),
  );
}

interface Stats {
  verification_pairs: number;
  mean_error: number;
  std_dev: number;
  abs_error_p50: number;
  abs_error_p90: number;
  abs_error_p95: number;
}

/** The numbers of a response of the service; records without pairs are left out, as plain SQL does. */
export function numbersOfBody(body: Buffer): Numbers {
  const { data } = JSON.parse(body.toString()) as {
    data: Record<string, unknown> | Record<string, unknown>[];
  };
  const records = Array.isArray(data) ? data : [data];
  const found: Numbers = new Map();
  for (const record of records) {
    const stats = (record.stats ?? record) as unknown as Stats;
    if (stats.verification_pairs === 0) continue;
    const key = !Array.isArray(data) ? '' : (record.date ?? record.lead_time_bucket ?? record.station_id);
    const { verification_pairs, mean_error, std_dev, abs_error_p50, abs_error_p90, abs_error_p95 } = stats;
    found.set(String(key), [
      verification_pairs,
      mean_error,
      std_dev,
      abs_error_p50,
      abs_error_p90,
      abs_error_p95,
    ]);
  }
  return found;
}

/** @throws when two responses to one request differ */
export function expectSame(requests: string, one: Numbers, other: Numbers): void {
  if (one.size === 0) throw new Error(`${requests}: the service gives no record`);
  for (const [key, numbers] of new Map([...one, ...other])) {
    const [a, b] = [one.get(key), other.get(key)];
    // Means of binary fractions may fall a hair beside a tie that exact sums hit.
    const same =
      a?.length === b?.length &&
      a?.every(
        (value, i) => Math.abs((value ?? 0) - (b?.[i] ?? NaN)) < 0.0101 && (i > 0 || value === b?.[i]),
      );
    if (!same)
      throw new Error(`${requests}, ${key}: ${a?.join(' ')} is not ${b?.join(' ')} (${numbers.join(' ')})`);
  }
}
