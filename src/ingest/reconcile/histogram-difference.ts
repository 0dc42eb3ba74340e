import type { DateSpan } from '../../queries/conditions.js';
import type { Histogram } from '../../queries/histograms.js';
import { raw, sql, type Statement } from '../../queries/sql.js';

/** The rows that a histogram lacks against the ledger, in the periods that begin in a span, each with all of its days. */
export function histogramDifference(
  { table, key, computed, period, counts = sql`true` }: Histogram,
  { ...dates }: DateSpan,
): Statement {
  const columns = raw(key.join(', '));
  const ofLedger = key.map((column) => {
    const value = column === period.column ? period.of('target_date') : (computed?.[column] ?? column);
    return value === column ? column : `${value} AS ${column}`;
  });
  const ofPeriods = (start: string): Statement =>
    raw(`${start} BETWEEN {first_date: Date} AND {last_date: Date}`, dates);
  return sql`
  SELECT ${columns}, sum(counted) AS pair_count, sum(preliminary) AS preliminary_pair_count
  FROM (
    SELECT
      ${raw(ofLedger.join(', '))},
      toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE ${ofPeriods(period.of('target_date'))} AND ${counts}
    UNION ALL
    SELECT ${columns}, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM ${raw(table)}
    WHERE ${ofPeriods(period.column)}
  )
  GROUP BY ${columns}
  HAVING sum(counted) != 0 OR sum(preliminary) != 0`;
}
