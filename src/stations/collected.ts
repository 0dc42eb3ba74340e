import { z } from 'zod';
import { sql, type Statement } from '../sql.js';

// What the collector says of its public sources, in the report of each load that it makes.

// Loads of feeds come between those of the collector, so it may not be the last one.
const collectedSql = sql`
  SELECT JSONExtractRaw(report, 'collected') AS collected
  FROM loads
  WHERE event = 'finished' AND JSONHas(report, 'collected')
  ORDER BY load_id DESC
  LIMIT 1`;

const count = z.int().min(0);

const requests = z.object({
  ok: count.meta({ description: 'Answered' }),
  no_answer: count.meta({ description: 'Answered without what was asked for' }),
  refused: count.meta({ description: 'Refused, by a status from 400 to 499' }),
  failed: count.meta({ description: 'Failed: a status from 500 on, the network, or time' }),
});

export const collectedState = z.object({
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
  requests: requests.meta({ description: 'Since the first pass of the collector' }),
});

const collectedRow = z.object({
  collected: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.object({ sources: z.array(collectedState.extend({ attribution: z.string().optional() })) })),
});

interface Reader {
  query<Row>(statement: Statement, row: z.ZodType<Row>): Promise<Row[]>;
}

/** The sources in the last report of the collector, in the order in which it asks them; none without a collector. */
export async function collectedStates(
  store: Reader,
): Promise<z.infer<typeof collectedRow>['collected']['sources']> {
  const [last] = await store.query(collectedSql, collectedRow);
  // One that has nothing of these stations is not asked, and never succeeds.
  return last?.collected.sources.filter(({ stations }) => stations > 0) ?? [];
}
