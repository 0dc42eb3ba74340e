import { HOUR_MS } from './calendar.js';

/** The lead-time buckets (D5), in order: half open, in hours from issuance to local midnight of the target date. */
export const LEAD_TIME_BUCKETS = ['0-6h', '6-12h', '12-24h', '24-48h', '48-72h', '72h+'] as const;

/** The bucket of forecasts issued after their target day began; only in responses to requests that name it (D40). */
export const SAME_DAY = 'same-day';

/** Every bucket that a request may name, in the order of responses. */
export const ALL_BUCKETS = [SAME_DAY, ...LEAD_TIME_BUCKETS] as const;

export type LeadTimeBucket = (typeof ALL_BUCKETS)[number];

/** Where each bucket of LEAD_TIME_BUCKETS begins, ms before the day. */
export const BUCKET_BEGINNINGS_MS = LEAD_TIME_BUCKETS.map((bucket) => Number.parseInt(bucket) * HOUR_MS);

/** The bucket of a forecast issued so long before its day began; negative: after that. */
export function bucketOfLead(lead_ms: number): LeadTimeBucket {
  if (lead_ms < 0) return SAME_DAY;
  const reached = BUCKET_BEGINNINGS_MS.findLastIndex((begins_ms) => begins_ms <= lead_ms);
  return LEAD_TIME_BUCKETS[reached] ?? LEAD_TIME_BUCKETS[0];
}

/**
 * The bucket of a forecast of a local day (D5, D40); null once the day has ended.
 * @param issued_ms when it was issued, ms since 1970, as the bounds of the day
 */
export function findLeadTimeBucket(
  issued_ms: number,
  { begins_ms, ends_ms }: { begins_ms: number; ends_ms: number },
): LeadTimeBucket | null {
  if (issued_ms > begins_ms) return issued_ms < ends_ms ? SAME_DAY : null;
  return bucketOfLead(begins_ms - issued_ms);
}

/** How a bucket reads in a table (`label`) and in a sentence (`description`). @param isOfHours of forecasts of hours, not days */
export function leadTimeText(
  bucket: LeadTimeBucket,
  isOfHours = false,
): { label: string; description: string } {
  if (bucket === SAME_DAY) {
    return {
      label: 'Same Day, After Target Date Began',
      description: 'Forecasts issued after the start of the target date (local midnight) and before its end',
    };
  }
  const [from, to] = bucket.replace(/h|\+/g, '').split('-');
  const midnight = isOfHours ? 'their hour' : 'the start of the target date (local midnight)';
  const target = isOfHours ? 'Target Hour' : 'Target Date';
  return to === undefined
    ? {
        label: `${from}+ Hours Before ${target}`,
        description: `Forecasts issued ${from} hours or more before ${midnight}`,
      }
    : {
        label: `${from}–${to} Hours Before ${target}`,
        description: `Forecasts issued at least ${from} and less than ${to} hours before ${midnight}`,
      };
}
