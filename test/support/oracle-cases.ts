import { type Bucket, LEDGER_BUCKETS, type Metric, type Pair, type Status } from './oracle.js';

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
