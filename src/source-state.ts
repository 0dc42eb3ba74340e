import { z } from 'zod';

const count = z.int().min(0);

/** A public source of the collector, as of its last load. */
export const sourceState = z.object({
  source: z.string().meta({ example: 'iem-nbm' }),
  feed: z.enum(['forecasts', 'observations']),
  provider: z.string().nullable().meta({ description: 'Of forecasts; null for observations' }),
  stations: count.meta({ description: 'Stations that are asked for' }),
  last_success_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When it last gave a usable answer, UTC; null if it never has' }),
  gaps: count.meta({ description: 'What is missing and is asked for again' }),
  permanent_gaps: count.meta({ description: 'What is missing and is asked for no more' }),
  requests: z
    .object({
      ok: count.meta({ description: 'Answered' }),
      no_answer: count.meta({ description: 'Answered without what was asked for' }),
      refused: count.meta({ description: 'Refused, by a status from 400 to 499' }),
      failed: count.meta({ description: 'Failed: a status from 500 on, the network, or time' }),
    })
    .meta({ description: 'Since the first pass of the collector' }),
  attribution: z
    .string()
    .nullable()
    .meta({ description: 'Who must be named where the data are shown, and under which terms' }),
});
export type SourceState = z.infer<typeof sourceState>;
