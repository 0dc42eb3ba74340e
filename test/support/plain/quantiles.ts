import { FAHRENHEIT, type Pair, percentile, type Scale } from './oracle.js';

// Quantiles of signed errors by group, worked out a second time: plain loops over pairs.

/** The quantiles of some pairs, as a group of error-distribution has them. */
export function plainQuantiles(pairs: readonly Pair[], scale: Scale = FAHRENHEIT): Record<string, number> {
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
