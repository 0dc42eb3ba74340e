import { z } from 'zod';
import { sourceState } from '../source-state.js';
import { alarm } from '../watch/alarm.js';

// The events that clients can listen to, as documents and typed clients have them.

export const EVENT_KINDS = ['version', 'alarm', 'clear', 'source'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const OUTCOMES = ['complete', 'some_rows_rejected', 'leftovers_settled', 'repaired'] as const;

/** The load that an event comes from. */
const ofLoad = {
  version: z
    .int()
    .min(1)
    .meta({ description: 'The load, as metadata.data_version of the answers that show it', example: 412 }),
  lineage: z
    .string()
    .meta({ description: 'As metadata.lineage: as_of=v412.k7q2 asks for its data', example: 'k7q2' }),
  finished_at: z.iso.datetime().meta({ description: 'When the load finished, UTC' }),
};

const versionEvent = z
  .object({
    ...ofLoad,
    outcome: z.enum(OUTCOMES).meta({ description: 'As in /api/v1/loads' }),
    providers: z.array(z.string()).meta({ description: 'Providers whose forecasts it brought, by name' }),
    station_days: z
      .array(z.object({ provider: z.string(), station_days: z.int().min(1) }))
      .nullable()
      .meta({
        description:
          'How many station days it touched: days with a forecast that is new, corrected or withdrawn, or with other ' +
          'pairs than before. null after a repair, and for more than a million values',
      }),
  })
  .meta({ id: 'VersionEvent', description: 'New data show' });

const alarmEvent = z.object({ ...ofLoad, ...alarm.shape }).meta({ id: 'AlarmEvent' });

const { source, feed, provider, last_success_at } = sourceState.shape;

const sourceEvent = z
  .object({
    ...ofLoad,
    state: z.enum(['silent', 'back']).meta({
      description:
        'silent: no usable answer for more than 18 hours, or 6 of a source that is asked each hour, or 42 of one that is asked once a day; back: it has ended',
    }),
    ...{ source, feed, provider, last_success_at },
  })
  .meta({ id: 'SourceEvent', description: 'A public source of the collector' });

/** The place of an event: `since` and Last-Event-ID take it. The last event of a version has the name of the version. */
const id = z.string().meta({ example: 'v412.k7q2' });

const of = <Event extends EventKind, Data extends z.ZodObject>(event: Event, data: Data) =>
  z
    .object({ id, event: z.literal(event), data })
    .meta({ id: `Told${event[0]?.toUpperCase()}${event.slice(1)}` });

export const serverEvent = z
  .union([
    of('version', versionEvent),
    of('alarm', alarmEvent),
    of('clear', alarmEvent),
    of('source', sourceEvent),
  ])
  .meta({ id: 'ServerEvent' });
export type ServerEvent = z.infer<typeof serverEvent>;
