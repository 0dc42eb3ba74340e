import { z } from 'zod';

// The one event of the stream, as documents and typed clients have it.

/** How a load can have finished. */
export const OUTCOMES = ['complete', 'some_rows_rejected', 'leftovers_settled', 'repaired'] as const;

const pairs = z.int().min(0).nullable().meta({ description: 'null if the load does not say' });

export const versionEvent = z
  .object({
    id: z.string().meta({
      description: 'Version and timeline: Last-Event-ID, `as_of`, and `after` of /api/v1/loads take it',
      example: 'v412.k7q2',
    }),
    event: z.literal('version'),
    data: z
      .object({
        data_version: z.int().min(1).meta({
          description: 'As metadata.data_version of the responses that have its data',
          example: 412,
        }),
        finished_at: z.iso.datetime().meta({ description: 'When the load finished, UTC' }),
        outcome: z.enum(OUTCOMES).meta({ description: 'As in /api/v1/loads' }),
        pairs_added: pairs,
        pairs_withdrawn: pairs,
        alarms: z
          .array(z.string())
          .meta({ description: 'Current alarms after the load, each in a sentence' }),
      })
      .meta({ id: 'VersionData' }),
  })
  .meta({ id: 'VersionEvent', description: 'The latest load that has finished' });
export type VersionEvent = z.infer<typeof versionEvent>;
