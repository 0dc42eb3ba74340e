import { raw, sql, type Statement } from './sql.js';
import { ALL_BUCKETS, BUCKET_BEGINNINGS_MS } from '../statistics/time/lead-time.js';

/** The type of a column of buckets. */
export const BUCKET_TYPE = `Enum8(${ALL_BUCKETS.map((bucket, place) => `'${bucket}' = ${place}`).join(', ')})`;

/** bucketOfLead() as SQL, over an expression of milliseconds. */
export function bucketSql(lead_ms: Statement): Statement {
  const ends = ALL_BUCKETS.slice(0, -1).map(
    (bucket, place) => `${lead_ms.text} < ${BUCKET_BEGINNINGS_MS[place]!}, '${bucket}'`,
  );
  return sql`CAST(multiIf(${raw(ends.join(', '))}, ${raw(`'${ALL_BUCKETS.at(-1)}'`)}) AS ${raw(BUCKET_TYPE)})`;
}

/** How many buckets there are. */
export const BUCKETS = raw(`${ALL_BUCKETS.length}`);
