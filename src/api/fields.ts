import { z } from 'zod';
import { ALL_BUCKETS } from '../statistics/time/lead-time.js';
import { CHANCE_NAMES } from '../variables/variables.js';
import { difference, share } from './kinds.js';

// The dictionary of fields: those that several records have, and the kinds of numbers that they are made of. A field of
// one record alone is defined with the record.

export const count = (description: string) => z.int().min(0).meta({ description });

export const shareOrNull = (description: string) => share().nullable().meta({ description });

/** @param number the schema of one of its kind */
export const numberOrNull = (description: string, number: () => z.ZodNumber = z.number) =>
  number().nullable().meta({ description });

export const dateOrNull = (description: string) => z.iso.date().nullable().meta({ description });

export const instantOrNull = (description: string) => z.iso.datetime().nullable().meta({ description });

/** A difference of temperatures, °F until it leaves. */
export const differenceOrNull = (description: string) => difference().nullable().meta({ description });

/** The condition of a field that only chances have. */
export const WITH_BRIER = `With metric=${CHANCE_NAMES.join(', ')}`;

/** A station of a record for each. */
export const STATION = {
  station_id: z.string().meta({ example: 'KORD' }),
  city_name: z.string().meta({ example: 'Chicago' }),
};

/** The subject of a record that may be of all stations. */
export const STATION_OR_ALL = {
  station_id: z.string().meta({ description: 'Station identifier, or ALL', example: 'KORD' }),
  city_name: z.string().meta({ description: 'Display name, or All stations', example: 'Chicago' }),
};

/** The sample of a record. */
export const SAMPLE = {
  verification_pairs: count('Forecast-actual pairs'),
  unique_days: count('Distinct calendar days with a pair'),
};

export const confidenceLevel = z
  .number()
  .meta({ description: 'Confidence level of the intervals', example: 0.95 });

export const providerName = z
  .string()
  .meta({ description: 'The provider that issued the forecasts', example: 'default' });

export const leadTimeBucket = z.enum(ALL_BUCKETS).meta({
  id: 'LeadTimeBucket',
  description:
    'Lead-time bucket: hours from issuance to the start of the target date at the station, half open; same-day ' +
    '(forecasts issued later) only if the request names it',
  example: '0-6h',
});
