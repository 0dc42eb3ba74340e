import { z } from 'zod';
import { defineEndpoint } from '../api/endpoint.js';

const count = z.int().min(0);

const record = z
  .object({
    date: z.iso.date().meta({ description: 'UTC' }),
    requests: count.meta({ description: 'Requests with this key, refused ones and this one among them' }),
    rate_limited: count.meta({ description: 'Requests and questions that were refused as over a limit' }),
    answers: count.meta({ description: 'Answers to questions; an export is none' }),
    answers_kept: count.meta({ description: 'Those of them that read nothing: kept, shared, or 304' }),
    kept_pct: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Cached answers in 100, to 0.01; null without answers' }),
    rows_read: count.meta({ description: 'Rows that the engine read for answers, and rows of exports' }),
  })
  .meta({ id: 'UsageOfDay' });

const limit = (what: string) => count.nullable().meta({ description: `${what}; null without a limit` });

/** GET /api/v1/usage: what the key that asks has used, and what it has left (D46). An addition to the interface. */
export const usage = defineEndpoint({
  paths: ['/usage'],
  operationId: 'getUsage',
  summary: 'Usage of the key that asks',
  description:
    'A record per UTC day with a request, newest first, the last 30 at most; the metadata have the limits in force and what ' +
    'is left of them. Each server counts for itself, from its start. It reads nothing, so it answers when no rows are left.',
  example: {},
  groups: {},
  record,
  many: true,
  metadata: {
    key_id: z.string(),
    key_name: z.string(),
    counted_since: z.iso.datetime().meta({ description: 'The first request with this key, UTC' }),
    requests_per_minute: limit('Requests that the key may make in a minute'),
    requests_left: limit('Those of them that are left'),
    rows_per_minute: limit('Rows that the key may read in a minute'),
    rows_left: limit('Those of them that are left'),
  },
  isMomentary: true,

  answer(_question, { caller }) {
    const { days, ...metadata } = caller.usage();
    return Promise.resolve({
      data: days.map(({ rows_read, ...day }) => ({
        ...day,
        kept_pct: day.answers === 0 ? null : Math.round((day.answers_kept / day.answers) * 10_000) / 100,
        rows_read,
      })),
      metadata,
      fileNameParts: ['by-day'],
    });
  },
});
