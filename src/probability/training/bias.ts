import type { DailySums } from '../../statistics/uncertainty/daily-sums.js';
import type { Case } from './forecast-origins.js';
import type { Errors } from './degree-counts.js';
import { BIAS_KAPPA } from './training.js';

// The bias of forecasts, drawn towards the network's: of few days a station's own mean is mostly chance, and to correct by
// it makes forecasts worse.

/**
 * The mean error to expect, hundredths of a °F: that of the first errors of a list, and of 40 more days like the
 * network's; undefined without any day of the network.
 */
export function computeBias(
  stationErrors: ArrayLike<number>,
  days: number,
  network: Errors,
): number | undefined {
  if (network.days === 0) return undefined;
  let total = (BIAS_KAPPA * network.sum) / network.days;
  for (let at = 0; at < days; at += 1) total += stationErrors[at]!;
  return total / (days + BIAS_KAPPA);
}

/** Adds the absolute error of a past forecast, as issued and corrected. */
export function addCorrected(raw: DailySums<'mae'>, corrected: DailySums<'mae'>, found: Case): void {
  const bias = computeBias(found.stationErrors, found.station.days, found.network);
  const error = found.forecast - found.actual;
  if (bias === undefined) return;
  raw.add(found.day, { mae: Math.abs(error) });
  corrected.add(found.day, { mae: Math.abs(error - bias) });
}
