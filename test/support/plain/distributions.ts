import { type Pair, rate } from './oracle.js';

// Counts of errors, worked out a second time: plain loops over pairs. Errors and thresholds are in hundredths of a °F.

/** From 0 to 100. */
export const percentage = (part: number, whole: number): number =>
  Math.round(10_000 * (rate(part, whole) ?? NaN)) / 100;

/** Fields of answers about all stations, beside their numbers. */
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
export function distributionBySize(pairs: readonly Pair[]) {
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
