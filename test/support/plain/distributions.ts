import { BUCKETS, FAHRENHEIT, type Pair, percentile, rate, type Scale } from './oracle.js';

// Counts of errors (D33), worked out a second time: plain loops over pairs. Errors and thresholds are in hundredths of a °F.

/** From 0 to 100. */
export const percentage = (part: number, whole: number): number =>
  Math.round(10_000 * (rate(part, whole) ?? NaN)) / 100;

/** What answers about all stations say beside their numbers. */
const ofAll = (pairs: readonly Pair[]) => ({
  station_id: 'ALL',
  city_name: 'All stations',
  verification_pairs: pairs.length,
  unique_days: new Set(pairs.map(({ target_date }) => target_date)).size,
});

/** exceedance over fewer than 14 days: no share has an interval. */
export function exceedanceOf(pairs: readonly Pair[], thresholds: readonly number[]) {
  const n = pairs.length;
  return {
    ...ofAll(pairs),
    level: 0.95,
    thresholds: thresholds.map((threshold) => {
      const above = pairs.filter(({ error }) => Math.abs(error) > threshold).length;
      const exceedance_rate = rate(above, n);
      const within_rate = exceedance_rate === null ? null : Math.round(1e4 - 1e4 * exceedance_rate) / 1e4;
      const noBounds = { low: null, high: null, n_eff: null };
      return { threshold_f: threshold / 100, exceedance_rate, within_rate, ...noBounds };
    }),
  };
}

/** error-distribution by size: five bins of 1 °F, and one for all beyond. */
function distributionBySize(pairs: readonly Pair[]) {
  const bins = pairs.length === 0 ? [] : [0, 1, 2, 3, 4, 5];
  return {
    ...ofAll(pairs),
    buckets: bins.map((from_f) => {
      const to_f = from_f === 5 ? null : from_f + 1;
      const own = pairs.filter(({ error }) => Math.min(5, Math.floor(Math.abs(error) / 100)) === from_f);
      const range = to_f === null ? `${from_f}+°F` : `${from_f}-${to_f}°F`;
      return { range, from_f, to_f, ...counted(own, pairs) };
    }),
  };
}

/** error-distribution of signed errors, in bins of 0.5 °F, the middle one around 0. */
export function signedDistribution(pairs: readonly Pair[]) {
  const binOf = ({ error }: Pair): number => Math.floor((error + 25) / 50);
  const bins = pairs.map(binOf);
  const buckets = [];
  for (let bin = Math.min(...bins); bin <= Math.max(...bins); bin += 1) {
    const [from_f, to_f] = [bin / 2 - 0.25, bin / 2 + 0.25];
    const own = pairs.filter((pair) => binOf(pair) === bin);
    buckets.push({ range: `${from_f} to ${to_f}°F`, from_f, to_f, ...counted(own, pairs) });
  }
  return { ...ofAll(pairs), buckets };
}

const counted = ({ length: count }: readonly Pair[], { length: all }: readonly Pair[]) => ({
  count,
  pct: percentage(count, all),
  share: rate(count, all),
});

/** error-distribution with quantiles by lead time. */
export function quantilesByLeadTime(pairs: readonly Pair[]) {
  const groups = BUCKETS.map((bucket) => ({
    lead_time_bucket: bucket,
    ...plainQuantiles(pairs.filter((pair) => pair.lead_time_bucket === bucket)),
  }));
  const quantiles_by_lead_time = groups.filter(({ group_pairs }) => group_pairs !== 0);
  return { ...distributionBySize(pairs), quantiles_by_lead_time };
}

/** error-distribution with quantiles by ranges of the forecast, in whole degrees half up. */
export function quantilesByForecast(pairs: readonly Pair[], width: number, offset: number) {
  const wholeDegrees = (forecast: number): number => Math.floor((forecast + 50) / 100);
  const quantiles_by_forecast = byForecast(pairs, wholeDegrees, width, offset).map(([low, of]) => ({
    range_low_f: low,
    range_high_f: low + width,
    ...plainQuantiles(of),
  }));
  return { ...distributionBySize(pairs), quantiles_by_forecast };
}

/** sample-size of one day, of the stations that have any. */
export function sampleSizesOf(pairs: readonly Pair[], stations: readonly string[], date: string) {
  return stations.flatMap((station_id) => {
    const own = pairs.filter((pair) => pair.station_id === station_id);
    if (own.length === 0) return [];
    const preliminary = own.filter(({ observation_status }) => observation_status === 'preliminary');
    return {
      station_id,
      verification_pairs: own.length,
      unique_days: 1,
      preliminary_pairs: preliminary.length,
      first_date: date,
      last_date: date,
      days_expected: 1,
      coverage: 1,
      n_eff_mae: null,
      sufficient: false,
    };
  });
}

// ---- Quantiles ------------------------------------------------------------------------------------------------------

/** The quantiles of some pairs, as a group of error-distribution has them. */
export function plainQuantiles(pairs: readonly Pair[], scale: Scale = FAHRENHEIT) {
  const sorted = pairs.map(({ error }) => error).sort((a, b) => a - b);
  return {
    group_pairs: sorted.length,
    error_p05: percentile(sorted, 1, scale),
    error_p25: percentile(sorted, 5, scale),
    error_p50: percentile(sorted, 10, scale),
    error_p75: percentile(sorted, 15, scale),
    error_p95: percentile(sorted, 19, scale),
  };
}

/** The groups of pairs by the range that the whole degrees of their forecast are in, in order. */
export function byForecast(
  pairs: readonly Pair[],
  wholeDegrees: (forecast: number) => number,
  width: number,
  offset: number,
): [low: number, pairs: Pair[]][] {
  const degrees = pairs.map(({ forecast }) => wholeDegrees(forecast));
  const found: [number, Pair[]][] = [];
  for (let low = Math.min(...degrees) - width; low <= Math.max(...degrees); low += 1) {
    if ((((low - offset) % width) + width) % width !== 0) continue;
    const own = pairs.filter((_, at) => low <= (degrees[at] ?? NaN) && (degrees[at] ?? NaN) < low + width);
    if (own.length > 0) found.push([low, own]);
  }
  return found;
}
