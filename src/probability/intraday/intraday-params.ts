import { z } from 'zod';
import { dateAt, dayNumber, MINUTE_MS } from '../../statistics/time/calendar.js';
import { defineGroup } from '../../api/groups.js';
import { word } from '../../api/parameters.js';
import { blendedProviders, lead, oneLeadTime } from '../probability-params.js';
import { presentMoment } from '../../api/params/present.js';

// The groups of a request about a day that has begun (D57).

/** The hour of the day at which probabilities are judged (D57); undefined for those of forecasts before their day. */
export const hourOfDay = defineGroup({
  parameters: {
    ...oneLeadTime.parameters,
    ...blendedProviders.parameters,
    hour: z
      .string()
      .regex(/^([1-9]|1\d|2[0-4])$/, 'must be a whole number from 1 to 24')
      .transform(Number)
      .optional()
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: 24,
        description:
          'Judges the odds of days that had begun, so many whole hours after their beginning; 24: after their end',
      }),
  },
  read({ hour, lead_time_bucket, lead_hours, providers = [] }) {
    if (hour === undefined || (lead_time_bucket ?? lead_hours ?? providers[1]) === undefined)
      return () => hour;
    const message = 'is of days that had begun; leave out lead_time_bucket, lead_hours and providers';
    return [{ parameter: 'hour', message }];
  },
});

/** Days for which the value of a day that has ended may be awaited. */
const AWAITED_DAYS = 7;

/**
 * The moment, Unix ms, by which what has been measured of the day itself counts (D57); undefined where it never does: a lead,
 * several providers, or a day of neither the week before the moment nor the day after.
 */
export const soFar = defineGroup({
  parameters: {
    ...lead.parameters,
    so_far: word(
      ['use', 'ignore'],
      'use: for a day that has begun, at a station that reports hours, start from what has been measured; ignore: from the ' +
        'errors of past forecasts alone, as for other days and with lead_hours, lead_time_bucket or several providers',
    ).default('use'),
  },
  read({ so_far, lead_time_bucket, lead_hours, providers = [], target_date }) {
    const isOfLead = lead_time_bucket !== undefined || lead_hours !== undefined;
    if (so_far === 'ignore' || isOfLead || providers.length > 1) return () => undefined;
    return (present): number | undefined => {
      const moment_ms = presentMoment(present, MINUTE_MS);
      const today = dayNumber(dateAt(moment_ms));
      const ago = today - dayNumber(target_date ?? dateAt(moment_ms));
      const isNear = ago >= -1 && ago <= AWAITED_DAYS;
      return isNear ? moment_ms : undefined;
    };
  },
});
