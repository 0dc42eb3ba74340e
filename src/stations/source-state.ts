import { z } from 'zod';

const count = z.int().min(0);

/** A public source of the collector, as of its last load. */
export const sourceState = z.object({
  source: z.string().meta({ example: 'iem-nbm' }),
  feed: z.enum(['forecasts', 'observations', 'hours', 'hourly_forecasts']),
  provider: z.string().nullable().meta({ description: 'Of forecasts; null for observations' }),
  stations: count.meta({ description: 'Stations that are requested' }),
  last_success_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When it last gave a usable response, UTC; null if it never has' }),
  gaps: count.meta({ description: 'What is missing and is requested again' }),
  permanent_gaps: count.meta({ description: 'What is missing and is no longer requested' }),
  requests: z
    .object({
      ok: count.meta({ description: 'Answered' }),
      no_answer: count.meta({ description: 'Answered without the requested data' }),
      refused: count.meta({ description: 'Refused, by a status from 400 to 499' }),
      failed: count.meta({ description: 'Failed: a status from 500 on, the network, or time' }),
    })
    .meta({ description: 'Since the first pass of the collector' }),
  attribution: z
    .string()
    .nullable()
    .meta({ description: 'Attribution to show with the data, and its terms' }),
});
export type SourceState = z.infer<typeof sourceState>;
