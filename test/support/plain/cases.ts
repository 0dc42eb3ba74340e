import {
  type Bucket,
  LEDGER_BUCKETS,
  type Load,
  type Metric,
  type Pair,
  pairsOf,
  rate,
  roundedFraction,
  type Status,
} from './oracle.js';

// The cases (D32), worked out a second time: plain loops over the pairs of a station day. Temperatures are in hundredths
// of °F, leads in milliseconds.

export interface Case {
  metric: Metric;
  provider: string;
  station_id: string;
  target_date: string;
  actual: number;
  observation_status: Status;
  /** By LEDGER_BUCKETS: how many forecasts, and the latest with its lead; 0 without any. */
  pair_counts: number[];
  forecasts: number[];
  lead_ms: number[];
  issuances: number;
  changes: number;
  abs_change_sum: number;
  first_forecast: number;
  min_forecast: number;
  max_forecast: number;
}

/** The case of each station day with a pair, in the order of its keys. */
export function casesOf(pairs: readonly Pair[]): Case[] {
  const days = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = [pair.metric, pair.provider, pair.station_id, pair.target_date].join(' ');
    days.set(key, [...(days.get(key) ?? []), pair]);
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofDay]) => caseOf(ofDay));
}

function caseOf(ofDay: readonly Pair[]): Case {
  const inOrder = [...ofDay].sort((a, b) => a.issued_at - b.issued_at);
  const [pair] = inOrder as [Pair];
  const latest = (bucket: Bucket): Pair | undefined =>
    inOrder.filter(({ lead_time_bucket }) => lead_time_bucket === bucket).at(-1);
  const revisions = inOrder
    .filter(({ lead_time_bucket }) => lead_time_bucket !== 'same-day')
    .map(({ forecast }) => forecast);
  let [changes, abs_change_sum] = [0, 0];
  for (const [i, value] of revisions.entries()) {
    const before = revisions[i - 1] ?? value;
    if (before !== value) changes += 1;
    abs_change_sum += Math.abs(value - before);
  }
  const { metric, provider, station_id, target_date, actual, observation_status } = pair;
  return {
    metric,
    provider,
    station_id,
    target_date,
    actual,
    observation_status,
    pair_counts: LEDGER_BUCKETS.map((b) => ofDay.filter((each) => each.lead_time_bucket === b).length),
    forecasts: LEDGER_BUCKETS.map((bucket) => latest(bucket)?.forecast ?? 0),
    lead_ms: LEDGER_BUCKETS.map((bucket) => {
      const found = latest(bucket);
      return found === undefined ? 0 : found.local_midnight - found.issued_at;
    }),
    issuances: revisions.length,
    changes,
    abs_change_sum,
    first_forecast: revisions[0] ?? 0,
    min_forecast: revisions.length === 0 ? 0 : Math.min(...revisions),
    max_forecast: revisions.length === 0 ? 0 : Math.max(...revisions),
  };
}

// ---- Answers --------------------------------------------------------------------------------------------------------

/** The parameters of a question about cases. */
export interface CasesQuestion {
  metric: Metric;
  provider: string;
  first: string;
  last: string;
  station?: string | undefined;
  buckets: readonly Bucket[];
}

/** A case with its one forecast. */
export interface Latest {
  station_id: string;
  target_date: string;
  observation_status: Status;
  forecast: number;
  actual: number;
  error: number;
  lead_ms: number;
}

function asked(cases: readonly Case[], question: CasesQuestion): Case[] {
  const { metric, provider, first, last, station } = question;
  return cases.filter(
    (each) =>
      each.metric === metric &&
      each.provider === provider &&
      first <= each.target_date &&
      each.target_date <= last &&
      (station === undefined || each.station_id === station),
  );
}

/** The latest forecast of a case among the lead times. */
export function latestIn(
  { pair_counts, forecasts, lead_ms }: Case,
  buckets: readonly Bucket[],
): { forecast: number; lead_ms: number } | undefined {
  const slot = LEDGER_BUCKETS.findIndex((bucket, at) => buckets.includes(bucket) && pair_counts[at] !== 0);
  return slot === -1 ? undefined : { forecast: forecasts[slot] ?? 0, lead_ms: lead_ms[slot] ?? 0 };
}

/** The latest pair of each station day that a question asks for. */
export function latestPairs(loads: readonly Load[], question: CasesQuestion): Pair[] {
  const { metric, provider, first, last, station, buckets } = question;
  const latest = new Map<string, Pair>();
  for (const pair of pairsOf(loads)) {
    if (pair.metric !== metric || pair.provider !== provider) continue;
    if (pair.target_date < first || pair.target_date > last) continue;
    if (station !== undefined && pair.station_id !== station) continue;
    if (!buckets.includes(pair.lead_time_bucket)) continue;
    const key = `${pair.station_id} ${pair.target_date}`;
    if ((latest.get(key)?.issued_at ?? -Infinity) < pair.issued_at) latest.set(key, pair);
  }
  return [...latest.values()];
}

/** The cases that a question asks for, those without such a forecast left out. */
export function latestOf(cases: readonly Case[], question: CasesQuestion): Latest[] {
  return asked(cases, question).flatMap((each) => {
    const latest = latestIn(each, question.buckets);
    return latest === undefined ? [] : { ...each, ...latest, error: latest.forecast - each.actual };
  });
}

type Celsius = 'celsius' | undefined;

/** Half up; of a temperature in °C in ninths of a hundredth of a °C. */
function wholeDegrees(hundredths: number, unit: Celsius): number {
  const [raised, degree] = unit === 'celsius' ? [(hundredths - 3200) * 5 + 450, 900] : [hundredths + 50, 100];
  return (raised - (((raised % degree) + degree) % degree)) / degree;
}

/** The bounds of rates, of too few days for any. */
const noBounds = (...names: string[]): Record<string, null> =>
  Object.fromEntries(names.flatMap((name) => [`${name}_low`, `${name}_high`].map((bound) => [bound, null])));

function byStation<Row extends { station_id: string }>(rows: readonly Row[]): [string, Row[]][] {
  const ids = [...new Set(rows.map(({ station_id }) => station_id))].sort();
  return ids.map((id) => [id, rows.filter(({ station_id }) => station_id === id)]);
}

function hitsOf(days: readonly Latest[], unit: Celsius): Record<string, number | null> {
  const within = (hundredths: number): number =>
    days.filter(({ error }) => Math.abs(error) * 5 <= hundredths * (unit === 'celsius' ? 9 : 5)).length;
  const exact = days.filter(
    (day) => wholeDegrees(day.forecast, unit) === wholeDegrees(day.actual, unit),
  ).length;
  const far = days.filter(({ error }) => Math.abs(error) >= (unit === 'celsius' ? 1800 : 1000)).length;
  const ms = days.reduce((sum, { lead_ms }) => sum + lead_ms, 0);
  return {
    total_days: days.length,
    exact_hits: exact,
    within_1: within(100),
    within_2: within(200),
    exact_rate: rate(exact, days.length),
    within_1_rate: rate(within(100), days.length),
    within_2_rate: rate(within(200), days.length),
    within_3: within(300),
    within_3_rate: rate(within(300), days.length),
    misses_10: far,
    misses_10_rate: rate(far, days.length),
    ...noBounds('exact_rate', 'within_1_rate', 'within_2_rate', 'within_3_rate', 'misses_10_rate'),
    // Hundredths of an hour are 36 s.
    mean_lead_hours: days.length === 0 ? null : roundedFraction(BigInt(ms), BigInt(days.length) * 36_000n),
  };
}

/** hit-rate over fewer than 14 days, its records without `city_name`. */
export function hitRateOf(cases: readonly Case[], question: CasesQuestion, unit?: Celsius) {
  const days = latestOf(cases, question);
  return {
    data: byStation(days).map(([station_id, of]) => ({ station_id, ...hitsOf(of, unit) })),
    total_records: days.length,
    network: hitsOf(days, unit),
    verification_coverage: coverageOf(days),
  };
}

/** How far the observations of cases are final. */
export function coverageOf(days: readonly Latest[]) {
  const dates = new Set(days.map(({ target_date }) => target_date)).size;
  const preliminary = days.filter(({ observation_status }) => observation_status === 'preliminary');
  const preliminary_days = new Set(preliminary.map(({ target_date }) => target_date)).size;
  return {
    verified_days: dates - preliminary_days,
    preliminary_days,
    verified_pct: rate(dates - preliminary_days, dates),
  };
}

/** by-bucket over fewer than 14 days. */
export function byBucketOf(
  cases: readonly Case[],
  question: CasesQuestion,
  width: number,
  offset: number,
  unit?: Celsius,
) {
  const days = latestOf(cases, question);
  const values = days.flatMap(({ forecast, actual }) =>
    [forecast, actual].map((each) => wholeDegrees(each, unit)),
  );
  /** A difference in the unit. */
  const [numerator, denominator] = unit === 'celsius' ? [5n, 9n] : [1n, 1n];
  const data = [];
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  for (let low = lowest - width; low <= highest; low += 1) {
    if ((((low - offset) % width) + width) % width !== 0) continue;
    const isIn = (hundredths: number): boolean =>
      low <= wholeDegrees(hundredths, unit) && wholeDegrees(hundredths, unit) < low + width;
    const forecast = days.filter((day) => isIn(day.forecast));
    const actual = days.filter((day) => isIn(day.actual)).length;
    const both = forecast.filter((day) => isIn(day.actual)).length;
    if (forecast.length === 0 && actual === 0) continue;
    const mean = (errors: number[]): number | null =>
      errors.length === 0
        ? null
        : roundedFraction(
            numerator * BigInt(errors.reduce((sum, each) => sum + each, 0)),
            denominator * BigInt(errors.length),
          );
    data.push({
      temperature_range: `${low}-${low + width}°${unit === 'celsius' ? 'C' : 'F'}`,
      ...(unit === 'celsius'
        ? {
            range_low_f: (18 * low + 320) / 10,
            range_low_c: low,
            range_high_f: (18 * (low + width) + 320) / 10,
            range_high_c: low + width,
          }
        : { range_low_f: low, range_high_f: low + width }),
      times_actual_in_range: actual,
      times_forecast_in_range: forecast.length,
      times_both_in_range: both,
      accuracy_when_forecast_in_range: rate(both, forecast.length),
      frequency_pct: roundedFraction(10_000n * BigInt(actual), BigInt(days.length)),
      detection_rate: rate(both, actual),
      mean_error_when_forecast_in_range: mean(forecast.map(({ error }) => error)),
      mae_when_forecast_in_range: mean(forecast.map(({ error }) => Math.abs(error))),
      ...noBounds('accuracy_when_forecast_in_range'),
    });
  }
  return { data, total_records: days.length };
}

/** revision-stats over fewer than 14 days, its records without `city_name`. */
export function revisionStatsOf(cases: readonly Case[], question: CasesQuestion) {
  const days = asked(cases, question).filter(({ issuances }) => issuances > 0);
  const data = byStation(days).map(([station_id, of]) => {
    const n = BigInt(of.length);
    const total = (valueOf: (day: Case) => number): bigint =>
      BigInt(of.reduce((sum, day) => sum + valueOf(day), 0));
    const latest = (day: Case): number =>
      day.forecasts[1 + day.pair_counts.slice(1).findIndex((count) => count > 0)] ?? 0;
    const first = (day: Case): number => Math.abs(day.first_forecast - day.actual);
    const last = (day: Case): number => Math.abs(latest(day) - day.actual);
    const revised = of.filter(({ issuances }) => issuances > 1);
    /** The mean over days with more forecasts than these, of a sum for each forecast more. */
    const perStep = (more: number, sumOf: (day: Case) => number): number | null => {
      const counted = of.filter(({ issuances }) => issuances > more);
      let [numerator, denominator] = [0n, 1n];
      for (const day of counted) {
        const steps = BigInt(day.issuances - more);
        [numerator, denominator] = [
          numerator * steps + BigInt(sumOf(day)) * denominator,
          denominator * steps,
        ];
      }
      return counted.length === 0 ? null : roundedFraction(numerator, denominator * BigInt(counted.length));
    };
    return {
      station_id,
      station_days: of.length,
      forecasts: Number(total(({ issuances }) => issuances)),
      revisions_per_day: roundedFraction(100n * total(({ issuances }) => issuances - 1), n),
      changes_per_day: roundedFraction(100n * total(({ changes }) => changes), n),
      mean_abs_change_f: perStep(1, ({ abs_change_sum }) => abs_change_sum),
      mean_drift_f: roundedFraction(
        total((day) => latest(day) - day.first_forecast),
        n,
      ),
      flip_flop_index: perStep(2, (day) => day.abs_change_sum - (day.max_forecast - day.min_forecast)),
      days_with_revisions: revised.length,
      improved_rate: rate(revised.filter((day) => last(day) < first(day)).length, revised.length),
      unchanged_rate: rate(revised.filter((day) => last(day) === first(day)).length, revised.length),
      miss_rate: rate(of.filter((day) => last(day) > 200).length, of.length),
      mae_first: roundedFraction(total(first), n),
      mae_last: roundedFraction(total(last), n),
      ...noBounds('improved_rate', 'unchanged_rate', 'miss_rate'),
    };
  });
  return { data, total_records: days.length };
}
