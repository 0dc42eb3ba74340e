import { FIRST_HORIZON } from '../../accuracy/probability/training.js';
import { HOUR_MS } from '../../accuracy/time/calendar.js';
import { bucketOfLead } from '../../accuracy/time/lead-time.js';
import { InvalidParameters } from '../../api/parameters.js';
import { type Lead, TOO_FAR } from '../../api/questions/probability.js';

/**
 * The lead time of a forecast that was issued, or is asked about, at a moment (D36).
 * @param begins_ms when the target date begins at the station; NaN where that is not known
 * @throws InvalidParameters where that is not known or not ahead, and for a lead that is too long
 */
export function leadFrom(moment_ms: number, target_date: string, begins_ms: number): Lead {
  const lead_ms = begins_ms - moment_ms;
  const moment = new Date(moment_ms).toISOString();
  if (lead_ms >= FIRST_HORIZON * HOUR_MS) {
    const message = `begins ${Math.floor(lead_ms / HOUR_MS)} hours after ${moment}: ${TOO_FAR}`;
    throw new InvalidParameters([{ parameter: 'target_date', message }]);
  }
  if (lead_ms >= 0) return { bucket: bucketOfLead(lead_ms) as Lead['bucket'], lead_ms };
  const why = Number.isNaN(begins_ms)
    ? `when ${target_date} begins depends on the station, and the request names none that the data have`
    : `${target_date} had begun by ${moment}`;
  const message = `is needed to know how long before its day the forecast was issued: ${why}; give lead_hours or lead_time_bucket`;
  throw new InvalidParameters([{ parameter: 'lead_hours', message }]);
}
