import { z } from 'zod';
import { defineEndpoint } from '../api/endpoint.js';

const count = z.int().min(0);

const record = z
  .object({
    date: z.iso.date().meta({ description: 'UTC' }),
    requests: count.meta({ description: 'Requests with this key, including refused ones and this one' }),
    rate_limited: count.meta({ description: 'Requests refused for exceeding a limit' }),
    responses: count.meta({ description: 'Responses, without exports' }),
    responses_cached: count.meta({ description: 'Responses that read nothing: cached, shared, or 304' }),
    cached_pct: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Percentage of cached responses, 0 to 100, to 0.01; null without responses' }),
    rows_read: count.meta({ description: 'Rows that the engine read for responses, plus rows of exports' }),
  })
  .meta({ id: 'UsageOfDay' });

const limit = (what: string) => count.nullable().meta({ description: `${what}; null without a limit` });

/** GET /api/v1/usage: what the key that asks has used, and what it has left. An addition to the interface. */
export const usage = defineEndpoint({
  paths: ['/usage'],
  operationId: 'getUsage',
  summary: 'Usage of your key',
  description:
    'One record per UTC day with a request, newest first, at most 30; the metadata have the current limits and ' +
    'what is left of them. Each server counts separately, from its start. The response reads no rows, so it works ' +
    'when none are left.',
  example: {},
  groups: {},
  record,
  metadata: {
    key_id: z.string(),
    key_name: z.string(),
    counted_since: z.iso.datetime().meta({ description: 'The first request with this key, UTC' }),
    requests_per_minute: limit('Requests per minute that the key may make'),
    requests_left: limit('How many of them are left'),
    rows_per_minute: limit('Rows per minute that the key may read'),
    rows_left: limit('How many of them are left'),
  },
  isUncacheable: true,
  isPerClient: true,

  handle(_params, { caller }) {
    const { days, ...metadata } = caller.usage();
    return Promise.resolve({
      data: days.map(({ rows_read, ...day }) => ({
        ...day,
        cached_pct:
          day.responses === 0 ? null : Math.round((day.responses_cached / day.responses) * 10_000) / 100,
        rows_read,
      })),
      metadata,
      fileNameParts: ['by-day'],
    });
  },
});
