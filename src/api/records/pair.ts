import { z } from 'zod';
import { leadTimeBucket } from '../fields.js';
import { difference, temperature } from '../kinds.js';

/** A verification pair, in °F. */
export const sampleRecord = z
  .object({
    target_date: z.iso.date(),
    valid_at: z.iso.datetime().optional().meta({
      description:
        'With metric=temperature: the hour, UTC; target_date is the day of the station in which it lies',
    }),
    issued_at: z.iso.datetime().meta({ description: 'When the forecast was issued, UTC' }),
    lead_time_hours: z.number().meta({
      description:
        'Hours from issuance to local midnight of target_date, or to valid_at; negative for same-day',
    }),
    lead_time_bucket: leadTimeBucket,
    forecast: temperature().meta({ description: '°F' }),
    actual: temperature().meta({ description: '°F' }),
    error: difference().meta({ description: 'forecast - actual, °F' }),
    observation_status: z.enum(['verified', 'preliminary']),
  })
  .meta({ id: 'SampleRecord', description: 'One verification pair' });
