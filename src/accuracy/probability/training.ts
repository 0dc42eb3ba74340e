import type { LeadTimeBucket } from '../time/lead-time.js';
import { DAY_MS, HOUR_MS } from '../time/calendar.js';

// What may be learned from for one forecast (D36), the same word for every endpoint: the last `window` days whose actual
// can be known when a forecast of its lead is issued, each with the best observation that had been reported by then.

/** No day on Earth begins earlier than 14 hours before it does in UTC, and none later than 12 hours after. */
const EARLIEST_DAY_MS = 14 * HOUR_MS;
const LATEST_DAY_MS = 12 * HOUR_MS;

/** The lead times of forecasts that are learned from together. */
export type Bucket = Exclude<LeadTimeBucket, 'same-day'>;

/** Where each bucket ends, hours; 72h+ has no end, and counts in whole days. */
const ENDS_AT: Record<Exclude<Bucket, '72h+'>, number> = {
  '0-6h': 6,
  '6-12h': 12,
  '12-24h': 24,
  '24-48h': 48,
  '48-72h': 72,
};

/** A forecast of 72h+ without a lead time counts as one of its first day. */
export const FIRST_HORIZON = 96;

/** The farthest horizon that is learned for, hours: forecasts of more than 30 days have no training. */
export const FARTHEST_HORIZON = 720;

/**
 * Hours before the day within which every forecast of its kind is issued: the end of the bucket; of 72h+, that of the
 * day of the lead.
 */
export function horizonOf(bucket: Bucket, lead_ms?: number): number {
  if (bucket !== '72h+') return ENDS_AT[bucket];
  return lead_ms === undefined ? FIRST_HORIZON : 24 * Math.ceil(lead_ms / DAY_MS);
}

/** Days from the last day that can be learned from to the target date: 2 below 24 hours, 3 below 48, and so on. */
export function lagOf(horizon: number): number {
  return Math.ceil(horizon / 24) + 1;
}

/** The farthest lag that a bucket may have. */
export function longestLag(bucket: Bucket): number {
  return lagOf(bucket === '72h+' ? FARTHEST_HORIZON : horizonOf(bucket));
}

/**
 * The days to learn from, both included, as numbers from 1970-01-01.
 * @param window their number
 */
export function trainingDays(
  target_day: number,
  horizon: number,
  window: number,
): { first: number; last: number } {
  const last = target_day - lagOf(horizon);
  return { first: last - window + 1, last };
}

/**
 * The instant by which an observation has to be reported to count in the network's part, Unix ms: before any station may
 * issue such a forecast, so one histogram serves all. A forecast of a training day was always issued by then: its day
 * began at most 12 hours after UTC's, which is 2 hours after this instant or less, and only forecasts below 24 hours
 * have leads below 2, with half a day to spare.
 */
export function networkMoment(target_day: number, horizon: number): number {
  return target_day * DAY_MS - EARLIEST_DAY_MS - horizon * HOUR_MS;
}

/** The first target day whose networkMoment() is not before an instant. */
export function firstTargetAfter(instant_ms: number, horizon: number): number {
  return Math.ceil((instant_ms + EARLIEST_DAY_MS + horizon * HOUR_MS) / DAY_MS);
}

/** The latest instant at which a forecast of a day can have been issued, wherever it is for, Unix ms. */
export function latestIssue(day: number, lead_ms: number): number {
  return day * DAY_MS + LATEST_DAY_MS - lead_ms;
}

/** Station days that the network's errors weigh beside those of the station: in a probability (D36), and in a bias. */
export const PROBABILITY_KAPPA = 60;
export const BIAS_KAPPA = 40;

/** With fewer station days the network says nothing of rare events. */
export const MIN_NETWORK_DAYS = 200;

/** The bounds and the default of the number of days to learn from. */
export const TRAINING_WINDOW = { shortest: 30, longest: 365, usual: 60 };
