import type { LeadTimeBucket } from '../../statistics/time/lead-time.js';
import { DAY_MS, HOUR_MS } from '../../statistics/time/calendar.js';

// The training of one forecast (D36), the same for every endpoint: the last `window` days whose actual can be known when
// a forecast of its lead is issued. Each day has the best observation that had been reported by then.

/** The training data of a request. */
export interface Training {
  /** Days; undefined for the usual number, or as many more as are needed (windowNeeded). */
  window: number | undefined;
  /** True for lows by default, because a preliminary low may be that of the night before. */
  verified_only: boolean | undefined;
}

/** No day on Earth begins earlier than 14 hours before it does in UTC. */
const EARLIEST_DAY_MS = 14 * HOUR_MS;

/** The lead times of forecasts of one training. */
export type Bucket = Exclude<LeadTimeBucket, 'same-day'>;

/** Where each bucket begins and ends, hours; of 72h+, its first day of lead. */
const BUCKET_REACH: Record<Bucket, readonly [from: number, to: number]> = {
  '0-6h': [0, 6],
  '6-12h': [6, 12],
  '12-24h': [12, 24],
  '24-48h': [24, 48],
  '48-72h': [48, 72],
  '72h+': [72, 96],
};

/** The farthest horizon with a training, hours: forecasts of more than 30 days have no training. */
export const FARTHEST_HORIZON = 720;

/**
 * Which forecast of a station day counts (D36): of those with a lead in the range, the one nearest to a lead; of two
 * equally near, the later one.
 */
export interface LeadRange {
  /** Both included. */
  from_ms: number;
  to_ms: number;
  nearest_ms: number;
  /** Hours before the day within which all of the range are issued: the end of the bucket, or of the day of lead. */
  horizon: number;
}

/**
 * The range of a lead: its bucket below 24 hours, and beyond its day of lead, (24, 48] hours and so on. Exactly 24 hours
 * end the bucket before them, as days of lead include their ends. Without a lead, that of the latest forecast of the bucket;
 * of 72h+ that of the latest from 72 to 96 hours.
 */
export function leadRange(bucket: Bucket, lead_ms?: number): LeadRange {
  if (lead_ms !== undefined && lead_ms >= DAY_MS) {
    const horizon = 24 * Math.ceil(lead_ms / DAY_MS);
    const from_ms = horizon === 24 ? 12 * HOUR_MS : (horizon - 24) * HOUR_MS + 1;
    return { from_ms, to_ms: horizon * HOUR_MS, nearest_ms: lead_ms, horizon };
  }
  const [from, to] = BUCKET_REACH[bucket];
  const from_ms = from * HOUR_MS;
  const to_ms = to * HOUR_MS - (bucket === '72h+' ? 0 : 1);
  return { from_ms, to_ms, nearest_ms: lead_ms ?? from_ms, horizon: to };
}

/** Whether a forecast of a lead counts, wherever one is trained on, answered from, blended or scored. */
export const isInRange = (lead_ms: number, { from_ms, to_ms }: LeadRange): boolean =>
  lead_ms >= from_ms && lead_ms <= to_ms;

/** The range of forecasts that were issued by an hour of their day, of which the latest counts (D57); 24 is its end, also of a day of 25. */
export function rangeByHour(hour: number): LeadRange {
  const nearest_ms = -(hour === 24 ? 25 : hour) * HOUR_MS;
  return { from_ms: nearest_ms, to_ms: Number.MAX_SAFE_INTEGER, nearest_ms, horizon: 24 };
}

/** Days from the last day that can be trained on to the target date: 2 below 24 hours, 3 below 48, and so on. */
export function computeLag(horizon: number): number {
  return Math.ceil(horizon / 24) + 1;
}

/**
 * The days of the training, both included, as numbers from 1970-01-01.
 * @param window their number
 */
export function trainingDays(
  target_day: number,
  horizon: number,
  window: number,
): { first: number; last: number } {
  const last = target_day - computeLag(horizon);
  return { first: last - window + 1, last };
}

/**
 * The instant by which an observation has to be reported to count in the network's part, Unix ms: before any station may
 * issue such a forecast, so one histogram serves all. A forecast of a training day was always issued by then: its
 * day began at most 12 hours after UTC's, which is 2 hours after this instant or less. Only forecasts below 24
 * hours have leads below 2, with half a day to spare.
 */
export function networkMoment(target_day: number, horizon: number): number {
  return target_day * DAY_MS - EARLIEST_DAY_MS - horizon * HOUR_MS;
}

/** The first target day whose networkMoment() is not before an instant. */
export function firstTargetAfter(instant_ms: number, horizon: number): number {
  return Math.ceil((instant_ms + EARLIEST_DAY_MS + horizon * HOUR_MS) / DAY_MS);
}

/** Station days that the network's errors weigh beside those of the station: in a probability (D36), and in a bias. */
export const PROBABILITY_KAPPA = 60;
export const BIAS_KAPPA = 40;

/** With fewer station days the network says nothing of rare events. */
export { MIN_NETWORK_DAYS } from '../../statistics/uncertainty/judge.js';

/** The bounds of the number of days of a training, and how many are usual. */
export const TRAINING_WINDOW = { shortest: 30, longest: 365, usual: 60 };

/**
 * The window of a request that names none: the usual one, or a longer one where few stations have too few station days in
 * that; undefined where there are not enough.
 * @param last the last day of the training
 * @param countOf how many station days a day has
 */
export function windowNeeded(
  last: number,
  needed: number,
  countOf: (day: number) => number,
  max = TRAINING_WINDOW.longest,
): number | undefined {
  let found = 0;
  for (let window = 1; window <= max; window += 1) {
    found += countOf(last + 1 - window);
    if (found >= needed) return Math.max(TRAINING_WINDOW.usual, window);
  }
  return undefined;
}
