import { type CasesQuestion, latestPairs } from './cases.js';
import {
  LEDGER_BUCKETS,
  type Load,
  type Metric,
  type Pair,
  roundedFraction,
  roundedRoot,
  standing,
} from './oracle.js';
import { type Chosen, Facts, normal, scored, settledAt } from './probability.js';
import { plainUncertaintyByDay } from './uncertainty.js';

// The worth of spreads, worked out a second time: plain loops over single cases. Temperatures and spreads are in
// hundredths of °F.

/** The counted forecast of a station day, with its spread if it has one. */
interface SpreadCase extends Pair {
  spread: number | undefined;
}

const keyOf = ({ provider = 'default', ...row }: Omit<Partial<Pair>, 'metric'>): string =>
  `${provider} ${row.station_id} ${row.target_date} ${row.issued_at}`;

/** The spreads that stand of a metric. */
function spreadsOf(loads: readonly Load[], metric: Metric): Map<string, number> {
  const rows = loads
    .flatMap(({ forecasts }) => forecasts)
    .map((row) => ({ ...row, high: row.high_sd, low: row.low_sd }));
  return new Map(standing(rows, metric, keyOf).map((row) => [keyOf(row), row[metric] ?? 0]));
}

/** Each station day with its latest forecast of the lead times. */
function casesOf(loads: readonly Load[], question: CasesQuestion): SpreadCase[] {
  const spreads = spreadsOf(loads, question.metric);
  return latestPairs(loads, question).map((pair) => ({ ...pair, spread: spreads.get(keyOf(pair)) }));
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** spread-skill without the scores. */
export function spreadSkillOf(loads: readonly Load[], question: CasesQuestion) {
  const all = casesOf(loads, question);
  const cases = all.flatMap((each) => (each.spread === undefined ? [] : [{ ...each, spread: each.spread }]));
  const data = [];
  for (let middle = 0; middle <= 5000; middle += 100) {
    const bin = cases.filter(({ spread }) => middle - 50 <= spread && spread < middle + 50);
    if (bin.length === 0) continue;
    const n = BigInt(bin.length);
    const errors = bin.map(({ error }) => error);
    const squares = errors.reduce((sum, error) => sum + BigInt(error) ** 2n, 0n);
    const spreads = total(bin.map(({ spread }) => spread));
    data.push({
      spread_from_f: Math.max(0, middle - 50) / 100,
      spread_to_f: (middle + 50) / 100,
      cases: bin.length,
      days: new Set(bin.map(({ target_date }) => target_date)).size,
      mean_spread: roundedFraction(BigInt(spreads), n),
      mean_error: roundedFraction(BigInt(total(errors)), n),
      mae: roundedFraction(BigInt(total(errors.map(Math.abs))), n),
      rmse: roundedRoot(n * squares, n),
      uncertainty: plainUncertaintyByDay(bin),
      rmse_to_spread: spreads === 0 ? null : roundedRoot(10_000n * n * squares, BigInt(spreads)),
    });
  }
  const noSpread =
    `No forecast of these station days has a spread; feeds of forecasts have it in the column ` +
    `${question.metric}_sd_f, or ${question.metric}_sd_c`;
  const noCase = 'No station day of the window has a forecast of these lead times and an observation';
  return {
    data,
    total_records: cases.length,
    cases_without_spread: all.length - cases.length,
    rank_correlation: rankCorrelation(
      cases.map(({ spread }) => spread),
      cases.map(({ error }) => Math.abs(error)),
    ),
    reason: cases.length > 0 ? null : all.length > 0 ? noSpread : noCase,
  };
}

/** Spearman's, to 0.0001; equal values have the mean of their ranks. */
export function rankCorrelation(xs: readonly number[], ys: readonly number[]): number | null {
  const ranks = (values: readonly number[]): number[] =>
    values.map((value) => {
      const below = values.filter((other) => other < value).length;
      return below + (values.filter((other) => other === value).length + 1) / 2;
    });
  const mean = (xs.length + 1) / 2;
  const [a, b] = [ranks(xs), ranks(ys)].map((list) => list.map((rank) => rank - mean)) as [
    number[],
    number[],
  ];
  const scale = total(a.map((x) => x * x)) * total(b.map((y) => y * y));
  if (scale === 0) return null;
  return Math.round((total(a.map((x, at) => x * (b[at] ?? 0))) / Math.sqrt(scale)) * 10_000) / 10_000 + 0;
}

/** The score of the normal distribution around a forecast with a spread, over all whole degrees that matter. */
export function normalCrps(forecast: number, spread: number, outcome: number): number {
  let sum = 0;
  const reach = 3 + Math.ceil((7 * spread) / 100);
  const middle = Math.floor(forecast / 100);
  for (
    let degree = Math.min(middle - reach, outcome);
    degree <= Math.max(middle + reach, outcome);
    degree += 1
  ) {
    const above = degree + 0.5 - forecast / 100;
    const below = spread === 0 ? Number(above > 0) : normal((above * 100) / spread);
    sum += (below - (outcome <= degree ? 1 : 0)) ** 2;
  }
  return sum;
}

/** The scores of spread-skill: each case by what its own lead time had learned when it was issued. */
export function spreadScoresOf(
  loads: readonly Load[],
  question: CasesQuestion,
): { cases: number; untrained: number; spread: number; mixture: number } {
  const found = { cases: 0, untrained: 0, spread: 0, mixture: 0 };
  const counted = casesOf(loads, question).filter(({ spread }) => spread !== undefined);
  for (const bucket of LEDGER_BUCKETS.filter((each) => each !== 'same-day')) {
    const { metric, provider } = question;
    const verified_only = metric === 'low';
    const facts = new Facts(loads, { metric, provider, bucket, window: 60, verified_only });
    for (const { lead_time_bucket, station_id, target_date, spread } of counted) {
      if (lead_time_bucket !== bucket) continue;
      const isIt = (each: Chosen): boolean =>
        each.station_id === station_id && each.target_date === target_date;
      const { cases, untrained } = scored(facts, isIt);
      found.untrained += untrained;
      const [mixture] = cases;
      const chosen = facts.forecasts.find(isIt);
      const actual = facts.known(station_id, target_date, Infinity);
      if (mixture === undefined || chosen === undefined || actual === undefined) continue;
      found.cases += 1;
      found.mixture += mixture.scores.mixture.crps;
      found.spread += normalCrps(chosen.forecast, spread ?? NaN, settledAt(actual));
    }
  }
  return found;
}
