import fc from 'fast-check';
import { z } from 'zod';
import { LEVELS } from '../../../src/statistics/quantiles.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { hourLine, type HourRow } from './hours.js';
import { type Amount, AMOUNTS, type Amounts, type Hourly } from './variables.js';
import { hourlyForecastLine, type HourlyForecastRow } from './station-hours.js';

// The answers that the service has to give, worked out a second time. Plain loops go over feed rows held in memory, in
// whole numbers and fractions of whole numbers. It shares no code with src/, so a slip there cannot hide here.
// Temperatures are in hundredths of °F, instants in milliseconds since 1970.

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

// ---- Feeds ----------------------------------------------------------------------------------------------------------

export type Metric = 'high' | 'low';

/** The variables that follow from the high and the low of a day, hundredths of a °F; halves of a hundredth go up. */
export const DERIVED = {
  mean: (high: number, low: number): number => Math.ceil((high + low - 0.5) / 2) + 0, // never -0
  range: (high: number, low: number): number => high - low,
  hdd: (high: number, low: number): number => Math.max(0, 6500 - DERIVED.mean(high, low)),
  cdd: (high: number, low: number): number => Math.max(0, DERIVED.mean(high, low) - 6500),
  gdd: (high: number, low: number): number =>
    DERIVED.mean(within(high, 5000, 8600), within(low, 5000, 8600)) - 5000,
  // Choices of a request are written behind the name.
  'hdd&base=18.1c': (high: number, low: number): number => Math.max(0, 6458 - DERIVED.mean(high, low)),
  'cdd&base=50.5f&method=nws': (high: number, low: number): number =>
    Math.max(0, wholeMean(high, low) - 5050),
  'hdd&method=nws': (high: number, low: number): number => Math.max(0, 6500 - wholeMean(high, low)),
  'gdd&base=4.5c&cap=28c&method=nws': (high: number, low: number): number =>
    Math.max(0, wholeMean(within(high, 4010, 8240), within(low, 4010, 8240)) - 4010),
};
const within = (value: number, low: number, high: number): number =>
  value < low ? low : value > high ? high : value;
/** The mean in whole degrees, halves up, of the exact one. */
const wholeMean = (high: number, low: number): number => {
  const degrees = Math.trunc((high + low) / 200) - 2;
  for (let degree = degrees; ; degree += 1) if (high + low < 200 * degree + 100) return 100 * degree;
};
export type Derived = keyof typeof DERIVED;
export const isDerived = (variable: string): variable is Derived => variable in DERIVED;
export const DERIVED_NAMES = Object.keys(DERIVED) as Derived[];
export type Variable = Metric | Derived;
/** The parameters of a request about a variable: its name, and its choices. */
export const variableQuery = (variable: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(`metric=${variable}`));
export type Status = 'preliminary' | 'verified';

export interface StationRow {
  station_id: string;
  city_name: string;
  timezone: string;
  iata: string;
  /** US and Cfa, unless it says so. */
  country?: string;
  climate_zone?: string;
  day_boundary?: 'civil' | 'standard';
  /** The degrees of its observations; finer ones, unless it says so. */
  reported_in?: '' | 'whole_fahrenheit' | 'whole_celsius';
  withdrawn?: boolean;
}

export interface ForecastRow extends Amounts {
  /** `default`, unless it says so. */
  provider?: string;
  withdrawn?: boolean;
  station_id: string;
  issued_at: number;
  target_date: string;
  high: number | undefined;
  low: number | undefined;
  /** Their distributions: the standard deviation, and the quantiles of LEVELS. */
  high_sd?: number | undefined;
  low_sd?: number | undefined;
  high_quantiles?: Quantiles | undefined;
  low_quantiles?: Quantiles | undefined;
}

export type Quantiles = readonly (number | undefined)[];

export interface ObservationRow extends Amounts {
  withdrawn?: boolean;
  station_id: string;
  date: string;
  high: number | undefined;
  low: number | undefined;
  status: Status;
  observed_at: number;
}

/** A climatological normal. */
export interface NormalRow {
  withdrawn?: boolean;
  station_id: string;
  /** MM-DD. */
  month_day: string;
  high: number | undefined;
  low: number | undefined;
}

/** The rows of one load, in the order in which its files give them. */
export interface Load {
  stations: readonly StationRow[];
  forecasts: readonly ForecastRow[];
  observations: readonly ObservationRow[];
  normals?: readonly NormalRow[];
  /** Reports within the day. */
  hours?: readonly HourRow[];
  hourly_forecasts?: readonly HourlyForecastRow[];
}

export const NO_ROWS: Load = { stations: [], forecasts: [], observations: [] };

/** The lines of the feed files that say what a load says, with all columns that a feed may have. */
export function linesOf({ stations, forecasts, observations, normals, hours, hourly_forecasts }: Load): {
  stations: string[];
  forecasts: string[];
  observations: string[];
  normals?: string[];
  hours?: string[];
  hourly_forecasts?: string[];
  columns: 'all';
} {
  const hasAmounts = [...forecasts, ...observations].some((row) =>
    AMOUNTS.some((name) => row[name] !== undefined),
  );
  return {
    columns: 'all',
    ...(hours && { hours: hours.map(hourLine) }),
    ...(hourly_forecasts && { hourly_forecasts: hourly_forecasts.map(hourlyForecastLine) }),
    stations: stations.map(
      ({ station_id, city_name, timezone, iata, country = 'US', climate_zone = 'Cfa', ...row }) =>
        `${station_id},${city_name},${country},40.5,-73.25,${timezone},${climate_zone},true,,${iata},` +
        `${row.day_boundary ?? ''},${row.withdrawn ?? ''},${row.reported_in ?? ''}`,
    ),
    forecasts: forecasts.map(
      ({ station_id, issued_at, target_date, high, low, provider = '', withdrawn = '', ...row }) =>
        `${station_id},${utc(issued_at)},${target_date},${degrees(high)},${degrees(low)},${provider},${withdrawn},` +
        `${degrees(row.high_sd)},${degrees(row.low_sd)},` +
        `${[...(row.high_quantiles ?? NO_QUANTILES), ...(row.low_quantiles ?? NO_QUANTILES)].map(degrees).join()}` +
        (hasAmounts ? `,,${amounts(row)}` : ''),
    ),
    observations: observations.map(
      ({ station_id, date, high, low, status, observed_at, withdrawn = '', ...row }) =>
        `${station_id},${date},${degrees(high)},${degrees(low)},${status},${utc(observed_at)},${withdrawn}` +
        (hasAmounts ? `,${amounts(row)}` : ''),
    ),
    ...(normals && {
      normals: normals.map(
        ({ station_id, month_day, high, low, withdrawn = '' }) =>
          `${station_id},${month_day},${degrees(high)},${degrees(low)},${withdrawn}`,
      ),
    }),
  };
}

const NO_QUANTILES: Quantiles = LEVELS.map(() => undefined);

/** Cells of amounts: of those that can be a trace, none is one. */
const amounts = (row: Amounts): string =>
  AMOUNTS.map((name, at) => (at < 2 && row[name] === 0 ? 'T' : degrees(row[name]))).join();

function degrees(hundredths: number | undefined): string {
  if (hundredths === undefined) return '';
  const whole = Math.abs(hundredths);
  const decimals = String(whole % 100).padStart(2, '0');
  return `${hundredths < 0 ? '-' : ''}${Math.floor(whole / 100)}.${decimals}`;
}

/** An instant as ISO 8601 in UTC, without a fraction that says nothing. */
function utc(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

// ---- Days -----------------------------------------------------------------------------------------------------------

export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The time that a clock in a zone shows, as `YYYY-MM-DD hh:mm:ss`. */
function wallClock(instant: number, timezone: string): string {
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(timezone, clock);
  }
  return clock.format(instant);
}

/** Milliseconds by which the clock of a zone is ahead of UTC. */
export function offsetAt(instant: number, timezone: string): number {
  const second = Math.floor(instant / SECOND) * SECOND;
  return Date.parse(`${wallClock(second, timezone).replace(' ', 'T')}Z`) - second;
}

const daysBegun = new Map<string, number>();

/**
 * The first instant at which it is a date in a zone, found by looking at the clock (D5). A date that a zone left out as
 * a whole begins, and ends, when the next one does.
 */
export function startOfDay(date: string, timezone: string): number {
  const key = `${date} ${timezone}`;
  const known = daysBegun.get(key);
  if (known !== undefined) return known;
  const start = searchStartOfDay(date, (instant) => wallClock(instant, timezone).slice(0, 10), timezone);
  daysBegun.set(key, start);
  return start;
}

function searchStartOfDay(date: string, dateAt: (instant: number) => string, timezone: string): number {
  const begun = (instant: number): boolean => dateAt(instant) >= date;
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  // No clock is more than 16 hours ahead of UTC or behind it, and a date left out costs 24 more.
  for (let from = utcMidnight - 16 * HOUR; from < utcMidnight + 40 * HOUR; from += HOUR) {
    const to = from + HOUR;
    if (offsetAt(from, timezone) !== offsetAt(to, timezone)) {
      // The clock is put forward or back within this hour, perhaps over midnight and back again.
      for (let instant = from; instant <= to; instant += SECOND) if (begun(instant)) return instant;
    } else if (begun(to)) {
      let [before, after] = [from, to];
      while (after - before > SECOND) {
        const middle = before + Math.floor((after - before) / (2 * SECOND)) * SECOND;
        if (begun(middle)) after = middle;
        else before = middle;
      }
      return after;
    }
  }
  throw new Error(`${timezone} never comes to ${date}`);
}

/** The zones in which a test counts days by standard time, which the first of January or July has there. */
const STANDARD_ZONES = ['America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut'];

/** The instant at which a date begins at a station (D28). */
export function dayStart(
  date: string,
  { timezone, day_boundary }: Pick<StationRow, 'timezone' | 'day_boundary'>,
): number {
  if (day_boundary !== 'standard') return startOfDay(date, timezone);
  const year = date.slice(0, 4);
  const offsets = [`${year}-01-01`, `${year}-07-01`].map((day) => offsetAt(Date.parse(day), timezone));
  return Date.parse(date) - Math.min(...offsets);
}

// ---- Pairs ----------------------------------------------------------------------------------------------------------

export const BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'] as const;
/** Buckets of the ledger, which keeps the forecasts of a day that had begun beside the others (D40). */
export const LEDGER_BUCKETS = ['same-day', ...BUCKETS] as const;
export type Bucket = (typeof LEDGER_BUCKETS)[number];
/** The shortest lead time of each bucket. */
export const BUCKETS_BEGIN_AT: readonly number[] = [0, 6 * HOUR, 12 * HOUR, 24 * HOUR, 48 * HOUR, 72 * HOUR];

/** The bucket of a forecast issued so long before its day begins, and so long before the day ends. */
export function bucketOf(lead: number, leadToEnd: number): Bucket | undefined {
  if (lead < 0 && leadToEnd <= 0) return undefined;
  return LEDGER_BUCKETS[BUCKETS_BEGIN_AT.filter((begin) => begin <= lead).length];
}

export interface Pair {
  metric: Variable | Amount | Hourly;
  provider: string;
  station_id: string;
  target_date: string;
  issued_at: number;
  local_midnight: number;
  lead_time_bucket: Bucket;
  forecast: number;
  actual: number;
  error: number;
  observation_status: Status;
}

/** The latest row of each station that is not withdrawn. */
export function stationsOf(loads: readonly Load[]): Map<string, StationRow> {
  const latest = loads.flatMap(({ stations }) => stations).map((row) => [row.station_id, row] as const);
  return new Map([...new Map(latest)].filter(([, { withdrawn }]) => withdrawn !== true));
}

/** Every verification pair of the ledger after these loads, in this order (D5, D40); of highs and lows, unless others are named. */
export function pairsOf(
  loads: readonly Load[],
  metrics: readonly (Metric | Amount)[] = ['high', 'low'],
): Pair[] {
  const stations = stationsOf(loads);
  const pairs: Pair[] = [];
  for (const metric of metrics) {
    const forecasts = standing(
      loads.flatMap((load) => load.forecasts),
      metric,
      ({ provider = '', station_id, target_date, issued_at }) =>
        `${provider} ${station_id} ${target_date} ${issued_at}`,
    );
    const chosen = new Map<string, ObservationRow>();
    for (const row of reportsOf(loads, metric)) {
      const key = `${row.station_id} ${row.date}`;
      if (outranks(row, chosen.get(key))) chosen.set(key, row);
    }
    for (const row of forecasts) {
      const { station_id, target_date, issued_at, provider = 'default' } = row;
      const observation = chosen.get(`${station_id} ${target_date}`);
      const station = stations.get(station_id);
      const forecast = row[metric];
      const actual = observation?.[metric];
      if (station === undefined || observation === undefined) continue;
      if (forecast === undefined || actual === undefined) continue;
      const local_midnight = dayStart(target_date, station);
      const dayEnds = dayStart(plusDays(target_date, 1), station);
      const lead_time_bucket = bucketOf(local_midnight - issued_at, dayEnds - issued_at);
      if (lead_time_bucket === undefined) continue;
      pairs.push({
        metric,
        provider,
        station_id,
        target_date,
        issued_at,
        local_midnight,
        lead_time_bucket,
        forecast,
        actual,
        error: forecast - actual,
        observation_status: observation.status,
      });
    }
  }
  return pairs;
}

/** The pairs of what follows from highs and lows: those that have both, issued at one instant. */
export function derivedPairs(pairs: readonly Pair[], metric: Derived): Pair[] {
  const keyOf = ({ provider, station_id, target_date, issued_at }: Pair): string =>
    `${provider} ${station_id} ${target_date} ${issued_at}`;
  const lows = new Map(pairs.filter((pair) => pair.metric === 'low').map((pair) => [keyOf(pair), pair]));
  return pairs
    .filter((pair) => pair.metric === 'high')
    .flatMap((high) => {
      const low = lows.get(keyOf(high));
      if (low === undefined) return [];
      const [forecast, actual] = [
        DERIVED[metric](high.forecast, low.forecast),
        DERIVED[metric](high.actual, low.actual),
      ];
      const isVerified = [high, low].every(({ observation_status }) => observation_status === 'verified');
      const observation_status = isVerified ? 'verified' : 'preliminary';
      return [{ ...high, metric, forecast, actual, error: forecast - actual, observation_status }];
    });
}

/** The pairs of a variable. */
export const pairsOfVariable = (loads: readonly Load[], variable: Variable): Pair[] =>
  isDerived(variable)
    ? derivedPairs(pairsOf(loads), variable)
    : pairsOf(loads).filter(({ metric }) => metric === variable);

/** The rows that say a metric and stand: of each key the latest, unless that withdraws it. */
export function standing<
  Row extends { withdrawn?: boolean } & { [name in Key]?: number | undefined },
  Key extends string,
>(rows: readonly Row[], metric: Key, keyOf: (row: Row) => string): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    if (row.withdrawn === true) found.delete(keyOf(row));
    else if (row[metric] !== undefined) found.set(keyOf(row), row);
  }
  return [...found.values()];
}

/** The reports of stations about a metric, after some loads, in the degrees in which they now say they report. */
export function reportsOf(loads: readonly Load[], metric: Metric | Amount): ObservationRow[] {
  const stations = stationsOf(loads);
  return standing(
    loads.flatMap(({ observations }) => observations),
    metric,
    ({ station_id, date, status, observed_at }) => `${station_id} ${date} ${status} ${observed_at}`,
  ).map((row) =>
    metric === 'high' || metric === 'low'
      ? { ...row, [metric]: meant(row[metric], stations.get(row.station_id)) }
      : row,
  );
}

/** The whole degree of its station that an observed value is a print of: one within 0.1 °F. */
function meant(value: number | undefined, station: StationRow | undefined): number | undefined {
  for (let degree = -150; value !== undefined && degree <= 150; degree += 1) {
    const hundredths = { whole_fahrenheit: 100 * degree, whole_celsius: 3200 + 180 * degree, '': Infinity };
    const whole = hundredths[station?.reported_in ?? ''];
    if (Math.abs(whole - value) <= 10) return whole;
  }
  return value;
}

/** Whether a report of a day counts rather than another. */
export function outranks(row: ObservationRow, before: ObservationRow | undefined): boolean {
  if (before === undefined) return true;
  if (before.status !== row.status) return row.status === 'verified';
  return row.observed_at > before.observed_at;
}

// ---- Statistics -----------------------------------------------------------------------------------------------------

export interface Stats {
  verification_pairs: number;
  unique_days: number;
  mean_error: number | null;
  std_dev: number | null;
  mae: number | null;
  rmse: number | null;
  abs_error_p50: number | null;
  abs_error_p90: number | null;
  abs_error_p95: number | null;
}

/** Whole numbers that say all about some errors: how many, their sum, that of their sizes, that of their squares. */
interface Sums {
  n: bigint;
  sum: bigint;
  sizes: bigint;
  squares: bigint;
}

function sumsOf(pairs: readonly Pair[]): Sums {
  const errors = pairs.map(({ error }) => BigInt(error));
  const total = (values: bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);
  return {
    n: BigInt(errors.length),
    sum: total(errors),
    sizes: total(errors.map(sizeOf)),
    squares: total(errors.map((error) => error * error)),
  };
}

/** The fraction by which an answer multiplies differences of temperatures in hundredths of a °F (D43). */
export type Scale = readonly [times: bigint, by: bigint];

const FAHRENHEIT: Scale = [1n, 1n];

/** The nine statistics, exact until they are rounded (D9). */
export function statisticsOf(pairs: readonly Pair[], [times, by]: Scale = FAHRENHEIT): Stats {
  const { n, sum, sizes, squares } = sumsOf(pairs);
  const sorted = pairs.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  const none = pairs.length === 0;
  return {
    verification_pairs: pairs.length,
    unique_days: new Set(pairs.map(({ target_date }) => target_date)).size,
    mean_error: none ? null : roundedFraction(times * sum, by * n),
    // The variance is squares / n - (sum / n)².
    std_dev: none ? null : roundedRoot(times * times * (n * squares - sum * sum), by * n),
    mae: none ? null : roundedFraction(times * sizes, by * n),
    rmse: none ? null : roundedRoot(times * times * n * squares, by * n),
    abs_error_p50: none ? null : percentile(sorted, 10, [times, by]),
    abs_error_p90: none ? null : percentile(sorted, 18, [times, by]),
    abs_error_p95: none ? null : percentile(sorted, 19, [times, by]),
  };
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** A fraction of hundredths as °F, rounded to 0.01, half away from zero. */
export function roundedFraction(numerator: bigint, denominator: bigint): number {
  const size = (2n * sizeOf(numerator) + denominator) / (2n * denominator);
  return size === 0n ? 0 : Number(numerator < 0n ? -size : size) / 100;
}

/** A share to 0.0001, half up; null of nothing. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((20_000 * part + whole) / (2 * whole)) / 10_000;
}

/** From 0 to 100, to 0.01. */
export const percentage = (part: number, whole: number): number =>
  Math.round(10_000 * (rate(part, whole) ?? NaN)) / 100;

/** sqrt(square) / denominator hundredths as °F, rounded to 0.01, half up. */
function roundedRoot(square: bigint, denominator: bigint): number {
  // r is the largest whole number with r - 1/2 <= sqrt(square) / denominator.
  return Number((wholeRoot(4n * square) / denominator + 1n) / 2n) / 100;
}

function wholeRoot(square: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (root * root > square) root -= 1n;
  while ((root + 1n) * (root + 1n) <= square) root += 1n;
  return root;
}

/** The percentile of twentieths (10 is the median), between order statistics (type 7). */
function percentile(sorted: readonly number[], twentieths: number, [times, by]: Scale): number {
  const position = (sorted.length - 1) * twentieths;
  const [below, above] = [Math.floor(position / 20), Math.ceil(position / 20)].map((i) => sorted[i] ?? 0);
  const share = position % 20;
  return roundedFraction(times * BigInt((20 - share) * (below ?? 0) + share * (above ?? 0)), by * 20n);
}

// ---- Answers --------------------------------------------------------------------------------------------------------

export const SORT_BY = ['mae', 'count', 'mean_error', 'city', 'rmse'] as const;
export type SortBy = (typeof SORT_BY)[number];

/** A question whose parameters are all valid. */
export interface Question {
  metric?: Variable | undefined;
  days?: number | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
  /** ICAO identifier. */
  station?: string | undefined;
  /** Several, together: ICAO identifiers in their order. */
  together?: readonly string[] | undefined;
  include_raw?: boolean | undefined;
  min_samples?: number | undefined;
  sort_by?: SortBy | undefined;
}

/** The metadata that answers have after some loads, at a time. */
export class Oracle {
  readonly #stations: ReadonlyMap<string, StationRow>;

  constructor(
    loads: readonly Load[],
    private readonly now: number,
  ) {
    this.#stations = stationsOf(loads);
  }

  /** Whether a station answers to its id: it was loaded, and is not withdrawn. */
  hasStation(stationId: string): boolean {
    return this.#stations.has(stationId);
  }

  /** The one station of a question, if it is of one. */
  #only({ station, together = station === undefined ? [] : [station] }: Question): StationRow | undefined {
    return together.length === 1 ? this.#stations.get(together[0]!) : undefined;
  }

  /** The UTC day or, of one station, the last of its days that has begun (D64). */
  #today(question: Question): string {
    const station = this.#only(question);
    const inUtc = new Date(this.now).toISOString().slice(0, 10);
    if (station === undefined) return inUtc;
    return [1, 0, -1]
      .map((days) => plusDays(inUtc, days))
      .find((date) => dayStart(date, station) <= this.now)!;
  }

  /** The window of a request, as docs/api.md has it. */
  #window(question: Question): { period_start: string; period_end: string } {
    const { days = 90, date_from, date_to } = question;
    if (date_from !== undefined) {
      return { period_start: date_from, period_end: date_to ?? plusDays(date_from, days - 1) };
    }
    const period_end = date_to ?? this.#today(question);
    return { period_start: plusDays(period_end, 1 - days), period_end };
  }

  /** The metadata of a question: its window, its stations, and whose day is today. */
  metadata(question: Question): Record<string, unknown> {
    const { period_start, period_end } = this.#window(question);
    const days = (Date.parse(period_end) - Date.parse(period_start)) / DAY + 1;
    return {
      generated_at: new Date(this.now).toISOString(),
      days_analyzed: days,
      period_start,
      period_end,
      station_id: question.station ?? question.together?.join(',') ?? 'ALL',
      ...(question.together && { stations: question.together.length }),
      provider: 'default',
      accuracy_metric: variableQuery(question.metric ?? 'high').metric,
      error_convention: 'forecast_minus_actual',
      ...(this.#only(question) === undefined && { today_basis: 'utc' }),
    };
  }
}

export function groups<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const group = found.get(keyOf(row));
    if (group === undefined) found.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

// ---- Worlds ---------------------------------------------------------------------------------------------------------

/** Stations in zones that treat midnight badly. Two share a city name; names differ in case and in letters. */
export const STATIONS: readonly StationRow[] = (
  [
    ['KNYC', 'New York', 'America/New_York', 'NYC'],
    ['MUHA', 'havana', 'America/Havana', 'HAV', 'CU', 'Am'],
    ['VNKT', 'Kathmandu', 'Asia/Kathmandu', 'KTM', 'NP', ''],
    ['YLHI', 'Lord Howe Island', 'Australia/Lord_Howe', 'LDH', 'AU', 'Cfb'],
    ['NSFA', 'APIA', 'Pacific/Apia', 'APW'],
    ['LPPD', 'Évora do Mar', 'Atlantic/Azores', 'PDL'],
    ['OLBA', 'beirut', 'Asia/Beirut', 'BEY'],
    ['CYYT', 'St. Johns', 'America/St_Johns', 'YYT', 'CA', 'Dfb'],
    ['PLCH', 'Ōtautahi', 'Pacific/Kiritimati', '', 'US', 'Am'],
    ['NSTU', 'NEW YORK', 'Pacific/Pago_Pago', '', 'AS', ''],
  ] as [id: string, city: string, zone: string, iata: string, country?: string, climate?: string][]
).map(([station_id, city_name, timezone, iata, country = 'US', climate_zone = 'Cfa']) => ({
  ...{ station_id, city_name, timezone, iata, country, climate_zone },
}));

/** Who issues forecasts beside the default provider. */
export const OTHER_PROVIDER = 'nws-2';

/** Days around which clocks change, years end, or a leap day falls, each with a station that feels it. */
export const HARD_DAYS: readonly (readonly [date: string, station_id: string])[] = [
  ['1986-01-01', 'VNKT'], // Kathmandu puts its clocks forward by a quarter of an hour at midnight
  ['1999-12-31', 'NSTU'],
  ['2000-02-29', 'VNKT'],
  ['2005-10-30', 'CYYT'], // a minute after midnight it is 23:01 of the day before again
  ['2011-09-25', 'NSFA'], // the day after Apia put its clocks forward, on the other side of the date line
  ['2011-12-30', 'NSFA'], // left out in Apia
  ['2011-12-31', 'NSFA'],
  ['2021-03-14', 'KNYC'],
  ['2021-11-07', 'KNYC'],
  ['2023-12-31', 'PLCH'],
  ['2024-02-29', 'YLHI'],
  ['2024-03-31', 'LPPD'], // midnight is left out
  ['2024-03-31', 'OLBA'], // midnight is left out
  ['2024-04-07', 'YLHI'], // by half an hour
  ['2024-10-06', 'YLHI'],
  ['2024-10-27', 'LPPD'], // midnight comes twice
  ['2024-10-27', 'OLBA'], // at midnight it is 23:00 of the day before again
  ['2026-03-08', 'MUHA'], // midnight is left out
  ['2026-11-01', 'MUHA'], // midnight comes twice
  ['2100-02-28', 'KNYC'],
  ['2149-06-04', 'MUHA'],
];

/** Lead times, most of them on the bounds of buckets or just beside them; negative: issued after the day began. */
const leadTime = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...BUCKETS_BEGIN_AT) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...BUCKETS_BEGIN_AT), fc.constantFrom(-SECOND, SECOND, -1, 1))
      .map(([bound, beside]) => bound + beside),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: -30 * 3600, max: 130 * 3600 }).map((seconds) => seconds * SECOND),
  },
);

/** Temperatures: close ones, so that errors repeat; common ones; any that a feed may hold; blanks. */
const temperature = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -12, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 5000, max: 7000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -13_000, max: 14_000 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** A date of a world: one of its stations' days, by index. */
const index = fc.nat({ max: 59 });

/** Rows as they are drawn: stations, days and loads by index. */
interface Drawn {
  hardDay: readonly [date: string, station_id: string];
  otherStations: StationRow[];
  daysBeside: number[];
  farDay: readonly [date: string, station_id: string] | undefined;
  forecasts: { at: number; day: number; lead: number; high?: number; low?: number; load: number }[];
  observations: {
    at: number;
    day: number;
    high: number | undefined;
    low: number | undefined;
    status: Status;
    daysLater: number;
    load: number;
  }[];
  moves: { at: number; timezone: string; isStandard: boolean; load: number }[];
  /** For some forecasts, by index: how far that of a second provider is off. */
  others: { at: number; off: number }[];
  /** Rows and stations to withdraw, by index, and whether they come back. */
  withdrawals: { of: 'forecasts' | 'observations' | 'stations'; at: number; comesBack: boolean }[];
  loads: number;
  /** In which degrees stations report, in the order in which rows say so: `loads` may correct each other. */
  reported: NonNullable<StationRow['reported_in']>[];
}

export interface WorldOptions {
  /** Whether two rows may speak of one value, a station may move to another zone, and what was said be withdrawn. */
  conflicts: boolean;
}

/** Feeds cut into loads. With conflicts their order matters: what a later load says wins. */
export interface World {
  loads: Load[];
  stations: readonly StationRow[];
  /** The days that the feeds speak of. */
  dates: readonly string[];
}

/** A standard deviation for two forecasts out of three, most of them whole degrees; it depends on the forecast and its lead time alone. */
function deviationBeside(forecast: number | undefined, lead: number): number | undefined {
  if (forecast === undefined) return undefined;
  const drawn = Math.abs(7 * forecast + Math.round(lead / SECOND));
  if (drawn % 3 === 0) return undefined;
  return drawn % 4 === 0 ? drawn % 503 : 100 * (drawn % 5);
}

const FEW_LEVELS = [10, 50, 90];
const MANY_LEVELS = [5, 10, 25, 50, 75, 90, 95];

/** Quantiles of a forecast, some equal to others and many whole degrees, that depend likewise on it; undefined for some. */
function quantilesBeside(forecast: number | undefined, lead: number): Quantiles | undefined {
  if (forecast === undefined) return undefined;
  const drawn = Math.abs(11 * forecast + Math.round(lead / SECOND));
  if (drawn % 3 === 0) return undefined;
  const levels: readonly number[] = drawn % 3 === 1 ? FEW_LEVELS : MANY_LEVELS;
  const step = drawn % 2 === 0 ? 1 + (drawn % 5) : drawn % 3;
  const middle = drawn % 4 === 0 ? forecast : 100 * Math.round(forecast / 100);
  return LEVELS.map((level) => {
    const off = drawn % 7 === 0 ? level - 50 : 100 * Math.round((level - 50) / 20);
    return levels.includes(level) ? clamped(middle + step * off) : undefined;
  });
}

/** The distributions of a row that has a high and a low. */
export const distributionsBeside = (high: number | undefined, low: number | undefined, lead: number) => ({
  high_sd: deviationBeside(high, lead),
  low_sd: deviationBeside(low, lead),
  high_quantiles: quantilesBeside(high, lead),
  low_quantiles: quantilesBeside(low, lead),
});

/** A day's high, issued so long before the day begins at a station. */
export function forecastOf(
  station: StationRow,
  target_date: string,
  lead: number,
  high: number,
): ForecastRow {
  const issued_at = startOfDay(target_date, station.timezone) - lead;
  return { station_id: station.station_id, issued_at, target_date, high, low: undefined };
}

/** An observation, verified on the day after. */
export function observationOf(station: StationRow, date: string, high: number): ObservationRow {
  const observed_at = Date.parse(`${plusDays(date, 1)}T12:00:00Z`);
  return { station_id: station.station_id, date, high, low: undefined, status: 'verified', observed_at };
}

/** The rows of all loads, in their order, as one. */
export function joined(loads: readonly Load[]): Load {
  const hours = loads.flatMap((load) => load.hours ?? []);
  const hourly_forecasts = loads.flatMap((load) => load.hourly_forecasts ?? []);
  return {
    ...(hours.length > 0 && { hours }),
    ...(hourly_forecasts.length > 0 && { hourly_forecasts }),
    stations: loads.flatMap(({ stations }) => stations),
    forecasts: loads.flatMap(({ forecasts }) => forecasts),
    observations: loads.flatMap(({ observations }) => observations),
  };
}

/** Empties a store, whose tables stay: faster than opening another. */
export async function emptyStore(store: Store): Promise<void> {
  const tables = await store.query(
    sql.rows(z.object({ name: z.string() }))`SELECT name FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name NOT IN ('migrations', 'lineages') AND total_rows > 0`,
  );
  for (const { name } of tables) await store.command(raw(`TRUNCATE TABLE ${name}`));
}

/** Small random worlds. The first load has all stations; every row goes into some load. */
export function worlds({ conflicts }: WorldOptions): fc.Arbitrary<World> {
  const load = fc.nat({ max: 2 });
  const drawn = fc.record({
    hardDay: fc.constantFrom(...HARD_DAYS),
    otherStations: fc.uniqueArray(fc.constantFrom(...STATIONS), { maxLength: 4 }),
    daysBeside: fc.uniqueArray(fc.integer({ min: -3, max: 2 }), { maxLength: 4 }),
    farDay: fc.option(fc.constantFrom(...HARD_DAYS), { nil: undefined, freq: 3 }),
    forecasts: fc.array(
      fc.record({ at: index, day: index, lead: leadTime, high: temperature, low: temperature, load }),
      { maxLength: 90, size: 'max' },
    ),
    observations: fc.array(
      fc.record({
        at: index,
        day: index,
        high: temperature,
        low: temperature,
        status: fc.constantFrom<Status>('preliminary', 'verified'),
        daysLater: fc.integer({ min: 1, max: 3 }),
        load,
      }),
      { maxLength: 40, size: 'max' },
    ),
    moves: conflicts
      ? fc.array(
          fc.record({
            at: index,
            timezone: fc.constantFrom(...STATIONS.map((of) => of.timezone)),
            isStandard: fc.boolean(),
            load,
          }),
          { maxLength: 2 },
        )
      : fc.constant([]),
    others: fc.array(fc.record({ at: fc.nat({ max: 89 }), off: fc.integer({ min: -900, max: 900 }) }), {
      maxLength: 20,
    }),
    withdrawals: conflicts
      ? fc.array(
          fc.record({
            of: fc.constantFrom('forecasts', 'observations', 'stations'),
            at: fc.nat({ max: 89 }),
            comesBack: fc.boolean(),
          }),
          { maxLength: 12 },
        )
      : fc.constant([]),
    loads: fc.integer({ min: 1, max: 3 }),
    reported: fc.array(fc.constantFrom('', 'whole_fahrenheit', 'whole_celsius'), {
      minLength: 7,
      maxLength: 7,
    }),
  });
  return drawn.map((world) => build(world as Drawn, conflicts));
}

function build(drawn: Drawn, conflicts: boolean): World {
  const { hardDay, otherStations, daysBeside, farDay, forecasts, observations, moves, loads } = drawn;
  const { others, withdrawals, reported } = drawn;
  const [hardDate, hardStation] = hardDay;
  const stations = [
    ...STATIONS.filter(({ station_id }) => station_id === hardStation),
    ...otherStations.filter(({ station_id }) => station_id !== hardStation),
  ].map((station, at) => ({ ...station, reported_in: reported[at] ?? '' }));
  const dates = [
    ...new Set([
      hardDate,
      ...daysBeside.map((days) => plusDays(hardDate, days)),
      ...(farDay ? [farDay[0]] : []),
    ]),
  ];
  const spoken = new Set<string>();
  /** Where rows may not contradict each other, the first to speak of a value is the only one. */
  const mayStay = (key: string): boolean => {
    if (!conflicts && spoken.has(key)) return false;
    spoken.add(key);
    return true;
  };
  const member = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;
  const cut: (Load & { stations: StationRow[]; forecasts: ForecastRow[]; observations: ObservationRow[] })[] =
    Array.from({ length: loads }, (_, i) => ({
      stations: i === 0 ? [...stations] : [],
      forecasts: [],
      observations: [],
    }));
  for (const [nth, { at, timezone, isStandard, load }] of moves.entries()) {
    const day_boundary = isStandard && STANDARD_ZONES.includes(timezone) ? 'standard' : 'civil';
    member(cut, load).stations.push({
      ...member(stations, at),
      ...{ timezone, day_boundary, reported_in: reported[5 + nth] ?? '' },
    });
  }
  for (const { at, day, lead, high, low, load } of forecasts) {
    const { station_id, timezone } = member(stations, at);
    const target_date = member(dates, day);
    const issued_at = startOfDay(target_date, timezone) - lead;
    if (mayStay(`forecast ${station_id} ${target_date} ${issued_at}`)) {
      const distributions = distributionsBeside(high, low, lead);
      member(cut, load).forecasts.push({ station_id, issued_at, target_date, high, low, ...distributions });
    }
  }
  for (const { at, day, high, low, status, daysLater, load } of observations) {
    const { station_id } = member(stations, at);
    const date = member(dates, day);
    const observed_at = Date.parse(`${plusDays(date, daysLater)}T06:00:00Z`);
    if (mayStay(`observation ${station_id} ${date} ${status} ${observed_at}`)) {
      member(cut, load).observations.push({ station_id, date, high, low, status, observed_at });
    }
  }
  const said = cut.flatMap((load) => load.forecasts.map((row) => ({ load, row })));
  for (const { at, off } of said.length === 0 ? [] : others) {
    const { load, row } = member(said, at);
    const provider = OTHER_PROVIDER;
    if (!mayStay(`${provider} ${row.station_id} ${row.target_date} ${row.issued_at}`)) continue;
    const other = (value: number | undefined) => (value === undefined ? value : clamped(value + off));
    load.forecasts.push({ ...row, provider, high: other(row.high), low: other(row.low) });
  }
  return { loads: [...cut, ...withdrawn(cut, withdrawals, stations[0])], stations, dates };
}

function clamped(hundredths: number): number {
  return Math.max(-13_000, Math.min(14_000, hundredths));
}

/** The loads that withdraw some of what was said, and then say some of it again; one station is there in the end. */
function withdrawn(
  said: readonly Load[],
  withdrawals: Drawn['withdrawals'],
  lasting: StationRow | undefined,
): Load[] {
  if (withdrawals.length === 0) return [];
  const picked = <Row>(of: keyof Load, rows: readonly Row[]): { row: Row; comesBack: boolean }[] =>
    withdrawals
      .filter((one) => one.of === of && rows.length > 0)
      .map(({ at, comesBack }) => ({ row: rows[at % rows.length] as Row, comesBack }));
  const all = {
    stations: picked('stations', [...stationsOf(said).values()]),
    forecasts: picked(
      'forecasts',
      said.flatMap(({ forecasts }) => forecasts),
    ),
    observations: picked(
      'observations',
      said.flatMap(({ observations }) => observations),
    ),
  };
  const gone = <Row>(picks: { row: Row }[]): Row[] => picks.map(({ row }) => ({ ...row, withdrawn: true }));
  const back = <Row>(picks: { row: Row; comesBack: boolean }[], isLasting = (_row: Row) => false): Row[] =>
    picks.filter(({ row, comesBack }) => comesBack || isLasting(row)).map(({ row }) => row);
  return [
    { stations: [], forecasts: gone(all.forecasts), observations: gone(all.observations) },
    { stations: gone(all.stations), forecasts: back(all.forecasts), observations: [] },
    {
      stations: back(all.stations, ({ station_id }) => station_id === lasting?.station_id),
      forecasts: [],
      observations: back(all.observations),
    },
  ];
}
