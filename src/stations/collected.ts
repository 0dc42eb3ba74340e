import { z } from 'zod';
import { sourceState, type SourceState } from './source-state.js';
import { type Rows, sql } from '../queries/sql.js';

const { attribution } = sourceState.shape;

// The collector reports the state of its public sources in the report of each load that it makes.

// Loads of feeds come between those of the collector, so it may not be the last one.
const collectedSql = sql.rows(
  z.object({
    collected: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(z.object({ sources: z.array(sourceState.extend({ attribution: attribution.default(null) })) })),
  }),
)`
  SELECT JSONExtractRaw(report, 'collected') AS collected
  FROM loads
  WHERE event = 'finished' AND JSONHas(report, 'collected')
  ORDER BY load_id DESC
  LIMIT 1`;

interface Reader {
  query<Row>(rows: Rows<Row>): Promise<Row[]>;
}

/** The sources in the last report of the collector, in the order in which it asks them; none without a collector. */
export async function collectedStates(store: Reader): Promise<SourceState[]> {
  const [last] = await store.query(collectedSql);
  // One that has nothing of these stations is not asked, and never succeeds.
  return last?.collected.sources.filter(({ stations }) => stations > 0) ?? [];
}
