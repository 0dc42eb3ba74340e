import { z } from 'zod';
import { FARTHEST_HORIZON, leadRange } from './training/training.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { bucketOfLead } from '../statistics/time/lead-time.js';
import { InvalidParamsError } from '../api/parameters.js';
import { type Lead, OUT_OF_RANGE } from './probability-params.js';

/** The range of leads that a response stands for (LeadRange). */
export const leadRangeRecord = z
  .object({
    nearest_lead_hours: z
      .number()
      .nullable()
      .meta({
        description:
          'Each day counts with the forecast nearest to this lead; null if the request names only a bucket: then the ' +
          'latest forecast counts',
      }),
    from_lead_hours: z.int().meta({ description: 'Lower end of the range of leads' }),
    to_lead_hours: z.int().meta({
      description:
        'Upper end. A bucket includes its lower end; a day of lead, from 24 hours on, its upper end',
    }),
  })
  .meta({ id: 'LeadRange', description: 'The leads of the forecasts that count, in hours' });

/** To a millionth of an hour, 4 ms, so that a request may repeat the lead. */
export function getLeadRange({ bucket, lead_ms }: Lead): z.infer<typeof leadRangeRecord> {
  const { from_ms, to_ms } = leadRange(bucket, lead_ms);
  return {
    nearest_lead_hours: lead_ms === undefined ? null : Math.round((lead_ms / HOUR_MS) * 1e6) / 1e6,
    from_lead_hours: Math.round(from_ms / HOUR_MS),
    to_lead_hours: Math.round(to_ms / HOUR_MS),
  };
}

/** The range as words before a day, such as `24 to 48 hours before`. */
export function rangeWords(lead: Lead): string {
  const { from_lead_hours, to_lead_hours } = getLeadRange(lead);
  return `${from_lead_hours} to ${to_lead_hours} hours before`;
}

/**
 * The lead time of a forecast that was issued, or is asked about, at a moment (D36).
 * @param begins_ms when the target date begins at the station; NaN where that is not known
 * @throws InvalidParamsError where that is not known or not ahead, and for a lead that is too long
 */
export function leadFrom(moment_ms: number, target_date: string, begins_ms: number): Lead {
  const lead_ms = begins_ms - moment_ms;
  const moment = new Date(moment_ms).toISOString();
  if (lead_ms > FARTHEST_HORIZON * HOUR_MS) {
    const message = `begins ${Math.floor(lead_ms / HOUR_MS)} hours after ${moment}: ${OUT_OF_RANGE}`;
    throw new InvalidParamsError([{ parameter: 'target_date', message }]);
  }
  if (lead_ms >= 0) return { bucket: bucketOfLead(lead_ms) as Lead['bucket'], lead_ms };
  const why = Number.isNaN(begins_ms)
    ? `when ${target_date} begins depends on the station, but the request names no known station`
    : `${target_date} had begun by ${moment}`;
  const message = `is missing, but the lead time of the forecast is unknown because ${why}; give lead_hours or lead_time_bucket`;
  throw new InvalidParamsError([{ parameter: 'lead_hours', message }]);
}
