import { z } from 'zod';
import { REPORTED_IN } from '../variables/units.js';

/** A row of a station as the store keeps it, in the order of its columns. */
export const stationRow = z.object({
  station_id: z.string(),
  city_name: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  climate_zone: z.string(),
  data_active: z.boolean(),
  aliases: z.array(z.string()),
  iata: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
  reported_in: z.enum(REPORTED_IN),
  /** The station and all its facts are taken back (D42). */
  withdrawn: z.boolean(),
});

export type StationFact = z.infer<typeof stationRow>;
