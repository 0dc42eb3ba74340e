import { sql, type Statement } from './sql.js';

/** The groups of a response about cases. */
export const GROUPINGS = ['none', 'lead_time_bucket', 'station', 'month'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The keys that tell the groups apart, over the rows of latestForecasts(). */
export const GROUP_KEY: Record<Grouping, Statement> = {
  none: sql`''`,
  lead_time_bucket: sql`slot`,
  station: sql`station_id`,
  month: sql`toStartOfMonth(target_date)`,
};
