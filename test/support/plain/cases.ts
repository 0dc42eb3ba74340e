import { type Bucket, type Load, type Pair, pairsOfVariable, type Variable } from './oracle.js';

// The cases (D32), worked out a second time: the latest pair of each station day.

/** The parameters of a question about cases. */
export interface CasesQuestion {
  metric: Variable;
  provider: string;
  first: string;
  last: string;
  station?: string | undefined;
  buckets: readonly Bucket[];
}

/** The latest pair of each station day that a question asks for. */
export function latestPairs(loads: readonly Load[], question: CasesQuestion): Pair[] {
  const { metric, provider, first, last, station, buckets } = question;
  const latest = new Map<string, Pair>();
  for (const pair of pairsOfVariable(loads, metric)) {
    if (pair.provider !== provider) continue;
    if (pair.target_date < first || pair.target_date > last) continue;
    if (station !== undefined && pair.station_id !== station) continue;
    if (!buckets.includes(pair.lead_time_bucket)) continue;
    const key = `${pair.station_id} ${pair.target_date}`;
    if ((latest.get(key)?.issued_at ?? -Infinity) < pair.issued_at) latest.set(key, pair);
  }
  return [...latest.values()];
}
